/**
 * CRC-32C (Castagnoli), the checksum of log records, `.snap` files and etcd's hashes.
 */
// The package has no named exports at run time, though its types say so: only the default import works.
import CRC32C from 'crc-32/crc32c.js';

/**
 * The CRC-32C of `bytes[start, end)`, unsigned. `seed` is the CRC of the bytes before them, so that pieces can be chained
 * as with Go's `crc32.Update`: `crc32c(b, 0, b.length, crc32c(a))` is the CRC of a followed by b.
 */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, seed = 0): number {
  const piece = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
  return CRC32C.buf(piece, seed | 0) >>> 0;
}
