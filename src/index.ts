/**
 * The portable entry: everything that runs anywhere, over bytes, Blobs and byte sources. In Node the package's plain name
 * gives `node.ts`, which has the same names and takes paths as well.
 */
export * from './backend/index.ts';
export * from './bolt/index.ts';
export {
  type CheckInput,
  type CheckOptions,
  check,
  type SnapFolderInput,
  type WalFolderInput,
} from './datadir/check.ts';
export { type DataDir, openDataDir, type ReceivedDb } from './datadir/data-dir.ts';
export type { DataDirFiles, Folder, FolderItem } from './datadir/data-dir-files.ts';
export type { Layout, LayoutKind } from './datadir/layout.ts';
export type { ReplayOutcome } from './datadir/replay/outcome.ts';
export { type ReplayOptions, replay } from './datadir/replay/replay-job.ts';
export { planTail, type Tail, type TailMode, type TailOptions } from './datadir/replay/tail.ts';
export { type Explanation, explainReport } from './datadir/start/explanation.ts';
export { type DirStart, type DirStartOutcome, mends, startsOf } from './datadir/start/start.ts';
export type { DataDirSummary } from './datadir/summary.ts';
export type { ValidationExpectations } from './datadir/validation/inputs.ts';
export {
  encodeMarker,
  type Marker,
  parseMarker,
  type RunExit,
  type RunMarker,
  type RunState,
} from './datadir/validation/marker.ts';
export type { MemberPlan, MemberStep } from './datadir/validation/member-plan.ts';
export type { ModeReason, ValidationMode } from './datadir/validation/mode.ts';
export type { Recommendation } from './datadir/validation/recommendation.ts';
export {
  REFERENCE_STATUSES,
  type ReferenceAction,
  type ReferenceStatus,
  type StatusRow,
} from './datadir/validation/reference-status.ts';
export type {
  GuardState,
  MarkerState,
  ValidationRaft,
  ValidationReport,
  ValidationRevisions,
  ValidationStep,
} from './datadir/validation/report.ts';
export type { ErrorDetails } from './errors.ts';
export { DatadirError } from './errors.ts';
export type { ByteFile } from './io/byte-source.ts';
export { memoryFile } from './io/memory-file.ts';
export * from './snap/index.ts';
export * from './wal/index.ts';
