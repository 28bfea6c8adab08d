/**
 * The CRC-32C of a text from those of its parts, without another look at the bytes: a CRC is linear, so what a part leaves in the
 * register goes through what follows as through zeros.
 *
 * A run of zeros is a linear map of 32 bits. That of 2^k zeros is kept as four tables, by the byte of the register, each made of the one
 * before by doing it twice, when it is first needed: a length takes four look-ups for each of its bits that is one.
 */
import { SLICES } from './crc32c-plain.ts';

/** `ZEROS[k][256 * j + byte]`: what `byte`, as byte j of the register, becomes after 2^k zeros. */
const ZEROS: Int32Array[] = [];

function zeros(k: number): Int32Array {
  const known = ZEROS[k];
  if (known !== undefined) return known;
  const table = new Int32Array(1024);
  if (k === 0) {
    for (let byte = 0; byte < 256; byte++) {
      table[byte] = SLICES[0][byte]!;
      for (let j = 1; j < 4; j++) table[256 * j + byte] = byte << (8 * j - 8);
    }
  } else {
    const half = zeros(k - 1);
    for (let i = 0; i < 1024; i++) table[i] = through(half, half[i]!);
  }
  ZEROS[k] = table;
  return table;
}

function through(table: Int32Array, register: number): number {
  return (
    table[register & 255]! ^
    table[256 + ((register >>> 8) & 255)]! ^
    table[512 + ((register >>> 16) & 255)]! ^
    table[768 + (register >>> 24)]!
  );
}

/**
 * The CRC-32C of A followed by B, unsigned, from the CRC of each and the length of B (any number of bytes up to 2^53). Takes some 20 ns for
 * lengths of kilobytes.
 */
export function combineCrc32c(a: number, b: number, lengthOfB: number): number {
  let register = a | 0;
  for (let rest = lengthOfB, first = 0; rest > 0; rest = Math.floor(rest / 0x1_0000_0000), first += 32) {
    for (let bits = (rest % 0x1_0000_0000) | 0, k = first; bits !== 0; bits >>>= 1, k++) {
      if ((bits & 1) !== 0) register = through(ZEROS[k] ?? zeros(k), register);
    }
  }
  return (register ^ b) >>> 0;
}
