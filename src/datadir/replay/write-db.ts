/**
 * Writes what a replay has come to as a new db: the old one is streamed, what has changed is put in between. Every page is written once.
 */
import { BulkCopy } from '../../bolt/bulk-copy.ts';
import { BulkFile } from '../../bolt/bulk-file.ts';
import { ContentJob } from '../../bolt/content-job.ts';
import { changedMeanwhileError } from '../../bolt/live-source.ts';
import { DatadirError } from '../../errors.ts';
import type { ByteFile } from '../../io/byte-source.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { BucketChange } from './bucket-changes.ts';
import { type KeepSet, KeepSetJob } from './keep-set.ts';
import type { ReplayedState } from './outcome.ts';
import { metaChanges } from './write-meta.ts';
import { type ReplayChanges, ReplayTarget } from './write-target.ts';

/** What was written. */
export interface WrittenDb {
  /** Keys with values, buckets, and the digest of all of them, as a check of the file gives it. */
  readonly pairs: number;
  readonly buckets: number;
  readonly digest: string;
  /** Length of the db in bytes. */
  readonly size: number;
}

const NO_PROGRESS: Progress = { done: 0, total: 0 };

/**
 * Writes to an empty `ByteFile`, in steps; it is not synced. Throws `BOLT_SOURCE_DAMAGED` if the old db is damaged, `SOURCE_CHANGED`
 * if it is not what was replayed onto any more; the file is of no use then.
 */
export class WriteReplayedJob implements Job<WrittenDb> {
  readonly #state: ReplayedState;
  readonly #file: ByteFile;
  readonly #keeping: KeepSetJob | undefined;
  #keep: KeepSet | undefined;
  #changes: ReplayChanges | undefined;
  #content: ContentJob<WrittenDb> | undefined;
  #anew: { readonly copy: BulkCopy; readonly target: ReplayTarget } | undefined;
  #result: WrittenDb | undefined;

  constructor(state: ReplayedState, file: ByteFile) {
    this.#state = state;
    this.#file = file;
    const { keyspace } = state.parts;
    if (keyspace.compaction !== undefined) {
      this.#keeping = new KeepSetJob(state.db, keyspace.newRecords, keyspace.compaction, state.tail.version);
    }
  }

  get progress(): Progress {
    const keeping = this.#keeping?.progress ?? NO_PROGRESS;
    const content = this.#content?.progress ?? { done: 0, total: this.#state.tail.from.file?.source.size ?? 0 };
    return { done: keeping.done + content.done, total: keeping.total + content.total };
  }

  get result(): WrittenDb {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the db has not been written yet');
    return this.#result;
  }

  step(): boolean {
    if (this.#changes === undefined) {
      if (this.#keeping?.step() === false) return false;
      this.#keep = this.#keeping?.result;
      this.#changes = this.#collect();
      return false;
    }
    const { file } = this.#state.tail.from;
    if (file === undefined) return this.#stepAnew(this.#changes);
    this.#content ??= this.#copyOf(file.source, this.#changes);
    if (!this.#content.step()) return false;
    this.#result = this.#content.result;
    return true;
  }

  /** All changes, by bucket. */
  #collect(): ReplayChanges {
    const { parts } = this.#state;
    const buckets = new Map<string, readonly BucketChange[]>();
    const others = [parts.leases, parts.auth, parts.alarms, parts.membership, parts.cluster];
    for (const changes of [...others.flatMap((part) => part.changes()), metaChanges(this.#state)]) {
      buckets.set(changes.bucket, changes.sorted);
    }
    return { records: parts.keyspace.newRecords, keep: this.#keep, buckets };
  }

  #copyOf(source: ConstructorParameters<typeof ContentJob>[0], changes: ReplayChanges): ContentJob<WrittenDb> {
    return new ContentJob(source, (db, kernel) => {
      // The keys in memory are those of another transaction.
      if (db.txid !== this.#state.db?.txid) throw changedMeanwhileError(source);
      if (this.#file.size > 0) this.#file.truncate(0);
      const { pageSize, freelistStored } = db;
      const copy = new BulkCopy(new BulkFile(this.#file, { pageSize, freelistStored, noSync: true }), kernel);
      const target = new ReplayTarget(copy, changes);
      return { target, finish: () => finished(copy, target, db.meta.sequence) };
    });
  }

  /** A db with nothing in it but the changes. */
  #stepAnew(changes: ReplayChanges): boolean {
    this.#anew ??= this.#beginAnew(changes);
    const { copy, target } = this.#anew;
    if (!target.finishSome()) return false;
    this.#result = finished(copy, target, 0n);
    return true;
  }

  #beginAnew(changes: ReplayChanges): { copy: BulkCopy; target: ReplayTarget } {
    // etcd on Linux stores no freelist.
    const copy = new BulkCopy(new BulkFile(this.#file, { freelistStored: false, noSync: true }), undefined);
    return { copy, target: new ReplayTarget(copy, changes) };
  }
}

function finished(copy: BulkCopy, target: ReplayTarget, sequence: bigint): WrittenDb {
  target.finish();
  const { pairs, buckets, value: digest } = copy.digest.summary();
  return { pairs, buckets, digest, size: copy.file.finish(sequence) };
}
