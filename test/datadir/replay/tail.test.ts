/**
 * Which entries of a log a start applies, and to which db.
 */
import { describe, expect, test } from 'vitest';
import { planTail, type Tail, type TailOptions } from '../../../src/datadir/replay/tail.ts';
import { emptyEntry, metadata, snapshot, state } from '../../support/small-log.ts';
import { snapFile } from '../../support/snap-files.ts';
import {
  change,
  FIRST_SEGMENT,
  OTHERS,
  put,
  SELF,
  type SmallDirPlan,
  smallDb,
  smallDir,
  v2Request,
} from './small-dir.ts';

const [SECOND] = OTHERS;

async function tailOf(plan: SmallDirPlan, options: TailOptions = {}): Promise<Tail> {
  return planTail(await smallDir(plan), options);
}

const codes = ({ findings }: Tail): string[] => findings.map(({ code, severity }) => `${severity} ${code}`);

/** A log of one member: entries 1 to 6, committed up to 3. */
const LONE = [
  change(1n, 1n, 'add', SELF),
  emptyEntry(2n, 2n),
  put(2n, 3n, 'a'),
  state(2n, SELF, 3n),
  put(2n, 4n, 'b'),
  emptyEntry(2n, 5n),
  put(2n, 6n, 'c'),
];
/** The same of one of two. */
const TWO = [change(1n, 1n, 'add', SELF), change(1n, 2n, 'add', SECOND), ...LONE.slice(2)];

describe('the last entry', () => {
  test('a lone voter keeps all of its log, also above the stored commit', async () => {
    const tail = await tailOf({ consistentIndex: 2n, records: LONE });
    expect(tail).toMatchObject({
      first: 3n,
      last: 6n,
      loneVoter: true,
      notCommitted: undefined,
      base: 'db',
      commit: 3n,
    });
    expect(codes(tail)).toEqual([]);
  });

  test('one of two keeps what is committed; the rest is counted', async () => {
    const tail = await tailOf({ consistentIndex: 2n, records: TWO, members: [[SELF], [SECOND]] });
    expect(tail).toMatchObject({
      first: 3n,
      last: 3n,
      loneVoter: false,
      notCommitted: { count: 3n, first: 4n, last: 6n },
    });
    expect(tail.findings).toMatchObject([
      { code: 'REPLAY_NOT_COMMITTED', args: { entries: '3', first: '4', last: '6', taken: 'no' } },
    ]);
  });

  test('asked for all, it takes and counts them', async () => {
    const tail = await tailOf({ consistentIndex: 2n, records: TWO, members: [[SELF], [SECOND]] }, { tail: 'all' });
    expect(tail).toMatchObject({ last: 6n, notCommitted: { count: 3n }, logEnd: 6n });
    expect(tail.findings).toMatchObject([{ args: { taken: 'yes' } }]);
  });

  test('asked for no more than what is committed, a lone voter leaves the rest out', async () => {
    const tail = await tailOf({ consistentIndex: 2n, records: LONE }, { tail: 'committed' });
    expect(tail).toMatchObject({ last: 3n, loneVoter: true, notCommitted: { count: 3n } });
  });

  test('what is in the db is committed, whatever the stored commit says', async () => {
    const tail = await tailOf({ consistentIndex: 5n, records: TWO, members: [[SELF], [SECOND]] });
    expect(tail).toMatchObject({ first: 6n, last: 5n, notCommitted: { count: 1n, first: 6n } });
  });

  test('a learner beside it leaves a voter alone; a learner itself is never one', async () => {
    const records = [LONE[0]!, change(1n, 2n, 'add-learner', SECOND), ...LONE.slice(2)];
    expect(await tailOf({ consistentIndex: 1n, records })).toMatchObject({ loneVoter: true, last: 6n });
    const learner = [change(1n, 1n, 'add', SECOND), change(1n, 2n, 'add-learner', SELF), ...LONE.slice(2)];
    expect(await tailOf({ consistentIndex: 1n, records: learner })).toMatchObject({ loneVoter: false, last: 3n });
  });

  test('a member that was added up to the commit counts, one that was removed does not', async () => {
    const added = [...LONE.slice(0, 2), change(2n, 3n, 'add', SECOND), ...LONE.slice(3)];
    expect(await tailOf({ consistentIndex: 2n, records: added })).toMatchObject({ loneVoter: false, last: 3n });
    const removed = [...TWO.slice(0, 2), change(2n, 3n, 'remove', SECOND), ...TWO.slice(3)];
    expect(await tailOf({ consistentIndex: 2n, records: removed })).toMatchObject({ loneVoter: true, last: 6n });
  });

  test('one that is added above the commit does not: the lone voter is elected, and commits all at once', async () => {
    const records = [...LONE.slice(0, 4), change(2n, 4n, 'add', SECOND), ...LONE.slice(5)];
    expect(await tailOf({ consistentIndex: 2n, records })).toMatchObject({ loneVoter: true, last: 6n });
  });

  test('an entry that was overwritten is not taken, though the db has got past the one that overwrites', async () => {
    const records = [...LONE, put(3n, 5n, 'x'), state(3n, SELF, 5n)];
    expect(await tailOf({ consistentIndex: 5n, records })).toMatchObject({ first: 6n, last: 5n, logEnd: 5n });
  });

  test('the bound counts entries that may make a revision, of those that are applied', async () => {
    expect(await tailOf({ consistentIndex: 2n, records: LONE })).toMatchObject({ bound: 3 });
    expect(await tailOf({ consistentIndex: 3n, records: LONE })).toMatchObject({ bound: 2 });
    const two = { consistentIndex: 2n, records: TWO, members: [[SELF], [SECOND]] } as const;
    expect(await tailOf(two)).toMatchObject({ bound: 1 });
    expect(await tailOf(two, { tail: 'all' })).toMatchObject({ bound: 3 });
  });
});

