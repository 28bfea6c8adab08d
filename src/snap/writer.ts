/**
 * Makes the bytes of a `.snap` file, as the releases of a minor write them.
 */
import { crc32c } from '../checksum/crc32c.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { type ConfState, encodeRaftSnapshot, type RaftSnapshot } from '../proto/raft.ts';
import { encodeSnapEnvelope } from '../proto/snap.ts';
import { type ProtoStyle, protoStyleOf } from '../proto/style.ts';

/** What goes into a `.snap` file. */
export interface SnapContent {
  readonly index: bigint;
  readonly term: bigint;
  /** 3.7 writes `autoLeave` only if it is there: its servers set it to false, its `snapshot restore` leaves it out. */
  readonly confState: ConfState;
  /** The v2 store, see `encodeV2Store`. */
  readonly data: Uint8Array;
}

/** The bytes of a `.snap` file. */
export function encodeSnap({ index, term, confState, data }: SnapContent, minor: EtcdMinor): Uint8Array {
  return encodeSnapFile({ data, metadata: { confState, index, term } }, protoStyleOf(minor));
}

/** The bytes of a `.snap` file from a raft snapshot; one that was read gives the bytes it was read from. */
export function encodeSnapFile(snapshot: RaftSnapshot, style: ProtoStyle): Uint8Array {
  const data = encodeRaftSnapshot(snapshot, style);
  return encodeSnapEnvelope({ crc: crc32c(data), data }, style);
}
