// Who the member is, and who the others are: the log names its member, the log gives the configuration, the db has a list.
import { describe, expect, test } from 'vitest';
import { startsOf } from '../../src/datadir/start/start.ts';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { checkDir, found, type SmallDirOptions, smallDataDir } from '../support/small-data-dir.ts';
import { addNodeEntry, emptyEntry, metadata, putEntry, snapshot, state } from '../support/small-log.ts';
import { ENTRY, encodeFields, type RecordToWrite } from '../support/wal-edit.ts';

async function check(options: SmallDirOptions, level: 'sanity' | 'full' | 'deep' = 'full') {
  return checkDir(await smallDataDir(options), { level });
}

/** The entry that removes a member. */
function removeNodeEntry(index: bigint, node: bigint): RecordToWrite {
  const change = encodeFields([
    { number: 1, value: 0n },
    { number: 2, value: 1n },
    { number: 3, value: node },
  ]);
  const fields = [1n, 2n, index].map((value, i) => ({ number: i + 1, value }));
  return { type: ENTRY, data: encodeFields([...fields, { number: 4, value: change }]) };
}

test('the log of another member, of a cluster of one', async () => {
  const report = await check({ node: 9n });
  expect(found(report)).toEqual(['corrupt DIR_NOT_A_MEMBER']);
  expect(report.findings[0]?.args).toEqual({ nodeId: '9', members: '1', where: 'its log' });
});

test.each(['3.4.0', '3.5.0'])(
  'also with data of %s, where the list of the db does not count',
  async (clusterVersion) => {
    expect(found(await check({ node: 9n, clusterVersion, dbTerm: clusterVersion === '3.4.0' ? null : 2 }))).toEqual([
      'corrupt DIR_NOT_A_MEMBER',
    ]);
  },
);

test('expected ids: another member or cluster is refused', async () => {
  const dir = await smallDataDir();
  const clusterId = clusterIdOf([1n]);
  expect(checkDir(dir, { memberId: 1n, clusterId }).verdict).toBe('healthy');
  for (const options of [{ memberId: 2n }, { clusterId: 5n }]) {
    for (const level of ['sanity', 'full'] as const) {
      const report = checkDir(dir, { ...options, level });
      expect(report.verdict).toBe('refused');
      expect(found(report)).toEqual(['refuse WAL_METADATA_UNEXPECTED']);
    }
  }
});

describe('the list of the db', () => {
  test.each(['sanity', 'full', 'deep'] as const)('without the member, level %s', async (level) => {
    const report = await check({ members: [2n] }, level);
    expect(found(report)[0]).toBe('corrupt DIR_NOT_A_MEMBER');
    expect(report.verdict).toBe('damaged');
    // That another release would refuse it too is no news.
    expect(report.counts.refuse).toBeUndefined();
    expect(report.dataDir?.versions.map(({ findings }) => findings.map(({ code }) => code))).toEqual([
      ['BACKEND_CLUSTER_VERSION_NEWER'],
      ['BACKEND_CLUSTER_VERSION_NEWER'],
      ['DIR_MEMBERS_UNFIT'],
      ['DIR_MEMBERS_UNFIT'],
    ]);
  });

  test('of another cluster is what a restore of 3.4 leaves, and only 3.6 and later mind', async () => {
    const options = { members: [2n], clusterVersion: '3.4.0', dbTerm: null };
    const report = await check(options);
    expect(found(report)).toEqual(['info DIR_MEMBERS_DIFFER']);
    expect(found(checkDir(await smallDataDir(options), { etcdVersion: '3.6' }))).toContain('refuse DIR_MEMBERS_UNFIT');
    const unfit = report.dataDir?.versions.filter(({ findings }) =>
      findings.some(({ code }) => code === 'DIR_MEMBERS_UNFIT'),
    );
    expect(unfit?.map(({ version }) => version)).toEqual(['3.6', '3.7']);
  });

  test('empty is damage whatever the release', async () => {
    expect(found(await check({ members: [], clusterVersion: '3.4.0', dbTerm: null }))).toEqual([
      'corrupt DIR_NOT_A_MEMBER',
    ]);
  });

  test('with one who takes no part: 3.7 would wait for its vote', async () => {
    const report = await check({ members: [1n, 2n] });
    expect(found(report)).toEqual(['refuse DIR_MEMBERS_UNFIT', 'info DIR_MEMBERS_DIFFER']);
    expect(report.findings[0]?.args).toEqual({ target: '3.6', reason: '2 among them do not take part in raft' });
  });

  test('is compared with the configuration of that time: a later change is in the log only', async () => {
    const more = [addNodeEntry(2n, 11n, 2n), emptyEntry(2n, 12n)];
    const options = { more, commit: 12, vote: 1n };
    expect(found(await check({ ...options, applied: 10 }))).toEqual([]);
    expect(found(await check({ ...options, last: 10, applied: 10, consistentIndex: 12, members: [1n, 2n] }))).toEqual(
      [],
    );
    expect(found(await check({ ...options, last: 10, applied: 10, consistentIndex: 12 }))).toEqual([
      'info DIR_MEMBERS_DIFFER',
    ]);
  });
});