/** A log that was purged: only entries behind the snapshot at 3 are left. */
const PURGED = {
  segments: [
    {
      name: '0000000000000001-0000000000000003.wal',
      records: [metadata(SELF, 0x99n), snapshot(3n, 2n, SELF), state(2n, SELF, 3n), put(2n, 4n, 'b'), put(2n, 5n, 'c')],
    },
  ],
};
const SNAP_3 = '0000000000000002-0000000000000003.snap';
const NEWER = [metadata(SELF, 0x99n), snapshot(0n, 0n), ...LONE.slice(0, 4), snapshot(3n, 2n, SELF), ...LONE.slice(4)];

describe('what it begins with', () => {
  test('the db, from behind its last entry, of a log that was purged', async () => {
    const snaps = { [SNAP_3]: snapFile({ index: 3n, term: 2n, voters: [SELF] }) };
    const tail = await tailOf({ consistentIndex: 4n, snaps, ...PURGED });
    expect(tail).toMatchObject({ base: 'db', start: 3n, first: 5n, last: 5n, loneVoter: true });
    expect(codes(tail)).toEqual([]);
  });

  test('the voters are those of the .snap file up to 3.6, and those of bucket members for 3.7', async () => {
    const snaps = { [SNAP_3]: snapFile({ index: 3n, term: 2n, voters: [SELF, SECOND] }) };
    const plan = { consistentIndex: 4n, snaps, ...PURGED };
    const old = await tailOf(plan, { etcdVersion: '3.6' });
    expect(old).toMatchObject({ loneVoter: false, last: 4n });
    expect(await tailOf(plan, { etcdVersion: '3.7' })).toMatchObject({ loneVoter: true, last: 5n });
  });

  test('where .snap files are lost, up to 3.6 does not start, but the log can be read from the record on', async () => {
    const tail = await tailOf({ consistentIndex: 4n, ...PURGED });
    expect(tail).toMatchObject({ start: 3n, first: 5n, last: 5n, loneVoter: true });
    expect(codes(tail)).toEqual(['refuse REPLAY_NO_START']);
    expect(codes(await tailOf({ consistentIndex: 4n, ...PURGED, version: '3.7.0' }))).toEqual([]);
  });

  test('the received db of the snapshot, where the own one is older', async () => {
    const received = await smallDb({ consistentIndex: 3n });
    const snaps = {
      [SNAP_3]: snapFile({ index: 3n, term: 2n, voters: [SELF] }),
      '0000000000000003.snap.db': received,
    };
    const tail = await tailOf({ consistentIndex: 1n, snaps, ...PURGED });
    expect(tail).toMatchObject({ base: 'received', consistentIndex: 3n, first: 4n, last: 5n });
  });

  test('nothing, where the db is missing, damaged or too old and the log is whole', async () => {
    const snaps = { [SNAP_3]: snapFile({ index: 3n, term: 2n, voters: [SELF] }) };
    const segments = [{ name: FIRST_SEGMENT, records: NEWER }];
    for (const plan of [{ consistentIndex: null }, { db: new Uint8Array(40_960) }, { consistentIndex: 2n }]) {
      const tail = await tailOf({ ...plan, snaps, segments }, { etcdVersion: '3.6' });
      expect(tail).toMatchObject({
        base: 'none',
        consistentIndex: 0n,
        first: 1n,
        last: 6n,
        start: 0n,
        loneVoter: true,
      });
      expect(codes(tail)).toEqual(['repairable REPLAY_REBUILT']);
    }
  });

  test('nothing, if asked for, though there is a db', async () => {
    const tail = await tailOf({ consistentIndex: 2n, records: LONE }, { withoutDb: true });
    expect(tail).toMatchObject({ base: 'none', first: 1n, last: 6n });
  });

  test.each([
    ['an older db', { consistentIndex: 1n }],
    ['no db', { consistentIndex: null }],
  ])('%s under a purged log is refused', async (_, plan) => {
    const snaps = { [SNAP_3]: snapFile({ index: 3n, term: 2n, voters: [SELF] }) };
    await expect(tailOf({ ...plan, snaps, ...PURGED }, { etcdVersion: '3.6' })).rejects.toMatchObject({
      code: 'REPLAY_REFUSED',
      message: expect.stringMatching(/the log does not reach back to the first entry; restore the member/),
    });
  });

  test('without a db the version is the last one that the log tells of', async () => {
    const versions = [v2Request(2n, 7n, 'PUT', '/0/version', '3.4.0'), v2Request(2n, 8n, 'PUT', '/0/version', '3.5.0')];
    expect(await tailOf({ consistentIndex: null, records: LONE })).toMatchObject({ version: '3.5' });
    const tail = await tailOf({ consistentIndex: null, records: [...LONE, versions[0]!] });
    expect(tail).toMatchObject({ version: '3.4' });
    expect(await tailOf({ consistentIndex: null, records: [...LONE, ...versions] })).toMatchObject({ version: '3.5' });
  });

  test('a directory that an etcd runs on is refused', async () => {
    await expect(tailOf({ records: LONE, inUse: true })).rejects.toMatchObject({ code: 'FILE_LOCKED' });
  });
});

