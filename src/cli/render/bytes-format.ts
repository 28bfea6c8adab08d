/**
 * Bytes as bbolt prints them: its five formats, for values of any length, read in pieces.
 */
import { isUtf8 as isUtf8Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/** The names of the formats, as options give them. */
export type BytesFormat = 'auto' | 'ascii-encoded' | 'hex' | 'bytes' | 'redacted';

/** Gives the pieces of a value, each time from the start; a piece is valid until the next one is asked for. */
export type Pieces = () => Iterable<Uint8Array>;

/** A value that is in memory already. */
export function wholePiece(bytes: Uint8Array): Pieces {
  return () => [bytes];
}

/** Longer values are formatted in pieces. */
const WHOLE_LIMIT = 64 * 1024;

/** The formatted text of a value of `length` bytes. `auto` reads long ones twice: whether they are text shows at their end. */
export function* formatValue(pieces: Pieces, length: number, format: BytesFormat): Generator<string | Uint8Array> {
  if (length > WHOLE_LIMIT) yield* formatPieces(pieces, format);
  else yield formatBytes(joined([...pieces()]), format);
}

/** A value this short comes in one piece, or, if it is empty, in none. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

/** The formatted text of bytes that are in memory. */
export function formatBytes(bytes: Uint8Array, format: BytesFormat): string | Uint8Array {
  switch (format) {
    case 'auto':
      return printableText(bytes) ?? hexOf(bytes);
    case 'hex':
      return hexOf(bytes);
    case 'bytes':
      return bytes;
    default:
      return [...formatPieces(wholePiece(bytes), format)].join('');
  }
}

/** As `formatBytes`, for values that are read piece by piece. */
export function* formatPieces(pieces: Pieces, format: BytesFormat): Generator<string | Uint8Array> {
  switch (format) {
    case 'auto':
      if (isPrintable(pieces)) yield* pieces();
      else yield* hexPieces(pieces);
      return;
    case 'ascii-encoded':
      yield* quotedPieces(pieces);
      return;
    case 'hex':
      yield* hexPieces(pieces);
      return;
    case 'bytes':
      yield* pieces();
      return;
    case 'redacted': {
      const { length, sha256 } = digest(pieces);
      yield `<redacted len:${length} sha256:${sha256}>`;
      return;
    }
  }
}

/** Length and SHA-256 of a value. */
export function digest(pieces: Pieces): { length: number; sha256: string } {
  const hash = createHash('sha256');
  let length = 0;
  for (const piece of pieces()) {
    hash.update(piece);
    length += piece.length;
  }
  return { length, sha256: hash.digest('hex') };
}

/** Whether the bytes are valid UTF-8. */
export function isUtf8(pieces: Pieces): boolean {
  return everyText(pieces, () => true);
}

// As Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and the ASCII space. The tables of a newer
// Unicode than Go's may call a few more characters printable.
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/** The bytes as text if bbolt takes them for such. */
function printableText(bytes: Uint8Array): string | undefined {
  let ascii = true;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x20 || byte === 0x7f) return undefined;
    if (byte > 0x7f) ascii = false;
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (ascii) return buffer.toString('latin1');
  if (!isUtf8Buffer(buffer)) return undefined;
  const text = decoder.decode(buffer);
  return PRINTABLE.test(text) ? text : undefined;
}

/** The same question about a value that is read piece by piece. */
function isPrintable(pieces: Pieces): boolean {
  return everyText(pieces, (text) => PRINTABLE.test(text));
}

function everyText(pieces: Pieces, test: (text: string) => boolean): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for (const piece of pieces()) if (!test(decoder.decode(piece, { stream: true }))) return false;
    return test(decoder.decode());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  }
}

/** A key as bbolt's `page` shows it: quoted if printable, else in hex. */
export function pageKeyText(key: Uint8Array): string {
  const text = printableText(key);
  if (text === undefined) return hexOf(key);
  // Of what is printable, only these two are escaped.
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

const HEX_PIECE = 64 * 1024;

function* hexPieces(pieces: Pieces): Generator<string> {
  for (const piece of pieces()) {
    for (let at = 0; at < piece.length; at += HEX_PIECE) yield hexOf(piece.subarray(at, at + HEX_PIECE));
  }
}

/** As Go's `%q`: valid printable characters as they are, bytes that are not UTF-8 as `\xNN`. */
function* quotedPieces(pieces: Pieces): Generator<string> {
  yield '"';
  let carry = new Uint8Array(0);
  for (const piece of pieces()) {
    const bytes = carry.length === 0 ? piece : Buffer.concat([carry, piece]);
    let text = '';
    let at = 0;
    while (at < bytes.length) {
      const length = characterLength(bytes, at);
      // Cut by the end of the piece: it may go on in the next one.
      if (length === 0) break;
      text += quotedCharacter(bytes, at, length);
      at += Math.abs(length);
    }
    carry = bytes.slice(at);
    yield text;
  }
  for (const byte of carry) yield `\\x${hexByte(byte)}`;
  yield '"';
}

/**
 * Bytes of the UTF-8 character at `at`; -1 when there is none, 0 when the bytes end before it is complete. Where bytes are
 * not UTF-8, Go goes on with the very next byte, unlike TextDecoder.
 */
export function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : (first & 0xf0) === 0xe0 ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : -1;
  if (length === -1) return -1;
  // Second bytes that would make an overlong form, a surrogate, or something above U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 0;
    if (i === 1 ? byte < low || byte > high : (byte & 0xc0) !== 0x80) return -1;
  }
  return length;
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

function quotedCharacter(bytes: Uint8Array, at: number, length: number): string {
  const first = bytes[at] as number;
  if (length === -1) return `\\x${hexByte(first)}`;
  if (length === 1) {
    const named = ESCAPES[first];
    if (named !== undefined) return named;
    return first < 0x20 || first === 0x7f ? `\\x${hexByte(first)}` : String.fromCharCode(first);
  }
  const character = decoder.decode(bytes.subarray(at, at + length));
  if (PRINTABLE.test(character)) return character;
  const point = (character.codePointAt(0) as number).toString(16);
  return point.length <= 4 ? `\\u${point.padStart(4, '0')}` : `\\U${point.padStart(8, '0')}`;
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
