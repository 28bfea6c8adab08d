/**
 * Reads everything in a bolt file into a target, in one pass that checks it on the way.
 *
 * What is not exactly as bbolt writes it is shown to the checker: damage ends the job with `BOLT_SOURCE_DAMAGED`, anything else is
 * read once more by way of cursors. A source that is written to meanwhile is read again, a few times.
 */
import { FoldKernel } from '../checksum/sparse-fold.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { describeWith } from '../finding-table.ts';
import type { Finding, Severity } from '../findings.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import { BulkRead } from './bulk-read.ts';
import { NotPlain } from './bulk-verify.ts';
import { BulkWalk, windowSize } from './bulk-walk.ts';
import { BoltCheckJob } from './check.ts';
import type { ContentTarget } from './content-target.ts';
import { type BoltDb, openReadable } from './database.ts';
import { boltFindings } from './findings.ts';
import { FIRST_DATA_PAGE, PAGE_HEADER_SIZE, PAGE_OVERFLOW } from './format.ts';
import { changedError, MAX_ATTEMPTS } from './live-source.ts';
import type { DigestSummary } from './pair-digest.ts';

/** What one attempt does with the content. */
export interface ContentPass<Result> {
  readonly target: ContentTarget;
  /** Everything has been given. What is still to be read of the database is read here: it may turn out to have changed. */
  finish(facts: ContentFacts): Result;
}

/** What is known once everything has been read. */
export interface ContentFacts {
  /** Pages that are not free: metas, the freelist if one is stored, and all pages of all trees. */
  readonly pagesInUse: number;
  /** What was noticed that did not stand in the way, such as a damaged meta page. */
  readonly findings: readonly Finding[];
  /** The digest that the checker made, if it had to be asked. */
  readonly checked: DigestSummary | undefined;
}

/**
 * Makes the target of an attempt. `kernel` is that in whose memory leaves lie when they are given, if there is one: sums of
 * them then need no copy.
 */
export type BeginPass<Result> = (db: BoltDb, kernel: FoldKernel | undefined) => ContentPass<Result>;

/** The report on the source that a `BOLT_SOURCE_DAMAGED` was thrown for; undefined for any other error. */
export function damageReport(error: unknown): CheckReport | undefined {
  return isDatadirError(error, 'BOLT_SOURCE_DAMAGED') ? (error.cause as CheckReport | undefined) : undefined;
}

/** Severities that do not concern what is in the trees. */
const TOLERABLE: ReadonlySet<Severity> = new Set(['info', 'repairable']);
/** Findings about free pages, which hold nothing. */
const ABOUT_FREE_PAGES = /^BOLT_FREE(LIST|_PAGE)_/;

type Phase = 'begin' | 'walk' | 'examine' | 'read' | 'end' | 'done';

export class ContentJob<Result> implements Job<Result> {
  readonly #source: ByteSource;
  readonly #beginPass: BeginPass<Result>;
  #phase: Phase = 'begin';
  #attempt = 1;
  #db!: BoltDb;
  #pass!: ContentPass<Result>;
  #walk: BulkWalk | undefined;
  #check: BoltCheckJob | undefined;
  #read: BulkRead | undefined;
  #findings: readonly Finding[] = [];
  #done = 0;
  #result: { readonly value: Result } | undefined;

  /** `begin` is called again for each attempt, with the transaction to be read. */
  constructor(source: ByteSource, begin: BeginPass<Result>) {
    this.#source = source;
    this.#beginPass = begin;
  }

