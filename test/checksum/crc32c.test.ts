import { test } from '@fast-check/vitest';
import CRC32C from 'crc-32/crc32c.js';
import fc from 'fast-check';
import { afterEach, describe, expect, vi } from 'vitest';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { CRC32C_END, Crc32cKernel } from '../../src/checksum/crc32c-kernel.ts';
import { crc32cPlain } from '../../src/checksum/crc32c-plain.ts';
import { DISTANCES } from '../../src/checksum/crc32c-wasm.ts';
import { CRC32C_AT, CRC32C_ROOM, FoldKernel } from '../../src/checksum/sparse-fold.ts';
import { seededRandom } from '../support/faulty.ts';

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

const random = seededRandom(32);
const below = (end: number): number => Math.floor(random() * end);
const data = Uint8Array.from({ length: 300_000 }, () => below(256));
const fold = FoldKernel.create(data.length)!;
const inMemory = fold.allocate(data.length)!;
const kernel = Crc32cKernel.of(fold)!;
inMemory.set(data);

type Crc = (bytes: Uint8Array, start: number, end: number, seed: number) => number;
const ofPackage: Crc = (bytes, start, end, seed) => CRC32C.buf(bytes.subarray(start, end), seed | 0) >>> 0;

const variants: [string, Crc, Uint8Array][] = [
  ['plain code', crc32cPlain, data],
  [
    'WebAssembly, bytes in its memory',
    (b, start, end, seed) => kernel.inMemory(b.byteOffset + start, end - start, seed),
    inMemory,
  ],
  ['WebAssembly, bytes elsewhere', (b, start, end, seed) => kernel.elsewhere(b, start, end, seed), data],
  ['the one that is best, bytes in memory', crc32c, inMemory],
  ['the one that is best, bytes elsewhere', crc32c, data],
];

describe.each(variants)('crc32c by %s', (_, crc, bytes) => {
  test('of every length up to 1500', () => {
    const wrong: number[] = [];
    for (let length = 0; length <= 1500; length++) {
      const start = below(1000);
      const seed = below(2 ** 32);
      if (crc(bytes, start, start + length, seed) !== ofPackage(data, start, start + length, seed)) wrong.push(length);
    }
    expect(wrong).toEqual([]);
  });

  test('of any length and place, after any seed', () => {
    for (let i = 0; i < 400; i++) {
      const start = below(data.length);
      const end = start + below(Math.min(i % 4 === 0 ? data.length : 40_000, data.length - start + 1));
      const seed = [0, 0xffffffff, 0x80000000, below(2 ** 32)][i % 4]!;
      expect(crc(bytes, start, end, seed), `[${start}, ${end}) after ${seed}`).toBe(ofPackage(data, start, end, seed));
    }
  });

  test('in pieces cut anywhere', () => {
    for (const longest of [3, 100, 1000, 20_000, 100_000]) {
      const end = Math.min(data.length, longest * 500);
      let value = 0;
      for (let at = 0; at < end; ) {
        const next = Math.min(end, at + 1 + below(longest));
        value = crc(bytes, at, next, value);
        at = next;
      }
      expect(value, `pieces of up to ${longest}`).toBe(ofPackage(data, 0, end, 0));
    }
  });
});

describe('crc32c by WebAssembly', () => {
  test('of the very last bytes of the memory', () => {
    const small = FoldKernel.create()!;
    let length = small.memory.length;
    let last = small.allocate(length);
    while (last === undefined) last = small.allocate(--length);
    last.set(data.subarray(0, length));
    const value = Crc32cKernel.of(small)!;
    for (let start = Math.max(0, length - 1000); start < length; start++) {
      expect(value.inMemory(last.byteOffset + start, length - start, 0)).toBe(ofPackage(data, start, length, 0));
    }
  });

  test('has room in the memory, and leaves the rest as it is', () => {
    expect(CRC32C_END).toBeLessThanOrEqual(CRC32C_AT + CRC32C_ROOM);
    kernel.inMemory(inMemory.byteOffset, inMemory.length, 0);
    kernel.elsewhere(data, 0, data.length, 0);
    expect(Buffer.from(inMemory).equals(data)).toBe(true);
  });

  test('folds by a multiple of the generator', () => {
    const farthest = Math.max(...DISTANCES);
    let rest = 1n << BigInt(farthest);
    for (const distance of DISTANCES) rest ^= 1n << BigInt(farthest - distance);
    for (let bit = farthest; bit >= 32; bit--) if ((rest >> BigInt(bit)) & 1n) rest ^= 0x11edc6f41n << BigInt(bit - 32);
    expect(rest).toBe(0n);
  });
});

describe('crc32c where there is no WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test('has the same values', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { crc32c: fresh } = await import('../../src/checksum/crc32c.ts');
    // More than it takes until a kernel is asked for.
    for (let i = 0; i < 8; i++) expect(fresh(data, i, data.length, i)).toBe(ofPackage(data, i, data.length, i));
  });
});
