import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { KeyRecord } from '../../src/backend/record.ts';
import { encodeRevision } from '../../src/backend/revision.ts';
import { isDatadirError } from '../../src/errors.ts';
import { encodeKeyValue, type KeyValue, parseKeyValue } from '../../src/proto/mvcc.ts';
import { hex } from '../support/backend-db.ts';

function parsed(key: Uint8Array, value: Uint8Array): KeyRecord {
  const bytes = Uint8Array.from([9, 9, 9, ...key, ...value, 9]);
  const record = new KeyRecord();
  record.parse(bytes, new DataView(bytes.buffer), 3, key.length, value.length);
  return record;
}

const KEY = encodeRevision({ main: 3n, sub: 1n });
const EMPTY = new Uint8Array();

/** What the message parser says of the same bytes; undefined if it refuses them. */
function message(value: Uint8Array): KeyValue | undefined {
  try {
    return parseKeyValue(value);
  } catch (error) {
    if (isDatadirError(error, 'PROTO_INVALID')) return undefined;
    throw error;
  }
}

function expectEqual(record: KeyRecord, expected: KeyValue | undefined): void {
  expect(record.problem).toBe(expected === undefined ? 'value' : undefined);
  if (expected === undefined) return;
  const { bytes } = record;
  expect(bytes.slice(record.userKeyStart, record.userKeyEnd)).toEqual(expected.key.slice());
  expect(bytes.slice(record.userValueStart, record.userValueEnd)).toEqual(expected.value.slice());
  expect(record.createRevision).toBe(Number(expected.createRevision));
  expect(record.modRevision).toBe(Number(expected.modRevision));
  expect(record.version).toBe(Number(expected.version));
  expect(record.hasLease).toBe(expected.lease !== 0n);
  expect(record.lease()).toBe(expected.lease);
}

describe('the value', () => {
  const int64 = fc.oneof(
    fc.bigInt({ min: 0n, max: 300n }),
    fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
    fc.constantFrom((1n << 49n) - 1n, 1n << 49n, (1n << 53n) - 1n, 1n << 53n, 1n << 56n),
  );
  test.prop([fc.uint8Array(), int64, int64, int64, fc.uint8Array(), int64])(
    'is read as the parser of the message reads it',
    (key, createRevision, modRevision, version, value, lease) => {
      const encoded = encodeKeyValue({ key, createRevision, modRevision, version, value, lease });
      const record = parsed(KEY, encoded);
      expectEqual(record, parseKeyValue(encoded));
      const exact = [createRevision, modRevision, version].every((number) => Number.isSafeInteger(Number(number)));
      expect(record.exact).toBe(exact);
    },
  );

  const field = fc.oneof(
    fc.constantFrom(
      '0a00',
      '1001',
      '1802',
      '2003',
      '2a0161',
      '3005',
      '30ffffffffffffffffff01',
      '3080',
      '108080808080808001',
    ),
    fc.constantFrom('0aff', '10', '0b', '3a0141', '4001', '0801', '12', '2affffffff7f', '20ffffffffffffffffffff01'),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  );
  test.prop([fc.array(field, { maxLength: 6 })], { numRuns: 2000 })('of any bytes, too', (fields) => {
    const value = hex(fields.join(''));
    expectEqual(parsed(KEY, value), message(value));
  });
});

describe('the revision key', () => {
  const int63 = fc.oneof(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }));
  test.prop([int63, int63, fc.boolean()])('is read exactly', (main, sub, tombstone) => {
    const record = parsed(encodeRevision({ main, sub }, tombstone), EMPTY);
    expect(record).toMatchObject({ problem: undefined, tombstone, oddMark: false });
    expect(record.revision()).toEqual({ main, sub });
    expect(record.main).toBe(Number(main));
    expect(record.sub).toBe(Number(sub));
    expect(record.exact).toBe(main < 1n << 53n && sub < 1n << 53n);
  });

  test.each([
    ['length', hex('00'.repeat(16))],
    ['length', hex('00'.repeat(19))],
    ['length', EMPTY],
    ['separator', hex(`${'00'.repeat(8)}60${'00'.repeat(8)}`)],
    ['negative', hex(`80${'00'.repeat(7)}5f${'00'.repeat(8)}`)],
    ['negative', hex(`${'00'.repeat(8)}5fff${'00'.repeat(7)}`)],
  ] as const)('%s', (problem, key) => {
    expect(parsed(key, EMPTY).problem).toBe(problem);
  });

  test('of 18 bytes without the mark counts as a put, as etcd 3.6 has it', () => {
    const key = encodeRevision({ main: 7n, sub: 0n }, true);
    key[17] = 0x78;
    expect(parsed(key, EMPTY)).toMatchObject({ problem: undefined, tombstone: false, oddMark: true, main: 7 });
  });
});
