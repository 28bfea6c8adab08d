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
export type { BoltSummary, CheckReport, DigestSummary, Kind, Level } from '../report.ts';
export type { Bucket, BucketPath, Key } from './bucket.ts';
export type { BucketHeader } from './bucket-header.ts';
export {
  BoltBuilder,
  type BucketBuildEntry,
  type BuildBoltOptions,
  type BuildEntries,
  type BuildEntry,
  type BuildSummary,
  buildBolt,
  type PairBuildEntry,
} from './build.ts';
export type { BuildOptions } from './bulk-file.ts';
export { type CheckBoltOptions, checkBolt } from './check.ts';
export { type CompactOptions, type CompactSummary, compactBolt, damageReport } from './compact.ts';
export { type CopyOptions, type CopySummary, copyBolt } from './copy.ts';
export type { Cursor } from './cursor.ts';
export type { BoltDb, BoltInfo, OpenBoltOptions, PagesOptions } from './database.ts';
export type { Element, Entry } from './element.ts';
export { exportEntries } from './export.ts';
export type { FreePages } from './free-pages.ts';
export type { FreelistPiece, StoredFreelist } from './freelist.ts';
export type { BucketTree } from './inspect.ts';
export type { Meta } from './meta.ts';
export type { MetaProblem } from './meta-problem.ts';
export { openBolt } from './open.ts';
export type { PageDetails, PageItem, PageRow, PageType } from './pages.ts';
export type { BucketStats, DatabaseStats } from './stats.ts';
export { type AbandonedFreelist, abandonFreelist } from './surgery/abandon-freelist.ts';
export { type ClearedElements, clearPage, clearPageElements } from './surgery/clear-page-elements.ts';
export { type CopiedPage, copyPage } from './surgery/copy-page.ts';
export { findKeyPaths } from './surgery/find-key-paths.ts';
export type { SurgeryOptions } from './surgery/raw-file.ts';
export { type RebuiltFreelist, rebuildFreelist } from './surgery/rebuild-freelist.ts';
export { type RevertedMetaPage, revertMetaPage } from './surgery/revert-meta-page.ts';
export { type MetaUpdate, type UpdatedMeta, updateMeta } from './surgery/update-meta.ts';
export { type MetaValidation, validateMetas } from './surgery/validate-metas.ts';
export type { Transaction } from './transaction.ts';
export type { TxBucket } from './tx-bucket.ts';
export type { TxCursor } from './tx-cursor.ts';
export type { BucketItem, ContentItem, PairItem } from './walk-content.ts';
export {
  type CreateBoltOptions,
  createBolt,
  type OpenWritableOptions,
  type WritableBoltDb,
  type WriteOptions,
} from './writable.ts';
