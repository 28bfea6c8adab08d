/**
 * The request to write one key: most entries of a log hold one.
 *
 * proto3: what is absent is zero or empty, and zero or empty is not written.
 */
import { finishWith } from './message-parts.ts';
import { WireReader, WireWriter } from './wire.ts';

/** `key` and `value` are views of the input. */
export interface PutRequest {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** Lease id, 0 for none. */
  readonly lease: bigint;
  readonly prevKv: boolean;
  readonly ignoreValue: boolean;
  readonly ignoreLease: boolean;
  readonly unknown?: Uint8Array | undefined;
}

const EMPTY: Uint8Array = new Uint8Array(0);

export function parsePutRequest(bytes: Uint8Array, start = 0, end: number = bytes.length): PutRequest {
  const reader = new WireReader(bytes, start, end);
  let key = EMPTY;
  let value = EMPTY;
  let lease = 0n;
  let prevKv = false;
  let ignoreValue = false;
  let ignoreLease = false;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.bytes();
    else if (tag === 0x12) value = reader.bytes();
    else if (tag === 0x18) lease = reader.int64();
    else if (tag === 0x20) prevKv = reader.bool();
    else if (tag === 0x28) ignoreValue = reader.bool();
    else if (tag === 0x30) ignoreLease = reader.bool();
    else if (tag >>> 3 <= 6) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { key, value, lease, prevKv, ignoreValue, ignoreLease, unknown: reader.unknown() };
}

export function encodePutRequest(request: PutRequest): Uint8Array {
  const writer = new WireWriter();
  if (request.key.length > 0) writer.bytes(1, request.key);
  if (request.value.length > 0) writer.bytes(2, request.value);
  if (request.lease !== 0n) writer.varint(3, request.lease);
  if (request.prevKv) writer.bool(4, true);
  if (request.ignoreValue) writer.bool(5, true);
  if (request.ignoreLease) writer.bool(6, true);
  return finishWith(writer, request.unknown);
}
