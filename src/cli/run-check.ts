/**
 * What `check` and `bolt check` have in common: open the file, run the job with progress and Ctrl-C, and print a report
 * under `--json` even when nothing could be looked at.
 */
import { type DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { openFileSource } from '../io/file-source.ts';
import { type Job, runSliced } from '../io/job.ts';
import type { CheckReport, Kind, Level } from '../report.ts';
import type { Invocation } from './command.ts';
import { EXIT, exitCodeOfError } from './exit-codes.ts';

/** What a check is known to be beforehand. */
interface Known {
  readonly kind: Kind | null;
  readonly level: Level;
}

/** A job with everything opened for it. */
export interface PreparedCheck {
  readonly job: Job<CheckReport>;
  /** Adds to the report what can be seen only from outside. */
  finish?(report: CheckReport): Promise<CheckReport>;
  close(): void;
}

/** Runs the job that `createJob` makes for the file at `path`. `known` is what the file is known to be beforehand. */
export async function runCheck(
  invocation: Invocation,
  path: string,
  known: Known,
  createJob: (source: ByteSource) => Job<CheckReport>,
): Promise<CheckReport> {
  return runPrepared(invocation, path, known, () => prepareFile(path, createJob));
}

/** Opens the file at `path` for a job. */
export function prepareFile(path: string, createJob: (source: ByteSource) => Job<CheckReport>): PreparedCheck {
  const source = openFileSource(path);
  try {
    return { job: createJob(source), close: () => source.close() };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Runs the job that `prepare` opens what is at `path` for: for a check of more than one file. */
export async function runPrepared(
  invocation: Invocation,
  path: string,
  known: Known,
  prepare: () => PreparedCheck,
): Promise<CheckReport> {
  const { signal, showProgress } = invocation;
  try {
    const prepared = prepare();
    try {
      const report = await runSliced(prepared.job, { signal, onProgress: showProgress });
      return (await prepared.finish?.(report)) ?? report;
    } finally {
      showProgress(undefined);
      prepared.close();
    }
  } catch (error) {
    if (invocation.json && isDatadirError(error) && exitCodeOfError(error.code) === EXIT.unreadable) {
      if (error.code !== 'ABORTED') await printUnreadable(invocation, path, known, error);
    }
    throw error;
  }
}

async function printUnreadable({ out }: Invocation, path: string, known: Known, error: DatadirError): Promise<void> {
  const { jsonText } = await import('./render/json.ts');
  const { errorJson } = await import('./failure.ts');
  out.write(
    jsonText({
      schema: 1,
      path,
      ...known,
      verdict: 'unreadable',
      findings: [],
      counts: {},
      examined: [],
      notExamined: ['everything'],
      bytesRead: 0,
      elapsedMs: 0,
      error: errorJson(error),
    }),
  );
}
