// Whole data directories by path: a worker thread gives the same answers as this one.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { check, explain, validate, type WorkerOptions } from '../../src/node.ts';
import { bundleWorker, starter } from '../support/bundled-worker.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let code: string;
beforeAll(async () => {
  code = await bundleWorker();
});

function directory(name: string): string {
  const path = join(mkdtempSync(join(temporaryDirectory(), 'volume-')), 'data');
  writeDataDir(dataDirFixture(name), path);
  return path;
}

const TASKS: Readonly<Record<string, (path: string, run: WorkerOptions) => Promise<unknown>>> = {
  check: (path, run) => check(path, { level: 'deep', ...run }),
  validate: (path, run) => validate(path, { mode: 'full', ...run }),
  explain: (path, run) => explain(path, run),
};

/** Without what a clock says. */
function timeless(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each) => (/elapsedMs|Ms$/.test(key) ? 0 : typeof each === 'bigint' ? `${each}` : each)),
  );
}

describe('work on a data directory by path', () => {
  for (const [name, run] of Object.entries(TASKS)) {
    test(`${name}: a worker answers as this thread does`, async () => {
      const path = directory('3.6.14/crash/m1');
      const { createWorker, workers } = starter(code);
      const answer = await run(path, { createWorker });
      expect(workers).toHaveLength(1);
      expect(timeless(answer)).toEqual(timeless(await run(path, { worker: false })));
    });

    test(`${name}: an abort is heard`, async () => {
      const path = directory('3.6.14/busy/m1');
      const { createWorker } = starter(code);
      const controller = new AbortController();
      const pending = run(path, { createWorker, signal: controller.signal } as WorkerOptions);
      controller.abort();
      await expect(pending).rejects.toMatchObject({ code: 'ABORTED' });
    });
  }

  test('progress is told', async () => {
    const { createWorker } = starter(code);
    const seen: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }): void => void seen.push(done / total);
    await check(directory('3.6.14/k8s/m1'), { createWorker, onProgress });
    expect(seen.at(-1)).toBe(1);
  });

  test('what cannot be opened is an error of ours', async () => {
    const { createWorker } = starter(code);
    await expect(explain(join(tmpdir(), 'no-such-directory'), { createWorker })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
