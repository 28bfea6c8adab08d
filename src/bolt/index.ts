/**
 * The portable entry `etcd-datadir/bolt`: bolt files over any `ByteSource`, in Node or a browser.
 */
export type { DatadirError, ErrorCode } from '../errors.ts';
export { isDatadirError } from '../errors.ts';
export {
  describeFinding,
  type Finding,
  type FindingCode,
  type FindingDefinition,
  type FindingPlace,
  findingTable,
  type Severity,
  type Verdict,
} from '../findings.ts';
export { type BlobLike, type BlobSourceOptions, blobSource } from '../io/blob-source.ts';
export { type ByteFile, type ByteSource, memorySource } from '../io/byte-source.ts';
export type { Input } from '../io/input.ts';
export type { Progress, RunOptions } from '../io/job.ts';
export type { BoltSummary, CheckReport, Kind, Level } from '../report.ts';
export type { Bucket, BucketPath, Key } from './bucket.ts';
export type { BucketHeader } from './bucket-header.ts';
export { type CheckBoltOptions, checkBolt } from './check.ts';
export type { Cursor } from './cursor.ts';
export type { BoltDb, BoltInfo, OpenBoltOptions, PagesOptions } from './database.ts';
export type { Element, Entry } from './element.ts';
export type { FreePages } from './free-pages.ts';
export type { FreelistPiece, StoredFreelist } from './freelist.ts';
export type { BucketTree } from './inspect.ts';
export type { Meta } from './meta.ts';
export type { MetaProblem } from './meta-problem.ts';
export { openBolt } from './open.ts';
export type { PageDetails, PageItem, PageRow, PageType } from './pages.ts';
export type { BucketStats, DatabaseStats } from './stats.ts';
export type { Transaction } from './transaction.ts';
export type { TxBucket } from './tx-bucket.ts';
export type { TxCursor } from './tx-cursor.ts';
export {
  type CreateBoltOptions,
  createBolt,
  type OpenWritableOptions,
  type WritableBoltDb,
  type WriteOptions,
} from './writable.ts';
