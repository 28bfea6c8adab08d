// Real threads. Node 20 cannot load TypeScript, so what runs in them is bundled first.
import { getEventListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCheckJob } from '../../src/datadir/check.ts';
import { openWalFolder } from '../../src/files/wal-folder.ts';
import { type FileSource, openFileSource } from '../../src/io/file-source.ts';
import { drain } from '../../src/io/job.ts';
import type { WorkerRequest } from '../../src/worker/messages.ts';
import { type RunInWorkerOptions, runInWorker } from '../../src/worker/run-in-worker.ts';
import { bundle, bundleWorker, starter } from '../support/bundled-worker.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A worker whose jobs do what the path says. */
const STAND_IN = `
  import { parentPort } from 'node:worker_threads';
  import { DatadirError } from './src/errors.ts';
  import { serve } from './src/worker/serve.ts';

  serve(parentPort, {
    check(source) {
      let done = 0;
      return {
        step() {
          if (source.path === 'hang') for (;;);
          if (source.path === 'crash') process.exit(3);
          if (source.path === 'bug') throw new TypeError('of the job');
          if (source.path === 'damaged') throw new DatadirError('BOLT_DAMAGED', 'no', { path: source.path, pageId: 3 });
          const until = performance.now() + 1;
          while (performance.now() < until);
          done++;
          return source.path !== 'forever' && done >= 100;
        },
        get progress() { return { done, total: 100 }; },
        get result() {
          const bytes = new Uint8Array(100);
          return { path: source.path, bytesRead: source.readInto(bytes, 0), first: bytes[0] };
        },
      };
    },
  });
`;

let standIn: string;
let realEntry: string;
beforeAll(async () => {
  [standIn, realEntry] = await Promise.all([
    bundle({ stdin: { contents: STAND_IN, resolveDir: ROOT, loader: 'ts' } }),
    bundleWorker(),
  ]);
});

function open(path: string): FileSource {
  const source = openFileSource(path);
  onTestFinished(() => source.close());
  return source;
}

/** A request for the stand-in; `path` says what it is to do. */
function requestFor(path: string): WorkerRequest {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, 'abc');
  const { descriptor, size } = open(file);
  return { job: 'check', subject: { descriptor, size, path }, options: {} };
}

/** Runs the stand-in, and makes sure that nothing is left of the thread or in the signal. */
async function run(path: string, options: RunInWorkerOptions = {}): ReturnType<typeof runInWorker> {
  const { createWorker, workers } = starter(standIn);
  try {
    return await runInWorker(requestFor(path), { createWorker, ...options });
  } finally {
    // What Node says of a thread that has ended. On a busy machine that may take longer than is waited for.
    await vi.waitFor(() => expect(workers.map((worker) => worker.threadId)).toEqual([-1]), { timeout: 10_000 });
    if (options.signal !== undefined) expect(getEventListeners(options.signal, 'abort')).toEqual([]);
  }
}

