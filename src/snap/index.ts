/**
 * The portable entry `etcd-datadir/snap`: `.snap` files and snap folders, over any `ByteSource`, in Node or a browser.
 */
export type { DatadirError, ErrorCode } from '../errors.ts';
export { isDatadirError } from '../errors.ts';
export type { EtcdMinor } from '../etcd-version.ts';
export { describeFinding, type Finding, findingTable, type Severity, type Verdict } from '../findings.ts';
export { type ByteSource, memorySource } from '../io/byte-source.ts';
export type { Input } from '../io/input.ts';
export type { ConfState, RaftSnapshot, SnapshotMetadata } from '../proto/raft.ts';
export type { CheckReport } from '../report.ts';
export { type CheckSnapOptions, checkSnap, checkSnapFolder, type SnapFile } from './check.ts';
export { brokenName, chooseSnap, type SnapCandidate, type SnapChoice, type SnapshotPosition } from './choose.ts';
export { encodeV2Store, type V2StoreContent, type V2StoreMember } from './encode-v2-store.ts';
export type { SnapFinding, SnapFindingCode } from './findings.ts';
export { type Leftover, listSnapFolder, newestSnap, type SnapFolderListing } from './list.ts';
export { readSnap, type Snap } from './reader.ts';
export { parseSnapName, parseSnapshotDbName, type SnapName, snapName, snapshotDbName } from './snap-name.ts';
export type {
  ConfStateSummary,
  SnapContentSummary,
  SnapDataKind,
  SnapFileSummary,
  SnapMemberSummary,
  SnapSummary,
} from './summary.ts';
export {
  customContent,
  type V2Key,
  type V2Member,
  type V2Store,
  type V2StoreOptions,
  type V2TopDirectory,
} from './v2-store.ts';
export { encodeSnap, type SnapContent } from './writer.ts';
