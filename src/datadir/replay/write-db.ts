/**
 * Writes what a replay has come to as a new db: the old one with what the entries have changed.
 */
import { DatadirError } from '../../errors.ts';
import type { ByteFile } from '../../io/byte-source.ts';
import type { Job, Progress } from '../../io/job.ts';
import { DbChanges } from '../rewrite/db-changes.ts';
import { KeepSetJob } from '../rewrite/keep-set.ts';
import { RewriteJob, type WrittenDb } from '../rewrite/rewrite-job.ts';
import type { ReplayedState } from './outcome.ts';
import { metaChanges } from './write-meta.ts';

const NO_PROGRESS: Progress = { done: 0, total: 0 };

/**
 * Writes to an empty `ByteFile`, in steps; it is not synced. Throws `BOLT_SOURCE_DAMAGED` if the old db is damaged, `SOURCE_CHANGED`
 * if it is not what was replayed onto any more; the file is of no use then.
 */
export class WriteReplayedJob implements Job<WrittenDb> {
  readonly #state: ReplayedState;
  readonly #file: ByteFile;
  readonly #keeping: KeepSetJob | undefined;
  readonly #edit: ((changes: DbChanges) => void) | undefined;
  #rewrite: RewriteJob | undefined;

  /** `edit` may add to the changes before they are written. */
  constructor(state: ReplayedState, file: ByteFile, edit?: (changes: DbChanges) => void) {
    this.#state = state;
    this.#file = file;
    this.#edit = edit;
    const { keyspace } = state.parts;
    if (keyspace.compaction !== undefined) {
      this.#keeping = new KeepSetJob(state.db, keyspace.newRecords, keyspace.compaction, state.tail.version);
    }
  }

  get progress(): Progress {
    const keeping = this.#keeping?.progress ?? NO_PROGRESS;
    const content = this.#rewrite?.progress ?? { done: 0, total: this.#state.tail.from.file?.source.size ?? 0 };
    return { done: keeping.done + content.done, total: keeping.total + content.total };
  }

  get result(): WrittenDb {
    if (this.#rewrite === undefined) throw new DatadirError('INTERNAL', 'the db has not been written yet');
    return this.#rewrite.result;
  }

  step(): boolean {
    if (this.#rewrite !== undefined) return this.#rewrite.step();
    if (this.#keeping?.step() === false) return false;
    const { tail, db } = this.#state;
    const changes = this.#collect();
    this.#edit?.(changes);
    // The keys in memory are those of this transaction.
    this.#rewrite = new RewriteJob(tail.from.file?.source, changes, this.#file, { txid: db?.txid });
    return false;
  }

  #collect(): DbChanges {
    const { parts } = this.#state;
    const changes = new DbChanges({ records: parts.keyspace.newRecords, keep: this.#keeping?.result });
    const others = [parts.leases, parts.auth, parts.alarms, parts.membership, parts.cluster];
    for (const each of [...others.flatMap((part) => part.changes()), metaChanges(this.#state)]) changes.add(each);
    return changes;
  }
}
