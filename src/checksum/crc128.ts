/**
 * A CRC of 128 bits, for digests of content where the 32 bits of CRC-32C are too few: content that differs by accident
 * has the same one with a chance of 2^-128, and a run of up to 128 changed bits is always seen.
 *
 * Its generator was chosen so that it divides the same sparse polynomial as that of CRC-32C does, y^5321 + y^3574 +
 * y^2491 + 1 with y = x^8 (see `sparse-fold.ts`): one of its factors has degree 126, and (x + 1)^2 makes it 128. So the
 * fast way costs the same for both. Bits are reflected, as in CRC-32C; the register begins with all ones, and there is no
 * complement at the end.
 *
 * It is a checksum against accidents. Whoever wants to can make other content with the same one.
 */

/** The state: 128 bits, of which the low byte of `a` meets the next byte of the message. */
export interface Register128 {
  a: number;
  b: number;
  c: number;
  d: number;
}

// The generator without its highest term, reflected.
const POLY_A = 0xf2a73a14 | 0;
const POLY_B = 0xf1eda0ca | 0;
const POLY_C = 0x87b8701e | 0;
const POLY_D = 0xc68fbb60 | 0;

/** Bytes that are dealt with at once. More of them need larger tables, and were no faster. */
const BLOCK = 4;
/** From one table to the next: four words for each of 256 values. */
const TABLE = 256 * 4;
const LAST = (BLOCK - 1) * TABLE;

/** What the first, second, third and fourth of four bytes leave in the register after all of them. */
function makeTables(): Int32Array {
  const made = new Int32Array(BLOCK * TABLE);
  for (let byte = 0; byte < 256; byte++) {
    let a = byte;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let bit = 0; bit < 8; bit++) {
      const carry = -(a & 1);
      a = ((a >>> 1) | (b << 31)) ^ (POLY_A & carry);
      b = ((b >>> 1) | (c << 31)) ^ (POLY_B & carry);
      c = ((c >>> 1) | (d << 31)) ^ (POLY_C & carry);
      d = (d >>> 1) ^ (POLY_D & carry);
    }
    made.set([a, b, c, d], LAST + byte * 4);
  }
  for (let at = LAST - 4; at >= 0; at -= 4) {
    const [a, b, c, d] = made.subarray(at + TABLE, at + TABLE + 4) as unknown as [number, number, number, number];
    const next = LAST + (a & 255) * 4;
    made[at] = ((a >>> 8) | (b << 24)) ^ made[next]!;
    made[at + 1] = ((b >>> 8) | (c << 24)) ^ made[next + 1]!;
    made[at + 2] = ((c >>> 8) | (d << 24)) ^ made[next + 2]!;
    made[at + 3] = (d >>> 8) ^ made[next + 3]!;
  }
  return made;
}

// A constant, so that the engine knows its length: the loop runs a third faster than with one that is made when needed.
const t: Int32Array = /* @__PURE__ */ makeTables();

/** Takes `bytes[start, end)` into the register, by plain code. */
export function crc128(register: Register128, bytes: Uint8Array, start: number, end: number): void {
  let { a, b, c, d } = register;
  let at = start;
  for (; at + BLOCK <= end; at += BLOCK) {
    const word = a ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    const p = (word & 255) << 2;
    const q = TABLE + ((word >>> 6) & 1020);
    const r = 2 * TABLE + ((word >>> 14) & 1020);
    const s = LAST + ((word >>> 22) & 1020);
    a = b ^ t[p]! ^ t[q]! ^ t[r]! ^ t[s]!;
    b = c ^ t[p + 1]! ^ t[q + 1]! ^ t[r + 1]! ^ t[s + 1]!;
    c = d ^ t[p + 2]! ^ t[q + 2]! ^ t[r + 2]! ^ t[s + 2]!;
    d = t[p + 3]! ^ t[q + 3]! ^ t[r + 3]! ^ t[s + 3]!;
  }
  for (; at < end; at++) {
    const i = LAST + (((a & 255) ^ bytes[at]!) << 2);
    a = ((a >>> 8) | (b << 24)) ^ t[i]!;
    b = ((b >>> 8) | (c << 24)) ^ t[i + 1]!;
    c = ((c >>> 8) | (d << 24)) ^ t[i + 2]!;
    d = (d >>> 8) ^ t[i + 3]!;
  }
  register.a = a;
  register.b = b;
  register.c = c;
  register.d = d;
}
