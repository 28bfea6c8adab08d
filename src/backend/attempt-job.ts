/**
 * Work on open files that another program may write to meanwhile, as a job: begins again if one did.
 */
import type { BoltDb } from '../bolt/database.ts';
import { changedError, MAX_ATTEMPTS } from '../bolt/live-source.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';

export class AttemptJob<Result> implements Job<Result> {
  readonly #files: readonly BackendFile[];
  readonly #begin: () => Job<Result>;
  #job: Job<Result> | undefined;
  /** What the files were at when this attempt began: other work on them may go on to newer transactions meanwhile. */
  #dbs: readonly BoltDb[] = [];
  #attempt = 1;
  #done = 0;
  #result: { readonly value: Result } | undefined;

  /** `begin` makes the work for each attempt, on what the files are at then. */
  constructor(files: readonly BackendFile[], begin: () => Job<Result>) {
    this.#files = files;
    this.#begin = begin;
  }

  get progress(): Progress {
    const { done, total } = this.#job?.progress ?? { done: 0, total: 0 };
    this.#done = Math.max(this.#done, done);
    return { done: this.#done, total: Math.max(total, this.#done) };
  }

  get result(): Result {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the work has not finished');
    return this.#result.value;
  }

  step(): boolean {
    try {
      if (this.#job === undefined) {
        this.#dbs = this.#files.map(({ db }) => db);
        this.#job = this.#begin();
      }
      if (!this.#job.step()) return false;
    } catch (error) {
      // What was read is nonsense if the pages were written anew: only a file at rest is to blame.
      if (!isDatadirError(error) || !this.#hasChanged()) throw error;
      this.#again();
      return false;
    }
    if (this.#hasChanged()) {
      this.#again();
      return false;
    }
    this.#result = { value: this.#job.result };
    return true;
  }

  #hasChanged(): boolean {
    return this.#dbs.some((db) => db.hasChanged());
  }

  #again(): void {
    const changed = this.#dbs.findIndex((db) => db.hasChanged());
    if (this.#attempt++ === MAX_ATTEMPTS) throw changedError(this.#files[Math.max(changed, 0)]!.source);
    this.#files.forEach((file, i) => {
      if (file.db === this.#dbs[i]) file.renew();
    });
    this.#job = undefined;
  }
}
