/**
 * The quick reader of records beside the parser of any record.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { RecordHead } from '../../src/proto/record-head.ts';
import { encodeWalRecord, parseWalRecord } from '../../src/proto/wal.ts';

/** What both say of a message: type, crc, data; undefined if it is no record. */
function quick(bytes: Uint8Array): unknown {
  const head = new RecordHead();
  if (!head.parse(bytes, 0, bytes.length)) return undefined;
  const { type, crc, dataStart, dataEnd } = head;
  return { type, crc, data: dataStart < 0 ? undefined : bytes.slice(dataStart, dataEnd) };
}

function plain(bytes: Uint8Array): unknown {
  try {
    const { type = 0n, crc = 0, data } = parseWalRecord(bytes);
    return { type: Number(type), crc, data: data?.slice() };
  } catch (error) {
    if (isDatadirError(error, 'PROTO_INVALID')) return undefined;
    throw error;
  }
}

const records = fc
  .record({
    type: fc.bigInt({ min: -1n, max: 300n }),
    crc: fc.nat(0xffff_ffff),
    data: fc.option(fc.uint8Array({ maxLength: 200 }), { nil: undefined }),
  })
  .map((record) => encodeWalRecord(record, 'gogo'));

test('both read what was encoded', () => {
  fc.assert(
    fc.property(records, (bytes) => {
      expect(quick(bytes)).toEqual(plain(bytes));
    }),
  );
});

test('both agree on records with a changed byte, cut, or with bytes behind', () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.nat(255), fc.uint8Array({ maxLength: 4 }), (bytes, at, byte, tail) => {
      const changed = bytes.slice();
      if (changed.length > 0) changed[at % changed.length] = byte;
      const cut = bytes.slice(0, at % (bytes.length + 1));
      const longer = Uint8Array.from([...bytes, ...tail]);
      for (const each of [changed, cut, longer]) expect(quick(each)).toEqual(plain(each));
    }),
  );
});

test('the head is enough where the data is not there yet', () => {
  const bytes = encodeWalRecord({ type: 2n, crc: 77, data: new Uint8Array(100) }, 'gogo');
  const head = new RecordHead();
  const lengths = Array.from({ length: bytes.length + 1 }, (_, limit) =>
    head.readPlain(bytes.slice(0, limit), 0, bytes.length, limit),
  );
  // Type, crc, and tag and length of the data: six bytes.
  expect(lengths.indexOf(true)).toBe(6);
  expect(lengths.slice(6).every((read) => read)).toBe(true);
  expect(head).toMatchObject({ type: 2, crc: 77, dataStart: 6, dataEnd: bytes.length });
});

test('anything but the plain form is left to the parser', () => {
  const head = new RecordHead();
  for (const hex of ['10050802', '0802100518051a00', '880200100500', '08021a00', '0802100580', '']) {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
    expect(head.readPlain(bytes, 0, bytes.length, bytes.length), hex).toBe(false);
  }
});
