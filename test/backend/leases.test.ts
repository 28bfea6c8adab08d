/**
 * Bucket `lease`: records as etcd writes them, and every way in which one can be wrong.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseLease, readLeases } from '../../src/backend/leases.ts';
import { encodeMessage } from '../../src/proto/messages.ts';
import { hex, openDb, uint64 } from '../support/backend-db.ts';

describe('a lease', () => {
  test('as a server writes it', () => {
    const lease = { id: 0x1234n, ttl: 600n, remainingTtl: null, canonical: true };
    expect(parseLease(hex('0000000000001234'), hex('08b42410d804'))).toEqual(lease);
  });

  test('with a checkpoint', () => {
    const parsed = parseLease(hex('0045a1e29b422704'), hex('0884ce88daa9bce82210e807189003'));
    expect(parsed).toEqual({ id: 0x45a1e29b422704n, ttl: 1000n, remainingTtl: 400n, canonical: true });
  });

  test('ids are signed, above 2^53 too', () => {
    for (const id of [-1n, -(2n ** 63n), 2n ** 63n - 1n, 761567806937705264n]) {
      const value = encodeMessage('leasepb.Lease', { ID: id, TTL: 5n });
      expect(parseLease(uint64(id), value)).toEqual({ id, ttl: 5n, remainingTtl: null, canonical: true });
    }
  });

  test('under a key that is not its id', () => {
    const value = hex('08b42410d804');
    for (const key of ['0000000000001235', '1234', '000000000000123400', '']) {
      expect(parseLease(hex(key), value)).toMatchObject({ id: 0x1234n, canonical: false });
    }
  });

  test('fields that nobody knows are passed over; nothing at all is a lease of zeros', () => {
    expect(parseLease(uint64(0x1234n), hex('08b424 10d804 4205aabbccddee'))).toMatchObject({ id: 0x1234n, ttl: 600n });
    expect(parseLease(uint64(0n), hex(''))).toEqual({ id: 0n, ttl: 0n, remainingTtl: null, canonical: true });
  });

  test.each(['08', '08ffffffffffffffffffff7f', '0f', '0a', '0a05', 'ffffffff'])('value %s is none', (value) => {
    expect(parseLease(uint64(1n), hex(value))).toEqual({
      problem: expect.stringMatching(/^it is no leasepb\.Lease: /),
    });
  });
});

describe('the leases of a db', () => {
  test('bad records are passed over and told', async () => {
    const file = await openDb({
      lease: [
        [uint64(3n), hex('0803 100a')],
        [uint64(2n), hex('08')],
        [uint64(1n), hex('0801 1014 1805')],
      ],
    });
    const { leases, unreadable } = readLeases(file.db);
    expect(leases).toEqual([
      { id: 1n, ttl: 20n, remainingTtl: 5n, canonical: true },
      { id: 3n, ttl: 10n, remainingTtl: null, canonical: true },
    ]);
    expect(unreadable).toMatchObject({ count: 1, listed: [{ bucket: 'lease', key: uint64(2n) }] });
  });

  test('none without the bucket', async () => {
    expect(readLeases((await openDb({}, { bare: true })).db)).toMatchObject({ leases: [], unreadable: { count: 0 } });
  });

  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  property.prop(
    [fc.uniqueArray(fc.record({ ID: int64, TTL: int64, RemainingTTL: int64 }), { selector: ({ ID }) => ID })],
    {
      numRuns: 40,
    },
  )('what is written is read back', async (wanted) => {
    const pairs = wanted.map((each) => [uint64(each.ID), encodeMessage('leasepb.Lease', each)] as const);
    const { leases, unreadable } = readLeases((await openDb({ lease: pairs })).db);
    expect(unreadable.count).toBe(0);
    const byKey = [...wanted].sort((a, b) => (BigInt.asUintN(64, a.ID) < BigInt.asUintN(64, b.ID) ? -1 : 1));
    expect(leases).toEqual(
      byKey.map(({ ID, TTL, RemainingTTL }) => ({
        id: ID,
        ttl: TTL,
        remainingTtl: RemainingTTL === 0n ? null : RemainingTTL,
        canonical: true,
      })),
    );
  });

  property.prop([fc.uint8Array(), fc.uint8Array()])('any bytes give a lease or a reason', (key, value) => {
    const parsed = parseLease(key, value);
    expect('problem' in parsed ? parsed.problem : typeof parsed.id).toMatch(/^it is no |^bigint$/);
  });
});