describe('a log that cannot be read to its end', () => {
  const cutAt = (bytes: Uint8Array, fromEnd: number): Uint8Array => bytes.slice(0, bytes.length - 4096 - fromEnd);

  test('a torn last write is cut off, as etcd does', async () => {
    const tail = await tailOf({ consistentIndex: 2n, records: LONE, damage: (bytes) => cutAt(bytes, 20) });
    expect(tail).toMatchObject({ last: 5n, logEnd: 5n });
    expect(codes(tail)).toEqual(['repairable REPLAY_LOG_CUT']);
  });

  test('one that reaches below what is committed, or in the db, is a loss', async () => {
    const records = [...LONE.slice(0, 3), ...LONE.slice(4), state(2n, SELF, 6n)];
    const damage = (bytes: Uint8Array): Uint8Array => cutAt(bytes, 120);
    const tail = await tailOf({ consistentIndex: 6n, records, damage });
    expect(tail.logEnd).toBeLessThan(6n);
    expect(codes(tail)).toEqual(['corrupt REPLAY_LOG_CUT', 'corrupt REPLAY_LOG_BEHIND']);
  });

  test('entries behind a damaged place are not used', async () => {
    const flip = (bytes: Uint8Array): Uint8Array => {
      const at = Buffer.from(bytes).lastIndexOf('b', Buffer.from(bytes).lastIndexOf('c') - 60);
      const changed = bytes.slice();
      changed[at] = 0x7a;
      return changed;
    };
    const tail = await tailOf({ consistentIndex: 2n, records: LONE, damage: flip });
    expect(tail).toMatchObject({ last: 3n, logEnd: 3n });
    expect(codes(tail)).toEqual(['refuse REPLAY_NO_START', 'corrupt REPLAY_LOG_CUT']);
  });

  test('a log that ends before the db has nothing to apply, and is told of', async () => {
    const tail = await tailOf({ consistentIndex: 9n, records: LONE });
    expect(tail).toMatchObject({ first: 10n, last: 9n });
    expect(codes(tail)).toContain('corrupt REPLAY_LOG_BEHIND');
  });
});
