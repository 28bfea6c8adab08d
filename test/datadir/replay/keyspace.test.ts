/**
 * The keys of a db in a replay: what of it is kept in mind, revisions and compactions, and dbs that are not as they should be.
 */
import { describe, expect, test } from 'vitest';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { encodeMessage } from '../../../src/proto/messages.ts';
import { makeDb, put as record, tombstone, uint64 } from '../../support/backend-db.ts';
import { deletion, put, putOf, rangeOf, replay, revoke, TARGET } from './engine-run.ts';

const numbered = (i: number): string => `key/${String(i).padStart(6, '0')}`;
const compaction = (revision: bigint) => ({ compaction: { revision } });
const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';
const FUTURE = 'etcdserver: mvcc: required revision is a future revision';

describe('what is kept in mind', () => {
  const db = makeDb({
    key: Array.from({ length: 5000 }, (_, i) => record(i + 2, 0, { key: numbered(i), lease: i % 10 === 0 ? 5 : 0 })),
    lease: [[uint64(5n), encodeMessage('leasepb.Lease', { ID: 5n, TTL: 60n })]],
  });

  test('the keys that requests name, not those of the db', async () => {
    const run = replay([put(numbered(7), 'x'), put('new', 'x'), deletion(numbered(8))], { db: await db });
    expect(run.parts.keyspace.trackedKeys).toBe(3);
    expect(run.records).toEqual([
      `5002.0 put ${numbered(7)}=x create 9 version 2`,
      '5003.0 put new=x create 5003 version 1',
      `5004.0 delete ${numbered(8)}`,
    ]);
  });

  test('the keys in ranges', async () => {
    const run = replay([deletion(numbered(100), numbered(103)), deletion('zzz', '\0')], { db: await db });
    expect(run.parts.keyspace.trackedKeys).toBe(3);
    expect(run.outcomes).toEqual(['changed', 'nothing']);
  });

  test('the keys of leases', async () => {
    const run = replay([revoke(5n)], { db: await db });
    expect(run.parts.keyspace.trackedKeys).toBe(500);
    expect(run.records).toHaveLength(500);
    expect(run.records[499]).toBe(`5002.499 delete ${numbered(4990)}`);
  });

  test('not what is deleted in the db', async () => {
    const dead = await makeDb({ key: [tombstone(2, 0, 'a'), record(3, 0, { key: 'b' }), tombstone(4, 0, 'b')] });
    const run = replay([deletion('a', 'z')], { db: dead });
    expect(run.parts.keyspace.trackedKeys).toBe(1);
    expect(run.outcomes).toEqual(['nothing']);
  });

  test('no more than was allowed', async () => {
    const options = { db: await db, maxStateBytes: 100_000 };
    expect(() => replay([deletion('key/', 'key0')], options)).toThrow(
      expect.objectContaining({ code: 'REPLAY_REFUSED', message: expect.stringContaining('with more keys than fit') }),
    );
    expect(() => replay([revoke(5n)], options)).not.toThrow();
    // Keys that are named one by one are those of the log.
    const named = Array.from({ length: 4000 }, (_, i) => put(numbered(i), 'x'));
    expect(replay(named, options).revision).toBe(9001n);
    expect(replay([deletion('key/', 'key0')], { db: await db, maxStateBytes: 1_000_000 }).records).toHaveLength(5000);
  });

  test('nothing, if only revisions are of interest and keys decide none', async () => {
    const requests = [put(numbered(1), 'x'), put('new', 'y'), { txn: { success: [{ request_put: putOf('t', '1') }] } }];
    // A db whose keys cannot be read shows that they are not.
    const damaged = (await db).slice();
    for (let page = 2; page * 4096 < damaged.length; page++) {
      const id = Number(new DataView(damaged.buffer).getBigUint64(page * 4096, true));
      if (id === page && damaged[page * 4096 + 8] === 2 && damaged.subarray(page * 4096).length >= 4096) {
        // A leaf with many records: all of bucket key, none of the others, is such.
        if (new DataView(damaged.buffer).getUint16(page * 4096 + 10, true) > 20 && page % 7 === 0)
          damaged.fill(0xee, page * 4096, page * 4096 + 16);
      }
    }
    expect(() => replay(requests, { db: damaged })).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
    expect(replay(requests, { db: damaged, revisionsOnly: true }).revision).toBe(5004n);
    expect(() => replay([...requests, deletion('a')], { db: damaged, revisionsOnly: true })).toThrow(
      expect.objectContaining({ code: 'BOLT_DAMAGED' }),
    );
  });
});

