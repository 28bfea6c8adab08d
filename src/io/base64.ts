/**
 * Base64 (RFC 4648, with padding) between byte arrays: not through text, which cannot be longer than half a gigabyte.
 */
const DIGITS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const VALUES: Int8Array = new Int8Array(256).fill(-1);
DIGITS.forEach((digit, value) => {
  VALUES[digit] = value;
});
const PADDING = 0x3d;

/** Bytes that so many take in base64. */
export function base64Length(length: number): number {
  return Math.ceil(length / 3) * 4;
}

/**
 * Writes `bytes` in base64 to `target` from `at` on, where there must be room, and returns the end. Pieces whose length is a
 * multiple of 3 may be encoded one after another.
 */
export function encodeBase64(bytes: Uint8Array, target: Uint8Array, at: number): number {
  const whole = bytes.length - (bytes.length % 3);
  for (let i = 0; i < whole; i += 3) {
    const word = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    target[at++] = DIGITS[word >> 18]!;
    target[at++] = DIGITS[(word >> 12) & 63]!;
    target[at++] = DIGITS[(word >> 6) & 63]!;
    target[at++] = DIGITS[word & 63]!;
  }
  const rest = bytes.length - whole;
  if (rest > 0) {
    const word = (bytes[whole]! << 16) | ((rest === 2 ? bytes[whole + 1]! : 0) << 8);
    target[at++] = DIGITS[word >> 18]!;
    target[at++] = DIGITS[(word >> 12) & 63]!;
    target[at++] = rest === 2 ? DIGITS[(word >> 6) & 63]! : PADDING;
    target[at++] = PADDING;
  }
  return at;
}

/** What is wrong with base64, and the index of the byte at fault. */
export interface Base64Problem {
  readonly problem: string;
  readonly at: number;
}

/**
 * The bytes that `[start, end)` of `text` stands for. Strict: the whole alphabet and nothing else, full groups of four, padding
 * where it belongs, and no bits that mean nothing, so that there is one spelling for each value.
 */
export function decodeBase64(text: Uint8Array, start: number, end: number): Uint8Array | Base64Problem {
  const length = end - start;
  if (length === 0) return new Uint8Array(0);
  let padding = 0;
  if (text[end - 1] === PADDING) padding = text[end - 2] === PADDING && length > 1 ? 2 : 1;
  const digitsEnd = end - padding;
  if (length % 4 !== 0) {
    return badDigit(text, start, digitsEnd) ?? { problem: `base64 of ${length} digits, not a multiple of 4`, at: end };
  }
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const whole = padding === 0 ? end : end - 4;
  let to = 0;
  for (let i = start; i < whole; i += 4) {
    const word =
      (VALUES[text[i]!]! << 18) | (VALUES[text[i + 1]!]! << 12) | (VALUES[text[i + 2]!]! << 6) | VALUES[text[i + 3]!]!;
    // -1 sets every bit, whichever of the four it was.
    if (word < 0) break;
    bytes[to++] = word >> 16;
    bytes[to++] = word >> 8;
    bytes[to++] = word;
  }
  const bad = to < (whole - start) * 0.75 || padding > 0 ? badDigit(text, start + (to / 3) * 4, digitsEnd) : undefined;
  if (bad !== undefined) return bad;
  if (padding > 0) {
    const word =
      (VALUES[text[whole]!]! << 18) |
      (VALUES[text[whole + 1]!]! << 12) |
      (padding === 1 ? VALUES[text[whole + 2]!]! << 6 : 0);
    if ((word & (padding === 1 ? 0xff : 0xffff)) !== 0) {
      return { problem: 'base64 whose last digit has bits that belong to no byte', at: digitsEnd - 1 };
    }
    bytes[to++] = word >> 16;
    if (padding === 1) bytes[to++] = word >> 8;
  }
  return bytes;
}

function badDigit(text: Uint8Array, start: number, end: number): Base64Problem | undefined {
  for (let i = start; i < end; i++) {
    if (VALUES[text[i]!] === -1) return { problem: 'not a digit of base64', at: i };
  }
  return undefined;
}