  get progress(): Progress {
    const total = Math.max(this.#done, this.#result === undefined ? this.#source.size : this.#done);
    return { done: this.#done, total };
  }

  get result(): Result {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'not everything has been read');
    return this.#result.value;
  }

  step(): boolean {
    try {
      this.#phase = this.#stepPhase();
    } catch (error) {
      this.#phase = this.#afterFailure(error);
    }
    const walked = (this.#walk?.pages ?? 0) * (this.#db?.pageSize ?? 0);
    this.#done = Math.max(this.#done, walked, this.#read?.done ?? 0);
    return this.#phase === 'done';
  }

  #stepPhase(): Phase {
    switch (this.#phase) {
      case 'begin':
        this.#begin();
        return 'walk';
      case 'walk':
        return (this.#walk as BulkWalk).step() ? 'end' : 'walk';
      case 'examine':
        return this.#stepExamination();
      case 'read':
        return (this.#read as BulkRead).step() ? 'end' : 'read';
      default:
        return this.#end();
    }
  }

  /** Something was met that stops the reading: a change of the file, damage, or a rare form. */
  #afterFailure(error: unknown): Phase {
    const isReadError = isDatadirError(error, 'BOLT_DAMAGED', 'FILE_SHRANK');
    if (!(error instanceof NotPlain) && !isReadError) throw error;
    if (this.#db?.hasChanged() === true) return this.#again();
    if (this.#check !== undefined) throw error;
    this.#check = new BoltCheckJob(this.#source, { digest: true });
    return 'examine';
  }

  #begin(): void {
    this.#walk = undefined;
    this.#check = undefined;
    this.#read = undefined;
    const source = this.#source;
    this.#db = openReadable(source);
    const report = drain(new BoltCheckJob(source, { level: 'sanity' }));
    if (isDamage(report)) throw damagedError(source, report);
    this.#findings = report.findings;
    const { pageSize, highWaterMark, meta } = this.#db;
    const length = windowSize(source, pageSize);
    const kernel = FoldKernel.create(length);
    this.#pass = this.#beginPass(this.#db, kernel);
    this.#walk = new BulkWalk({
      source,
      pageSize,
      highWaterMark,
      root: Number(meta.root),
      target: this.#pass.target,
      window: kernel?.allocate(length) ?? readBuffer(length),
    });
  }

  #stepExamination(): Phase {
    const check = this.#check as BoltCheckJob;
    if (!check.step()) return 'examine';
    const report = check.result;
    if (report.verdict === 'in-use') throw changedError(this.#source);
    if (isDamage(report)) throw damagedError(this.#source, report);
    if (report.bolt?.digest === undefined) {
      // Something was not read, though no finding that was kept says so: there may be too many others.
      if (this.#db.hasChanged()) return this.#again();
      throw damagedError(this.#source, report);
    }
    this.#findings = report.findings;
    // The check may have found another state than that which was being read.
    this.#db = openReadable(this.#source);
    if (report.bolt.txid !== `${this.#db.txid}`) return this.#again();
    this.#pass = this.#beginPass(this.#db, undefined);
    this.#read = new BulkRead(this.#db, this.#pass.target);
    return 'read';
  }

  #again(): Phase {
    if (this.#attempt === MAX_ATTEMPTS) throw changedError(this.#source);
    this.#attempt++;
    return 'begin';
  }

  #end(): Phase {
    const bolt = this.#read === undefined ? undefined : (this.#check as BoltCheckJob).result.bolt;
    const value = this.#pass.finish({
      pagesInUse: bolt?.pagesInUse ?? FIRST_DATA_PAGE + this.#freelistPages() + (this.#walk as BulkWalk).pages,
      findings: this.#findings,
      checked: bolt?.digest,
    });
    if (this.#db.hasChanged()) return this.#again();
    this.#result = { value };
    return 'done';
  }

  /** How many pages the stored freelist takes. It need not be in order: nothing else depends on it. */
  #freelistPages(): number {
    const { freelistStored, meta, pageSize, highWaterMark } = this.#db;
    if (!freelistStored) return 0;
    const page = Number(meta.freelist);
    if (page < FIRST_DATA_PAGE || page >= highWaterMark) return 0;
    const header = new DataView(new ArrayBuffer(PAGE_HEADER_SIZE));
    this.#source.readInto(new Uint8Array(header.buffer), page * pageSize);
    return Math.min(header.getUint32(PAGE_OVERFLOW, true) + 1, highWaterMark - page);
  }
}

function isDamage({ findings }: CheckReport): boolean {
  return findings.some(({ code, severity }) => !TOLERABLE.has(severity) && !ABOUT_FREE_PAGES.test(code));
}

function damagedError(source: ByteSource, report: CheckReport): DatadirError {
  const worst = report.findings.find((finding) => isDamage({ ...report, findings: [finding] }));
  const words = `the file is damaged: ${worst === undefined ? 'not all of it can be read' : describeWith(boltFindings, worst).message}`;
  return new DatadirError('BOLT_SOURCE_DAMAGED', source.path === undefined ? words : `${source.path}: ${words}`, {
    ...(source.path === undefined ? {} : { path: source.path }),
    cause: report,
  });
}
