/**
 * The check of a db of etcd as a job: the structure of the bolt file, what etcd keeps in it, and the sha256 of a snapshot file.
 *
 * A file may be in use while it is checked. What was found counts only if the newest transaction is still the same afterwards;
 * otherwise the content is looked at again, a few times.
 */
import { BoltCheckJob, type CheckBoltOptions, UNPROTECTED } from '../bolt/check.ts';
import type { BoltDb } from '../bolt/database.ts';
import { MAX_ATTEMPTS } from '../bolt/live-source.ts';
import type { Sha256Factory } from '../checksum/sha256.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { AnyFinding, Severity } from '../finding-table.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import { type CheckReport, FindingList, MAX_FINDINGS } from '../report.ts';
import { severityRank, verdictOf } from '../verdict.ts';
import { BackendFile } from './backend-file.ts';
import { ContentCheck, type ContentOptions } from './check-content.ts';
import { BackendReporter } from './check-reporter.ts';
import { Structure, severityForEtcd } from './check-structure.ts';
import { checkTrailer } from './check-trailer.ts';
import { isEtcdFile } from './rules-buckets.ts';
import type { BackendSummary } from './summary.ts';
import { type Trailer, TrailerJob } from './trailer.ts';

/** Options of the check. */
export interface CheckBackendOptions extends Pick<CheckBoltOptions, 'maxFindings' | 'path' | 'digest'>, ContentOptions {
  /** `deep` (default); `full`: not what etcd keeps in the buckets. */
  readonly level?: 'full' | 'deep' | undefined;
  /** The file is a snapshot file, so its sha256 must be there. Default: one that is there must be right. */
  readonly snapshot?: boolean | undefined;
  /** Who computes a sha256; Node's own is much faster than the portable one. */
  readonly sha256?: Sha256Factory | undefined;
}

/** Checks a db without a pause. Never throws for bad bytes or read errors: they are findings. */
export function checkBackend(input: Input, options: CheckBackendOptions = {}): CheckReport {
  return drain(new BackendCheckJob(toSource(input), options));
}

/** What the structure alone cannot judge: whether the file is one of etcd makes a difference. */
const DEPENDS_ON_ETCD: ReadonlySet<string> = new Set(['BOLT_TRAILER', 'BOLT_TAIL_NOT_ZERO', 'BOLT_INLINE_PAGE']);

const NOT_VERIFIED = 'the sha256 behind the last page';
const EVERY_BYTE = 'every byte up to the last page, by the sha256 behind it';

type Phase = 'bolt' | 'content' | 'trailer' | 'done';

/** The check of one db, in steps. */
export class BackendCheckJob implements Job<CheckReport> {
  readonly #source: ByteSource;
  readonly #path: string;
  readonly #level: 'full' | 'deep';
  readonly #options: CheckBackendOptions;
  readonly #started = performance.now();
  readonly #bolt: BoltCheckJob;
  #bytesRead = 0;
  #phase: Phase = 'bolt';
  #file: BackendFile | undefined;
  #findings: FindingList;
  #content: ContentCheck | undefined;
  #attempt = 1;
  #inUse = false;
  #trailer: TrailerJob | undefined;
  #trailerState: BackendSummary['trailer'] = 'not-examined';
  #done = 0;
  #result: CheckReport | undefined;

  constructor(source: ByteSource, options: CheckBackendOptions = {}) {
    this.#path = options.path ?? source.path ?? '';
    this.#level = options.level ?? 'deep';
    this.#options = options;
    this.#findings = new FindingList(options.maxFindings ?? MAX_FINDINGS);
    const counted: ByteSource = {
      size: source.size,
      readInto: (target, offset) => {
        const got = source.readInto(target, offset);
        this.#bytesRead += got;
        return got;
      },
      close: () => source.close(),
      currentSize: () => source.currentSize?.() ?? source.size,
    };
    this.#source = counted;
    const { digest } = options;
    // Enough of its findings to tell what they are about, however few are wanted.
    const maxFindings = Math.max(MAX_FINDINGS, options.maxFindings ?? 0);
    this.#bolt = new BoltCheckJob(counted, { level: 'full', maxFindings, path: this.#path, digest });
  }

