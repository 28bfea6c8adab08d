/**
 * Texts as Go has them: bytes. Go's URL parser looks at bytes, cuts texts between any two of them and quotes what is no UTF-8;
 * so that ours can do the same, a text is turned into one whose characters are its bytes, and turned back at the end.
 */
import { goQuote } from '../proto/go-quote.ts';

/** A text each of whose characters, `\x00` to `\xff`, stands for one byte. */
export type ByteText = string;

/** The UTF-8 of a text, one character for each byte. */
export function toByteText(text: string): ByteText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  let result = '';
  for (const byte of new TextEncoder().encode(text)) result += String.fromCharCode(byte);
  return result;
}

/** The text whose UTF-8 these bytes are; what is no UTF-8 becomes U+FFFD. */
export function fromByteText(text: ByteText): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(text));
}

/** Go's `%q`. */
export function quoted(text: ByteText): string {
  return goQuote(bytesOf(text));
}

/** Go's `%q` of a plain text. */
export function quotedText(text: string): string {
  return goQuote(new TextEncoder().encode(text));
}

function bytesOf(text: ByteText): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
