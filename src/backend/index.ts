/**
 * The portable entry `etcd-datadir/backend`: what etcd keeps in a db, over any `ByteSource`, in Node or a browser.
 */
export type { DatadirError, ErrorCode } from '../errors.ts';
export { isDatadirError } from '../errors.ts';
export type { EtcdMinor } from '../etcd-version.ts';
export { describeFinding, type Finding, type FindingCode, type Severity, type Verdict } from '../findings.ts';
export { type ByteSource, memorySource } from '../io/byte-source.ts';
export type { Input } from '../io/input.ts';
export type { Progress, RunOptions } from '../io/job.ts';
export type { KeyValue } from '../proto/mvcc.ts';
export type { CheckReport } from '../report.ts';
export type { Alarm, Alarms } from './alarms.ts';
export type { Auth, AuthPermission, AuthRole, AuthUser, PermissionScope, PermissionType } from './auth.ts';
export { type Backend, type OpenBackendOptions, openBackend } from './backend.ts';
export type { Change, ChangeLogOptions } from './change-log.ts';
export { type CheckBackendOptions, checkBackend } from './check.ts';
export type { Cluster, Downgrade } from './cluster.ts';
export type { DbHash, DbHashOptions } from './db-hash.ts';
export type { DbHashes, HashRule } from './db-hashing.ts';
export type { DiffOptions } from './diff.ts';
export type { BucketDiff } from './diff-buckets.ts';
export type {
  ChangedPart,
  DifferenceCounts,
  DifferenceKind,
  DiffResult,
  KeyDifference,
  KeyState,
} from './diff-result.ts';
export type { RevisedKey, Usage, UsageBy, UsageOptions } from './du.ts';
export type { BucketUsage, PageUsage } from './du-pages.ts';
export type { UsageFigures, UsageNode } from './du-tree.ts';
export type { ExportOptions } from './export-records.ts';
export type { HashKv, HashKvOptions } from './hash-kv.ts';
export type { HistoryOptions } from './history.ts';
export type { ItemStream } from './item-stream.ts';
export type { KeyVersion } from './key-version.ts';
export type { UnreadableRecords } from './keyspace-scan.ts';
export type { AttachedKeys } from './lease-attachments.ts';
export type { LeaseReport, LeaseWithKeys, MissingLease } from './lease-report.ts';
export type { Lease, Leases } from './leases.ts';
export type { Member, Members, RemovedMember } from './members.ts';
export type { BackendMeta, MetaField, StoredConfState } from './meta.ts';
export type { RangeOptions, RangeResult, SortTarget } from './range.ts';
export { fromKeyRange, type KeyRange, prefixEnd, prefixRange } from './range-bounds.ts';
export type { RangeItems } from './range-items.ts';
export type { Revision } from './revision.ts';
export type { Revisions } from './revisions.ts';
export type { BackendStatus } from './status.ts';
export type { StorageVersion } from './storage-version.ts';
export type { BackendSummary } from './summary.ts';
export type { Trailer, TrailerPresence } from './trailer.ts';
export type { UnreadableValue, UnreadableValues } from './unreadable.ts';