  get progress(): Progress {
    const parts = [this.#bolt.progress, this.#content?.progress, this.#trailer?.progress];
    let done = 0;
    let total = 0;
    for (const part of parts) {
      done += part?.done ?? 0;
      total += part?.total ?? 0;
    }
    // The content is about as much again.
    if (this.#phase === 'bolt' && this.#level === 'deep') total *= 2;
    this.#done = Math.max(this.#done, done);
    return { done: this.#done, total: Math.max(total, this.#done) };
  }

  get result(): CheckReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not finished');
    return this.#result;
  }

  step(): boolean {
    switch (this.#phase) {
      case 'bolt':
        if (this.#bolt.step()) this.#phase = this.#startContent();
        break;
      case 'content':
        if (this.#content!.step()) this.#phase = this.#endContent();
        break;
      case 'trailer':
        this.#phase = this.#stepTrailer() ? 'done' : 'trailer';
        break;
      case 'done':
    }
    if (this.#phase === 'done') this.#result ??= this.#report();
    return this.#phase === 'done';
  }

  #startContent(): Phase {
    const { verdict, bolt, findings } = this.#bolt.result;
    // Without a valid meta, or with one that moves all the time, there is nothing to look at.
    if (verdict === 'in-use' || bolt === undefined) return 'done';
    const { snapshot = false } = this.#options;
    if (this.#level === 'full' && !snapshot && !findings.some(({ code }) => DEPENDS_ON_ETCD.has(code))) return 'done';
    try {
      if (this.#file === undefined) this.#file = new BackendFile(this.#source);
      else this.#file.renew();
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return 'done';
    }
    if (this.#level === 'full') return this.#startTrailer(this.#file.db);
    this.#findings = new FindingList(this.#options.maxFindings ?? MAX_FINDINGS);
    const reporter = new BackendReporter(this.#findings);
    this.#content = new ContentCheck(this.#file.db, new Structure(this.#bolt.result), this.#options, reporter);
    return 'content';
  }

  #endContent(): Phase {
    const { db } = this.#file as BackendFile;
    // No finding can come from a writer's work when there is none.
    if (this.#findings.verdict !== 'healthy' && this.#hasChanged(db)) {
      if (this.#attempt++ < MAX_ATTEMPTS) return this.#startContent();
      this.#inUse = true;
      this.#findings = new FindingList();
      this.#findings.add({
        code: 'BOLT_CHANGED_WHILE_READ',
        severity: 'info',
        args: { txid: `${db.txid}`, attempts: `${MAX_ATTEMPTS}` },
      });
      return 'done';
    }
    return this.#content?.etcd === true ? this.#startTrailer(db) : 'done';
  }

  #startTrailer(db: BoltDb): Phase {
    if (this.#level === 'full' && !isEtcdFile(db)) return 'done';
    this.#trailer = new TrailerJob(this.#source, db.highWaterMark * db.pageSize, this.#options.sha256);
    return 'trailer';
  }

  #hasChanged(db: BoltDb): boolean {
    try {
      return db.hasChanged();
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return false;
    }
  }

  #stepTrailer(): boolean {
    const job = this.#trailer as TrailerJob;
    try {
      if (!job.step()) return false;
      this.#judgeTrailer(job.result);
    } catch (error) {
      // What cannot be read was reported with its page, or lies in a free one.
      if (!isDatadirError(error)) throw error;
    }
    return true;
  }

  #judgeTrailer(trailer: Trailer): void {
    this.#trailerState = trailer.state;
    const tail = this.#bolt.result.findings.some(({ code }) => code === 'BOLT_TAIL_NOT_ZERO');
    const { snapshot = false } = this.#options;
    checkTrailer(trailer, { size: this.#source.size, tail, snapshot }, new BackendReporter(this.#findings));
  }

  /** The report of the structure, with what the content adds to it. */
  #report(): CheckReport {
    const { maxFindings = MAX_FINDINGS } = this.#options;
    const structure = this.#bolt.result;
    const right = this.#trailerState === 'right';
    const verified = right || this.#trailerState === 'wrong';
    const dealtWith = [...(verified ? [NOT_VERIFIED] : []), ...(right ? [UNPROTECTED] : [])];
    const own = this.#findings.findings.map((finding) =>
      this.#path === '' ? finding : { ...finding, file: this.#path },
    );
    const kept = structure.findings.filter(({ code }) => !(verified && code === 'BOLT_TRAILER'));
    const theirs = this.#trailer === undefined ? kept : kept.map(severityForEtcd);
    const counts: Partial<Record<Severity, number>> = { ...structure.counts };
    for (const { severity } of structure.findings) counts[severity] = (counts[severity] ?? 0) - 1;
    for (const { severity } of theirs) counts[severity] = (counts[severity] ?? 0) + 1;
    for (const [severity, count] of Object.entries(this.#findings.counts) as [Severity, number][]) {
      counts[severity] = (counts[severity] ?? 0) + count;
    }
    for (const [severity, count] of Object.entries(counts)) if (count === 0) delete counts[severity as Severity];
    const summary = this.#content?.summary(this.#trailerState);
    const content = this.#content;
    return {
      ...structure,
      level: this.#level,
      verdict: this.#inUse || structure.verdict === 'in-use' ? 'in-use' : verdictOf(counts),
      findings: [...theirs, ...own].sort(worstFirst).slice(0, maxFindings),
      counts,
      examined: [
        ...structure.examined,
        ...(content?.examined ?? []),
        ...(right ? [EVERY_BYTE] : verified ? [NOT_VERIFIED] : []),
      ],
      notExamined: [
        ...(content?.notExamined ?? (this.#level === 'deep' ? ["etcd's records: it is not known where they are"] : [])),
        ...structure.notExamined.filter((item) => !dealtWith.includes(item)),
      ],
      bytesRead: this.#bytesRead,
      elapsedMs: Math.round(performance.now() - this.#started),
      ...(summary === undefined ? {} : { backend: summary }),
    };
  }
}

/** Worst first, causes before consequences; else as they came. */
function worstFirst(a: AnyFinding, b: AnyFinding): number {
  const order = severityRank(b.severity) - severityRank(a.severity);
  return order || Number(a.causedBy !== undefined) - Number(b.causedBy !== undefined);
}
