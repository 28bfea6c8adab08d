/**
 * The messages of raft that are found on disk: log entries, the hard state, snapshots, changes of the membership.
 *
 * proto2 with presence: a field that is absent is `undefined`, which counts as zero. Which fields are written is a matter of
 * style (`style.ts`). A known field with another wire type than its own is refused, as etcd up to 3.6 does; unknown fields
 * are kept and written again at the end. `bytes` fields are views of the input.
 */
import type { DatadirError } from '../errors.ts';
import { finishWith, NestedMessage, parseNested, varintField, zeroOf } from './message-parts.ts';
import type { ProtoStyle } from './style.ts';
import { protoInvalid, WireReader, WireWriter } from './wire.ts';

/** Entry types. */
export const ENTRY_NORMAL = 0;
export const ENTRY_CONF_CHANGE = 1;
export const ENTRY_CONF_CHANGE_V2 = 2;

/** An entry of the raft log. */
export interface Entry {
  /** 0 normal, 1 conf change, 2 conf change v2; from 3.7 on absent in normal ones. */
  readonly type?: number | undefined;
  readonly term?: bigint | undefined;
  readonly index?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** What a member has to remember between restarts besides the log. */
export interface HardState {
  readonly term?: bigint | undefined;
  readonly vote?: bigint | undefined;
  readonly commit?: bigint | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** Who takes part, by member id. */
export interface ConfState {
  readonly voters: readonly bigint[];
  readonly learners: readonly bigint[];
  readonly votersOutgoing: readonly bigint[];
  readonly learnersNext: readonly bigint[];
  readonly autoLeave?: boolean | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** What a snapshot stands for. */
export interface SnapshotMetadata {
  readonly confState?: ConfState | undefined;
  readonly index?: bigint | undefined;
  readonly term?: bigint | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** The message inside a `.snap` file. */
export interface RaftSnapshot {
  readonly data?: Uint8Array | undefined;
  readonly metadata?: SnapshotMetadata | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** A change of one member; `context` is JSON of etcd's. */
export interface ConfChange {
  readonly id?: bigint | undefined;
  /** 0 add, 1 remove, 2 update, 3 add as learner. */
  readonly type?: number | undefined;
  readonly nodeId?: bigint | undefined;
  readonly context?: Uint8Array | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** One of the changes of a `ConfChangeV2`. */
export interface ConfChangeSingle {
  readonly type?: number | undefined;
  readonly nodeId?: bigint | undefined;
  readonly unknown?: Uint8Array | undefined;
}

/** Changes of several members at once; etcd itself never writes one. */
export interface ConfChangeV2 {
  readonly transition?: number | undefined;
  readonly changes: readonly ConfChangeSingle[];
  readonly context?: Uint8Array | undefined;
  readonly unknown?: Uint8Array | undefined;
}

export function parseEntry(bytes: Uint8Array, start = 0, end: number = bytes.length): Entry {
  const reader = new WireReader(bytes, start, end);
  let type: number | undefined;
  let term: bigint | undefined;
  let index: bigint | undefined;
  let data: Uint8Array | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) type = reader.int32();
    else if (tag === 0x10) term = reader.uint64();
    else if (tag === 0x18) index = reader.uint64();
    else if (tag === 0x22) data = reader.bytes();
    else if (tag >>> 3 <= 4) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { type, term, index, data, unknown: reader.unknown() };
}

export function encodeEntry(entry: Entry, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, entry.type ?? zero);
  varintField(writer, 2, entry.term ?? zero);
  varintField(writer, 3, entry.index ?? zero);
  if (entry.data !== undefined) writer.bytes(4, entry.data);
  return finishWith(writer, entry.unknown);
}

export function parseHardState(bytes: Uint8Array, start = 0, end: number = bytes.length): HardState {
  const reader = new WireReader(bytes, start, end);
  let term: bigint | undefined;
  let vote: bigint | undefined;
  let commit: bigint | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) term = reader.uint64();
    else if (tag === 0x10) vote = reader.uint64();
    else if (tag === 0x18) commit = reader.uint64();
    else if (tag >>> 3 <= 3) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { term, vote, commit, unknown: reader.unknown() };
}

export function encodeHardState(state: HardState, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, state.term ?? zero);
  varintField(writer, 2, state.vote ?? zero);
  varintField(writer, 3, state.commit ?? zero);
  return finishWith(writer, state.unknown);
}

export function parseConfState(bytes: Uint8Array, start = 0, end: number = bytes.length): ConfState {
  const reader = new WireReader(bytes, start, end);
  const lists: bigint[][] = [[], [], [], []];
  let autoLeave: boolean | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    const list = lists[(tag >>> 3) - 1];
    if (list !== undefined) readIds(reader, tag, list);
    else if (tag === 0x28) autoLeave = reader.bool();
    else if (tag >>> 3 === 5) reader.wrongType(tag);
    else reader.skip(tag);
  }
  const [voters, learners, votersOutgoing, learnersNext] = lists as [bigint[], bigint[], bigint[], bigint[]];
  return { voters, learners, votersOutgoing, learnersNext, autoLeave, unknown: reader.unknown() };
}

export function encodeConfState(state: ConfState, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  for (const id of state.voters) writer.varint(1, id);
  for (const id of state.learners) writer.varint(2, id);
  for (const id of state.votersOutgoing) writer.varint(3, id);
  for (const id of state.learnersNext) writer.varint(4, id);
  const autoLeave = state.autoLeave ?? (style === 'gogo' ? false : undefined);
  if (autoLeave !== undefined) writer.bool(5, autoLeave);
  return finishWith(writer, state.unknown);
}

export function parseSnapshotMetadata(bytes: Uint8Array, start = 0, end: number = bytes.length): SnapshotMetadata {
  const reader = new WireReader(bytes, start, end);
  const confState = new NestedMessage();
  let index: bigint | undefined;
  let term: bigint | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x0a) confState.add(reader);
    else if (tag === 0x10) index = reader.uint64();
    else if (tag === 0x18) term = reader.uint64();
    else if (tag >>> 3 <= 3) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { confState: confState.parse(bytes, parseConfState), index, term, unknown: reader.unknown() };
}

