/**
 * A pass over bucket `key` that comes to one result, as a job. Should the file be written to meanwhile, it begins again.
 */
import type { BoltDb } from '../bolt/database.ts';
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import { AttemptJob } from './attempt-job.ts';
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

/** `begin` is called again for each attempt, with the transaction to be read. */
export class PassJob<Result> extends AttemptJob<Result> {
  constructor(file: BackendFile, begin: (db: BoltDb) => Pass<Result>) {
    super([file], () => new OnePass(file.db, begin(file.db)));
  }
}

class OnePass<Result> implements Job<Result> {
  readonly #scan: KeyspaceScan;
  readonly #pass: Pass<Result>;
  #result: { readonly value: Result } | undefined;

  constructor(db: BoltDb, pass: Pass<Result>) {
    const { visit, range, visitUnreadable } = pass;
    this.#pass = pass;
    this.#scan = new KeyspaceScan(db, visit, range, visitUnreadable);
  }

  get progress(): Progress {
    return this.#scan.progress;
  }

  get result(): Result {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the pass has not finished');
    return this.#result.value;
  }

  step(): boolean {
    if (!this.#scan.step()) return false;
    this.#result = { value: this.#pass.finish(this.#scan.unreadable) };
    return true;
  }
}
