/**
 * Leases in a replay: granted, revoked with their keys, checkpoints; which keys they have.
 */
import { describe, expect, test } from 'vitest';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { encodeMessage } from '../../../src/proto/messages.ts';
import { makeDb, put as record, tombstone, uint64 } from '../../support/backend-db.ts';
import { deletion, grant, put, putOf, type Run, rangeOf, replay, revoke } from './engine-run.ts';

const lease = (id: bigint, ttl = 60n, more = {}) =>
  [uint64(id), encodeMessage('leasepb.Lease', { ID: id, TTL: ttl, ...more })] as const;

/** What changes in the bucket of leases: id, and the bytes or null. */
function changes(run: Run): readonly (readonly [bigint, string | null])[] {
  return run.parts.leases
    .changes()
    .flatMap(({ sorted }) => sorted)
    .map(({ key, value }) => [Buffer.from(key).readBigInt64BE(), value && Buffer.from(value).toString('hex')] as const);
}

const NOT_FOUND = 'etcdserver: requested lease not found';

describe('granting', () => {
  test.each([
    [1n, 2n],
    [0n, 2n],
    [-5n, 2n],
    [3n, 3n],
    [9_000_000_000n, 9_000_000_000n],
  ])('%d seconds are stored as %d', (asked, stored) => {
    const run = replay([grant(1n, asked)]);
    expect(changes(run)).toEqual([[1n, Buffer.from(lease(1n, stored)[1]).toString('hex')]]);
  });

  test('the minimum depends on the timing of the server', () => {
    expect(changes(replay([grant(1n, 4n)], { minLeaseTtl: 5n }))).toEqual([[1n, '08011005']]);
  });

  test('fails without an id, for too long a time, and if there is one of that id', async () => {
    const db = await makeDb({ lease: [lease(5n)] });
    const run = replay([grant(0n, 60n), grant(1n, 9_000_000_001n), grant(5n, 60n), grant(6n, 60n), grant(6n, 61n)], {
      db,
    });
    expect(run.outcomes).toEqual([
      NOT_FOUND,
      'etcdserver: too large lease TTL',
      'etcdserver: lease already exists',
      'changed',
      'etcdserver: lease already exists',
    ]);
    expect(changes(run).map(([id]) => id)).toEqual([6n]);
  });

  test('ids are signed', () => {
    const run = replay([grant(-1n, 60n), put('a', '1', { lease: -1n }), revoke(-1n)]);
    expect(run.records).toEqual(['2.0 put a=1 create 2 version 1 lease -1', '3.0 delete a']);
    expect(changes(run)).toEqual([[-1n, null]]);
  });
});

describe('putting with a lease', () => {
  test('fails if there is no such lease', () => {
    const run = replay([put('a', '1', { lease: 5n }), put('a', '1', { lease: -5n })]);
    expect(run.outcomes).toEqual([NOT_FOUND, NOT_FOUND]);
  });

  test('a lease that is asked for must exist, even if that of the key is kept', async () => {
    const db = await makeDb({ key: [record(2, 0, { key: 'a' })], lease: [lease(5n)] });
    const run = replay(
      [put('a', '1', { lease: 9n, ignore_lease: true }), put('a', '1', { lease: 5n, ignore_lease: true })],
      { db },
    );
    expect(run.outcomes).toEqual([NOT_FOUND, 'changed']);
    expect(run.records).toEqual(['3.0 put a=1 create 2 version 2']);
  });

  test('keeping it, and the value', async () => {
    const db = await makeDb({ key: [record(2, 0, { key: 'a', value: 'old', lease: 5 })], lease: [lease(5n)] });
    const keepBoth = { ignore_value: true, ignore_lease: true };
    const run = replay(
      [put('a', 'new', { ignore_lease: true }), put('a', '', keepBoth), put('a', '', { ignore_value: true })],
      {
        db,
      },
    );
    expect(run.records).toEqual([
      '3.0 put a=new create 2 version 2 lease 5',
      '4.0 put a=new create 2 version 3 lease 5',
      '5.0 put a=new create 2 version 4',
    ]);
  });

  test('the value is read in the db', async () => {
    const value = 'long '.repeat(3000);
    const db = await makeDb({ key: [record(2, 0, { key: 'b' }), record(2, 1, { key: 'a', value })] });
    const run = replay([put('a', '', { ignore_value: true })], { db });
    expect(run.records).toEqual([`3.0 put a=${value} create 2 version 2`]);
  });
});

