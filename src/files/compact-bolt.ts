/**
 * Compaction of a bolt file into a new one (Node).
 */
import { SelfCheckJob } from '../bolt/bulk-check.ts';
import { CompactJob, type CompactOptions, type CompactSummary } from '../bolt/compact.ts';
import type { Input } from '../io/input.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { withSource, writeChecked } from './write-checked.ts';

/** Compacts a bolt file into a new one. Throws as the portable `compactBolt`, and `TARGET_EXISTS`. */
export async function compactBoltFile(
  input: Input | string,
  target: string,
  options: CompactOptions & OutputOptions & RunOptions = {},
): Promise<CompactSummary> {
  return withSource(input, (source) =>
    writeChecked(
      target,
      // The file is synced when it is whole.
      (file, run) => runSliced(new CompactJob(source, file, { ...options, noSync: true }), run),
      (written, summary) => new SelfCheckJob(written, summary, target),
      options,
    ),
  );
}
