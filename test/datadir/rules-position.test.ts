// How far db and log have got: entries are in the log before they are in the db, and on disk in the db before a snapshot is recorded.
import { describe, expect, test } from 'vitest';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { plainFile } from '../support/data-dir-fixtures.ts';
import { changed, checkDir, DB, found, smallDataDir } from '../support/small-data-dir.ts';
import { addNodeEntry, metadata, snapshot, state } from '../support/small-log.ts';

test('db and log at the same entry: nothing to say', async () => {
  const report = checkDir(await smallDataDir());
  expect(found(report)).toEqual([]);
  expect(report).toMatchObject({ kind: 'data-dir', verdict: 'healthy' });
  expect(report.examined).toContain('that the log has every entry that the db has');
});

test.each([
  ['sanity', 11],
  ['full', 11],
  ['deep', 1010],
] as const)('the log ends cleanly below the db, level %s', async (level, consistentIndex) => {
  const report = checkDir(await smallDataDir({ consistentIndex }), { level });
  expect(found(report)).toEqual(['corrupt DIR_INDEX_BEYOND_LOG']);
  expect(report.findings[0]).toMatchObject({
    file: DB,
    args: { consistentIndex: `${consistentIndex}`, lastIndex: '10' },
  });
});

test('the db may be behind the log, and ahead of what the log says is committed', async () => {
  expect(found(checkDir(await smallDataDir({ applied: 7 })))).toEqual([]);
  expect(found(checkDir(await smallDataDir({ commit: 8 })))).toEqual(['info DIR_INDEX_BEYOND_COMMIT']);
});

describe('terms', () => {
  test('a term of the db that the log does not know', async () => {
    const report = checkDir(await smallDataDir({ dbTerm: 3 }), { level: 'sanity' });
    expect(found(report)).toEqual(['corrupt DIR_TERM_BEYOND_LOG']);
  });

  test('a term of the db that is not that of its entry', async () => {
    expect(found(checkDir(await smallDataDir({ dbTerm: 1 })))).toEqual(['info DIR_TERM_DIFFERS']);
  });

  test('3.4 stores none', async () => {
    const dir = await smallDataDir({ dbTerm: null, clusterVersion: '3.4.0' });
    expect(found(checkDir(dir))).toEqual([]);
  });
});

describe('a snapshot that the db has not reached', () => {
  const behind = { last: 10, snapshots: [8], applied: 6 };

  test('is damage', async () => {
    const report = checkDir(await smallDataDir(behind));
    expect(found(report)).toEqual(['corrupt DIR_DB_BEHIND_SNAPSHOT']);
    expect(report.findings[0]?.args).toMatchObject({
      received: 'there is no 0000000000000008.snap.db to take its place',
    });
  });

  const received = async (applied: number, behindIt: object = behind) => {
    const other = await smallDataDir({ last: 10, applied });
    return changed(await smallDataDir(behindIt), ({ files }) => {
      files.set('member/snap/0000000000000008.snap.db', other.content.files.get(DB)!);
    });
  };

  test('is none if a db was received that takes its place', async () => {
    const report = checkDir(await received(8));
    expect(found(report)).toEqual(['info DIR_DB_RECEIVED', 'info SNAP_LEFTOVER_SNAPSHOT_DB']);
    expect(report.dataDir?.receivedDbs).toEqual(['8']);
  });

  test('also where there is no other db', async () => {
    expect(found(checkDir(await received(8, { ...behind, applied: null })))).toContain('info DIR_DB_RECEIVED');
  });

  test('unless that one is too old, or cannot be read', async () => {
    expect(found(checkDir(await received(7)))).toContain('corrupt DIR_DB_BEHIND_SNAPSHOT');
    const cut = changed(await received(8), ({ files }) => {
      files.set('member/snap/0000000000000008.snap.db', plainFile(new Uint8Array(100)));
    });
    const [finding] = checkDir(cut).findings;
    expect(finding).toMatchObject({ code: 'DIR_DB_BEHIND_SNAPSHOT' });
    expect(finding?.args).toMatchObject({
      received: expect.stringMatching(/^0000000000000008\.snap\.db cannot be read: /),
    });
  });
});

test('a restored directory has db and log at the same entry and term', async () => {
  const records = [
    metadata(1n, clusterIdOf([1n])),
    snapshot(0n, 0n),
    addNodeEntry(1n, 1n, 1n),
    state(1n, 1n, 1n),
    snapshot(1n, 1n, 1n),
  ];
  const restored = { records, snapFiles: [], last: 1 };
  const differs = 'info DIR_RESTORED_DIFFERS';
  expect(found(checkDir(await smallDataDir({ ...restored, dbTerm: 1 })))).not.toContain(differs);
  expect(found(checkDir(await smallDataDir({ ...restored, dbTerm: 2 })))).toContain('corrupt DIR_TERM_BEYOND_LOG');
  expect(found(checkDir(await smallDataDir({ ...restored, dbTerm: 1, consistentIndex: 9 })))).toContain(differs);
});
