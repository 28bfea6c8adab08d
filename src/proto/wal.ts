/**
 * The messages of a write-ahead log besides the raft ones: the record, the snapshot record, and etcd's metadata.
 *
 * The rules are those of `raft.ts`: absent is `undefined`, known fields with a wrong wire type are refused, unknown ones kept,
 * `bytes` fields are views.
 */
import { finishWith, NestedMessage, varintField, zeroOf } from './message-parts.ts';
import { type ConfState, encodeConfState, parseConfState } from './raft.ts';
import type { ProtoStyle } from './style.ts';
import { WireReader, WireWriter } from './wire.ts';

/** One record of a segment. */
export interface WalRecord {
  readonly type?: bigint | undefined;
  readonly crc?: number | undefined;
  readonly data?: Uint8Array | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** What a snapshot record says; the member list is there since 3.5, and not in the 0/0 record of a new log. */
export interface WalSnapshot {
  readonly index?: bigint | undefined;
  readonly term?: bigint | undefined;
  readonly confState?: ConfState | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** Whose log it is. */
export interface Metadata {
  readonly nodeId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
  readonly unknown?: Uint8Array | undefined;
}

export function parseWalRecord(bytes: Uint8Array, start = 0, end: number = bytes.length): WalRecord {
  const reader = new WireReader(bytes, start, end);
  let type: bigint | undefined;
  let crc: number | undefined;
  let data: Uint8Array | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) type = reader.int64();
    else if (tag === 0x10) crc = reader.uint32();
    else if (tag === 0x1a) data = reader.bytes();
    else if (tag >>> 3 <= 3) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { type, crc, data, unknown: reader.unknown() };
}

export function encodeWalRecord(record: WalRecord, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, record.type ?? zero);
  varintField(writer, 2, record.crc ?? zero);
  if (record.data !== undefined) writer.bytes(3, record.data);
  return finishWith(writer, record.unknown);
}

export function parseWalSnapshot(bytes: Uint8Array, start = 0, end: number = bytes.length): WalSnapshot {
  const reader = new WireReader(bytes, start, end);
  let index: bigint | undefined;
  let term: bigint | undefined;
  const confState = new NestedMessage();
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) index = reader.uint64();
    else if (tag === 0x10) term = reader.uint64();
    else if (tag === 0x1a) confState.add(reader);
    else if (tag >>> 3 <= 3) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { index, term, confState: confState.parse(bytes, parseConfState), unknown: reader.unknown() };
}

export function encodeWalSnapshot(snapshot: WalSnapshot, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, snapshot.index ?? zero);
  varintField(writer, 2, snapshot.term ?? zero);
  if (snapshot.confState !== undefined) writer.message(3, encodeConfState(snapshot.confState, style));
  return finishWith(writer, snapshot.unknown);
}

export function parseMetadata(bytes: Uint8Array, start = 0, end: number = bytes.length): Metadata {
  const reader = new WireReader(bytes, start, end);
  let nodeId: bigint | undefined;
  let clusterId: bigint | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) nodeId = reader.uint64();
    else if (tag === 0x10) clusterId = reader.uint64();
    else if (tag >>> 3 <= 2) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { nodeId, clusterId, unknown: reader.unknown() };
}

export function encodeMetadata(metadata: Metadata, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, metadata.nodeId ?? zero);
  varintField(writer, 2, metadata.clusterId ?? zero);
  return finishWith(writer, metadata.unknown);
}
