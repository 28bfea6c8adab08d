/**
 * Whether a directory is as far as it has to be: the revision of its db, and, only if that is not enough, what the entries of its log that
 * etcd would apply lead to. First the number of entries is counted, which can show that it is too little; only then are they applied,
 * on the side.
 */
import { readRevisions } from '../../backend/revisions.ts';
import { DatadirError, isDatadirError } from '../../errors.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { Finding } from '../../findings.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { DataDir } from '../data-dir.ts';
import type { ValidationRevisions } from './report.ts';
import { structureOf } from './structure.ts';
import type { ToolReplay, ToolTail, ValidationTools } from './tools.ts';

/** What is needed. */
export interface RevisionCheckOptions {
  /** The revision of the backups. */
  readonly store: bigint | undefined;
  /** A revision that must be reached where there are no backups. */
  readonly minimum: bigint | undefined;
  /** Apply the entries also where that is not needed. */
  readonly replay: boolean;
  /** The directory is damaged: what the log leads to does not matter any more. */
  readonly damaged: boolean;
  /** Others can be reached from which it can get what it has not. */
  readonly catchesUp: boolean;
  readonly etcdVersion: EtcdMinor | undefined;
}

/** What was found out. */
export interface RevisionOutcome {
  readonly revision: ValidationRevisions;
  /** Whether the newest revision of the db could be read. */
  readonly dbRevision: 'read' | 'broken' | 'not-there';
  /** The newest revision that is certain. */
  readonly reached: bigint | null;
  /** The replay met something wrong with the directory: a check of everything tells what it comes to. */
  readonly metDamage: boolean;
  readonly findings: readonly Finding[];
}

type Work = { readonly name: 'tail'; readonly job: Job<ToolTail> } | ReplayWork;
interface ReplayWork {
  readonly name: 'replay' | 'replay-all';
  readonly job: Job<ToolReplay>;
}

const NOTHING: Progress = { done: 0, total: 0 };

