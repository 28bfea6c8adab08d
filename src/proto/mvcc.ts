/**
 * The value of a revision in the backend's `key` bucket: a key-value pair with its revisions.
 *
 * proto3: what is absent is zero or empty, and zero or empty is not written; the same bytes in all versions of etcd.
 */
import { finishWith } from './message-parts.ts';
import { WireReader, WireWriter } from './wire.ts';

/** `key` and `value` are views of the input. A tombstone has the key only. */
export interface KeyValue {
  readonly key: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly value: Uint8Array;
  /** Lease id, 0 for none. */
  readonly lease: bigint;
  readonly unknown?: Uint8Array | undefined;
}

const EMPTY: Uint8Array = new Uint8Array(0);

export function parseKeyValue(bytes: Uint8Array, start = 0, end: number = bytes.length): KeyValue {
  const reader = new WireReader(bytes, start, end);
  let key = EMPTY;
  let createRevision = 0n;
  let modRevision = 0n;
  let version = 0n;
  let value = EMPTY;
  let lease = 0n;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.bytes();
    else if (tag === 0x10) createRevision = reader.int64();
    else if (tag === 0x18) modRevision = reader.int64();
    else if (tag === 0x20) version = reader.int64();
    else if (tag === 0x2a) value = reader.bytes();
    else if (tag === 0x30) lease = reader.int64();
    else if (tag >>> 3 <= 6) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { key, createRevision, modRevision, version, value, lease, unknown: reader.unknown() };
}

export function encodeKeyValue(pair: KeyValue): Uint8Array {
  const writer = new WireWriter();
  if (pair.key.length > 0) writer.bytes(1, pair.key);
  if (pair.createRevision !== 0n) writer.varint(2, pair.createRevision);
  if (pair.modRevision !== 0n) writer.varint(3, pair.modRevision);
  if (pair.version !== 0n) writer.varint(4, pair.version);
  if (pair.value.length > 0) writer.bytes(5, pair.value);
  if (pair.lease !== 0n) writer.varint(6, pair.lease);
  return finishWith(writer, pair.unknown);
}
