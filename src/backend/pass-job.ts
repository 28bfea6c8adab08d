/**
 * A pass over bucket `key` that comes to one result, as a job. Should the file be written to meanwhile, it begins again.
 */
import type { BoltDb } from '../bolt/database.ts';
import { changedError, MAX_ATTEMPTS } from '../bolt/live-source.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { KeyspaceScan, type RecordVisitor, type ScanRange, type UnreadableRecords } from './keyspace-scan.ts';

/** What one pass does with the records. */
export interface Pass<Result> {
  /** Which records it needs. Default: all. */
  readonly range?: ScanRange | undefined;
  /** Sees every record that can be read. False: nothing more is needed. */
  readonly visit: RecordVisitor;
  /** Sees those that cannot be read. */
  readonly visitUnreadable?: RecordVisitor | undefined;
  /** All has been seen. What is still to be read is read here; views of pages must not leave. */
  finish(unreadable: Readonly<UnreadableRecords>): Result;
}

export class PassJob<Result> implements Job<Result> {
  readonly #file: BackendFile;
  readonly #begin: (db: BoltDb) => Pass<Result>;
  #pass: Pass<Result> | undefined;
  #scan: KeyspaceScan | undefined;
  #attempt = 1;
  #done = 0;
  #result: { readonly value: Result } | undefined;

  /** `begin` is called again for each attempt, with the transaction to be read. */
  constructor(file: BackendFile, begin: (db: BoltDb) => Pass<Result>) {
    this.#file = file;
    this.#begin = begin;
  }

  get progress(): Progress {
    const { done, total } = this.#scan?.progress ?? { done: 0, total: this.#file.source.size };
    this.#done = Math.max(this.#done, done);
    return { done: this.#done, total: Math.max(total, this.#done) };
  }

  get result(): Result {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the pass has not finished');
    return this.#result.value;
  }

  step(): boolean {
    try {
      return this.#step();
    } catch (error) {
      if (!isDatadirError(error) || error.code === 'SOURCE_CHANGED' || !this.#file.db.hasChanged()) throw error;
      this.#again();
      return false;
    }
  }

  #step(): boolean {
    if (this.#scan === undefined) {
      this.#pass = this.#begin(this.#file.db);
      const { visit, range, visitUnreadable } = this.#pass;
      this.#scan = new KeyspaceScan(this.#file.db, visit, range, visitUnreadable);
      return false;
    }
    if (!this.#scan.step()) return false;
    const value = this.#pass!.finish(this.#scan.unreadable);
    if (this.#file.db.hasChanged()) {
      this.#again();
      return false;
    }
    this.#result = { value };
    return true;
  }

  #again(): void {
    if (this.#attempt++ === MAX_ATTEMPTS) throw changedError(this.#file.source);
    this.#file.renew();
    this.#scan = undefined;
    this.#pass = undefined;
  }
}
