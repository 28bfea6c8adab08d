/**
 * What the records of a log hold, as a version of etcd writes it. Everything is checked and encoded before anything is
 * written, so that a call that is refused changes nothing.
 */
import { DatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { type ConfState, type Entry, encodeEntry, encodeHardState, type HardState } from '../proto/raft.ts';
import { type ProtoStyle, protoStyleOf } from '../proto/style.ts';
import { encodeMetadata, encodeWalSnapshot, type Metadata, type WalSnapshot } from '../proto/wal.ts';
import { RECORD_OVERHEAD } from './encode-frame.ts';
import { MAX_RECORD, MAX_RECORD_3_4 } from './format.ts';

/** A hard state with what decides about a sync. */
export interface EncodedState {
  readonly term: bigint;
  readonly vote: bigint;
  readonly data: Uint8Array;
}

/** What one call of `save` appends; no state if that is all zero. */
export interface EncodedSave {
  readonly entries: readonly { readonly index: bigint; readonly data: Uint8Array }[];
  readonly state: EncodedState | undefined;
}

/** Encodes the arguments of a save; throws `USAGE` for what cannot be written. */
export function encodeSave(
  hardState: HardState | undefined,
  entries: readonly Entry[],
  version: EtcdMinor,
): EncodedSave {
  const style = protoStyleOf(version);
  return {
    entries: entries.map((entry) => {
      const index = unsigned(entry.index, 'index') ?? 0n;
      unsigned(entry.term, 'term');
      return { index, data: ofReadableSize(encodeEntry(entry, style), version) };
    }),
    state: encodeState(hardState, style),
  };
}

function encodeState(state: HardState | undefined, style: ProtoStyle): EncodedState | undefined {
  if (state === undefined) return undefined;
  const term = unsigned(state.term, 'term') ?? 0n;
  const vote = unsigned(state.vote, 'vote') ?? 0n;
  const commit = unsigned(state.commit, 'commit') ?? 0n;
  if (term === 0n && vote === 0n && commit === 0n) return undefined;
  return { term, vote, data: encodeHardState(state, style) };
}

/** Encodes a snapshot record; throws `USAGE` for one that etcd of that version would not write. */
export function encodeSnapshotRecord(snapshot: WalSnapshot, version: EtcdMinor): Uint8Array {
  const { index, term, confState } = snapshot;
  unsigned(index, 'index');
  unsigned(term, 'term');
  if (version === '3.4') return encodeWalSnapshot({ ...snapshot, confState: undefined }, 'gogo');
  const style = protoStyleOf(version);
  if (style === 'google' && (index === undefined || term === undefined)) {
    throw new DatadirError('USAGE', `a snapshot record of etcd ${version} must have an index and a term`);
  }
  if (confState === undefined && index !== undefined && index > 0n) {
    throw new DatadirError('USAGE', `a snapshot record of etcd ${version} must have a confState unless its index is 0`);
  }
  if (confState !== undefined) checkMembers(confState);
  return ofReadableSize(encodeWalSnapshot(snapshot, style), version);
}

function checkMembers({ voters, learners, votersOutgoing, learnersNext }: ConfState): void {
  for (const ids of [voters, learners, votersOutgoing, learnersNext]) for (const id of ids) unsigned(id, 'member id');
}

/** The bytes of a metadata record. Those that are given are copied. */
export function metadataBytes(metadata: Metadata | Uint8Array | undefined, version: EtcdMinor): Uint8Array | undefined {
  if (metadata === undefined) return undefined;
  if (metadata instanceof Uint8Array) return ofReadableSize(metadata.slice(), version);
  unsigned(metadata.nodeId, 'nodeId');
  unsigned(metadata.clusterId, 'clusterId');
  return encodeMetadata(metadata, protoStyleOf(version));
}

function unsigned(value: bigint | undefined, what: string): bigint | undefined {
  if (value === undefined || (value >= 0n && value <= 0xffff_ffff_ffff_ffffn)) return value;
  throw new DatadirError('USAGE', `${what} ${value} is not an unsigned number of 64 bits`);
}

function ofReadableSize(data: Uint8Array, version: EtcdMinor): Uint8Array {
  const limit = (version === '3.4' ? MAX_RECORD_3_4 : MAX_RECORD) - RECORD_OVERHEAD;
  if (data.length <= limit) return data;
  const words = `a record with ${data.length} bytes of data could not be read again, the limit is ${limit}`;
  throw new DatadirError('USAGE', words);
}
