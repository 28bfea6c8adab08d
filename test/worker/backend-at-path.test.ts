// Questions about a db by path: a worker thread gives the same answers as this one.
import { getEventListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BackendAtPath } from '../../src/worker/backend-at-path.ts';
import type { WorkerOptions } from '../../src/worker/worker-options.ts';
import { bundleWorker, starter } from '../support/bundled-worker.ts';
import { FIXTURES, readFixture } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let code: string;
beforeAll(async () => {
  code = await bundleWorker();
});

function open(path = join(FIXTURES, 'example.db')): BackendAtPath {
  const backend = new BackendAtPath(path);
  onTestFinished(() => backend.close());
  return backend;
}

const QUESTIONS: Readonly<Record<string, (backend: BackendAtPath, run: WorkerOptions) => Promise<unknown>>> = {
  status: (backend, run) => backend.status(run),
  hashKv: (backend, run) => backend.hashKv({ revision: 269n, ...run }),
  hash: (backend, run) => backend.hash(run),
  usage: (backend, run) => backend.usage({ depth: 2, ...run }),
  leasesWithKeys: (backend, run) => backend.leasesWithKeys(run),
  verifyTrailer: (backend, run) => backend.verifyTrailer(run),
};

describe('questions to a db by path', () => {
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    test(`${name}: a worker answers as this thread does`, async () => {
      const { createWorker, workers } = starter(code);
      const answer = await ask(open(), { createWorker });
      expect(workers).toHaveLength(1);
      expect(answer).toEqual(await ask(open(), { worker: false }));
    });
  }

  test('errors come back as ours, with their code', async () => {
    const { createWorker } = starter(code);
    await expect(open().hashKv({ revision: 100_000n, createWorker })).rejects.toMatchObject({
      code: 'REVISION_FUTURE',
    });
  });

  test('without a worker the work is done here, and the caller is told', async () => {
    const failures: unknown[] = [];
    const createWorker = (): never => {
      throw new Error('no threads');
    };
    const onWorkerFailure = (reason: unknown): void => void failures.push(reason);
    expect(await open().hashKv({ createWorker, onWorkerFailure })).toEqual(await open().hashKv({ worker: false }));
    expect(failures).toHaveLength(1);
  });

  test('an abort is heard, and nothing is left in the signal', async () => {
    const { createWorker } = starter(code);
    const controller = new AbortController();
    const pending = open().status({ createWorker, signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'ABORTED' });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('progress is told', async () => {
    const path = join(temporaryDirectory(), 'db');
    writeFileSync(path, readFixture('etcd/3.6.14/k8s/m1'));
    const { createWorker } = starter(code);
    const seen: number[] = [];
    await open(path).status({ createWorker, onProgress: ({ done, total }) => void seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
  });
});
