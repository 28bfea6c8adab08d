/**
 * Strings as Go's encoding/json writes them, for output that must equal that of a Go program.
 */
import { characterLength } from './bytes-format.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Bytes as a JSON string: what is not UTF-8 becomes U+FFFD, and what has a meaning in HTML is escaped. */
export function goJsonString(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    text += length < 1 ? '\\ufffd' : escaped(decoder.decode(bytes.subarray(at, at + length)));
    at += Math.max(1, length);
  }
  return `"${text}"`;
}

function escaped(character: string): string {
  const named = ESCAPES[character];
  if (named !== undefined) return named;
  const needsCode = character < ' ' || '<>&\u2028\u2029'.includes(character);
  return needsCode ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character;
}
