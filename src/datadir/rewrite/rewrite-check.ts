/**
 * The check of a db that was just written: it must be whole, hold what went in, and break no rule that the old db did not break.
 */
import { BackendCheckJob } from '../../backend/check.ts';
import { selfCheckFailed } from '../../bolt/bulk-check.ts';
import type { Sha256Factory } from '../../checksum/sha256.ts';
import { describeFinding, type Finding } from '../../findings.ts';
import type { ByteSource } from '../../io/byte-source.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { CheckReport } from '../../report.ts';
import { isHarmless } from '../../verdict.ts';
import type { WrittenDb } from './rewrite-job.ts';

/** A larger db is not checked key by key: that takes memory for each. All its old records are known by the digest to be as they were. */
const DEEP_LIMIT = 64 << 20;

/** How much of a db of that many bytes is looked at when it was just written. */
export function levelAfterWriting(size: number): 'full' | 'deep' {
  return size <= DEEP_LIMIT ? 'deep' : 'full';
}

/** Throws `SELF_CHECK_FAILED` unless the check has found in a db what went in. `path`: its name for the error. */
export function assertContent({ bolt }: Pick<CheckReport, 'bolt'>, db: WrittenDb, path: string): void {
  const found = bolt?.digest;
  const expected = `${db.pairs} pairs in ${db.buckets} buckets, digest ${db.digest}`;
  const actual = `${found?.pairs} pairs in ${found?.buckets} buckets, digest ${found?.value}`;
  if (actual !== expected) throw selfCheckFailed(`${actual}; what went in was ${expected}`, path);
}

/** Whether a finding does not stand in the way of what was written. */
export function isAcceptable(finding: Finding, mayBeRefused: boolean): boolean {
  return isHarmless(finding) || (mayBeRefused && finding.severity === 'refuse');
}

/** What the written file must be. */
export interface ExpectedDb {
  readonly db: WrittenDb;
  /** The db that it was made from. */
  readonly old: ByteSource | undefined;
  /** Name for the error. */
  readonly path: string;
  /** Whether a sha256 follows the db. */
  readonly snapshot: boolean;
  readonly sha256?: Sha256Factory | undefined;
  /** Whether the release whose db it was may refuse it now: it was made for another one. Default false. */
  readonly mayBeRefused?: boolean | undefined;
}

/** Ends with `SELF_CHECK_FAILED` unless everything is right. */
export class RewrittenCheckJob implements Job<CheckReport> {
  readonly #expected: ExpectedDb;
  readonly #level: 'full' | 'deep';
  readonly #check: BackendCheckJob;
  /** Findings that the old db has to share. */
  #bad: readonly Finding[] = [];
  #oldCheck: BackendCheckJob | undefined;

  constructor(source: ByteSource, expected: ExpectedDb) {
    this.#expected = expected;
    this.#level = levelAfterWriting(source.size);
    const { snapshot, sha256, path } = expected;
    this.#check = new BackendCheckJob(source, { level: this.#level, digest: true, snapshot, sha256, path });
  }

  get progress(): Progress {
    return this.#check.progress;
  }

  get result(): CheckReport {
    return this.#check.result;
  }

  step(): boolean {
    if (this.#oldCheck !== undefined) return this.#stepOld(this.#oldCheck);
    if (!this.#check.step()) return false;
    assertContent(this.#check.result, this.#expected.db, this.#expected.path);
    const { mayBeRefused = false } = this.#expected;
    this.#bad = this.#check.result.findings.filter((finding) => !isAcceptable(finding, mayBeRefused));
    if (this.#bad.length === 0) return true;
    const { old } = this.#expected;
    if (old === undefined) throw this.#failed(this.#bad[0]!);
    this.#oldCheck = new BackendCheckJob(old, { level: this.#level });
    return false;
  }

  #stepOld(check: BackendCheckJob): boolean {
    if (!check.step()) return false;
    const known = new Set(check.result.findings.map(({ code }) => code));
    const own = this.#bad.find(({ code }) => !known.has(code));
    if (own !== undefined) throw this.#failed(own);
    return true;
  }

  #failed(finding: Finding): Error {
    return selfCheckFailed(describeFinding(finding).message, this.#expected.path);
  }
}
