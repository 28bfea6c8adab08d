// etcd's test for torn writes: a piece of a record between two multiples of 512 in the file that is all zero.
import { describe, expect, test } from 'vitest';
import { hasZeroSector, isZero } from '../../src/wal/torn-write.ts';

const SECTOR = 512;

describe('a record', () => {
  test.each(Array.from({ length: 24 }, (_, i) => [i < 12 ? i : 489 + i]))(
    'with %d bytes before a boundary, all zero',
    (before) => {
      // The record begins `before` bytes short of the boundary at 1024.
      const frameOffset = 2 * SECTOR - before - 8;
      const bytes = new Uint8Array(2000).fill(1);
      expect(hasZeroSector(bytes, 0, bytes.length, frameOffset)).toBe(false);
      bytes.fill(0, 0, before);
      expect(hasZeroSector(bytes, 0, bytes.length, frameOffset)).toBe(before > 0);
      if (before === 0) return;
      bytes[before - 1] = 1;
      expect(hasZeroSector(bytes, 0, bytes.length, frameOffset)).toBe(false);
    },
  );

  test('a whole sector, and all of it but one byte', () => {
    const bytes = new Uint8Array(1600).fill(1);
    // The frame begins at 8: the record at 16, its first boundary is 496 bytes in.
    bytes.fill(0, 496, 496 + SECTOR);
    expect(hasZeroSector(bytes, 0, bytes.length, 8)).toBe(true);
    bytes[496] = 1;
    expect(hasZeroSector(bytes, 0, bytes.length, 8)).toBe(false);
    bytes[496] = 0;
    bytes[496 + SECTOR - 1] = 1;
    expect(hasZeroSector(bytes, 0, bytes.length, 8)).toBe(false);
    // As many zeros, but over a boundary.
    bytes.fill(1).fill(0, 400, 400 + SECTOR);
    expect(hasZeroSector(bytes, 0, bytes.length, 8)).toBe(false);
  });

  test('a last piece of nothing but padding', () => {
    // The record ends at the boundary, its padding lies behind.
    const bytes = new Uint8Array(40).fill(1).fill(0, 33);
    expect(hasZeroSector(bytes, 0, 40, SECTOR - 33 - 8)).toBe(true);
    expect(hasZeroSector(bytes, 0, 33, SECTOR - 33 - 8)).toBe(false);
    expect(hasZeroSector(bytes, 0, 40, SECTOR - 34 - 8)).toBe(true);
    expect(hasZeroSector(bytes, 0, 40, SECTOR - 32 - 8)).toBe(false);
  });

  test('within one sector only all zeros count', () => {
    const bytes = new Uint8Array(100);
    expect(hasZeroSector(bytes, 0, 100, 0)).toBe(true);
    bytes[99] = 1;
    expect(hasZeroSector(bytes, 0, 100, 0)).toBe(false);
    expect(hasZeroSector(bytes, 0, 0, 0)).toBe(false);
    // Only the bytes given are looked at.
    expect(hasZeroSector(bytes, 10, 99, 0)).toBe(true);
  });
});

test('isZero', () => {
  expect(isZero(Uint8Array.of(1, 0, 0, 1), 1, 3)).toBe(true);
  expect(isZero(Uint8Array.of(1, 0, 0, 1), 1, 4)).toBe(false);
  expect(isZero(Uint8Array.of(1), 0, 0)).toBe(true);
});
