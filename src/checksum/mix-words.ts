/**
 * Mixes a few words into 128 bits that look random: for numbers that already are checksums, where every bit of the result
 * shall depend on every bit of all of them. The rounds are those of MurmurHash3 for 128 bits on 32-bit machines.
 */

const C1 = 0x239b961b;
const C2 = 0xab0e9789 | 0;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93 | 0;

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** Every bit of the result depends on every bit of the word. */
function finish(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Mixes the first `count` words, a multiple of four, and puts the result into the first four. */
export function mixWords(words: Int32Array, count: number): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < count; i += 4) {
    a ^= Math.imul(rotate(Math.imul(words[i]!, C1), 15), C2);
    a = (Math.imul(rotate(a, 19) + b, 5) + 0x561ccd1b) | 0;
    b ^= Math.imul(rotate(Math.imul(words[i + 1]!, C2), 16), C3);
    b = (Math.imul(rotate(b, 17) + c, 5) + 0x0bcaa747) | 0;
    c ^= Math.imul(rotate(Math.imul(words[i + 2]!, C3), 17), C4);
    c = (Math.imul(rotate(c, 15) + d, 5) + 0x96cd1c35) | 0;
    d ^= Math.imul(rotate(Math.imul(words[i + 3]!, C4), 18), C1);
    d = (Math.imul(rotate(d, 13) + a, 5) + 0x32ac3b17) | 0;
  }
  const length = count * 4;
  a ^= length;
  b ^= length;
  c ^= length;
  d ^= length;
  a = (a + b + c + d) | 0;
  b = (b + a) | 0;
  c = (c + a) | 0;
  d = (d + a) | 0;
  a = finish(a);
  b = finish(b);
  c = finish(c);
  d = finish(d);
  a = (a + b + c + d) | 0;
  words[0] = a;
  words[1] = b + a;
  words[2] = c + a;
  words[3] = d + a;
}
