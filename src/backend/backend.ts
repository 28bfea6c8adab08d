/**
 * What etcd keeps in a db, for programs: one open file and every question that can be asked of it.
 *
 * Small answers are given at once. What reads the whole file is a promise, which lets other work go on meanwhile and can be
 * stopped; answers of any length are streams.
 */
import { keyBytes } from '../bolt/bucket.ts';
import type { Sha256Factory } from '../checksum/sha256.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import type { KeyValue } from '../proto/mvcc.ts';
import { type Alarms, readAlarms } from './alarms.ts';
import { type Auth, readAuth } from './auth.ts';
import { BackendFile } from './backend-file.ts';
import { type Change, type ChangeLogOptions, readChanges } from './change-log.ts';
import { type Cluster, readCluster } from './cluster.ts';
import { type DbHash, DbHashJob, type DbHashOptions } from './db-hash.ts';
import { type DiffOptions, diffJob } from './diff.ts';
import type { DiffResult } from './diff-result.ts';
import { type Usage, type UsageOptions, usageJob } from './du.ts';
import { type ExportOptions, exportRecords } from './export-records.ts';
import { type HashKv, HashKvJob, type HashKvOptions } from './hash-kv.ts';
import { type HistoryOptions, readHistory } from './history.ts';
import type { ItemStream } from './item-stream.ts';
import type { KeyVersion } from './key-version.ts';
import { type LeaseReport, leaseReportJob } from './lease-report.ts';
import { type Leases, readLeases } from './leases.ts';
import { type Members, readMembers } from './members.ts';
import { type BackendMeta, readMeta } from './meta.ts';
import { type RangeOptions, type RangeResult, rangeJob } from './range.ts';
import { type Revisions, readRevisions } from './revisions.ts';
import { type BackendStatus, StatusJob } from './status.ts';
import { detectStorageVersion, type StorageVersion } from './storage-version.ts';
import { type Trailer, TrailerJob, type TrailerPresence, trailerPresence } from './trailer.ts';

/** How a backend is opened. */
export interface OpenBackendOptions {
  /** Who computes the sha256 of a snapshot file. Default: plain JavaScript; in Node its own. */
  readonly sha256?: Sha256Factory | undefined;
}

/**
 * Opens a db or a snapshot file for reading; `close()` closes the source. Throws `BOLT_NO_META` if it is none, or both metas are
 * damaged.
 */
export function openBackend(input: Input, options: OpenBackendOptions = {}): Backend {
  return new Backend(new BackendFile(toSource(input)), options);
}

/** An open db. If an etcd is writing to it, each answer is of one transaction, and may be newer than the one before. */
export class Backend {
  readonly #file: BackendFile;
  readonly #sha256: Sha256Factory | undefined;

  /** For `openBackend`. */
  constructor(file: BackendFile, options: OpenBackendOptions = {}) {
    this.#file = file;
    this.#sha256 = options.sha256;
  }

  get source(): ByteSource {
    return this.#file.source;
  }

  /** Whether a sha256 follows the last page, as in a file of `etcdctl snapshot save`; by the length of the file alone. */
  get trailer(): TrailerPresence {
    return trailerPresence(this.#file.source.size, this.#end);
  }

  /** The current revision, and what was compacted. */
  revisions(): Revisions {
    return this.#file.read((db) => readRevisions(db));
  }

  meta(): BackendMeta {
    return this.#file.read(readMeta);
  }

  /** The schema of the db, as etcd detects it. */
  storageVersion(): StorageVersion {
    return detectStorageVersion(this.meta());
  }

  members(): Members {
    return this.#file.read(readMembers);
  }

  /** Cluster version and downgrade. */
  cluster(): Cluster {
    return this.#file.read(readCluster);
  }

  leases(): Leases {
    return this.#file.read(readLeases);
  }

  /** Leases with the keys that are attached to them, and leases that keys name but are not there. Reads the whole file. */
  leasesWithKeys(options: RunOptions = {}): Promise<LeaseReport> {
    return runSliced(leaseReportJob(this.#file), options);
  }

  /** Users, roles and permissions; never a password or its hash. */
  auth(): Auth {
    return this.#file.read(readAuth);
  }

  alarms(): Alarms {
    return this.#file.read(readAlarms);
  }

  /**
   * What a server answers to a request for a key or a range, at any revision that can be read. Reads bucket `key` once; the values are
   * read when they are asked for, so the backend has to stay open.
   */
  range(options: RangeOptions & RunOptions): Promise<RangeResult> {
    return runSliced(rangeJob(this.#file, options), options);
  }

  /** One key, at the current revision or another; undefined if it is not there. */
  async get(
    key: Uint8Array | string,
    options: Pick<RangeOptions, 'revision'> & RunOptions = {},
  ): Promise<KeyValue | undefined> {
    const { keyValues } = await this.range({ ...options, key: keyBytes(key) });
    for (const keyValue of keyValues) return keyValue;
    return undefined;
  }

  /** All versions of a key that compaction has left, oldest first, deletions included. */
  history(key: Uint8Array | string, options: HistoryOptions = {}): ItemStream<KeyVersion> {
    return readHistory(this.#file, keyBytes(key), options);
  }

  /** The changes of all keys, or of those below a prefix, in the order in which they happened. */
  changes(options: ChangeLogOptions = {}): ItemStream<Change> {
    return readChanges(this.#file, options);
  }

  /** All keys with their values in the order of modification: the live ones at a revision, or every version that is left. */
  export(options: ExportOptions = {}): ItemStream<KeyVersion> {
    return exportRecords(this.#file, options);
  }

  /** Reads and checks the whole file. */
  status(options: RunOptions = {}): Promise<BackendStatus> {
    return runSliced(new StatusJob(this.#file), options);
  }

  /** etcd's `HashKV`, by which members are compared. */
  hashKv(options: HashKvOptions & RunOptions = {}): Promise<HashKv> {
    return runSliced(new HashKvJob(this.#file, options), options);
  }

  /** etcd's `Hash`, of the whole db. */
  hash(options: DbHashOptions & RunOptions = {}): Promise<DbHash> {
    return runSliced(new DbHashJob(this.#file, options), options);
  }

  /** What differs between the live keys of this db and another, or of this one at two revisions. */
  diff(other: Backend, options: DiffOptions & RunOptions = {}): Promise<DiffResult> {
    return runSliced(diffJob(this.#file, other.#file, options), options);
  }

  /** What takes the space. */
  usage(options: UsageOptions & RunOptions = {}): Promise<Usage> {
    return runSliced(usageJob(this.#file, options), options);
  }

  /** Verifies the sha256 of a snapshot file. */
  verifyTrailer(options: RunOptions = {}): Promise<Trailer> {
    return runSliced(new TrailerJob(this.#file.source, this.#end, this.#sha256), options);
  }

  close(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Where the last page ends. */
  get #end(): number {
    const { highWaterMark, pageSize } = this.#file.db;
    return highWaterMark * pageSize;
  }
}
