/**
 * Spoiled directories and dbs given to all that makes something of them: there is an answer or an error of ours, never half an output, and
 * what was made is in order.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkBackend } from '../../src/backend/check.ts';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { DataDir } from '../../src/datadir/data-dir.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { addMember, recluster } from '../../src/files/change-members.ts';
import { compactHistory } from '../../src/files/compact-history.ts';
import { openDataDirFolder } from '../../src/files/data-dir-folder.ts';
import { defrag } from '../../src/files/defrag.ts';
import { migrate } from '../../src/files/migrate.ts';
import { restoreCluster, restoreSnapshot } from '../../src/files/restore.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { runSliced } from '../../src/io/job.ts';
import type { CheckReport } from '../../src/report.ts';
import { type DirContent, memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Operation = (folder: string, out: string) => Promise<unknown>;

const CLUSTER = { n1: 'http://10.0.0.1:2380', n2: 'http://10.0.0.2:2380' };
const source = (folder: string): string => join(folder, 'old');
const db = (folder: string): string => join(folder, 'old', 'member', 'snap', 'db');

/** What makes a directory of a directory, or of its db. */
const DIRECTORIES: Readonly<Record<string, Operation>> = {
  'restore a directory': (folder, dataDir) => restoreSnapshot(source(folder), { dataDir, sync: false }),
  'restore a directory for 3.4, with a bump': (folder, dataDir) =>
    restoreSnapshot(source(folder), { dataDir, etcdVersion: '3.4', bumpRevision: 'auto', tail: 'all', sync: false }),
  'restore a db': (folder, dataDir) => restoreSnapshot(db(folder), { dataDir, skipHashCheck: true, sync: false }),
  recluster: (folder, out) => recluster(source(folder), out, { sync: false }),
  'add a member': (folder, out) => addMember(source(folder), out, ['http://10.0.0.9:2380'], { sync: false }),
  'defrag a directory': (folder, out) => defrag(source(folder), out, { sync: false }),
};

/** What makes a file of a db. */
const FILES: Readonly<Record<string, Operation>> = {
  'defrag a db': (folder, out) => defrag(db(folder), out, { sync: false }),
  'compact a db': (folder, out) => compactHistory(db(folder), out, 5n, { sync: false }),
  'migrate a db': (folder, out) => migrate(db(folder), out, '3.7', { sync: false, force: true }),
};

/** Codes of what is wrong above what etcd mends itself. */
const codes = ({ findings }: CheckReport): string[] =>
  findings.filter(({ severity }) => severity !== 'info' && severity !== 'repairable').map(({ code }) => code);

/** Writes the directory; false if the disk can have no such one. */
function written(content: DirContent, folder: string): boolean {
  try {
    writeDataDir(memoryDir(content), source(folder));
    return true;
  } catch {
    rmSync(source(folder), { recursive: true, force: true });
    return false;
  }
}

/** How often each operation had which end. */
export type Tally = Map<string, number>;

export const OPERATIONS: readonly string[] = [...Object.keys(DIRECTORIES), ...Object.keys(FILES)];

/** Runs some of them, or all, on one spoiled directory. */
export async function judgeSpoiled(
  content: DirContent,
  tally: Tally,
  names: readonly string[] = OPERATIONS,
): Promise<void> {
  const folder = temporaryDirectory();
  if (!written(content, folder)) mkdirSync(source(folder));
  const listing = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const before = listing();
  const isHealthy = await looksHealthy(source(folder));
  for (const name of names) {
    const operation = (DIRECTORIES[name] ?? FILES[name]) as Operation;
    const out = join(folder, 'out');
    const ended = await operation(folder, out).then(
      () => 'done',
      (error: unknown) => {
        if (!isDatadirError(error) || error.code === 'INTERNAL') throw new Error(name, { cause: error });
        // Our own check found fault with what was written: that would be a bug as well, unless it is what was given.
        if (error.code === 'SELF_CHECK_FAILED' && isHealthy)
          throw new Error(`${name}: ${error.message}`, { cause: error });
        return error.code;
      },
    );
    tally.set(`${name}: ${ended}`, (tally.get(`${name}: ${ended}`) ?? 0) + 1);
    if (ended === 'done') {
      // A db that was migrated is for that release; the one that it was made by may refuse it.
      const wrong =
        name in FILES ? codes(checkFile(out, name.startsWith('migrate') ? '3.7' : undefined)) : await wrongIn(out);
      // What the old db had wrong in its records, the new one may have.
      const known = new Set(wrong.length === 0 ? [] : codes(checkFile(db(folder))));
      expect(
        wrong.filter((code) => !known.has(code)),
        name,
      ).toEqual([]);
      rmSync(out, { recursive: true });
    }
    expect(listing(), name).toEqual(before);
  }
}

function checkFile(path: string, etcdVersion?: EtcdMinor): CheckReport {
  const opened = openFileSource(path);
  try {
    return checkBackend(opened, { etcdVersion });
  } finally {
    opened.close();
  }
}

async function wrongIn(path: string): Promise<string[]> {
  using dir = new DataDir(openDataDirFolder(path, {}));
  return codes(await runSliced(new DataDirCheckJob(dir, { level: 'deep' })));
}

async function looksHealthy(path: string): Promise<boolean> {
  using dir = new DataDir(openDataDirFolder(path, {}));
  return (await runSliced(new DataDirCheckJob(dir, { level: 'deep' }))).verdict === 'healthy';
}

/** All members at once, of a spoiled db. */
export async function judgeCluster(content: DirContent): Promise<void> {
  const folder = temporaryDirectory();
  if (!written(content, folder)) return;
  const before = readdirSync(folder);
  const made = await restoreCluster(db(folder), join(folder, 'all'), {
    initialCluster: CLUSTER,
    skipHashCheck: true,
    sync: false,
  }).then(
    () => true,
    (error: unknown) => {
      if (!isDatadirError(error) || error.code === 'INTERNAL') throw error;
      return false;
    },
  );
  expect(readdirSync(folder).sort()).toEqual(made ? ['all', ...before].sort() : before);
}
