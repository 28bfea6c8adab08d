/**
 * CRC-32C (Castagnoli), the checksum of log records, `.snap` files and etcd's hashes. How it is computed is in
 * `docs/checksums.md`.
 */
import { Crc32cKernel } from './crc32c-kernel.ts';
import { crc32cPlain } from './crc32c-plain.ts';
import { kernelOf, sharedKernel } from './sparse-fold.ts';

/** Pieces shorter than this are not worth a call of WebAssembly. */
const SHORT = 128;
/** Nor are those shorter than this that must be copied first. */
const SHORT_ELSEWHERE = 512;
/** So many bytes are taken by plain code before WebAssembly is made ready, which costs about as much. */
const PLAIN_BYTES = 1 << 20;

let plainBytes = 0;

/**
 * The CRC-32C of `bytes[start, end)`, unsigned. `seed` is the CRC of the bytes before them, so that pieces can be chained
 * as with Go's `crc32.Update`: `crc32c(b, 0, b.length, crc32c(a))` is the CRC of a followed by b.
 *
 * Bytes in the memory of a `FoldKernel` are taken where they lie, others are copied there if that is worth it.
 */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, seed = 0): number {
  const length = end - start;
  if (length < SHORT) return crc32cPlain(bytes, start, end, seed);
  const home = kernelOf(bytes.buffer);
  if (home?.crc32c !== undefined) return home.crc32c.inMemory(bytes.byteOffset + start, length, seed);
  if (length < SHORT_ELSEWHERE) return crc32cPlain(bytes, start, end, seed);
  if (plainBytes >= PLAIN_BYTES) {
    const kernel = home ?? sharedKernel();
    const ready = kernel === undefined ? undefined : Crc32cKernel.of(kernel);
    if (ready !== undefined && home !== undefined) return ready.inMemory(bytes.byteOffset + start, length, seed);
    if (ready !== undefined) return ready.elsewhere(bytes, start, end, seed);
  }
  plainBytes += length;
  return crc32cPlain(bytes, start, end, seed);
}
