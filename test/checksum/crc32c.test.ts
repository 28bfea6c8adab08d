import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { crc32c } from '../../src/checksum/crc32c.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One bit at a time, straight from the definition. */
function reference(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}

describe('crc32c', () => {
  // The check value of the catalogues, then the test patterns of RFC 3720, appendix B.4.
  test.each([
    ['the digits 1 to 9', ascii('123456789'), 0xe3069283],
    ['nothing', new Uint8Array(0), 0],
    ['32 zeros', new Uint8Array(32), 0x8a9136aa],
    ['32 bytes of ff', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['32 rising bytes', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ['32 falling bytes', Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
  ])('of %s', (_, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });

  test('start and end choose a range', () => {
    expect(crc32c(ascii('..123456789...'), 2, 11)).toBe(0xe3069283);
  });

  test.prop([fc.uint8Array({ maxLength: 300 })])('agrees with the definition', (bytes) => {
    expect(crc32c(bytes)).toBe(reference(bytes));
  });

  test.prop([fc.uint8Array({ maxLength: 300 }), fc.nat(), fc.nat()])(
    'a seed continues the CRC of the bytes before',
    (bytes, first, second) => {
      const a = first % (bytes.length + 1);
      const b = a + (second % (bytes.length - a + 1));
      const chained = crc32c(bytes, b, bytes.length, crc32c(bytes, a, b, crc32c(bytes, 0, a)));
      expect(chained).toBe(crc32c(bytes));
    },
  );

  test.prop([fc.uint8Array({ maxLength: 50 }), fc.integer({ min: 0, max: 0xffffffff })])(
    'takes any unsigned seed',
    (bytes, seed) => {
      expect(crc32c(bytes, 0, bytes.length, seed)).toBe(reference(bytes, seed));
    },
  );
});
