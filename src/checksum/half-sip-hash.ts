/**
 * HalfSipHash with one round a word and three at the end: a hash of bytes with a secret of 64 bits, so that nobody can write a file
 * whose keys or values collide. It takes four bytes at a time with additions, rotations and xors alone.
 */

/** The state between words. It is here and not in an object: nothing is kept in it from one call to the next. */
const state: Int32Array = /* @__PURE__ */ new Int32Array(4);

/** The hash of `length` bytes at `start`, 32 bits, signed; `key0` and `key1` are the secret. */
export function halfSipHash32(view: DataView, start: number, length: number, key0: number, key1: number): number {
  absorb(view, start, length, key0, key1, 0);
  state[2]! ^= 0xff;
  rounds(3);
  return state[1]! ^ state[3]!;
}

/** Puts 64 bits of hash into two words of `target`. */
export function halfSipHash64(
  target: Int32Array,
  at: number,
  view: DataView,
  start: number,
  length: number,
  key0: number,
  key1: number,
): void {
  absorb(view, start, length, key0, key1, 0xee);
  state[2]! ^= 0xee;
  rounds(3);
  target[at] = state[1]! ^ state[3]!;
  state[1]! ^= 0xdd;
  rounds(3);
  target[at + 1] = state[1]! ^ state[3]!;
}

/** Takes all bytes, and the length, so that zeros at the end count. `form` tells the long hash from the short one. */
function absorb(view: DataView, start: number, length: number, key0: number, key1: number, form: number): void {
  let a = key0;
  let b = key1 ^ form;
  let c = key0 ^ 0x6c796765;
  let d = key1 ^ 0x74656462;
  const words = start + length - (length % 4);
  // The loop runs once more, for the bytes that are left.
  for (let at = start; at <= words; at += 4) {
    const word = at < words ? view.getInt32(at, true) : lastWord(view, at, start + length, length);
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
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

function lastWord(view: DataView, start: number, end: number, length: number): number {
  let word = length << 24;
  for (let at = start, shift = 0; at < end; at++, shift += 8) word |= view.getUint8(at) << shift;
  return word;
}

function rounds(count: number): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  for (let i = 0; i < count; i++) {
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
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

/** 32 random bits for a secret. What is computed does not depend on them, only how long it takes, so any source will do. */
export function randomWord(): number {
  return (Math.random() * 0x1_0000_0000) | 0;
}
