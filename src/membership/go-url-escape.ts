/**
 * Percent-encoding as Go's net/url does it: each part of a URL has its own set of characters that stand for themselves.
 */
import { DatadirError } from '../errors.ts';
import { type ByteText, quoted } from './byte-text.ts';

/** A part of a URL. `zone` is what follows the `%25` in `[fe80::1%25eth0]`. */
export type UrlPart = 'path' | 'host' | 'zone' | 'user' | 'fragment';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** By part, the characters that are written as they are. */
const PLAIN: { readonly [Part in UrlPart]: ReadonlySet<string> } = {
  path: new Set(`${ALPHANUMERIC}-_.~$&+,/:;=@`),
  // Not RFC 3986: `"<>` are let through because a host can have no other form of them, the encoding of ASCII being refused.
  host: new Set(`${ALPHANUMERIC}-_.~!$&'()*+,;=:[]<>"`),
  zone: new Set(`${ALPHANUMERIC}-_.~!$&'()*+,;=:[]<>"`),
  user: new Set(`${ALPHANUMERIC}-_.~$&+,;=`),
  fragment: new Set(`${ALPHANUMERIC}-_.~$&+,/:;=?@!()*`),
};

/** Characters that stay in a path or fragment if they were written so, though `percentEncode` would not write them so. */
const LEFT_ALONE = new Set("!$&'()*+,;=:@[]%");

const HEX_PAIR = /^[0-9A-Fa-f]{2}$/;

/** Decodes `%XX`. Throws `USAGE` in Go's words where Go reports an error. */
export function percentDecode(text: ByteText, part: UrlPart): ByteText {
  const pieces: string[] = [];
  const strict = part === 'host' || part === 'zone';
  let plainFrom = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '%') {
      const hex = text.slice(i + 1, i + 3);
      if (!HEX_PAIR.test(hex)) throw escapeError(text.slice(i, i + 3));
      const byte = Number.parseInt(hex, 16);
      const decoded = String.fromCharCode(byte);
      // A host can encode what is not ASCII; `%25` is for the zone of an address, which can also have a space, as on Windows.
      if (part === 'host' && byte < 0x80 && hex !== '25') throw escapeError(`%${hex}`);
      if (part === 'zone' && hex !== '25' && decoded !== ' ' && !PLAIN.host.has(decoded)) throw escapeError(`%${hex}`);
      pieces.push(text.slice(plainFrom, i), decoded);
      i += 2;
      plainFrom = i + 1;
    } else if (strict && character < '\x80' && !PLAIN[part].has(character)) {
      throw new DatadirError('USAGE', `invalid character ${quoted(character)} in host name`);
    }
  }
  if (plainFrom === 0) return text;
  pieces.push(text.slice(plainFrom));
  return pieces.join('');
}

/** Encodes all that does not stand for itself in that part. */
export function percentEncode(text: ByteText, part: UrlPart): ByteText {
  const plain = PLAIN[part];
  let result = '';
  for (const character of text) {
    if (plain.has(character)) result += character;
    else result += `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
}

/** Whether a path or fragment, as it was written, can stand so in a URL; it is then kept, `%2f` and `%2F` and all. */
export function isEncoded(text: ByteText, part: UrlPart): boolean {
  const plain = PLAIN[part];
  for (const character of text) {
    if (!LEFT_ALONE.has(character) && !plain.has(character)) return false;
  }
  return true;
}

function escapeError(at: ByteText): DatadirError {
  return new DatadirError('USAGE', `invalid URL escape ${quoted(at)}`);
}
