/**
 * Builds a new bolt file from JSON lines (Node). The file is there whole, synced and checked, or not at all.
 */
import { BoltBuilder, type BuildBoltOptions, type BuildSummary } from '../bolt/build.ts';
import { SelfCheckJob } from '../bolt/bulk-check.ts';
import { type EntryLine, EntryLines } from '../bolt/entry-lines.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { type RunOptions, throwIfAborted } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { writeChecked } from './write-checked.ts';

/** How a file is made of lines. */
export interface ImportOptions extends BuildBoltOptions, OutputOptions {
  /** Where the lines come from, for errors. */
  readonly name?: string | undefined;
  /** How many bytes of lines there are, for progress, if that is known. */
  readonly size?: number | undefined;
}

/**
 * Writes the entries of `chunks` to a new file at `target`. Throws `TARGET_EXISTS`; `LINE_INVALID`, `BOLT_NOT_SORTED`,
 * `BOLT_BUCKET_NOT_FOUND` (no line of its own came before what is in it) and other errors about an entry, with the line.
 */
export async function importLines(
  target: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<BuildSummary> {
  const { name, size = 0 } = options;
  return writeChecked(
    target,
    async (file, run) => {
      // The file is synced when it is whole.
      const builder = new BoltBuilder(file, { ...options, noSync: true });
      try {
        await addLines(builder, chunks, size, run);
      } catch (error) {
        throw name !== undefined && isDatadirError(error) && error.line !== undefined ? named(error, name) : error;
      }
      return builder.finish();
    },
    (source, summary) => new SelfCheckJob(source, summary, target),
    options,
  );
}

async function addLines(
  builder: BoltBuilder,
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  { signal, onProgress }: RunOptions,
): Promise<void> {
  const lines = new EntryLines();
  let done = 0;
  for await (const chunk of chunks) {
    for (const each of lines.push(chunk)) add(builder, each);
    throwIfAborted(signal);
    done += chunk.length;
    onProgress?.({ done, total: Math.max(done, size) });
  }
  const last = lines.end();
  if (last !== undefined) add(builder, last);
}

function add(builder: BoltBuilder, { entry, line }: EntryLine): void {
  try {
    builder.add(entry);
  } catch (error) {
    if (!isDatadirError(error) || !error.code.startsWith('BOLT_')) throw error;
    throw new DatadirError(error.code, `line ${line}: ${error.message}`, { line, cause: error });
  }
}

function named({ code, message, line, column, cause }: DatadirError, path: string): DatadirError {
  const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  return new DatadirError(code, message, { path, ...place, cause });
}
