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

/** How many bytes a character takes whose first byte is `lead`; 1 if that cannot begin one. */
function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function decodeOne(bytes: Uint8Array): string | undefined {
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