test('wide ranges in which all is gone, and something comes again', async () => {
  const key = Array.from({ length: 20_000 }, (_, i) => record(i + 2, 0, { key: numbered(i) }));
  const all = deletion('key/', 'key0');
  const again = Array.from({ length: 100 }, () => all);
  const middle = {
    txn: { success: [{ request_put: putOf(numbered(777), '1') }, { request_delete_range: rangeOf('k', 'l') }] },
  };
  const run = replay([all, ...again, middle, put(numbered(19_999), '1'), put(numbered(0), '1'), all], {
    db: await makeDb({ key }),
  });
  expect(run.records.slice(20_000)).toEqual([
    `20003.0 put ${numbered(777)}=1 create 20003 version 1`,
    `20003.1 delete ${numbered(777)}`,
    `20004.0 put ${numbered(19_999)}=1 create 20004 version 1`,
    `20005.0 put ${numbered(0)}=1 create 20005 version 1`,
    `20006.0 delete ${numbered(0)}`,
    `20006.1 delete ${numbered(19_999)}`,
  ]);
});

describe('revisions', () => {
  test('a new cluster begins with 1', () => {
    const run = replay([put('a', '1')]);
    expect([run.revision, run.parts.keyspace.compactRevision, run.parts.keyspace.compaction]).toEqual([
      2n,
      -1n,
      undefined,
    ]);
  });

  test('are exact beyond 2^53', async () => {
    const huge = (1n << 60n) + 1n;
    const db = await makeDb({
      key: [record(huge, 3n, { key: 'a', value: 'v', createRevision: huge - 5n, version: 1n << 61n })],
    });
    const compare = { ...rangeOf('a'), target: TARGET.mod, mod_revision: huge };
    const value = { ...rangeOf('a'), target: TARGET.value, value: rangeOf('v')['key'] };
    const run = replay([{ txn: { compare: [compare, value], success: [{ request_put: putOf('a', '2') }] } }], { db });
    expect(run.records).toEqual([`${huge + 1n}.0 put a=2 create ${huge - 5n} version ${(1n << 61n) + 1n}`]);
  });

  test('there is none behind the last', async () => {
    const db = await makeDb({ key: [record((1n << 63n) - 1n, 0n, { key: 'a' })] });
    expect(() => replay([put('a', '1')], { db })).toThrow(expect.objectContaining({ code: 'REPLAY_REFUSED' }));
  });

  test('records before the first one do not count, nor do those that are none', async () => {
    const db = await makeDb({
      key: [
        record(0, 0, { key: 'a' }),
        record(2, 0, { key: 'b' }),
        [encodeRevision({ main: 3n, sub: 0n }), 'no message'],
      ],
    });
    const run = replay([deletion('a', 'z')], { db });
    expect(run.records).toEqual(['4.0 delete b']);
    expect(run.parts.keyspace.unreadable).toBe(1);
  });
});