describe('runInWorker', () => {
  test('checks a file by its descriptor, with the same report as on this thread', async () => {
    const source = open(join(FIXTURES, 'example.db'));
    const { descriptor, size, path } = source;
    const { createWorker } = starter(realEntry);
    const options = { level: 'full', path: 'named.db' } as const;
    const outcome = await runInWorker({ job: 'check', subject: { descriptor, size, path }, options }, { createWorker });
    const expected = drain(createCheckJob(source, options));
    expect(outcome).toEqual({ started: true, result: { ...expected, elapsedMs: expect.any(Number) } });
  });

  test('checks a log by the descriptors of its segments, with the same report as on this thread', async () => {
    const { files, close } = openWalFolder(join(FIXTURES, 'example'));
    onTestFinished(close);
    const segments = files.segments.map(({ name, source }) => {
      const { descriptor, size, path } = source as FileSource;
      return { name, descriptor, size, path };
    });
    const subject = { segments, others: ['0.tmp'] };
    const { createWorker } = starter(realEntry);
    const outcome = await runInWorker({ job: 'check', subject, options: { path: 'named' } }, { createWorker });
    const wal = { segments: files.segments, others: ['0.tmp'] };
    const expected = drain(createCheckJob({ wal }, { path: 'named' }));
    expect(expected.findings.map(({ code }) => code)).toEqual(['WAL_LEFTOVER']);
    expect(outcome).toEqual({ started: true, result: { ...expected, elapsedMs: expect.any(Number) } });
  });

  test('tells progress, and leaves the descriptor open', async () => {
    const seen: number[] = [];
    const request = requestFor('count');
    const { createWorker } = starter(standIn);
    const onProgress = ({ done }: { done: number }): number => seen.push(done);
    const outcome = await runInWorker(request, { createWorker, onProgress });
    expect(outcome).toEqual({ started: true, result: { path: 'count', bytesRead: 3, first: 97 } });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(100);
    // Once more with the same descriptor.
    expect(await runInWorker(request, { createWorker })).toEqual(outcome);
  });

  test('keeps the event loop free', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await run('count');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  test('an error of the job arrives as the error it was', async () => {
    await expect(run('damaged')).rejects.toMatchObject({ code: 'BOLT_DAMAGED', path: 'damaged', pageId: 3 });
  });

  test('a bug in the job is INTERNAL', async () => {
    await expect(run('bug')).rejects.toMatchObject({ code: 'INTERNAL', message: 'TypeError: of the job' });
  });

  test('a thread that dies at work is INTERNAL', async () => {
    await expect(run('crash')).rejects.toMatchObject({ code: 'INTERNAL', cause: { message: /code 3/ } });
  });

  test('what onProgress throws ends the work', async () => {
    const onProgress = (): never => {
      throw new Error('of the caller');
    };
    await expect(run('forever', { onProgress })).rejects.toThrow('of the caller');
  });
});

describe('abort', () => {
  test('before the start no thread is started', async () => {
    const { createWorker, workers } = starter(standIn);
    const options = { createWorker, signal: AbortSignal.abort('early') };
    await expect(runInWorker(requestFor('count'), options)).rejects.toMatchObject({ code: 'ABORTED', cause: 'early' });
    expect(workers).toEqual([]);
  });

  test('while the thread is starting', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort('enough'));
    await expect(run('forever', { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: 'enough',
    });
  });

  test('while the job runs; no progress is told afterwards', async () => {
    const controller = new AbortController();
    let calls = 0;
    const onProgress = (): void => {
      calls++;
      controller.abort('enough');
    };
    await expect(run('forever', { signal: controller.signal, onProgress })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: 'enough',
    });
    expect(calls).toBe(1);
  });

  test('of a job that hears nothing', async () => {
    const controller = new AbortController();
    const { createWorker } = starter(standIn);
    const aborting = (): Worker => {
      const worker = createWorker();
      worker.once('message', () => controller.abort());
      return worker;
    };
    await expect(
      runInWorker(requestFor('hang'), { createWorker: aborting, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('where no thread can be started, the caller hears why', () => {
  test('the file is not there, as in a bundle', async () => {
    // By default: beside this module in TypeScript there is no worker.js.
    expect(await runInWorker(requestFor('count'))).toMatchObject({
      started: false,
      reason: { code: expect.stringMatching(/MODULE_NOT_FOUND/) },
    });
  });

  test('starting throws', async () => {
    const reason = new Error('threads are forbidden');
    const createWorker = (): never => {
      throw reason;
    };
    expect(await runInWorker(requestFor('count'), { createWorker })).toEqual({ started: false, reason });
  });

  test('the thread ends at once, or throws', async () => {
    const ends = starter('');
    expect(await runInWorker(requestFor('count'), ends)).toMatchObject({ started: false });
    const throws = starter(`throw new Error('broken')`);
    expect(await runInWorker(requestFor('count'), throws)).toMatchObject({
      started: false,
      reason: { message: 'broken' },
    });
  });

  test('the request cannot be sent', async () => {
    const { createWorker, workers } = starter(standIn);
    const request = { ...requestFor('count'), options: { level: (() => {}) as never } };
    expect(await runInWorker(request, { createWorker })).toMatchObject({
      started: false,
      reason: { name: 'DataCloneError' },
    });
    await vi.waitFor(() => expect(workers[0]?.threadId).toBe(-1), { timeout: 10_000 });
  });
});
