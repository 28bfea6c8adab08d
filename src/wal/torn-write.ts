/**
 * The test by which etcd tells a torn write from damage.
 */
import { LENGTH_FIELD, SECTOR } from './format.ts';

/**
 * Whether any piece of `bytes[start, end)` between two multiples of 512 in the file is all zero: a sector that never
 * reached the disk. The first and last piece may be as short as a byte. `frameOffset` is where the frame begins in the
 * file, whose record and padding the bytes are.
 */
export function hasZeroSector(bytes: Uint8Array, start: number, end: number, frameOffset: number): boolean {
  let at = start;
  let offset = frameOffset + LENGTH_FIELD;
  while (at < end) {
    const piece = Math.min(SECTOR - (offset % SECTOR), end - at);
    if (isZero(bytes, at, at + piece)) return true;
    at += piece;
    offset += piece;
  }
  return false;
}

/** Whether all of `bytes[start, end)` is zero. */
export function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}
