/**
 * The check of anything: detects what it is, and makes the job that checks it.
 */
import { BoltCheckJob } from '../bolt/check.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type Job, type RunOptions, runSliced } from '../io/job.ts';
import type { CheckReport, Kind, Level } from '../report.ts';
import { snapFileCheck } from '../snap/check.ts';
import { detectKind } from './detect-kind.ts';

/** What to check, and how much of it. */
export interface CheckOptions {
  /** Default: `full`. */
  readonly level?: Level | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** What the file is, when the caller knows: it is then checked as that, however little of it is left. */
  readonly kind?: Kind | undefined;
  /** Name for the report. Default: the source's own. */
  readonly path?: string | undefined;
  /** Reads all values too and gives a digest of all pairs of a db, see `CheckReport.bolt`. */
  readonly digest?: boolean | undefined;
}

/** The job that checks a source. Throws `UNKNOWN_KIND` when it cannot be told what it is. */
export function createCheckJob(source: ByteSource, options: CheckOptions = {}): Job<CheckReport> {
  const kind = options.kind ?? detectKind(source, options.path);
  switch (kind) {
    case 'db':
      return new BoltCheckJob(source, options);
    case 'snap':
      return snapFileCheck(source, options);
  }
}

/** Checks an input in slices, on this thread, without ever holding the event loop for more than a few milliseconds. */
export async function check(input: Input, options: CheckOptions & RunOptions = {}): Promise<CheckReport> {
  return runSliced(createCheckJob(toSource(input), options), options);
}
