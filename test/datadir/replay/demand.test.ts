/**
 * What a log asks to know of a db, and the sets of keys that it comes to.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { Demand } from '../../../src/datadir/replay/demand.ts';
import { KeyRanges } from '../../../src/datadir/replay/keyspace-ranges.ts';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { decodeEntryPayload } from '../../../src/proto/entry-payload.ts';
import { bytesOf, PLAIN_KEYS, textOf } from '../../support/plain-mvcc.ts';
import { deletion, entryOf, grant, put, putOf, type Request, rangeOf, revoke } from './engine-run.ts';

function demandOf(requests: readonly Request[], minor: EtcdMinor = '3.6'): Demand {
  const demand = new Demand();
  for (const request of requests) demand.add(decodeEntryPayload(entryOf(request)), minor);
  return demand;
}

const keysOf = ({ keys }: Demand): readonly string[] =>
  Array.from({ length: keys.size }, (_, id) => textOf(keys.key(id)));
const within = ({ ranges }: Demand, key: string): boolean =>
  ranges.contains(new DataView(bytesOf(key).buffer), 0, key.length);
const ROOT = { header: { ID: 1n, username: 'root', auth_revision: 3n } };

describe('a demand', () => {
  test('names the keys of puts and of single deletes, each once', () => {
    const demand = demandOf([put('a', '1'), put('a', '2'), deletion('b'), put('c', '1', { lease: 5n })]);
    expect(keysOf(demand)).toEqual(['a', 'b', 'c']);
    expect(demand.ranges.isEmpty).toBe(true);
    expect(demand.leases.size).toBe(0);
  });

  test('names all of a transaction: compares and both branches at any depth', () => {
    const inner = { compare: [rangeOf('c2', 'c5')], failure: [{ request_put: putOf('n', '1') }] };
    const demand = demandOf([
      {
        txn: {
          compare: [rangeOf('c1'), rangeOf('r', 's')],
          success: [{ request_put: putOf('p', '1') }, { request_range: rangeOf('q') }],
          failure: [{ request_delete_range: rangeOf('d') }, { request_txn: inner }],
        },
      },
    ]);
    expect(keysOf(demand)).toEqual(['c1', 'p', 'd', 'n']);
    expect(['c2', 'c4', 'r', 'rzz'].every((key) => within(demand, key))).toBe(true);
    expect(['c1', 'c5', 's', 'q'].some((key) => within(demand, key))).toBe(false);
  });

  test('names leases that are revoked, and those of puts whose user has to be allowed', () => {
    expect(demandOf([revoke(5n), grant(6n, 60n), put('a', '1', { lease: 7n })]).leases).toEqual(new Set([5n]));
    expect(demandOf([{ ...put('a', '1', { lease: 7n }), ...ROOT }]).leases).toEqual(new Set([7n]));
    const nested = {
      txn: { success: [{ request_txn: { success: [{ request_put: putOf('a', '1', { lease: 8n }) }] } }] },
      ...ROOT,
    };
    expect(demandOf([nested], '3.5').leases).toEqual(new Set([8n]));
    // 3.4 asks for no permission there.
    expect(demandOf([nested], '3.4').leases).toEqual(new Set());
  });

  test('keys decide which entries make a revision, unless there are plain puts only', () => {
    const undecided = [put('a', '1'), put('b', '1', { lease: 5n, prev_kv: true }), grant(5n, 60n)];
    expect(demandOf([...undecided, { txn: { success: [{ request_put: putOf('a', '1') }] } }]).decides).toBe(false);
    const deciding: readonly Request[] = [
      deletion('a'),
      deletion('a', 'b'),
      revoke(5n),
      put('a', '', { ignore_value: true }),
      put('a', '', { ignore_lease: true }),
      { ...put('a', '1', { lease: 7n }), ...ROOT },
      { txn: { compare: [rangeOf('a')] } },
      { txn: { failure: [{ request_delete_range: rangeOf('a') }] } },
    ];
    for (const request of deciding) expect(demandOf([...undecided, request]).decides).toBe(true);
  });

  test('of what is no request of the v3 API nothing is asked', () => {
    const demand = new Demand();
    for (const data of [new Uint8Array(), bytesOf('\xff'), bytesOf('\x08\x01\x12\x04QGET\x28\x00')]) {
      demand.add(decodeEntryPayload({ data }), '3.4');
    }
    demand.add(decodeEntryPayload({ type: 1, data: bytesOf('\x08\x01') }), '3.4');
    expect([demand.keys.size, demand.leases.size, demand.decides]).toEqual([0, 0, false]);
  });
});

describe('ranges of keys', () => {
  const anyKey = fc.oneof(
    fc.constantFrom('', ...PLAIN_KEYS),
    fc.string({ unit: fc.constantFrom('a', 'b', '\0'), maxLength: 6 }),
  );

  property.prop([
    fc.array(fc.tuple(anyKey, fc.option(anyKey)), { maxLength: 12 }),
    fc.array(anyKey, { maxLength: 20 }),
  ])('together hold what one of them holds', (given, keys) => {
    const ranges = new KeyRanges();
    for (const [key, end] of given) ranges.add(bytesOf(key), end === null ? null : bytesOf(end));
    for (const key of keys) {
      const expected = given.some(([first, end]) => key >= first && (end === null || key < end));
      expect(ranges.contains(new DataView(bytesOf(`..${key}`).buffer), 2, key.length)).toBe(expected);
    }
  });

  test('that touch are one, and the same one many times takes no room', () => {
    const ranges = new KeyRanges();
    for (let i = 0; i < 100_000; i++) ranges.add(bytesOf('a'), bytesOf('c'));
    ranges.add(bytesOf('c'), bytesOf('d'));
    ranges.add(bytesOf('b'), bytesOf('bb'));
    ranges.add(bytesOf('x'), bytesOf('x'));
    expect(ranges.count).toBe(1);
    ranges.add(bytesOf('e'), null);
    ranges.add(bytesOf('f'), bytesOf('g'));
    expect(ranges.count).toBe(2);
  });
});
