/**
 * Keys, names and values for people: as they are if they are plain text, else quoted with escapes.
 */
import { formatBytes } from './bytes-format.ts';

/** `bytes` as text, those behind the first `limit` left out. Only one who writes quotes and backslashes gets quotes around plain text. */
export function readableBytes(bytes: Uint8Array, limit: number = Number.POSITIVE_INFINITY): string {
  const cut = bytes.length > limit;
  const quoted = formatBytes(cut ? bytes.subarray(0, characterStart(bytes, limit)) : bytes, 'ascii-encoded') as string;
  const text = quoted.includes('\\') ? quoted : quoted.slice(1, -1);
  return cut ? `${text}…` : text;
}

/** The start of the character that the byte at `at` belongs to, if it is one of UTF-8. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}
