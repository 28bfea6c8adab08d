/**
 * The self-check of a file that was just built: reads it again as any file is checked, and compares what is in it with what
 * went in.
 */

import { DatadirError } from '../errors.ts';
import { describeWith } from '../finding-table.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { Job, Progress } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import { BoltCheckJob } from './check.ts';
import { boltFindings } from './findings.ts';

/** What must be in the file. */
export interface ExpectedContent {
  readonly pairs: number;
  readonly buckets: number;
  readonly digest: string;
  readonly size: number;
}

/** Says what a page size is that bbolt takes although it is no power of two: the caller wanted it so. */
const HARMLESS = new Set(['BOLT_PAGE_SIZE_ODD']);

/** Ends with `SELF_CHECK_FAILED` unless the file is healthy and holds what is expected. */
export class SelfCheckJob implements Job<CheckReport> {
  readonly #check: BoltCheckJob;
  readonly #source: ByteSource;
  readonly #expected: ExpectedContent;
  readonly #name: string | undefined;

  /** `name`: of the file, for the error. */
  constructor(source: ByteSource, expected: ExpectedContent, name?: string) {
    this.#source = source;
    this.#expected = expected;
    this.#name = name;
    this.#check = new BoltCheckJob(source, { digest: true });
  }

  get progress(): Progress {
    return this.#check.progress;
  }

  get result(): CheckReport {
    return this.#check.result;
  }

  step(): boolean {
    if (!this.#check.step()) return false;
    const { findings, bolt } = this.#check.result;
    const finding = findings.find(({ code }) => !HARMLESS.has(code));
    if (finding !== undefined) throw selfCheckFailed(describeWith(boltFindings, finding).message, this.#name);
    const { pairs, buckets, digest, size } = this.#expected;
    const expected = `${pairs} pairs in ${buckets} buckets, digest ${digest}, ${size} bytes`;
    const found = bolt?.digest;
    const actual = `${found?.pairs} pairs in ${found?.buckets} buckets, digest ${found?.value}, ${this.#source.size} bytes`;
    if (actual !== expected) throw selfCheckFailed(`${actual}; what went in was ${expected}`, this.#name);
    return true;
  }
}

/** The error for a file that is not what was to be written. */
export function selfCheckFailed(words: string, name: string | undefined): DatadirError {
  const prefix = name === undefined ? '' : `${name}: not made, `;
  return new DatadirError('SELF_CHECK_FAILED', `${prefix}what was written is wrong: ${words}`, {
    ...(name === undefined ? {} : { path: name }),
  });
}
