/**
 * Keys and bucket names as text for people: printable ASCII as it is, anything else in hex, long ones cut.
 */
const SHOWN_BYTES = 64;

/** The text for a key of which `bytes` is the beginning, and `length` the length in all. */
export function keyText(bytes: Uint8Array, length: number = bytes.length): string {
  const shown = bytes.subarray(0, SHOWN_BYTES);
  const rest = length > shown.length ? `… (${length} bytes)` : '';
  if (shown.length > 0 && shown.every((byte) => byte >= 0x20 && byte < 0x7f)) {
    return `"${String.fromCharCode(...shown)}"${rest}`;
  }
  if (length === 0) return '""';
  return `0x${Array.from(shown, (byte) => byte.toString(16).padStart(2, '0')).join('')}${rest}`;
}
