/**
 * Go's way to put text into quotes (`%q`): what is printable stays, all else is escaped, bytes that are no UTF-8 as `\x`.
 */

const ESCAPES = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a text in quotes. */
export function goQuote(bytes: Uint8Array): string {
  const pieces = ['"'];
  for (let at = 0; at < bytes.length; ) {
    const plainEnd = endOfPlain(bytes, at);
    if (plainEnd > at) {
      pieces.push(utf8.decode(bytes.subarray(at, plainEnd)));
      at = plainEnd;
      continue;
    }
    const length = sequenceLength(bytes[at]!);
    const character = decodeOne(bytes.subarray(at, at + length));
    if (character === undefined) {
      pieces.push(`\\x${hex(bytes[at]!, 2)}`);
      at += 1;
    } else {
      pieces.push(escapeCharacter(character));
      at += length;
    }
  }
  pieces.push('"');
  return pieces.join('');
}

/** Where the run of printable ASCII that begins at `at` ends: most texts are nothing else, and character by character takes long. */
function endOfPlain(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length) {
    const byte = bytes[end]!;
    if (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c) break;
    end++;
  }
  return end;
}

/** How many bytes a character takes whose first byte is `lead`; 1 if that cannot begin one. */
function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function decodeOne(bytes: Uint8Array): string | undefined {
  // Most bytes that begin no character are told apart here: an exception for each takes long.
  if (bytes.length === 1) return bytes[0]! < 0x80 ? String.fromCharCode(bytes[0]!) : undefined;
  if ((bytes[1]! & 0xc0) !== 0x80) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function escapeCharacter(character: string): string {
  const escaped = ESCAPES.get(character);
  if (escaped !== undefined) return escaped;
  if (PRINTABLE.test(character)) return character;
  const point = character.codePointAt(0) as number;
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  return point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
