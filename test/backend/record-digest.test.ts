/**
 * Digests of records: equal for equal values, and for no others.
 */
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { KeyRecord } from '../../src/backend/record.ts';
import { RecordDigest } from '../../src/backend/record-digest.ts';
import { put } from '../support/backend-db.ts';

/** The digest of a put, whose bytes lie `shift` bytes behind the start of an array. */
function digest(fields: Parameters<typeof put>[2], shift = 0, withRevisions = false): string {
  const [key, value] = put(3, 0, fields);
  const bytes = Uint8Array.from([...new Array<number>(shift).fill(7), ...key, ...value, 1, 2, 3]);
  const record = new KeyRecord();
  expect(record.parse(bytes, new DataView(bytes.buffer), shift, key.length, value.length)).toBe(true);
  const taken = new RecordDigest(withRevisions);
  taken.take(record);
  return `${taken.low}:${taken.high}`;
}

test('every bit of a value counts, at every length', () => {
  const seen = new Set<string>();
  let made = 0;
  for (let length = 0; length < 40; length++) {
    const value = new Uint8Array(length);
    seen.add(digest({ value }));
    made++;
    for (let bit = 0; bit < 8 * length; bit++) {
      value[bit >> 3]! ^= 1 << (bit & 7);
      seen.add(digest({ value }));
      value[bit >> 3]! ^= 1 << (bit & 7);
      made++;
    }
  }
  expect(seen.size).toBe(made);
});

property.prop([fc.uint8Array({ maxLength: 100 }), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.nat(9)])(
  'is the same wherever the record lies',
  (value, lease, shift) => {
    expect(digest({ value, lease }, shift)).toBe(digest({ value, lease }));
    expect(digest({ value, lease }, shift, true)).toBe(digest({ value, lease }, 0, true));
  },
);

property.prop([fc.bigInt(0n, 2n ** 63n - 1n), fc.bigInt(0n, 2n ** 63n - 1n)])('numbers of 64 bits', (x, y) => {
  for (const field of ['createRevision', 'modRevision', 'version', 'lease']) {
    expect(digest({ [field]: x }, 0, true) === digest({ [field]: y }, 0, true)).toBe(x === y);
    if (field !== 'lease') expect(digest({ [field]: x })).toBe(digest({ [field]: y }));
  }
});