export function encodeSnapshotMetadata(metadata: SnapshotMetadata, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  const confState = metadata.confState ?? (style === 'gogo' ? NO_MEMBERS : undefined);
  if (confState !== undefined) writer.message(1, encodeConfState(confState, style));
  varintField(writer, 2, metadata.index ?? zero);
  varintField(writer, 3, metadata.term ?? zero);
  return finishWith(writer, metadata.unknown);
}

export function parseRaftSnapshot(bytes: Uint8Array, start = 0, end: number = bytes.length): RaftSnapshot {
  const reader = new WireReader(bytes, start, end);
  let data: Uint8Array | undefined;
  const metadata = new NestedMessage();
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x0a) data = reader.bytes();
    else if (tag === 0x12) metadata.add(reader);
    else if (tag >>> 3 <= 2) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { data, metadata: metadata.parse(bytes, parseSnapshotMetadata), unknown: reader.unknown() };
}

export function encodeRaftSnapshot(snapshot: RaftSnapshot, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  if (snapshot.data !== undefined) writer.bytes(1, snapshot.data);
  const metadata = snapshot.metadata ?? (style === 'gogo' ? {} : undefined);
  if (metadata !== undefined) writer.message(2, encodeSnapshotMetadata(metadata, style));
  return finishWith(writer, snapshot.unknown);
}

export function parseConfChange(bytes: Uint8Array, start = 0, end: number = bytes.length): ConfChange {
  const reader = new WireReader(bytes, start, end);
  let id: bigint | undefined;
  let type: number | undefined;
  let nodeId: bigint | undefined;
  let context: Uint8Array | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) id = reader.uint64();
    else if (tag === 0x10) type = reader.int32();
    else if (tag === 0x18) nodeId = reader.uint64();
    else if (tag === 0x22) context = reader.bytes();
    else if (tag >>> 3 <= 4) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { id, type, nodeId, context, unknown: reader.unknown() };
}

export function encodeConfChange(change: ConfChange, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, change.id ?? zero);
  varintField(writer, 2, change.type ?? zero);
  varintField(writer, 3, change.nodeId ?? zero);
  if (change.context !== undefined) writer.bytes(4, change.context);
  return finishWith(writer, change.unknown);
}

export function parseConfChangeV2(bytes: Uint8Array, start = 0, end: number = bytes.length): ConfChangeV2 {
  const reader = new WireReader(bytes, start, end);
  let transition: number | undefined;
  const changes: ConfChangeSingle[] = [];
  let context: Uint8Array | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) transition = reader.int32();
    else if (tag === 0x12) {
      if (changes.length === MAX_MEMBERS) throw tooManyMembers(reader);
      changes.push(parseNested(reader, parseConfChangeSingle));
    } else if (tag === 0x1a) context = reader.bytes();
    else if (tag >>> 3 <= 3) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { transition, changes, context, unknown: reader.unknown() };
}

export function encodeConfChangeV2(change: ConfChangeV2, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  varintField(writer, 1, change.transition ?? zeroOf(style));
  for (const single of change.changes) writer.message(2, encodeConfChangeSingle(single, style));
  if (change.context !== undefined) writer.bytes(3, change.context);
  return finishWith(writer, change.unknown);
}

function parseConfChangeSingle(bytes: Uint8Array, start: number, end: number): ConfChangeSingle {
  const reader = new WireReader(bytes, start, end);
  let type: number | undefined;
  let nodeId: bigint | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) type = reader.int32();
    else if (tag === 0x10) nodeId = reader.uint64();
    else if (tag >>> 3 <= 2) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { type, nodeId, unknown: reader.unknown() };
}

function encodeConfChangeSingle(change: ConfChangeSingle, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  const zero = zeroOf(style);
  varintField(writer, 1, change.type ?? zero);
  varintField(writer, 2, change.nodeId ?? zero);
  return finishWith(writer, change.unknown);
}

/** More members than any cluster has: damaged bytes must not be able to fill the memory. */
const MAX_MEMBERS = 100_000;

const NO_MEMBERS: ConfState = { voters: [], learners: [], votersOutgoing: [], learnersNext: [] };

/** Member ids: one in a field as proto2 writes them, or many packed into one. */
function readIds(reader: WireReader, tag: number, ids: bigint[]): void {
  if ((tag & 7) === 0) pushId(reader, ids);
  else if ((tag & 7) === 2) {
    const end = reader.length();
    const packed = new WireReader(reader.source, reader.position, end);
    while (!packed.done) pushId(packed, ids);
    reader.position = end;
  } else reader.wrongType(tag);
}

function pushId(reader: WireReader, ids: bigint[]): void {
  if (ids.length === MAX_MEMBERS) throw tooManyMembers(reader);
  ids.push(reader.uint64());
}

function tooManyMembers(reader: WireReader): DatadirError {
  return protoInvalid(`more than ${MAX_MEMBERS} members`, reader.position);
}
