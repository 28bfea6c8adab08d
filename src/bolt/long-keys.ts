/**
 * Order of keys that may be too long to be held in memory.
 */
import type { ByteSource } from '../io/byte-source.ts';
import { compareKeys, compareRanges } from './compare-keys.ts';
import type { Key } from './page-pieces.ts';

const CHUNK = 65536;

/** Compares two keys; reads from the source only when both are longer than their heads and the heads are equal. */
export function compareLongKeys(a: Key, b: Key, source: ByteSource): number {
  const order = compareRanges(a.headView, 0, a.head.length, b.headView, 0, b.head.length);
  const shared = Math.min(a.head.length, b.head.length);
  const whole = a.head.length === a.length && b.head.length === b.length;
  if (whole) return order;
  if (compareKeys(a.head.subarray(0, shared), b.head.subarray(0, shared)) !== 0) return order;
  const first = new Uint8Array(CHUNK);
  const second = new Uint8Array(CHUNK);
  const end = Math.min(a.length, b.length);
  for (let done = shared; done < end; done += CHUNK) {
    const length = Math.min(CHUNK, end - done);
    source.readInto(first.subarray(0, length), a.offset + done);
    source.readInto(second.subarray(0, length), b.offset + done);
    const difference = compareKeys(first.subarray(0, length), second.subarray(0, length));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
