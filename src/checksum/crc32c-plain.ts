/**
 * CRC-32C in plain JavaScript: for short pieces, and for all where there is no WebAssembly. The one module that knows the
 * package crc-32: our tables are made with it, and its loop takes the long pieces.
 */
// The package has no named exports at run time, though its types say so: only the default import works.
import CRC32C from 'crc-32/crc32c.js';

type Sixteen<T> = readonly [T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T];

/**
 * `SLICES[k][byte]` is what a byte leaves in an empty register after k more zero bytes. Sixteen arrays that are constants: the
 * loop runs a tenth faster than with one long one.
 */
export const SLICES: Sixteen<Int32Array> = /* @__PURE__ */ makeSlices();

function makeSlices(): Sixteen<Int32Array> {
  const first = Int32Array.from({ length: 256 }, (_, byte) => ~CRC32C.buf([byte], -1));
  const slices = [first];
  for (let slice = first; slices.length < 16; slices.push(slice)) {
    slice = slice.map((value) => (value >>> 8) ^ first[value & 255]!);
  }
  return slices as unknown as Sixteen<Int32Array>;
}

const [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15] = SLICES;

/** From here on the loop of crc-32 is as fast as ours, and what it costs to make a view of the piece does not count. */
const LONG = 4096;

/** As `crc32c`, by plain code. */
export function crc32cPlain(bytes: Uint8Array, start: number, end: number, seed: number): number {
  if (end - start >= LONG) return CRC32C.buf(bytes.subarray(start, end), seed | 0) >>> 0;
  let crc = ~seed;
  let at = start;
  for (const last = end - 16; at <= last; at += 16) {
    crc =
      s15[bytes[at]! ^ (crc & 255)]! ^
      s14[bytes[at + 1]! ^ ((crc >>> 8) & 255)]! ^
      s13[bytes[at + 2]! ^ ((crc >>> 16) & 255)]! ^
      s12[bytes[at + 3]! ^ (crc >>> 24)]! ^
      s11[bytes[at + 4]!]! ^
      s10[bytes[at + 5]!]! ^
      s9[bytes[at + 6]!]! ^
      s8[bytes[at + 7]!]! ^
      s7[bytes[at + 8]!]! ^
      s6[bytes[at + 9]!]! ^
      s5[bytes[at + 10]!]! ^
      s4[bytes[at + 11]!]! ^
      s3[bytes[at + 12]!]! ^
      s2[bytes[at + 13]!]! ^
      s1[bytes[at + 14]!]! ^
      s0[bytes[at + 15]!]!;
  }
  for (const last = end - 4; at <= last; at += 4) {
    crc =
      s3[bytes[at]! ^ (crc & 255)]! ^
      s2[bytes[at + 1]! ^ ((crc >>> 8) & 255)]! ^
      s1[bytes[at + 2]! ^ ((crc >>> 16) & 255)]! ^
      s0[bytes[at + 3]! ^ (crc >>> 24)]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ s0[(crc & 255) ^ bytes[at]!]!;
  return ~crc >>> 0;
}
