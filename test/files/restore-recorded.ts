/**
 * A recorded run of `snapshot restore` that succeeded, made again through files, and compared with what etcd's own tool left: names, modes,
 * and the bytes of log and `.snap` file. What is in the db: test/datadir/create/recorded.test.ts.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { restoreSnapshot } from '../../src/files/restore.ts';
import { run } from '../cli/run.ts';
import { inFolder } from '../support/in-folder.ts';
import {
  argumentsOf,
  bucketDigests,
  comparesPairs,
  dbOf,
  expectedPairs,
  KEPT_BUCKETS,
  modeOf,
  numberedById,
  optionsOf,
  pairsOf,
  prepareFolder,
  recordsOf,
  SEGMENT_SIZE,
} from '../support/restore-cases.ts';
import { type RestoredCase, type RestoredContents, restoredCases } from '../support/restored-by-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Cases that we refuse (test/cli/restore-refused.test.ts). */
const REFUSED = new Set(['bump-most-of-int64', 'bump-past-int64', 'bump-uint64', '32-bytes-skipped']);
/** That etcdctl writes \u0008 for \b: compared in memory. */
const OTHER_ESCAPES = new Set(['3.4 name-controls']);

export interface MadeCase {
  readonly label: string;
  readonly one: RestoredCase;
  readonly contents: RestoredContents;
}

/** All that succeeded. */
export function madeCases(): readonly MadeCase[] {
  return restoredCases().flatMap((one) => {
    const { contents } = one;
    const label = `${one.minor} ${one.name}`;
    if (contents === undefined || REFUSED.has(one.name) || OTHER_ESCAPES.has(label)) return [];
    return [{ label, one, contents }];
  });
}

/** Restores through the library or the command line, and compares. */
export async function judgeMade({ one, contents }: MadeCase, through: 'library' | 'command'): Promise<void> {
  const folder = temporaryDirectory();
  prepareFolder(one, folder);
  const source = readFileSync(join(folder, 'SOURCE'));
  await inFolder(folder, async () => {
    if (through === 'library') await restoreSnapshot('SOURCE', { ...optionsOf(one), sync: false });
    else expect(await run(argumentsOf(one))).toMatchObject({ code: 0, stderr: '' });
  });
  expect(readFileSync(join(folder, 'SOURCE')).equals(source)).toBe(true);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'SOURCE');
  const made = paths.map((path) => {
    const isFolder = statSync(join(folder, path)).isDirectory();
    return { path: isFolder ? `${path}/` : path, mode: modeOf(join(folder, path)) };
  });
  // .snap files of etcd's tools can be read by everybody; ours hold no secrets either, but nobody else needs them.
  const expected = one.files.map(({ path, mode }) => ({ path, mode: path.endsWith('.snap') ? '0600' : mode }));
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
  expect(made.sort(byPath)).toEqual(expected.sort(byPath));
  compareFiles(one, contents, folder);
}

const BEGINNING = 1 << 16;

function compareFiles(one: RestoredCase, contents: RestoredContents, folder: string): void {
  const walPath = join(folder, contents.walFile.path);
  expect(statSync(walPath).size).toBe(SEGMENT_SIZE);
  expect(Buffer.from(recordsOf(beginningOf(walPath))).equals(contents.wal)).toBe(true);

  const snap = readFileSync(join(folder, contents.snapFile.path));
  if (contents.ascending) expect(snap.equals(contents.snap)).toBe(true);
  else expect(numberedById(snap)).toEqual(numberedById(contents.snap));

  const db = dbOf(new Uint8Array(readFileSync(join(folder, contents.dbFile.path))));
  const digests = bucketDigests(db);
  const kept: ReadonlySet<string> = new Set(KEPT_BUCKETS);
  for (const [name, digest] of Object.entries(contents.buckets)) {
    if (!kept.has(name)) expect(digests[name], name).toEqual(digest);
  }
  for (const name of KEPT_BUCKETS) {
    if (comparesPairs(one, name)) expect(pairsOf(db, name), name).toEqual(expectedPairs(one, contents, name) ?? []);
  }
}

/** More than the records of a first log; zeros follow. */
function beginningOf(path: string): Uint8Array {
  const bytes = new Uint8Array(BEGINNING);
  const descriptor = openSync(path, 'r');
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes;
}
