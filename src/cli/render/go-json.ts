/**
 * Strings as Go's encoding/json writes them, for output that must equal that of a Go program.
 */
import { goJsonEscaped } from '../../json/go-json.ts';
import { characterLength } from './bytes-format.ts';

/** Bytes as a JSON string: what is not UTF-8 becomes U+FFFD, and what has a meaning in HTML is escaped. */
export function goJsonString(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    text += length < 1 ? '\\ufffd' : goJsonEscaped(decoder.decode(bytes.subarray(at, at + length)));
    at += Math.max(1, length);
  }
  return `"${text}"`;
}
