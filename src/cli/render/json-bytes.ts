/**
 * Bytes in JSON: two fields, the text (null when it is not UTF-8) and the hex; or, redacted, the hash.
 */
import { digest, hexOf, isUtf8, type Pieces, wholePiece } from './bytes-format.ts';
import { jsonOf } from './json.ts';

/** The fields for bytes that are in memory. */
export function byteFields(name: string, bytes: Uint8Array, redacted = false): Record<string, unknown> {
  const pieces = wholePiece(bytes);
  if (redacted) return hashField(name, pieces);
  return { [name]: isUtf8(pieces) ? decode(bytes) : null, [`${name}Hex`]: hexOf(bytes) };
}

/** The same fields as JSON text without braces, for bytes of any length: reads them three times. */
export function* byteFieldPieces(name: string, pieces: Pieces, redacted = false): Generator<string> {
  if (redacted) {
    yield jsonOf(hashField(name, pieces)).slice(1, -1);
    return;
  }
  yield `${JSON.stringify(name)}:`;
  if (isUtf8(pieces)) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    yield '"';
    for (const piece of pieces()) yield inner(decoder.decode(piece, { stream: true }));
    yield '"';
  } else yield 'null';
  yield `,${JSON.stringify(`${name}Hex`)}:"`;
  for (const piece of pieces()) yield hexOf(piece);
  yield '"';
}

function hashField(name: string, pieces: Pieces): Record<string, unknown> {
  return { [`${name}Sha256`]: digest(pieces).sha256 };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** JSON's escapes, without the quotes. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
