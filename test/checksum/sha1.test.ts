import { createHash } from 'node:crypto';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { sha1 } from '../../src/checksum/sha1.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const ofNode = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

describe('sha1', () => {
  // From FIPS 180 and NIST's example values.
  test.each([
    ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'a49b2446a02c645bf419f995b67091253a04a259',
    ],
    ['a'.repeat(1_000_000), '34aa973cd4c4daa4f61eeb2bdbad27316534016f'],
  ])('of the standard examples (%#)', (text, expected) => {
    expect(hex(sha1(ascii(text)))).toBe(expected);
  });

  test('every length around the block boundaries is padded right', () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => i);
      expect(hex(sha1(bytes)), `length ${length}`).toBe(ofNode(bytes));
    }
  });

  test.prop([fc.uint8Array({ maxLength: 500 }), fc.nat(20)])(
    'agrees with node:crypto, wherever bytes lie',
    (all, from) => {
      const bytes = all.subarray(Math.min(from, all.length));
      expect(hex(sha1(bytes))).toBe(ofNode(bytes));
    },
  );

  test('the digest is an array of its own', () => {
    expect(sha1(ascii('abc')).buffer.byteLength).toBe(20);
  });
});
