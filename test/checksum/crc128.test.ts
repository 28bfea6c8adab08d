// The CRC of 128 bits: what it is by definition, and that all ways to it give the same.
import { describe, expect, test } from 'vitest';
import { crc128, type Register128 } from '../../src/checksum/crc128.ts';
import { Crc128Stream } from '../../src/checksum/crc128-stream.ts';
import { mixWords } from '../../src/checksum/mix-words.ts';
import { seededRandom } from '../support/faulty.ts';

const random = seededRandom(128);
const below = (end: number): number => Math.floor(random() * end);
const data = Uint8Array.from({ length: 100_000 }, () => below(256));

const ONES = (1n << 128n) - 1n;
/** The generator, reflected, without its highest term. */
const REFLECTED = 0xc68fbb6087b8701ef1eda0caf2a73a14n;

/** One bit at a time, straight from the definition. */
function reference(bytes: Uint8Array): bigint {
  let register = ONES;
  for (const byte of bytes) {
    register ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) register = (register >> 1n) ^ (register & 1n ? REFLECTED : 0n);
  }
  return register;
}

const toBigInt = ({ a, b, c, d }: Readonly<Register128>): bigint =>
  [d, c, b, a].reduce((value, word) => (value << 32n) | BigInt(word >>> 0), 0n);

function plain(bytes: Uint8Array): bigint {
  const register = { a: -1, b: -1, c: -1, d: -1 };
  crc128(register, bytes, 0, bytes.length);
  return toBigInt(register);
}

describe('crc128', () => {
  test('agrees with the definition', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = data.subarray(length, 2 * length);
      expect(plain(bytes)).toBe(reference(bytes));
    }
  });

  test('a stream gives the same, however its pieces are cut', () => {
    for (let length = 0; length <= 100_000; length += 1 + below(700)) {
      const stream = new Crc128Stream();
      for (let at = 0; at < length; ) {
        const next = Math.min(length, at + 1 + below(9000));
        stream.update(data, at, next);
        at = next;
      }
      expect(toBigInt(stream.value())).toBe(plain(data.subarray(0, length)));
    }
  });

  test('streams that are left and gone on with, and those without a kernel, give the same', () => {
    const streams = Array.from({ length: 9 }, (_, i) =>
      i === 0 ? new Crc128Stream(() => undefined) : new Crc128Stream(),
    );
    for (let at = 0; at < data.length; at += 10_000) {
      for (const stream of streams) stream.update(data, at, at + 10_000);
    }
    for (const stream of streams) expect(toBigInt(stream.value())).toBe(plain(data));
  });

  test('its generator divides the sparse polynomial, as that of CRC-32C does', () => {
    const sparse = (1n << 5321n) | (1n << 3574n) | (1n << 2491n) | 1n;
    const reflect = (value: bigint, bits: number): bigint => {
      let reflected = 0n;
      for (let i = 0; i < bits; i++) if ((value >> BigInt(i)) & 1n) reflected |= 1n << BigInt(bits - 1 - i);
      return reflected;
    };
    const remainder = (generator: bigint, degree: number): bigint => {
      let rest = sparse;
      for (let bit = 5321; bit >= degree; bit--)
        if ((rest >> BigInt(bit)) & 1n) rest ^= generator << BigInt(bit - degree);
      return rest;
    };
    expect(remainder((1n << 128n) | reflect(REFLECTED, 128), 128)).toBe(0n);
    expect(remainder((1n << 32n) | reflect(0x82f63b78n, 32), 32)).toBe(0n);
    expect(remainder((1n << 32n) | reflect(0xedb88320n, 32), 32)).not.toBe(0n); // that of the usual CRC-32
  });
});

describe('mixWords', () => {
  test('a flipped bit anywhere flips about half of each word of the result', () => {
    const input = Int32Array.from({ length: 16 }, () => below(2 ** 32) | 0);
    const mixed = (words: Int32Array): Int32Array => {
      const copy = words.slice();
      mixWords(copy, 16);
      return copy.subarray(0, 4);
    };
    const before = mixed(input);
    const flips = [0, 0, 0, 0];
    for (let bit = 0; bit < 512; bit++) {
      const changed = input.slice();
      changed[bit >> 5]! ^= 1 << (bit & 31);
      mixed(changed).forEach((word, i) => {
        const difference = (word ^ before[i]!) >>> 0;
        const count = difference.toString(2).replaceAll('0', '').length;
        expect(count).toBeGreaterThan(2);
        flips[i]! += count;
      });
    }
    for (const count of flips) expect(Math.abs(count / 512 - 16)).toBeLessThan(0.6);
  });

  test('the number of words counts', () => {
    const four = new Int32Array(8);
    mixWords(four, 4);
    const eight = new Int32Array(8);
    mixWords(eight, 8);
    expect(four.subarray(0, 4)).not.toEqual(eight.subarray(0, 4));
  });
});
