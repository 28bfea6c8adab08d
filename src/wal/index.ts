/**
 * The portable entry `etcd-datadir/wal`: write-ahead logs over any `ByteSource`, in Node or a browser.
 */
export type { DatadirError, ErrorCode } from '../errors.ts';
export { isDatadirError } from '../errors.ts';
export type { EtcdMinor } from '../etcd-version.ts';
export { describeFinding, type Finding, type FindingCode, type Severity, type Verdict } from '../findings.ts';
export { type ByteSource, memorySource } from '../io/byte-source.ts';
export { decodeEntryPayload, type EntryPayload } from '../proto/entry-payload.ts';
export type { ConfState, Entry as RaftEntry, HardState } from '../proto/raft.ts';
export { payloadJson } from '../proto/request-json.ts';
export { payloadText } from '../proto/request-text.ts';
export type { Metadata, WalSnapshot } from '../proto/wal.ts';
export type { CheckReport } from '../report.ts';
export { type CheckWalOptions, checkWal } from './check.ts';
export { type SnapshotId, type StartOptions, type StartOutcome, simulateStart } from './etcd/index.ts';
export { type WalInfo, walInfo } from './info.ts';
export { type LogDirectory, type MemoryLogDirectory, memoryLogDirectory } from './log-directory.ts';
export type { LogDamage, LogRecord } from './log-records.ts';
export { MinimumVersion } from './minimum-version.ts';
export {
  type EntriesOptions,
  type LogEntry,
  type RecordsOptions,
  readWal,
  type SegmentInfo,
  type Wal,
} from './reader.ts';
export { type PlanRepairOptions, planRepair, type RepairPlan } from './repair-plan.ts';
export { describeRepairReason, type RepairLoss, type RepairObstacle, type RepairReason } from './repair-reasons.ts';
export type { RemovalReason, RemovedPart } from './repair-removed.ts';
export { type PlannedSegment, plannedSource } from './repair-segment.ts';
export type { SegmentInput, WalFiles } from './segment-input.ts';
export { parseSegmentName, type SegmentName, segmentName } from './segment-name.ts';
export type { DamageSummary, SegmentSummary, SnapshotSummary, StartSummary, WalSummary } from './summary.ts';
export type { LogState } from './survey.ts';
export { type CreateWalOptions, createWal, type OpenWalOptions, openWal, type WalWriter } from './writer.ts';
