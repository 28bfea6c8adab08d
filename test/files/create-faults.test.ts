/**
 * Whatever the disk refuses, and whenever the caller gives up: what is made is there whole, or nothing is left of it.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { addMember, recluster } from '../../src/files/change-members.ts';
import { compactHistory } from '../../src/files/compact-history.ts';
import { defrag } from '../../src/files/defrag.ts';
import { initDb } from '../../src/files/init-db.ts';
import { populateCluster } from '../../src/files/populate.ts';
import { restoreCluster, restoreSnapshot } from '../../src/files/restore.ts';
import { loneDir } from '../datadir/hostile-dirs.ts';
import { makeDb, put } from '../support/backend-db.ts';
import { memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { seededRandom } from '../support/faulty.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Which call of those that change the disk fails: the n-th from now on. Counts them too. */
const disk = vi.hoisted(() => ({ calls: 0, failAt: -1, code: 'EIO' }));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  const failing = (): Error | undefined =>
    disk.calls++ === disk.failAt ? Object.assign(new Error(disk.code), { code: disk.code }) : undefined;
  /** The call, or the failure in place of it. */
  const guarded = <Arguments extends readonly unknown[], Result>(call: (...args: Arguments) => Result) => {
    return (...args: Arguments): Result => {
      const error = failing();
      if (error !== undefined) throw error;
      return call(...args);
    };
  };
  return {
    ...real,
    writeSync: guarded(real.writeSync as (...args: unknown[]) => number),
    fsyncSync: guarded(real.fsyncSync),
    fdatasyncSync: guarded(real.fdatasyncSync),
    ftruncateSync: guarded(real.ftruncateSync),
    renameSync: guarded(real.renameSync),
    linkSync: guarded(real.linkSync),
    mkdirSync: guarded(real.mkdirSync as (...args: unknown[]) => string | undefined),
    fdatasync(descriptor: number, done: (error: Error | null) => void): void {
      const error = failing();
      if (error === undefined) real.fdatasync(descriptor, done);
      else setImmediate(() => done(error));
    },
  };
});

const SNAPSHOT_DB = await makeDb({ key: [put(2, 0, { key: 'a' }), put(3, 0, { key: 'b', value: 'x'.repeat(9000) })] });
const DIR = await loneDir();
const CLUSTER = { n1: 'http://10.0.0.1:2380', n2: 'http://10.0.0.2:2380' };

interface Operation {
  readonly name: string;
  /** What is there before. */
  prepare?(folder: string): void;
  run(folder: string, signal?: AbortSignal): Promise<unknown>;
}

const withDb = (folder: string): void => writeFileSync(join(folder, 'db'), SNAPSHOT_DB);
const withDir = (folder: string): void => void writeDataDir(memoryDir(DIR), join(folder, 'old'));

const OPERATIONS: readonly Operation[] = [
  { name: 'initDb', run: (folder, signal) => initDb(join(folder, 'new.db'), { withHash: true, signal }) },
  {
    name: 'restoreSnapshot, the log elsewhere, below directories that are missing',
    prepare: withDb,
    run: (folder, signal) =>
      restoreSnapshot(join(folder, 'db'), {
        dataDir: join(folder, 'a', 'b', 'data'),
        walDir: join(folder, 'a', 'log'),
        skipHashCheck: true,
        signal,
      }),
  },
  {
    name: 'restoreSnapshot, into an empty directory',
    prepare(folder) {
      withDb(folder);
      mkdirSync(join(folder, 'data'));
    },
    run: (folder, signal) =>
      restoreSnapshot(join(folder, 'db'), { dataDir: join(folder, 'data'), skipHashCheck: true, signal }),
  },
  {
    name: 'restoreCluster',
    prepare: withDb,
    run: (folder, signal) =>
      restoreCluster(join(folder, 'db'), join(folder, 'all'), { initialCluster: CLUSTER, skipHashCheck: true, signal }),
  },
  {
    name: 'populateCluster',
    run: (folder, signal) => populateCluster(join(folder, 'all'), { initialCluster: CLUSTER, signal }),
  },
  {
    name: 'recluster',
    prepare: withDir,
    run: (folder, signal) => recluster(join(folder, 'old'), join(folder, 'new'), { signal }),
  },
  {
    name: 'addMember, the log elsewhere',
    prepare: withDir,
    run: (folder, signal) =>
      addMember(join(folder, 'old'), join(folder, 'a', 'new'), ['http://10.0.0.9:2380'], {
        outputWalDir: join(folder, 'a', 'log'),
        signal,
      }),
  },
  {
    name: 'defrag of a directory',
    prepare: withDir,
    run: (folder, signal) => defrag(join(folder, 'old'), join(folder, 'new'), { signal }),
  },
  {
    name: 'compactHistory of a db',
    prepare: withDb,
    run: (folder, signal) => compactHistory(join(folder, 'db'), join(folder, 'new'), 2n, { signal }),
  },
];

/** Runs it in a folder of its own; what it ended with, and that nothing is left if it failed. */
async function attempt({ prepare, run }: Operation, before: () => AbortSignal | undefined): Promise<string> {
  disk.failAt = -1;
  const folder = temporaryDirectory();
  prepare?.(folder);
  const listing = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const names = listing();
  const signal = before();
  try {
    await run(folder, signal);
    return 'done';
  } catch (error) {
    if (!isDatadirError(error) || error.code === 'INTERNAL') throw error;
    expect(listing()).toEqual(names);
    return error.code;
  } finally {
    disk.failAt = -1;
  }
}

/** At most so many of the numbers below `total`, the first and the last ones among them. */
function sample(total: number, count: number, seed: number): number[] {
  if (total <= count) return Array.from({ length: total }, (_, i) => i);
  const random = seededRandom(seed);
  const chosen = new Set([0, 1, total - 3, total - 2, total - 1]);
  while (chosen.size < count) chosen.add(Math.floor(random() * total));
  return [...chosen].sort((a, b) => a - b);
}

const SEED = 7;

describe.each(OPERATIONS)('$name', (operation) => {
  test(`a write, sync, rename or new directory that fails leaves nothing (seed ${SEED})`, async () => {
    disk.calls = 0;
    await attempt(operation, () => {
      disk.calls = 0;
      return undefined;
    });
    const total = disk.calls;
    expect(total).toBeGreaterThan(3);
    for (const code of ['EIO', 'ENOSPC']) {
      for (const failAt of sample(total, 16, SEED)) {
        const ended = await attempt(operation, () => {
          Object.assign(disk, { calls: 0, failAt, code });
          return undefined;
        });
        // The sync of a directory that was renamed to its place is the last call, and takes the name back.
        expect({ failAt, ended }).not.toEqual({ failAt, ended: 'done' });
      }
    }
  });

  test('given up at any look at the signal, it leaves nothing', async () => {
    const looks = (limit: number): { signal: AbortSignal; count(): number } => {
      const controller = new AbortController();
      let count = 0;
      Object.defineProperty(controller.signal, 'aborted', {
        get() {
          if (count++ === limit) controller.abort();
          return count > limit;
        },
      });
      return { signal: controller.signal, count: () => count };
    };
    const all = looks(Number.POSITIVE_INFINITY);
    expect(await attempt(operation, () => all.signal)).toBe('done');
    expect(all.count()).toBeGreaterThan(2);
    for (const limit of sample(Math.max(3, all.count() - 2), 12, SEED)) {
      const { signal, count } = looks(limit);
      const ended = await attempt(operation, () => signal);
      // How often it is looked at depends on how fast the machine is.
      expect(ended).toBe(count() > limit ? 'ABORTED' : 'done');
    }
  });
});
