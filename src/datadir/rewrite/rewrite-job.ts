/**
 * Writes a db anew: the old one is streamed, what is to be different is put in between. Every page is written once, none is left free.
 */
import { BulkCopy } from '../../bolt/bulk-copy.ts';
import { BulkFile } from '../../bolt/bulk-file.ts';
import { ContentJob } from '../../bolt/content-job.ts';
import { changedMeanwhileError } from '../../bolt/live-source.ts';
import { DatadirError } from '../../errors.ts';
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { DbChanges } from './db-changes.ts';
import { RewriteTarget } from './rewrite-target.ts';

/** What was written. */
export interface WrittenDb {
  /** Keys with values, buckets, and the digest of all of them, as a check of the file gives it. */
  readonly pairs: number;
  readonly buckets: number;
  readonly digest: string;
  /** Length of the db in bytes. */
  readonly size: number;
}

/** Options of `RewriteJob`. */
export interface RewriteOptions {
  /** The transaction of the old db that the changes belong to: another one is `SOURCE_CHANGED`. Default: any. */
  readonly txid?: bigint | undefined;
  /** Of the new db. Default: as the old one has it; without one 4096. */
  readonly pageSize?: number | undefined;
}

/**
 * Writes to an empty `ByteFile`, in steps; it is not synced. Throws `BOLT_SOURCE_DAMAGED` if the old db is damaged; the file is of no use
 * then. Without an old db there is nothing but the changes.
 */
export class RewriteJob implements Job<WrittenDb> {
  readonly #file: ByteFile;
  readonly #changes: DbChanges;
  readonly #options: RewriteOptions;
  readonly #content: ContentJob<WrittenDb> | undefined;
  #anew: { readonly copy: BulkCopy; readonly target: RewriteTarget } | undefined;
  #result: WrittenDb | undefined;

  constructor(source: ByteSource | undefined, changes: DbChanges, file: ByteFile, options: RewriteOptions = {}) {
    this.#file = file;
    this.#changes = changes;
    this.#options = options;
    this.#content = source && this.#copyOf(source);
  }

  get progress(): Progress {
    return this.#content?.progress ?? { done: 0, total: 0 };
  }

  get result(): WrittenDb {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the db has not been written yet');
    return this.#result;
  }

  step(): boolean {
    if (this.#content === undefined) return this.#stepAnew();
    if (!this.#content.step()) return false;
    this.#result = this.#content.result;
    return true;
  }

  #copyOf(source: ByteSource): ContentJob<WrittenDb> {
    const { txid, pageSize } = this.#options;
    return new ContentJob(source, (db, kernel) => {
      if (txid !== undefined && db.txid !== txid) throw changedMeanwhileError(source);
      if (this.#file.size > 0) this.#file.truncate(0);
      const { freelistStored } = db;
      const options = { pageSize: pageSize ?? db.pageSize, freelistStored, noSync: true };
      const copy = new BulkCopy(new BulkFile(this.#file, options), kernel);
      const target = new RewriteTarget(copy, this.#changes);
      return { target, finish: () => finished(copy, target, db.meta.sequence) };
    });
  }

  #stepAnew(): boolean {
    this.#anew ??= this.#beginAnew();
    const { copy, target } = this.#anew;
    if (!target.finishSome()) return false;
    this.#result = finished(copy, target, 0n);
    return true;
  }

  #beginAnew(): { copy: BulkCopy; target: RewriteTarget } {
    const { pageSize } = this.#options;
    // etcd on Linux stores no freelist.
    const copy = new BulkCopy(new BulkFile(this.#file, { pageSize, freelistStored: false, noSync: true }), undefined);
    return { copy, target: new RewriteTarget(copy, this.#changes) };
  }
}

function finished(copy: BulkCopy, target: RewriteTarget, sequence: bigint): WrittenDb {
  target.finish();
  const { pairs, buckets, value: digest } = copy.digest.summary();
  return { pairs, buckets, digest, size: copy.file.finish(sequence) };
}
