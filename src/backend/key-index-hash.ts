/**
 * The hash by which `KeyIndex` finds keys: HalfSipHash with one round a word and three at the end. It has a secret of 64 bits, so
 * that nobody can write a file whose keys all collide, and takes four bytes at a time with additions, rotations and xors alone.
 */

/** The hash of `length` bytes at `start`, 32 bits, signed; `key0` and `key1` are the secret. */
export function hashKey(view: DataView, start: number, length: number, key0: number, key1: number): number {
  let a = key0;
  let b = key1;
  let c = key0 ^ 0x6c796765;
  let d = key1 ^ 0x74656462;
  const words = start + (length & ~3);
  for (let at = start; at < words; at += 4) {
    const word = view.getInt32(at, true);
    d ^= word;
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
    a ^= word;
  }
  // The bytes that are left, and the length, so that zeros at the end count.
  let last = length << 24;
  for (let at = words, shift = 0; at < start + length; at++, shift += 8) last |= view.getUint8(at) << shift;
  d ^= last;
  for (let round = 0; round < 4; round++) {
    if (round === 1) {
      a ^= last;
      c ^= 0xff;
    }
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
  }
  return b ^ d;
}

/** 32 random bits. What is computed does not depend on them, only how long it takes, so any source will do. */
export function randomWord(): number {
  return (Math.random() * 0x1_0000_0000) | 0;
}