export class RevisionCheckJob implements Job<RevisionOutcome> {
  readonly #dir: DataDir;
  readonly #options: RevisionCheckOptions;
  readonly #tools: ValidationTools;
  /** 0 where nothing is needed. */
  readonly #needed: bigint;
  readonly #findings: Finding[] = [];
  #state: 'begin' | 'working' | 'done' = 'begin';
  #revisions: Pick<ValidationRevisions, 'db' | 'compactFinished' | 'compactScheduled' | 'effective'> = {
    db: null,
    compactFinished: null,
    compactScheduled: null,
    effective: null,
  };
  #dbRevision: RevisionOutcome['dbRevision'] = 'read';
  /** Where the log goes on; null if that is not known. */
  #base: bigint | null = null;
  #work: Work | undefined;
  #progress = NOTHING;
  #atMost: bigint | null = null;
  #metDamage = false;
  #after: ToolReplay | undefined;

  constructor(dir: DataDir, options: RevisionCheckOptions, tools: ValidationTools) {
    this.#dir = dir;
    this.#options = options;
    this.#tools = tools;
    const { store = 0n, minimum = 0n } = options;
    this.#needed = store > minimum ? store : minimum;
  }

  get progress(): Progress {
    const { done, total } = this.#work?.job.progress ?? NOTHING;
    return { done: this.#progress.done + done, total: this.#progress.total + total };
  }

  get result(): RevisionOutcome {
    if (this.#state !== 'done') throw new DatadirError('INTERNAL', 'the revision is not checked yet');
    const after = this.#after?.revision ?? null;
    const { store } = this.#options;
    return {
      revision: {
        ...this.#revisions,
        afterWalReplay: after === null ? null : `${after}`,
        atMost: this.#atMost === null ? null : `${this.#atMost}`,
        store: store === undefined ? null : `${store}`,
      },
      dbRevision: this.#dbRevision,
      reached: after ?? this.#base,
      metDamage: this.#metDamage,
      findings: this.#findings,
    };
  }

  step(): boolean {
    try {
      if (this.#state === 'begin') this.#begin();
      else if (this.#state === 'working') this.#continue();
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#metDamage = true;
      this.#undecided(error.message);
      this.#end();
    }
    return this.#state === 'done';
  }

  #begin(): void {
    this.#base = this.#readBase();
    const { replay, damaged } = this.#options;
    const [hidden] = structureOf(this.#dir).unreadable;
    if (hidden !== undefined) {
      // What it has may be where nobody could look.
      const isShort = this.#needed > 0n && (this.#base ?? 0n) < this.#needed;
      if (isShort && !damaged && this.#findings.length === 0)
        this.#undecided(`${hidden === '.' ? 'the directory' : hidden} cannot be read`, 'DIR_UNREADABLE');
      this.#end();
      return;
    }
    if (this.#base === null || damaged || !(this.#base < this.#needed || replay)) {
      const isEmpty = this.#base === null && this.#dbRevision === 'not-there';
      if (isEmpty && !damaged && this.#needed > 0n) this.#tooLow('none');
      this.#end();
      return;
    }
    this.#state = 'working';
    if (replay) this.#replay('auto');
    else this.#work = { name: 'tail', job: this.#tools.planTail(this.#dir, this.#options) };
  }

  /** What the db has; without one, a log from the first entry on begins with the revision of an empty db. */
  #readBase(): bigint | null {
    const dir = this.#dir;
    if (!dir.hasDb) {
      this.#dbRevision = 'not-there';
      return dir.hasWal ? 1n : null;
    }
    try {
      const hasKeys = dir.backend.read((db) => db.bucket('key') !== undefined);
      if (!hasKeys && (dir.meta.consistentIndex ?? 0n) > 0n) {
        this.#withoutKeys();
        return null;
      }
      const { last, current, finishedCompact, scheduledCompact } = dir.backend.read((db) => readRevisions(db));
      this.#revisions = {
        db: last === null ? null : `${last.main}`,
        compactFinished: finishedCompact === null ? null : `${finishedCompact}`,
        compactScheduled: scheduledCompact === null ? null : `${scheduledCompact}`,
        effective: `${current}`,
      };
      return current;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#dbRevision = 'broken';
      if (!this.#options.damaged) this.#undecided(error.message);
      return null;
    }
  }

  /** A server makes the bucket before it applies anything: it was lost. Only level `deep` looks at the list of buckets otherwise. */
  #withoutKeys(): void {
    this.#dbRevision = 'broken';
    if (this.#options.damaged) return;
    const args = { name: '"key"' };
    this.#findings.push({ code: 'BACKEND_BUCKET_MISSING', severity: 'corrupt', args, file: this.#dir.dbPath });
  }

  #replay(tail: 'auto' | 'all'): void {
    const { etcdVersion } = this.#options;
    const job = this.#tools.replay(this.#dir, { etcdVersion, tail });
    this.#work = { name: tail === 'auto' ? 'replay' : 'replay-all', job };
  }

  #continue(): void {
    const work = this.#work as Work;
    if (!work.job.step()) return;
    this.#progress = this.progress;
    this.#work = undefined;
    switch (work.name) {
      case 'tail':
        this.#counted(work.job.result);
        return;
      case 'replay':
        this.#replayed(work.job.result);
        return;
      case 'replay-all':
        this.#replayedAll(work.job.result);
    }
  }

  #counted({ base, bound }: ToolTail): void {
    this.#atMost = base + BigInt(bound);
    if (this.#atMost >= this.#needed) {
      this.#replay('auto');
      return;
    }
    this.#tooLow(bound === 0 ? `${this.#atMost}` : `at most ${this.#atMost}`);
    this.#end();
  }

  #replayed(after: ToolReplay): void {
    this.#after = after;
    this.#take(after.findings);
    if (after.revision < this.#needed) {
      if (after.notCommitted > 0n && after.stopped === undefined) {
        this.#replay('all');
        return;
      }
      if (after.stopped === undefined) this.#tooLow(`${after.revision}`);
      else this.#undecided(after.stopped);
    }
    this.#end();
  }

  /** An entry at which etcd panics is seen by the replay alone; what is wrong with log and db is for the check to judge. */
  #take(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (finding.severity === 'info' || finding.code === 'REPLAY_PANICS') this.#findings.push(finding);
      else this.#metDamage = true;
    }
  }

  /** The backups hold only what was committed: what they have may be among the entries that are not shown to be. */
  #replayedAll(all: ToolReplay): void {
    const { revision, notCommitted } = this.#after as ToolReplay;
    if (all.revision >= this.#needed) {
      const args = { revision: `${revision}`, store: `${this.#needed}`, entries: `${notCommitted}` };
      this.#findings.push({ code: 'VALIDATE_NEEDS_UNCOMMITTED', severity: 'info', args });
    } else if (all.stopped !== undefined) this.#undecided(all.stopped);
    else this.#tooLow(`${revision}`);
    this.#end();
  }

  /** It is certain that what is needed is not reached. */
  #tooLow(revision: string): void {
    const { store, minimum, catchesUp } = this.#options;
    if (store !== undefined && store === this.#needed) {
      const severity = catchesUp ? 'info' : 'stale';
      this.#findings.push({ code: 'VALIDATE_STALE', severity, args: { revision, store: `${store}` } });
    } else {
      const args = { revision, minimum: `${minimum}` };
      this.#findings.push({ code: 'VALIDATE_BELOW_REVISION', severity: 'refuse', args });
    }
  }

  #undecided(reason: string, cause?: Finding['code']): void {
    const revision = this.#base === null ? 'none that can be read' : `revision ${this.#base}`;
    const args = { revision, needed: `${this.#needed}`, reason };
    const because = cause === undefined ? {} : { causedBy: { code: cause } };
    this.#findings.push({ code: 'VALIDATE_REVISION_UNKNOWN', severity: 'unknown', args, ...because });
  }

  #end(): void {
    // A job that met damage has come as far as it has come.
    this.#progress = this.progress;
    this.#work = undefined;
    this.#state = 'done';
  }
}
