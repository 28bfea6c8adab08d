import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { memorySource, readBuffer } from '../../src/io/byte-source.ts';

describe('memorySource', () => {
  test.prop([fc.uint8Array({ maxLength: 50 }), fc.nat(60), fc.nat(60)])('reads any range', (bytes, offset, length) => {
    const target = new Uint8Array(length).fill(0xee);
    const count = memorySource(bytes).readInto(target, offset);
    expect(target.subarray(0, count)).toEqual(bytes.subarray(offset, offset + length));
    expect(target.subarray(count).every((byte) => byte === 0xee)).toBe(true);
  });

  test('tells its name when it has one', () => {
    expect(memorySource(new Uint8Array(3), 'db')).toMatchObject({ path: 'db', size: 3 });
    expect(memorySource(new Uint8Array(3))).not.toHaveProperty('path');
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('an offset of %d is a bug of the caller', (offset) => {
    const source = memorySource(new Uint8Array(3));
    expect(() => source.readInto(new Uint8Array(1), offset)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });
});

test('readBuffer has the length asked for and leaves the start of its memory unused', () => {
  const buffer = readBuffer(4096);
  expect(buffer).toHaveLength(4096);
  expect(buffer.byteOffset).toBe(64);
  expect(buffer.every((byte) => byte === 0)).toBe(true);
});
