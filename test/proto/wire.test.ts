import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WireReader, WireWriter } from '../../src/proto/wire.ts';
import { fromHex, toHex } from './golden-records.ts';

/** The bytes of field 1 without its tag. */
function varintHex(value: bigint | number): string {
  const writer = new WireWriter();
  writer.varint(1, value);
  return toHex(writer.finish().subarray(1));
}

describe('varints', () => {
  test.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [0xffff_ffff, 'ffffffff0f'],
    [2 ** 53 - 1, 'ffffffffffffff0f'],
    [2n ** 63n, '80808080808080808001'],
    [2n ** 64n - 1n, 'ffffffffffffffffff01'],
    [-1, 'ffffffffffffffffff01'],
    [-(2n ** 63n), '80808080808080808001'],
  ])('%s is %s', (value, hex) => {
    expect(varintHex(value)).toBe(hex);
    expect(new WireReader(fromHex(hex)).uint64()).toBe(BigInt.asUintN(64, BigInt(value)));
    expect(new WireReader(fromHex(hex)).int64()).toBe(BigInt.asIntN(64, BigInt(value)));
    expect(new WireReader(fromHex(hex)).uint32()).toBe(Number(BigInt.asUintN(32, BigInt(value))));
    expect(new WireReader(fromHex(hex)).int32()).toBe(Number(BigInt.asIntN(32, BigInt(value))));
    expect(new WireReader(fromHex(hex)).bool()).toBe(BigInt(value) !== 0n);
  });

  property.prop([fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })])('survive', (value) => {
    expect(new WireReader(fromHex(varintHex(value))).uint64()).toBe(value);
    const signed = BigInt.asIntN(64, value);
    expect(new WireReader(fromHex(varintHex(signed))).int64()).toBe(signed);
  });

  test('may be padded up to ten bytes; bits above the 64th are dropped', () => {
    expect(new WireReader(fromHex('81808080808080808000')).uint64()).toBe(1n);
    expect(new WireReader(fromHex('8180808080808080807e')).uint64()).toBe(1n);
    expect(() => new WireReader(fromHex('8180808080808080808000')).uint64()).toThrow('more than 10 bytes at byte 0');
  });

  test('that are no integers of 64 bits are not written', () => {
    for (const value of [2n ** 64n, -(2n ** 63n) - 1n, 0.5, 2 ** 53, Number.NaN]) {
      expect(() => new WireWriter().varint(1, value)).toThrow(/is not an integer of 64 bits/);
    }
  });
});

describe('damage is refused with its place', () => {
  test.each([
    ['nothing where a tag should be', '', 'message ends inside a varint at byte 0'],
    ['a varint that ends too early', '0880', 'message ends inside a varint at byte 1'],
    ['a length beyond the end', '0a0501', 'length 5 reaches beyond the message at byte 1'],
    [
      'a length of 64 bits',
      '0affffffffffffffffff01',
      'length 18446744073709551615 reaches beyond the message at byte 1',
    ],
    ['field 0', '0001', 'field number 0 at byte 0'],
    ['a field number of 30 bits', '8080808010', 'field number above 536870911 at byte 0'],
    ['wire type 6', '0e', 'wire type 6 does not exist at byte 0'],
    ['wire type 7', '0f', 'wire type 7 does not exist at byte 0'],
    ['a fixed64 that ends too early', '0900000000000000', 'message ends inside a field at byte 1'],
    ['a fixed32 that ends too early', '0d000000', 'message ends inside a field at byte 1'],
    ['the end of no group', '0c', 'end of a group that never began at byte 0'],
    ['a group without an end', '0b1001', 'group without an end at byte 0'],
    ['a group that ends as another', '0b14', 'end of another group at byte 1'],
  ])('%s', (_, hex, message) => {
    const reader = new WireReader(fromHex(hex));
    expect(() => reader.skip(reader.tag())).toThrow(message);
  });

  test('groups nested too deeply', () => {
    const reader = new WireReader(new Uint8Array(100_000).fill(0x0b));
    expect(() => reader.skip(reader.tag())).toThrow('groups nested too deeply at byte 100');
  });

  test('offsets count from the beginning of the array, also within a range', () => {
    const reader = new WireReader(fromHex('ffffff 0a05 0102030405'), 3, 9);
    expect(reader.tag()).toBe(0x0a);
    expect(() => reader.bytes()).toThrow('length 5 reaches beyond the message at byte 4');
  });
});

test('skipped fields are remembered, neighbours as one', () => {
  const bytes = fromHex('0801 1002 1a0103 2004 2d00000000');
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x1a) reader.bytes();
    else reader.skip(tag);
  }
  expect(toHex(reader.unknown()!)).toBe('0801100220042d00000000');
  expect(new WireReader(bytes).unknown()).toBeUndefined();
});

test('text is UTF-8, with a byte order mark if there is one', () => {
  const writer = new WireWriter();
  writer.string(1, '\ufeffgrün');
  const reader = new WireReader(writer.finish());
  reader.tag();
  expect(reader.string()).toBe('\ufeffgrün');
});

test('a message grows with its fields', () => {
  const writer = new WireWriter();
  writer.bytes(1, new Uint8Array(1000));
  writer.message(2, new Uint8Array(100));
  writer.bool(3, true);
  expect(writer.finish()).toHaveLength(3 + 1000 + 2 + 100 + 2);
});