describe('compaction', () => {
  test('of what is compacted already, and of the future, fails', () => {
    const run = replay([
      put('a', '1'),
      put('a', '2'),
      compaction(2n),
      compaction(2n),
      compaction(1n),
      compaction(4n),
      compaction(-1n),
    ]);
    expect(run.outcomes.slice(2)).toEqual(['changed', COMPACTED, COMPACTED, FUTURE, COMPACTED]);
    expect([run.revision, run.parts.keyspace.compactRevision, run.parts.keyspace.compaction]).toEqual([3n, 2n, 2n]);
    expect(run.counts.slice(2)).toEqual([2, 2, 2, 2, 2]);
  });

  test('the last one counts', () => {
    const run = replay([put('a', '1'), compaction(0n), put('a', '2'), compaction(3n), put('a', '3')]);
    expect(run.outcomes).toEqual(['changed', 'changed', 'changed', 'changed', 'changed']);
    expect([run.parts.keyspace.compactRevision, run.parts.keyspace.compaction]).toEqual([3n, 3n]);
  });

  test('a finished one of the db is in force, and nothing is to be done', async () => {
    const at = encodeRevision({ main: 3n, sub: 0n });
    const key = [record(3, 0, { key: 'a' }), record(4, 0, { key: 'a', createRevision: 3, version: 2 })];
    const db = await makeDb({
      key,
      meta: [
        ['scheduledCompactRev', at],
        ['finishedCompactRev', at],
      ],
    });
    const run = replay([compaction(3n)], { db });
    expect(run.outcomes).toEqual([COMPACTED]);
    expect(run.parts.keyspace.compaction).toBeUndefined();
  });

  test('a pending one of the db is in force from the beginning, and to be carried out', async () => {
    const key = [record(2, 0, { key: 'a' }), record(4, 0, { key: 'a', createRevision: 2, version: 2 })];
    const db = await makeDb({ key, meta: [['scheduledCompactRev', encodeRevision({ main: 4n, sub: 0n })]] });
    const reading = {
      txn: { success: [{ request_txn: { success: [{ request_range: rangeOf('a', undefined, { revision: 3n }) }] } }] },
    };
    const run = replay([compaction(3n), reading], { db });
    expect(run.outcomes).toEqual([COMPACTED, COMPACTED]);
    expect([run.parts.keyspace.compactRevision, run.parts.keyspace.compaction]).toEqual([4n, 4n]);
    expect(replay([put('b', '1'), compaction(5n)], { db }).parts.keyspace.compaction).toBe(5n);
  });

  test('one that lies above all records has raised the revision', async () => {
    const db = await makeDb({
      key: [record(2, 0, { key: 'a' })],
      meta: [['scheduledCompactRev', encodeRevision({ main: 9n, sub: 0n })]],
    });
    expect(replay([put('a', '1')], { db }).records).toEqual(['10.0 put a=1 create 2 version 2']);
  });
});

test('a value that is not found by its revision is damage', async () => {
  // 18 bytes that do not end in t: etcd 3.6 takes it for a put, and does not find it again.
  const odd = Uint8Array.of(...encodeRevision({ main: 2n, sub: 0n }), 0x75);
  const db = await makeDb({ key: [[odd, record(2, 0, { key: 'a', value: 'v' })[1]]] });
  expect(() => replay([put('a', '', { ignore_value: true })], { db })).toThrow(
    expect.objectContaining({ code: 'BOLT_DAMAGED' }),
  );
  expect(replay([put('a', '2')], { db }).records).toEqual(['3.0 put a=2 create 2 version 2']);
});

test('new records are those that a server stores, byte for byte', async () => {
  const run = replay([put('b', '1'), put('b', '2', { lease: 0n }), deletion('b')]);
  const bytes = [...run.parts.keyspace.newRecords].map(({ key, value, tombstone: gone }) => [
    Buffer.from(key).toString('hex'),
    Buffer.from(value).toString('hex'),
    gone,
  ]);
  expect(bytes).toEqual([
    ['00000000000000025f0000000000000000', '0a01621002180220012a0131', false],
    ['00000000000000035f0000000000000000', '0a01621002180320022a0132', false],
    ['00000000000000045f000000000000000074', '0a0162', true],
  ]);
});
