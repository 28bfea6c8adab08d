/**
 * Which keys are attached to which lease, against a plain model.
 */
import { fc, test as propertyTest } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { BackendFile } from '../../src/backend/backend-file.ts';
import { LeaseAttachmentsJob } from '../../src/backend/lease-attachments.ts';
import { drain } from '../../src/io/job.ts';
import { hex, openDb, put, tombstone } from '../support/backend-db.ts';
import type { Pair } from '../support/plain-hash-kv.ts';

const text = new TextDecoder();

/** Lease to keys, as plain data. */
function attachments(file: BackendFile): Record<string, string[]> {
  const { byLease, total } = drain(new LeaseAttachmentsJob(file));
  const lists = [...byLease].map(([lease, keys]) => [`${lease}`, [...keys].map((key) => text.decode(key))] as const);
  for (const keys of byLease.values()) expect([...keys].length).toBe(keys.length);
  expect(lists.reduce((sum, [, keys]) => sum + keys.length, 0)).toBe(total);
  return Object.fromEntries(lists);
}

describe('lease attachments', () => {
  test('the newest record of a key decides', async () => {
    const file = await openDb({
      key: [
        put(0, 0, { key: 'before', lease: 7 }),
        put(2, 0, { key: 'b', lease: 7 }),
        put(3, 0, { key: 'a', lease: 7 }),
        put(4, 0, { key: 'moved', lease: 7 }),
        put(5, 0, { key: 'moved', lease: 8 }),
        put(6, 0, { key: 'freed', lease: 8 }),
        put(7, 0, { key: 'freed' }),
        put(8, 0, { key: 'deleted', lease: 8 }),
        tombstone(9, 0, 'deleted'),
        put(10, 0, { key: 'again', lease: 8 }),
        tombstone(11, 0, 'again'),
        put(12, 0, { key: 'again', lease: 9 }),
        put(13, 0, { key: 'never' }),
      ],
    });
    expect(attachments(file)).toEqual({ 7: ['a', 'b'], 8: ['moved'], 9: ['again'] });
  });

  test('ids of 64 bits, negative ones too', async () => {
    const ids = [1n, 0xffff_ffffn, 0x1_0000_0000n, 2n ** 63n - 1n, -1n, -(2n ** 63n)];
    const file = await openDb({ key: ids.map((lease, i) => put(i + 2, 0, { key: `k${i}`, lease })) });
    expect(attachments(file)).toEqual(Object.fromEntries(ids.map((lease, i) => [`${lease}`, [`k${i}`]])));
  });

  test('nothing attached', async () => {
    expect(attachments(await openDb({ key: [put(2, 0, { key: 'a' })] }))).toEqual({});
    expect(attachments(await openDb({}, { bare: true }))).toEqual({});
  });

  test('what cannot be read is counted', async () => {
    const bad: Pair = [hex('0000000000000003 5f 0000000000000000'), hex('ffff')];
    const file = await openDb({ key: [put(2, 0, { key: 'a', lease: 5 }), bad, put(4, 0, { key: 'b', lease: 5 })] });
    const { byLease, unreadable } = drain(new LeaseAttachmentsJob(file));
    expect(byLease.get(5n)?.length).toBe(2);
    expect(unreadable.count).toBe(1);
  });

  const change = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    lease: fc.constantFrom(-1, 0, 1, 2),
    deleted: fc.boolean(),
  });
  propertyTest.prop([fc.array(change, { maxLength: 20 })], { numRuns: 60 })('as a map has it', async (changes) => {
    const map = new Map<string, number>();
    const pairs = changes.map(({ key, lease, deleted }, i) => {
      map.delete(key);
      if (deleted) return tombstone(i + 2, 0, key);
      if (lease !== 0) map.set(key, lease);
      return put(i + 2, 0, { key, lease });
    });
    const expected = [...new Set(map.values())].map((lease) => {
      const keys = [...map.keys()].filter((key) => map.get(key) === lease);
      return [`${lease}`, keys.sort()] as const;
    });
    expect(attachments(await openDb({ key: pairs }))).toEqual(Object.fromEntries(expected));
  });
});
