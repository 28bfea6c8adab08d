/**
 * Compaction: everything in a bolt file, written to a new one without free pages.
 *
 * The source is read once and checked on the way. What is not exactly as bbolt writes it is shown to the checker: damage ends
 * the compaction, anything else is read once more by way of cursors. A source that is written to meanwhile is read again.
 */

import { DatadirError, isDatadirError } from '../errors.ts';
import { describeWith } from '../finding-table.ts';
import type { Finding, Severity } from '../findings.ts';
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { drain, type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import { SelfCheckJob } from './bulk-check.ts';
import { type BuildOptions, BulkFile } from './bulk-file.ts';
import { BulkRead } from './bulk-read.ts';
import { NotPlain } from './bulk-verify.ts';
import { BulkWalk } from './bulk-walk.ts';
import { BoltCheckJob } from './check.ts';
import { type BoltDb, openReadable } from './database.ts';
import { boltFindings } from './findings.ts';
import { changedError, MAX_ATTEMPTS } from './live-source.ts';
import type { DigestSummary } from './pair-digest.ts';

/** How a file is compacted. What is not given is as in the source; pages are filled up. */
export type CompactOptions = BuildOptions;

/** What a compaction did. */
export interface CompactSummary {
  /** Length of the source, and of the new file. */
  readonly sourceSize: number;
  readonly size: number;
  /** The transaction of the source that the new file holds. */
  readonly txid: bigint;
  readonly pageSize: number;
  readonly freelistStored: boolean;
  /** Keys with values. */
  readonly pairs: number;
  readonly buckets: number;
  /** The digest of all of them, the same for source and new file. */
  readonly digest: string;
  /** What was noticed about the source that did not stand in the way, such as a damaged meta page. */
  readonly findings: readonly Finding[];
}

/**
 * Compacts a bolt file into an empty `ByteFile`, in slices, and checks the result by reading it again. The source is
 * left open, and as it was. Throws `BOLT_SOURCE_DAMAGED` (`damageReport` gives the findings), `SOURCE_CHANGED`,
 * `SELF_CHECK_FAILED`; the new file is of no use then.
 */
export async function compactBolt(
  input: Input,
  target: ByteFile,
  options: CompactOptions & RunOptions = {},
): Promise<CompactSummary> {
  const summary = await runSliced(new CompactJob(toSource(input), target, options), options);
  await runSliced(new SelfCheckJob(target, summary), { signal: options.signal });
  return summary;
}

/** The report on the source that a `BOLT_SOURCE_DAMAGED` was thrown for; undefined for any other error. */
export function damageReport(error: unknown): CheckReport | undefined {
  return isDatadirError(error, 'BOLT_SOURCE_DAMAGED') ? (error.cause as CheckReport | undefined) : undefined;
}

/** Severities that do not concern what is in the trees. */
const TOLERABLE: ReadonlySet<Severity> = new Set(['info', 'repairable']);
/** Findings about free pages: the new file gets a freelist of its own. */
const ABOUT_FREE_PAGES = /^BOLT_FREE(LIST|_PAGE)_/;

type Phase = 'begin' | 'walk' | 'examine' | 'read' | 'end' | 'done';

/** A compaction in steps. The result is written and, unless `noSync` is given, synced, but not read again. */
export class CompactJob implements Job<CompactSummary> {
  readonly #source: ByteSource;
  readonly #file: ByteFile;
  readonly #options: CompactOptions;
  #phase: Phase = 'begin';
  #attempt = 1;
  #db!: BoltDb;
  #target!: BulkFile;
  #walk: BulkWalk | undefined;
  #check: BoltCheckJob | undefined;
  #read: BulkRead | undefined;
  #findings: readonly Finding[] = [];
  #done = 0;
  #result: CompactSummary | undefined;

  /** `file` must be empty. */
  constructor(source: ByteSource, file: ByteFile, options: CompactOptions = {}) {
    this.#source = source;
    this.#file = file;
    this.#options = options;
  }

  get progress(): Progress {
    const total = Math.max(this.#done, this.#result === undefined ? this.#source.size : this.#done);
    return { done: this.#done, total };
  }

  get result(): CompactSummary {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the compaction has not finished');
    return this.#result;
  }

  step(): boolean {
    try {
      this.#phase = this.#stepPhase();
    } catch (error) {
      this.#phase = this.#afterFailure(error);
    }
    this.#done = Math.max(this.#done, this.#walk?.done ?? 0, this.#read?.done ?? 0);
    return this.#phase === 'done';
  }

  #stepPhase(): Phase {
    switch (this.#phase) {
      case 'begin':
        this.#begin();
        this.#walk = new BulkWalk({
          source: this.#source,
          pageSize: this.#db.pageSize,
          highWaterMark: this.#db.highWaterMark,
          root: Number(this.#db.meta.root),
          target: this.#target,
        });
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
    if (this.#phase === 'examine' || this.#phase === 'read') throw error;
    this.#check = new BoltCheckJob(this.#source, { digest: true });
    return 'examine';
  }

  #begin(): void {
    this.#walk = undefined;
    this.#read = undefined;
    this.#db = openReadable(this.#source);
    const report = drain(new BoltCheckJob(this.#source, { level: 'sanity' }));
    if (isDamage(report)) throw damagedError(this.#source, report);
    this.#findings = report.findings;
    this.#newTarget();
  }

  #newTarget(): void {
    if (this.#file.size > 0) this.#file.truncate(0);
    const { pageSize = this.#db.pageSize, freelistStored = this.#db.freelistStored } = this.#options;
    this.#target = new BulkFile(this.#file, { ...this.#options, pageSize, freelistStored });
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
    this.#newTarget();
    this.#read = new BulkRead(this.#db, this.#target);
    return 'read';
  }

  #again(): Phase {
    if (this.#attempt === MAX_ATTEMPTS) throw changedError(this.#source);
    this.#attempt++;
    return 'begin';
  }

  #end(): Phase {
    if (this.#db.hasChanged()) return this.#again();
    const digest = (this.#read ?? (this.#walk as BulkWalk)).digest.summary();
    if (this.#read !== undefined) this.#compareWithCheck(digest);
    const { pageSize = this.#db.pageSize, freelistStored = this.#db.freelistStored } = this.#options;
    const size = this.#target.finish(this.#db.meta.sequence);
    this.#result = {
      sourceSize: this.#source.size,
      size,
      txid: this.#db.txid,
      pageSize,
      freelistStored,
      pairs: digest.pairs,
      buckets: digest.buckets,
      digest: digest.value,
      findings: this.#findings,
    };
    return 'done';
  }

  /** The checker has found out by itself what is in the file. */
  #compareWithCheck(digest: DigestSummary): void {
    const { bolt } = (this.#check as BoltCheckJob).result;
    if (bolt?.txid !== `${this.#db.txid}` || bolt.digest === undefined) return;
    if (bolt.digest.value !== digest.value) {
      throw new DatadirError('INTERNAL', `digest ${digest.value} read, the check found ${bolt.digest.value}`);
    }
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
