/**
 * A new file that is written, read again and compared before it gets its name.
 */
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import { openFileSource } from '../io/file-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';
import { type OutputOptions, writeOutputAsync } from '../io/output.ts';

/** Options of everything that writes a new file. */
export interface WriteCheckedOptions extends OutputOptions, RunOptions {
  readonly noSync?: boolean | undefined;
}

/** Uses the source for an input; a file that was opened for it is closed again. */
export async function withSource<Result>(
  input: Input | string,
  use: (source: ByteSource) => Promise<Result>,
): Promise<Result> {
  if (typeof input !== 'string') return use(toSource(input));
  const source = openFileSource(input);
  try {
    return await use(source);
  } finally {
    source.close();
  }
}

/**
 * Writes a file with `write`, then runs the job that `createCheck` makes for it, which throws if anything is wrong. Progress
 * is that of both, each for half.
 */
export async function writeChecked<Summary>(
  target: string,
  write: (file: ByteFile, run: RunOptions) => Promise<Summary>,
  createCheck: (source: ByteSource, summary: Summary) => Job<unknown>,
  options: WriteCheckedOptions,
): Promise<Summary> {
  const { mode, sync, noSync, signal, onProgress } = options;
  let summary: Summary | undefined;
  let total = 0;
  const whileWriting = (progress: Progress): void => {
    total = progress.total;
    onProgress?.({ done: progress.done, total: 2 * total });
  };
  const whileChecking = ({ done, total: all }: Progress): void => {
    const share = all > 0 ? done / all : 1;
    onProgress?.({ done: total + Math.floor(share * total), total: 2 * total });
  };
  await writeOutputAsync(
    target,
    async (file) => {
      summary = await write(file, { signal, onProgress: whileWriting });
    },
    {
      mode,
      sync: sync ?? noSync !== true,
      signal,
      selfCheck: async (path) => {
        const source = openFileSource(path);
        try {
          await runSliced(createCheck(source, summary as Summary), { signal, onProgress: whileChecking });
        } finally {
          source.close();
        }
      },
    },
  );
  return summary as Summary;
}
