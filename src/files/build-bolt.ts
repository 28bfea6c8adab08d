/**
 * A bolt file built from entries by path (Node): there whole, synced and checked, or not at all.
 */
import { addEntries, BoltBuilder, type BuildBoltOptions, type BuildEntries, type BuildSummary } from '../bolt/build.ts';
import { SelfCheckJob } from '../bolt/bulk-check.ts';
import type { OutputOptions } from '../io/output.ts';
import { writeChecked } from './write-checked.ts';

/** Builds a new bolt file from sorted entries. Throws as the portable `buildBolt`, and `TARGET_EXISTS`. */
export async function buildBoltFile(
  target: string,
  entries: BuildEntries,
  options: BuildBoltOptions & OutputOptions = {},
): Promise<BuildSummary> {
  return writeChecked(
    target,
    // The file is synced when it is whole.
    (file, run) => addEntries(new BoltBuilder(file, { ...options, noSync: true }), entries, run),
    (source, summary) => new SelfCheckJob(source, summary, target),
    options,
  );
}
