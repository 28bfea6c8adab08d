/**
 * The hot copy of a bolt file into a new one (Node).
 */
import { CompareJob, CopyJob, type CopyOptions, type CopySummary } from '../bolt/copy.ts';
import type { Input } from '../io/input.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { withSource, writeChecked } from './write-checked.ts';

/** Copies a bolt file, which may be in use, into a new one. Throws as the portable `copyBolt`, and `TARGET_EXISTS`. */
export async function copyBoltFile(
  input: Input | string,
  target: string,
  options: CopyOptions & OutputOptions & RunOptions = {},
): Promise<CopySummary> {
  return withSource(input, (source) =>
    writeChecked(
      target,
      // The file is synced when it is whole.
      (file, run) => runSliced(new CopyJob(source, file, { noSync: true }), run),
      (written, summary) => new CompareJob(written, summary, target),
      options,
    ),
  );
}
