/**
 * What etcd's own `snapshot restore` made, of every release, made here in memory: log, `.snap` file and db of all recorded runs that
 * succeeded. The same by way of real files: test/files/restore-recorded.test.ts.
 */
import { expect, test } from 'vitest';
import { readRevisions } from '../../../src/backend/revisions.ts';
import { writeFirstLog } from '../../../src/datadir/create/first-log.ts';
import { firstSnap } from '../../../src/datadir/create/first-snap.ts';
import { changeIdentity } from '../../../src/datadir/create/new-identity.ts';
import { bumpRevision, planBump } from '../../../src/datadir/create/revision-bump.ts';
import { changeForRelease, readDbVersions } from '../../../src/datadir/create/target-release.ts';
import { DbChanges } from '../../../src/datadir/rewrite/db-changes.ts';
import { RewriteJob } from '../../../src/datadir/rewrite/rewrite-job.ts';
import { oneMember } from '../../../src/files/restore.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { snapName } from '../../../src/snap/snap-name.ts';
import { encodeSnap } from '../../../src/snap/writer.ts';
import { holedLogDirectory } from '../../support/holed-log-directory.ts';
import {
  bucketDigests,
  comparesPairs,
  dbOf,
  expectedPairs,
  KEPT_BUCKETS,
  numberedById,
  optionsOf,
  pairsOf,
  recordsOf,
  SEGMENT_SIZE,
} from '../../support/restore-cases.ts';
import { type RestoredCase, type RestoredContents, restoredCases } from '../../support/restored-by-etcd.ts';

/** Revisions that no client could live with are refused here (test/files/restore-damage.test.ts). */
const REFUSED = new Set(['bump-most-of-int64', 'bump-past-int64', 'bump-uint64']);
/** What 3.4's tool makes of a file of nothing but a hash: a new db. */
const NO_DB = new Set(['32-bytes-skipped']);

/** That etcdctl was built with a Go that writes \u0008 and \u000c, where later ones write \b and \f: the same text to every reader. */
const OTHER_ESCAPES = new Set(['3.4 name-controls']);

/** The members in the entries of a log. */
function memberTexts(records: Uint8Array): unknown[] {
  const texts =
    Buffer.from(records)
      .toString()
      .match(/\{"id":.*?\}/g) ?? [];
  return texts.map((text) => JSON.parse(text) as unknown);
}

const made = restoredCases().flatMap((one) => {
  const { contents } = one;
  return contents === undefined || REFUSED.has(one.name) || NO_DB.has(one.name)
    ? []
    : [{ label: `${one.minor} ${one.name}`, one, contents }];
});

test('there are cases of every release', () => {
  const counts = new Map<string, number>();
  for (const { one } of made) counts.set(one.minor, (counts.get(one.minor) ?? 0) + 1);
  expect([...counts.keys()]).toEqual(['3.4', '3.5', '3.6', '3.7']);
  expect(Math.min(...counts.values())).toBeGreaterThan(40);
});

test.each(made)('$label', ({ one, contents }) => {
  const { cluster, place } = oneMember(optionsOf(one));
  const directory = holedLogDirectory();
  writeFirstLog(directory, cluster, place.member.id, one.minor);
  const [segment = ''] = directory.list();
  expect(contents.walFile.path.endsWith(`/${segment}`)).toBe(true);
  const { written, size } = directory.read(segment);
  const records = recordsOf(written);
  if (OTHER_ESCAPES.has(`${one.minor} ${one.name}`)) expect(memberTexts(records)).toEqual(memberTexts(contents.wal));
  else expect(Buffer.from(records).toString('hex')).toBe(Buffer.from(contents.wal).toString('hex'));
  expect(size).toBe(SEGMENT_SIZE);
  expect(contents.walFile.size).toBe(SEGMENT_SIZE);

  const snap = firstSnap(cluster, one.minor);
  expect(contents.snapFile.path.endsWith(`/${snapName(snap.term, snap.index)}`)).toBe(true);
  const bytes = encodeSnap(snap, one.minor);
  if (contents.ascending) expect(Buffer.from(bytes).equals(contents.snap)).toBe(true);
  else expect(numberedById(bytes)).toEqual(numberedById(contents.snap));

  compareDb(one, contents, rewritten(one, cluster));
});

/** The db, as a restore writes it. */
function rewritten(one: RestoredCase, cluster: ReturnType<typeof oneMember>['cluster']): Uint8Array {
  const source = one.sourceBytes() as Uint8Array;
  const db = dbOf(source);
  const { bumpRevision: by, etcdVersion } = optionsOf(one);
  const changes = new DbChanges();
  changeIdentity(changes, cluster);
  changeForRelease(changes, readDbVersions(db), { target: etcdVersion });
  if (by !== undefined) bumpRevision(changes, planBump(by, readRevisions(db)));
  const file = memoryFile();
  drain(new RewriteJob(memorySource(source), changes, file));
  return file.bytes();
}

function compareDb(one: RestoredCase, contents: RestoredContents, bytes: Uint8Array): void {
  const db = dbOf(bytes);
  const digests = bucketDigests(db);
  const kept: ReadonlySet<string> = new Set(KEPT_BUCKETS);
  for (const [name, digest] of Object.entries(contents.buckets)) {
    if (!kept.has(name)) expect(digests[name], name).toEqual(digest);
  }
  // Buckets that etcd's tools leave to the server are made, empty.
  for (const [name, { keys }] of Object.entries(digests)) {
    if (contents.buckets[name] === undefined && !kept.has(name)) expect(keys, name).toBe(0);
  }
  for (const name of KEPT_BUCKETS) {
    if (comparesPairs(one, name)) expect(pairsOf(db, name), name).toEqual(expectedPairs(one, contents, name) ?? []);
  }
  expect(pairsOf(db, 'key')?.at(-1)).toEqual(contents.lastKey);
}