describe('revoking', () => {
  const db = makeDb({
    key: [
      record(2, 0, { key: 'z', lease: 5 }),
      record(3, 0, { key: 'a', lease: 5 }),
      record(4, 0, { key: 'm', lease: 5 }),
      record(5, 0, { key: 'gone', lease: 5 }),
      tombstone(6, 0, 'gone'),
      record(7, 0, { key: 'freed', lease: 5 }),
      record(8, 0, { key: 'freed', createRevision: 7, version: 2 }),
      record(9, 0, { key: 'moved', lease: 5 }),
      record(10, 0, { key: 'moved', createRevision: 9, version: 2, lease: 6 }),
      record(11, 0, { key: 'taken' }),
      record(12, 0, { key: 'taken', createRevision: 11, version: 2, lease: 5 }),
    ],
    lease: [lease(5n), lease(6n)],
  });

  test('deletes the keys that the lease has now, in the order of their bytes, and the lease', async () => {
    const run = replay([revoke(5n)], { db: await db });
    expect(run.records).toEqual(['13.0 delete a', '13.1 delete m', '13.2 delete taken', '13.3 delete z']);
    expect(changes(run)).toEqual([[5n, null]]);
  });

  test('what entries before it did to keys counts', async () => {
    const run = replay(
      [
        put('a', 'free'),
        put('b', 'new', { lease: 5n }),
        deletion('m'),
        put('freed', 'again', { lease: 5n }),
        put('taken', 'moved', { lease: 6n }),
        { txn: { success: [{ request_put: putOf('c', '1', { lease: 5n }) }, { request_delete_range: rangeOf('c') }] } },
        revoke(5n),
        revoke(6n),
      ],
      { db: await db },
    );
    expect(run.records.slice(run.counts[5])).toEqual([
      '19.0 delete b',
      '19.1 delete freed',
      '19.2 delete z',
      '20.0 delete moved',
      '20.1 delete taken',
    ]);
  });

  test('without keys makes no revision; a second time fails, as does one of an unknown lease', async () => {
    const run = replay([grant(7n, 60n), revoke(7n), revoke(7n), revoke(-7n), revoke(0n)], { db: await db });
    expect(run.outcomes).toEqual(['changed', 'changed', NOT_FOUND, NOT_FOUND, NOT_FOUND]);
    expect(run.revision).toBe(12n);
    expect(changes(run)).toEqual([[7n, null]]);
  });

  test('a lease that is granted later does not get the keys that named its id before', async () => {
    const dangling = await makeDb({ key: [record(2, 0, { key: 'a', lease: 9 })] });
    const run = replay([grant(9n, 60n), put('b', '1', { lease: 9n }), revoke(9n)], { db: dangling });
    expect(run.records).toEqual(['3.0 put b=1 create 3 version 1 lease 9', '4.0 delete b']);
  });
});

describe('checkpoints', () => {
  const checkpoint = (...left: readonly (readonly [bigint, bigint])[]) => ({
    lease_checkpoint: { checkpoints: left.map(([ID, remaining_TTL]) => ({ ID, remaining_TTL })) },
  });
  const base = (version?: string) =>
    makeDb({
      lease: [lease(5n, 600n), lease(6n, 1n)],
      ...(version === undefined ? {} : { cluster: [['clusterVersion', version] as const] }),
    });

  test.each(ETCD_MINORS)('%s: reach the db from cluster version 3.6 on', async (minor) => {
    for (const [version, stored] of [
      [undefined, false],
      ['3.5.0', false],
      ['3.6.0', true],
      ['3.10.0', true],
      ['4.0.0', true],
    ] as const) {
      const run = replay([checkpoint([5n, 300n], [77n, 1n])], { db: await base(version), minor });
      expect(run.outcomes).toEqual([stored ? 'changed' : 'nothing']);
      expect(changes(run)).toEqual(
        stored ? [[5n, Buffer.from(lease(5n, 600n, { RemainingTTL: 300n })[1]).toString('hex')]] : [],
      );
    }
  });

  test('or if the server was told so', async () => {
    const run = replay([checkpoint([5n, 300n])], { db: await base('3.5.0'), minor: '3.5', persistCheckpoints: true });
    expect(run.outcomes).toEqual(['changed']);
  });

  test('from the entry on that raises the cluster version', async () => {
    const run = replay([checkpoint([5n, 300n]), { cluster_version_set: { ver: '3.6.0' } }, checkpoint([5n, 200n])], {
      db: await base('3.5.0'),
    });
    expect(run.outcomes).toEqual(['nothing', 'changed', 'changed']);
  });

  test('write all of the lease: what was granted too short is raised, a rest of 0 not written', async () => {
    const run = replay([checkpoint([6n, 0n]), checkpoint([77n, 5n])], { db: await base('3.6.0') });
    expect(changes(run)).toEqual([[6n, '08061002']]);
    expect(run.outcomes).toEqual(['changed', 'nothing']);
  });
});
