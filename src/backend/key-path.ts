/**
 * Keys as paths: what they begin with, and the steps that slashes part.
 */

export const SLASH = 0x2f;

/** Whether `bytes[start, end)` begins with `prefix`. */
export function hasPrefix(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  const { length } = prefix;
  if (end - start < length) return false;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== prefix[i]) return false;
  return true;
}

/** Where the step that begins at `start` ends: at the next slash, or at `end`. */
export function stepEnd(bytes: Uint8Array, start: number, end: number): number {
  // Not by indexOf, which would search all of a page behind a key without a slash.
  for (let i = start; i < end; i++) if (bytes[i] === SLASH) return i;
  return end;
}