// Seen with real servers: test/interop/never-written.test.ts.
test('a db of 3.4 with members but at no entry: 3.6 passes over their addition, and has no voters', async () => {
  const options = { clusterVersion: '3.4.0', dbTerm: null, applied: 0, consistentIndex: null, snapshots: [] };
  const dir = await smallDataDir(options);
  expect(found(checkDir(dir))).toEqual([]);
  for (const level of ['sanity', 'full', 'deep'] as const) {
    const report = checkDir(dir, { level, etcdVersion: '3.6' });
    expect(found(report), level).toEqual(['refuse DIR_MEMBERS_AGAIN']);
    if (level === 'sanity') continue;
    const starts = startsOf(report).map(({ outcome, words, certain }) => ({ outcome, words, certain }));
    expect(starts[2]).toEqual({ outcome: 'panics', words: 'removed all voters', certain: true });
    expect([starts[0], starts[1], starts[3]].map((start) => start?.outcome)).toEqual(['starts', 'starts', 'starts']);
  }
  // Not if it begins behind their addition, or the list is empty.
  expect(found(await check({ ...options, members: [] }))).toEqual([]);
  expect(
    found(checkDir(await smallDataDir({ ...options, applied: 10, consistentIndex: 10 }), { etcdVersion: '3.6' })),
  ).toEqual([]);
});

describe('a member that was removed', () => {
  test('by the log', async () => {
    const options = { voters: [1n, 2n], more: [removeNodeEntry(11n, 1n)], commit: 11, snapshots: [] };
    expect(found(await check({ ...options, consistentIndex: 11, members: [2n] }))).toEqual(['info DIR_MEMBER_REMOVED']);
    // Not yet in the db.
    expect(found(await check(options))).toEqual(['info DIR_MEMBER_REMOVED']);
  });

  test('by the db', async () => {
    const report = await check({ members: [2n], removed: [1n], voters: [1n, 2n] });
    expect(found(report)).toContain('info DIR_MEMBER_REMOVED');
    expect(report.verdict).toBe('healthy');
  });
});

test('a new member that has not yet got to its own addition', async () => {
  const records = [metadata(3n, clusterIdOf([1n, 2n])), snapshot(0n, 0n)];
  records.push(addNodeEntry(1n, 1n, 1n), addNodeEntry(1n, 2n, 2n), state(2n, 0n, 2n), emptyEntry(2n, 3n));
  records.push(putEntry(2n, 4n, 'k4', 'v4'), state(2n, 0n, 4n));
  const report = await check({ records, voters: [1n, 2n], last: 4, snapFiles: [] });
  expect(found(report)).toEqual(['info DIR_MEMBER_NOT_YET_ADDED']);
});

test('records of 3.4 do not say who takes part: the .snap file does', async () => {
  const records = [metadata(1n, 7n), state(2n, 1n, 11n)];
  for (let index = 12n; index <= 20n; index++) records.push(putEntry(2n, index, `k${index}`, 'v'));
  records.push(state(2n, 1n, 20n), snapshot(15n, 2n));
  const options = {
    records,
    segment: '0000000000000003-000000000000000c.wal',
    snapFiles: [15],
    last: 20,
    members: [1n, 2n],
  };
  expect(found(await check(options))).toContain('refuse DIR_MEMBERS_UNFIT');
  // Without the file nobody knows.
  const report = await check({ ...options, snapFiles: [] });
  expect(found(report)).not.toContain('refuse DIR_MEMBERS_UNFIT');
});
