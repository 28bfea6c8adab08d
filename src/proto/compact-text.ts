/**
 * Messages in the text form that etcd's tools up to 3.6 print, on one line: `header:<ID:7 > put:<key:"k" value:"v" > `.
 *
 * Fields come in the order of the .proto file; zero is not shown, of proto2 either. Text and bytes are escaped byte by byte.
 * Unlike etcd's tools, no secret is shown, see `secrets.ts`, and no unknown field.
 */
import { messageTypeOf } from './message-types.ts';
import type { DecodedMessage } from './messages.ts';
import { ENUMS, type FieldSchema, MESSAGES, type MessageName } from './schema.ts';
import { isSecretField } from './secrets.ts';

/** Stands for what is not shown; etcd's words for the one password that it hides itself. */
export const VALUE_REMOVED = '<value removed>';

/** A message, as `decodeMessage` gives it, in text. Every field has a blank behind it. */
export function compactText(name: MessageName, message: Readonly<DecodedMessage>): string {
  const pieces: string[] = [];
  writeMessage(pieces, name, message);
  return pieces.join('');
}

function writeMessage(pieces: string[], name: MessageName, message: Readonly<DecodedMessage>): void {
  for (const field of MESSAGES[name]) {
    const value = message[field.name];
    if (value === undefined) continue;
    for (const each of field.repeated ? (value as unknown[]) : [value]) {
      // In a list and in a oneof zero is a value like any other.
      if (!field.repeated && field.oneof === undefined && isZero(each)) continue;
      pieces.push(field.name, ':');
      writeValue(pieces, field, isSecretField(name, field.name) ? VALUE_REMOVED : each);
      pieces.push(' ');
    }
  }
}

function writeValue(pieces: string[], field: FieldSchema, value: unknown): void {
  if (value instanceof Uint8Array) pieces.push('"', escapeBytes(value), '"');
  else if (typeof value === 'string') pieces.push('"', escapeBytes(new TextEncoder().encode(value)), '"');
  else if (typeof value === 'object') {
    pieces.push('<');
    // The decoder has seen to it that messages are not nested without end.
    writeMessage(pieces, messageTypeOf(field) as MessageName, value as DecodedMessage);
    pieces.push('>');
  } else pieces.push(ENUMS[field.type]?.[value as number] ?? String(value));
}

/** Bytes are zero when they are absent only: empty ones of proto2 are shown, and of proto3 there are none. */
function isZero(value: unknown): boolean {
  return value === 0 || value === 0n || value === false || value === '';
}

const NAMED_ESCAPES = new Map([
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

function escapeByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return NAMED_ESCAPES.get(byte) ?? String.fromCharCode(byte);
  return NAMED_ESCAPES.get(byte) ?? `\\${byte.toString(8).padStart(3, '0')}`;
}

const ESCAPES: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => escapeByte(byte));

/** Up to so many bytes, joining texts is faster than a buffer. */
const SHORT = 64;
const ascii = /* @__PURE__ */ new TextDecoder();

function escapeBytes(bytes: Uint8Array): string {
  if (bytes.length <= SHORT) {
    let text = '';
    for (let i = 0; i < bytes.length; i++) text += ESCAPES[bytes[i]!]!;
    return text;
  }
  // A value may have megabytes: a text that grows by single characters would take twenty times their memory.
  let length = 0;
  for (let i = 0; i < bytes.length; i++) length += ESCAPES[bytes[i]!]!.length;
  const escaped = new Uint8Array(length);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    const text = ESCAPES[bytes[i]!]!;
    for (let k = 0; k < text.length; k++) escaped[at++] = text.charCodeAt(k);
  }
  return ascii.decode(escaped);
}
