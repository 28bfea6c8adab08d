/**
 * The order of keys: unsigned bytes, lexicographically; a proper prefix comes first.
 */

/** Compares two ranges in place: negative, zero or positive as `a` sorts before, with or after `b`. */
export function compareRanges(
  a: DataView,
  aStart: number,
  aLength: number,
  b: DataView,
  bStart: number,
  bLength: number,
): number {
  const shared = aLength < bLength ? aLength : bLength;
  let i = 0;
  // Four bytes at a time as big-endian numbers: the same order as byte by byte.
  for (; i + 4 <= shared; i += 4) {
    const x = a.getUint32(aStart + i);
    const y = b.getUint32(bStart + i);
    if (x !== y) return x < y ? -1 : 1;
  }
  for (; i < shared; i++) {
    const difference = a.getUint8(aStart + i) - b.getUint8(bStart + i);
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** Compares two keys: negative, zero or positive as `a` sorts before, with or after `b`. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
