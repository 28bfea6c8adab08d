import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { halfSipHash32, halfSipHash64 } from '../../src/checksum/half-sip-hash.ts';

const MASK = 0xffff_ffffn;
const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & MASK;

/** The same by the letter of its definition, in whole numbers: one or two words. */
function plain(bytes: Uint8Array, key0: bigint, key1: bigint, words: 1 | 2): number[] {
  const v = [key0, key1, 0x6c796765n ^ key0, 0x74656462n ^ key1] as [bigint, bigint, bigint, bigint];
  const round = (): void => {
    v[0] = (v[0] + v[1]) & MASK;
    v[1] = rotated(v[1], 5n) ^ v[0];
    v[0] = rotated(v[0], 16n);
    v[2] = (v[2] + v[3]) & MASK;
    v[3] = rotated(v[3], 8n) ^ v[2];
    v[0] = (v[0] + v[3]) & MASK;
    v[3] = rotated(v[3], 7n) ^ v[0];
    v[2] = (v[2] + v[1]) & MASK;
    v[1] = rotated(v[1], 13n) ^ v[2];
    v[2] = rotated(v[2], 16n);
  };
  const end = (): number => {
    for (let i = 0; i < 3; i++) round();
    return Number(BigInt.asIntN(32, v[1] ^ v[3]));
  };
  if (words === 2) v[1] ^= 0xeen;
  const padded = new Uint8Array(Math.floor(bytes.length / 4) * 4 + 4);
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  for (let at = 0; at < padded.length; at += 4) {
    const word = BigInt(new DataView(padded.buffer).getUint32(at, true));
    v[3] ^= word;
    round();
    v[0] ^= word;
  }
  v[2] ^= words === 2 ? 0xeen : 0xffn;
  const first = end();
  if (words === 1) return [first];
  v[1] ^= 0xddn;
  return [first, end()];
}

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test.prop([fc.uint8Array({ maxLength: 300 }), fc.nat(9), word, word])(
  'is what it is defined to be',
  (bytes, skip, key0, key1) => {
    const memory = Uint8Array.from([...new Uint8Array(skip).fill(0xa5), ...bytes, 1, 2, 3, 4, 5]);
    const view = new DataView(memory.buffer);
    const [a, b] = [BigInt(key0) & MASK, BigInt(key1) & MASK];
    expect([halfSipHash32(view, skip, bytes.length, key0, key1)]).toEqual(plain(bytes, a, b, 1));
    const words = new Int32Array(4);
    halfSipHash64(words, 1, view, skip, bytes.length, key0, key1);
    expect([...words]).toEqual([0, ...plain(bytes, a, b, 2), 0]);
  },
);
