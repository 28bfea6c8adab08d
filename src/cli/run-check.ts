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

/** Runs the job that `createJob` makes for the file at `path`. `kind` is what the file is known to be beforehand. */
export async function runCheck(
  invocation: Invocation,
  path: string,
  known: { readonly kind: Kind | null; readonly level: Level },
  createJob: (source: ByteSource) => Job<CheckReport>,
): Promise<CheckReport> {
  const { signal, showProgress } = invocation;
  try {
    const source = openFileSource(path);
    try {
      return await runSliced(createJob(source), { signal, onProgress: showProgress });
    } finally {
      showProgress(undefined);
      source.close();
    }
  } catch (error) {
    if (invocation.json && isDatadirError(error) && exitCodeOfError(error.code) === EXIT.unreadable) {
      if (error.code !== 'ABORTED') await printUnreadable(invocation, path, known, error);
    }
    throw error;
  }
}

async function printUnreadable(
  { out }: Invocation,
  path: string,
  known: { readonly kind: Kind | null; readonly level: Level },
  error: DatadirError,
): Promise<void> {
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
