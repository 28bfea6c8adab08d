// The check as a job: the same report whoever drives it, in steps small enough to be stopped between them.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { BoltCheckJob, checkBolt } from '../../src/bolt/check.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { check } from '../../src/node.ts';
import type { CheckReport } from '../../src/report.ts';
import { nestedBuckets, sparseSource } from '../support/bolt-builder.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, leaf } from '../support/bolt-pages.ts';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { readFixture } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { CountingSource } from './damage/judge.ts';

const WORKER = new URL('../../dist/worker.js', import.meta.url);

/** A report without what differs from run to run. */
function lasting({ elapsedMs, ...report }: CheckReport): Omit<CheckReport, 'elapsedMs'> {
  expect(elapsedMs).toBeGreaterThanOrEqual(0);
  return report;
}

const busy = readFixture('etcd/3.6.14/busy/m1');
const context = { snapshot: readFixture('etcd/3.6.14/busy/snapshot') };
const FILES: readonly (readonly [string, () => Uint8Array])[] = [
  ['a healthy file', () => busy],
  ['a small one', () => readFixture('bolt/small-512-stored')],
  ['one of three levels and more', () => readFixture('bolt/shapes-1024-stored')],
  ['a deep one', () => nestedBuckets(5000)],
  ...[
    'bolt-branch-zeroed',
    'bolt-overflow-huge',
    'bolt-truncated-half',
    'bolt-meta-newer-checksum',
    'bolt-leaf-key-order',
  ].map((name) => [name, () => boltRecipes.find((recipe) => recipe.name === name)!.apply(busy, 0, context)] as const),
  ['both metas lost', () => readFixture('bolt/small-512-none').slice().fill(0, 80, 560).fill(0, 16, 20)],
];

describe('the report is the same', () => {
  test.each(FILES)('%s: drained, in slices, in a worker thread', async (_name, make) => {
    expect(existsSync(fileURLToPath(WORKER)), 'npm run build comes first').toBe(true);
    const path = join(temporaryDirectory(), 'db');
    writeFileSync(path, make());
    const drained = lasting(drain(new BoltCheckJob(memorySource(make(), path))));
    expect(lasting(await runSliced(new BoltCheckJob(memorySource(make(), path))))).toEqual(drained);
    expect(lasting(await check(path, { kind: 'db', worker: false }))).toEqual(drained);
    const failures: unknown[] = [];
    const inWorker = await check(path, {
      kind: 'db',
      createWorker: () => new Worker(WORKER),
      onWorkerFailure: (reason) => failures.push(reason),
    });
    expect(failures).toEqual([]);
    expect(lasting(inWorker)).toEqual(drained);
    // And it is the same again after having been text.
    expect(JSON.parse(JSON.stringify(inWorker))).toEqual(inWorker);
  });

  test('when it is run twice', () => {
    for (const [, make] of FILES) expect(lasting(checkBolt(make()))).toEqual(lasting(checkBolt(make())));
  });
});

describe('steps', () => {
  test('are many, and each does little', () => {
    for (const file of [nestedBuckets(50_000), busy, readFixture('bolt/mixed-65536')]) {
      const source = new CountingSource(file);
      const job = new BoltCheckJob(source);
      let steps = 0;
      for (let finished = false; !finished; steps++) {
        const { bytesRead, reads } = source;
        finished = job.step();
        expect(source.bytesRead - bytesRead).toBeLessThanOrEqual(2 << 20);
        expect(source.reads - reads).toBeLessThan(3000);
      }
      expect(steps).toBeGreaterThan(source.bytesRead / (2 << 20));
    }
  });

  test('show progress that never goes back, and ends at the total', () => {
    for (const file of [busy, readFixture('bolt/shapes-65536-stored'), nestedBuckets(10_000), new Uint8Array(0)]) {
      const job = new BoltCheckJob(memorySource(file));
      let last = -1;
      for (let finished = false; !finished; ) {
        finished = job.step();
        const { done, total } = job.progress;
        expect(done).toBeGreaterThanOrEqual(last);
        expect(done).toBeLessThanOrEqual(total);
        last = done;
      }
      expect(job.progress.done).toBe(job.progress.total);
    }
  });

  test('there is no result before the last', () => {
    const job = new BoltCheckJob(memorySource(busy));
    job.step();
    expect(() => job.result).toThrow(/has not finished/);
  });

  test('the many unnamed pages of a sparse file are gone through in steps too', () => {
    const pageSize = 4096;
    const edit = new BoltEdit(
      boltFile({ 2: leaf(), 3: { flags: 0x10, count: 0, body: new Uint8Array(0) } }, { pageSize, freelist: 3 }),
    );
    edit.editMetas((start) => edit.setU64(start + 56, 2 ** 30));
    const job = new BoltCheckJob(sparseSource(2 ** 30 * pageSize, new Map([[0, edit.bytes]])));
    let steps = 0;
    while (!job.step()) steps++;
    expect(steps).toBeGreaterThan(200);
    expect(job.result.findings).toMatchObject([{ code: 'BOLT_PAGE_UNREACHABLE', pages: [4, 2 ** 30 - 1] }]);
  });
});

describe('stopping', () => {
  test('rejects with ABORTED, and no step is made afterwards', async () => {
    const job = new BoltCheckJob(memorySource(nestedBuckets(50_000)));
    let steps = 0;
    const counted = {
      step: () => {
        steps++;
        return job.step();
      },
      get progress() {
        return job.progress;
      },
      get result() {
        return job.result;
      },
    };
    const controller = new AbortController();
    let stepsAtAbort = 0;
    const onProgress = (): void => {
      stepsAtAbort = steps;
      controller.abort('enough');
    };
    const running = runSliced(counted, { signal: controller.signal, onProgress });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(steps).toBe(stepsAtAbort);
    expect(() => job.result).toThrow(/has not finished/);
  });

  test('before the start makes no step', async () => {
    let reads = 0;
    const source = memorySource(busy);
    const watched = {
      ...source,
      readInto(target: Uint8Array, offset: number): number {
        reads++;
        return source.readInto(target, offset);
      },
    };
    const running = runSliced(new BoltCheckJob(watched), { signal: AbortSignal.abort() });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(reads).toBe(0);
  });
});

test('the event loop turns while a large file is checked', async () => {
  const running = runSliced(new BoltCheckJob(memorySource(nestedBuckets(100_000))));
  let turns = 0;
  let longest = 0;
  let last = performance.now();
  let done = false;
  const count = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  const report = await running;
  done = true;
  expect(report.verdict).toBe('healthy');
  expect(turns).toBeGreaterThan(10);
  // A slice takes 10 ms; the rest is for machines that are busy otherwise.
  expect(longest).toBeLessThan(2000);
});
