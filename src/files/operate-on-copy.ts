/**
 * Surgery on files: every operation works on a copy, the input is never touched.
 *
 * The operation is planned on the input, so that what is not possible is refused before anything is copied. Then the input is
 * copied to a temporary file, changed there, checked, and given its name. The check only reports: a file under surgery
 * may need another operation before it is healthy.
 */
import { BoltCheckJob } from '../bolt/check.ts';
import { META_END } from '../bolt/format.ts';
import { findMetas, type SurgeryOptions, type SurgeryPlan } from '../bolt/surgery/raw-file.ts';
import { DatadirError } from '../errors.ts';
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import { openFileSource } from '../io/file-source.ts';
import { type Progress, type RunOptions, runSliced } from '../io/job.ts';
import { type OutputOptions, writeOutputAsync } from '../io/output.ts';
import type { CheckReport } from '../report.ts';
import { CopyBytesJob } from './copy-bytes.ts';

/** Options of `operateOnCopy`. */
export interface OperateOptions extends SurgeryOptions, OutputOptions, RunOptions {}

/** What came of an operation. */
export interface OperationOutcome<Result> {
  /** What the operation did. */
  readonly result: Result;
  /** The check of what was made. Its verdict may be anything. */
  readonly report: CheckReport;
}

/**
 * Copies the file `source` to `target`, which must not exist, and runs `operate` on the copy before it gets its name:
 *
 *     await operateOnCopy('db', 'db.new', (file) => clearPage(file, 12));
 *
 * The copy is checked; what the check found is told and not judged. Throws what `operate` throws, `TARGET_EXISTS`, and
 * `SOURCE_CHANGED` if another program wrote to the source meanwhile; then there is no target.
 */
export async function operateOnCopy<Result>(
  source: string,
  target: string,
  operate: (file: ByteFile) => Result,
  options: OperateOptions = {},
): Promise<OperationOutcome<Result>> {
  let result: Result | undefined;
  const apply = (file: ByteFile): void => {
    result = operate(file);
  };
  const { report } = await applyToCopy(source, target, () => ({ result: undefined, apply }), options);
  return { result: result as Result, report };
}

/** As `operateOnCopy`, with an operation that is planned on the source first. */
export async function applyToCopy<Result>(
  source: string,
  target: string,
  plan: (source: ByteSource) => SurgeryPlan<Result>,
  options: OperateOptions = {},
): Promise<OperationOutcome<Result>> {
  const { mode, signal, onProgress, pageSize } = options;
  const input = openFileSource(source);
  try {
    const before = signatureOf(input, { pageSize });
    const { result, apply } = plan(input);
    let report: CheckReport | undefined;
    await writeOutputAsync(
      target,
      async (file) => {
        await runSliced(new CopyBytesJob(input, file), { signal, onProgress: part(onProgress, 0, 2 * input.size) });
        if (signatureOf(input, { pageSize }) !== before) {
          const words = `${source}: another program wrote to it while it was copied; stop that first`;
          throw new DatadirError('SOURCE_CHANGED', words, { path: source });
        }
        apply(file);
      },
      {
        mode,
        signal,
        selfCheck: async (path) => {
          report = await checkFile(path, target, { signal, onProgress: part(onProgress, input.size, 2 * input.size) });
        },
      },
    );
    return { result, report: report as CheckReport };
  } finally {
    input.close();
  }
}

async function checkFile(path: string, name: string, options: RunOptions): Promise<CheckReport> {
  const source = openFileSource(path);
  try {
    return await runSliced(new BoltCheckJob(source, { path: name }), options);
  } finally {
    source.close();
  }
}

/** Progress of one half of the work as that of the whole. */
function part(onProgress: RunOptions['onProgress'], from: number, total: number): RunOptions['onProgress'] {
  if (onProgress === undefined) return undefined;
  return (progress: Progress) => {
    const share = progress.total > 0 ? progress.done / progress.total : 1;
    onProgress({ done: Math.min(total, from + Math.floor((share * total) / 2)), total });
  };
}

/** Both metas and the length: bbolt's every commit writes a meta, and pages of a state only after the commit of the next. */
function signatureOf(source: ByteSource, options: SurgeryOptions): string {
  const { pageSize } = findMetas(source, options);
  const bytes = new Uint8Array(META_END);
  const parts = [`${source.currentSize?.() ?? source.size}`];
  for (const offset of [0, pageSize]) {
    const length = source.readInto(bytes, offset);
    parts.push(bytes.subarray(0, length).join());
  }
  return parts.join(';');
}
