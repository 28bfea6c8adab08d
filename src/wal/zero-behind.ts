/**
 * Clears away the remains of a torn write behind the end of a log, so that they do not come to light behind new records.
 */
import { DatadirError } from '../errors.ts';
import type { ByteFile } from '../io/byte-source.ts';
import type { AppendPoint } from './append-point.ts';
import { LENGTH_FIELD } from './format.ts';
import { BeyondSearch } from './resync.ts';
import { isZero } from './torn-write.ts';

/** How much is looked at in one go. */
const WINDOW = 1024 * 1024;

/**
 * Zeroes what is behind the last record of the last segment, if it is not zero already; the size stays the same. Throws
 * `WAL_DAMAGED` when it is more than the remains of one torn write.
 */
export function zeroBehind(name: string, file: ByteFile, { offset, crc }: AppendPoint): void {
  const { size } = file;
  if (isZeroBehind(file, offset)) return;
  const search = new BeyondSearch(file, offset + LENGTH_FIELD, crc);
  while (!search.step());
  const { saves, givenUp, offset: found } = search.result;
  if (saves === 'several' || givenUp) {
    // A torn write can only be one save: what was on the disk before is lost between the two.
    const what = givenUp ? 'too much to look through' : `records at ${found} that had been on the disk`;
    const words = `${name} at ${offset}: behind the zeros that end the log there is ${what}`;
    throw new DatadirError('WAL_DAMAGED', words, { path: name, offset });
  }
  file.truncate(offset);
  file.truncate(size);
}

function isZeroBehind(file: ByteFile, offset: number): boolean {
  const { size } = file;
  const window = new Uint8Array(Math.min(WINDOW, size - offset));
  for (let at = offset; at < size; at += window.length) {
    if (!isZero(window, 0, file.readInto(window.subarray(0, size - at), at))) return false;
  }
  return true;
}
