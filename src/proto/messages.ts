/**
 * All messages that are not on a hot path: generated code behind types of our own.
 *
 * `generated.js` is made from proto/*.proto and is the only module that uses protobufjs. Here its 64-bit numbers become
 * bigint, its buffers Uint8Array, its errors ours. It reads as etcd 3.7 does: a known field with a wrong wire type counts as
 * unknown, text of proto3 has to be UTF-8. Messages may be nested 100 deep.
 */
import { DatadirError } from '../errors.ts';
import { assertFewFields } from './field-limit.ts';
import { codecs, Reader } from './generated.js';
import { messageTypeOf } from './message-types.ts';
import { type FieldSchema, MESSAGES, type MessageName } from './schema.ts';
import { protoInvalid } from './wire.ts';

/**
 * A message as a plain object. Names are those of the .proto file; absent fields are absent (of proto3 that includes zero
 * and empty), lists are always there. 64-bit numbers are bigint, enums numbers, `bytes` fields views of the input. Unknown
 * fields are in `$unknown`, in the order in which they came.
 */
export type DecodedMessage = Record<string, unknown>;

const UNKNOWN = '$unknown';

/** What protobufjs makes of 64 bits. */
interface LongLike {
  readonly low: number;
  readonly high: number;
}

/** Decodes `bytes` as the message `name`; throws `PROTO_INVALID`, also for more than a million fields. */
export function decodeMessage(name: MessageName, bytes: Uint8Array): DecodedMessage {
  assertFewFields(name, bytes);
  // Not a Buffer, of which protobufjs would cut Buffers.
  const reader = Reader.create(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  reader.discardUnknown = false;
  let message: object;
  try {
    message = codecs[name].decode(reader);
  } catch (error) {
    const { message } = protoInvalid(
      `no ${name}: ${error instanceof Error ? error.message : 'unreadable'}`,
      reader.pos,
    );
    throw new DatadirError('PROTO_INVALID', message, { offset: reader.pos, cause: error });
  }
  return plainMessage(name, message as DecodedMessage);
}

/** Encodes a message; the counterpart of `decodeMessage`. What is absent is not written, nor is zero in proto3. */
export function encodeMessage(name: MessageName, value: Readonly<DecodedMessage>): Uint8Array {
  const encoded = codecs[name].encode(foreignMessage(name, value)).finish();
  return new Uint8Array(encoded.buffer, encoded.byteOffset, encoded.byteLength);
}

function plainMessage(name: MessageName, message: DecodedMessage): DecodedMessage {
  const plain: DecodedMessage = {};
  for (const field of MESSAGES[name]) {
    if (!Object.hasOwn(message, field.name)) continue;
    const value = message[field.name];
    plain[field.name] = field.repeated
      ? (value as unknown[]).map((each) => plainValue(field, each))
      : plainValue(field, value);
  }
  const unknown = message['$unknowns'] as Uint8Array[] | undefined;
  if (unknown !== undefined) plain[UNKNOWN] = joined(unknown);
  return plain;
}

function plainValue(field: FieldSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const type = messageTypeOf(field);
  if (type !== undefined) return plainMessage(type, value as DecodedMessage);
  const { low, high } = value as LongLike;
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return field.type === 'int64' ? BigInt.asIntN(64, bits) : bits;
}

function foreignMessage(name: MessageName, value: Readonly<DecodedMessage>): DecodedMessage {
  const foreign: DecodedMessage = {};
  for (const field of MESSAGES[name]) {
    const own = value[field.name];
    if (own === undefined) continue;
    foreign[field.name] = field.repeated
      ? (own as unknown[]).map((each) => foreignValue(field, each))
      : foreignValue(field, own);
  }
  if (value[UNKNOWN] !== undefined) foreign['$unknowns'] = [value[UNKNOWN]];
  return foreign;
}

function foreignValue(field: FieldSchema, value: unknown): unknown {
  if (typeof value === 'bigint') {
    return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) };
  }
  const type = messageTypeOf(field);
  return type === undefined ? value : foreignMessage(type, value as DecodedMessage);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
