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
import { type RunOptions, runSliced } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import type { CheckReport } from '../report.ts';
import { CopyBytesJob } from './copy-bytes.ts';
import { withSource, writeChecked } from './write-checked.ts';

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
  return withSource(source, async (input) => {
    const before = signatureOf(input, { pageSize });
    const { result, apply } = plan(input);
    let check: BoltCheckJob | undefined;
    await writeChecked(
      target,
      async (file, run) => {
        await runSliced(new CopyBytesJob(input, file), run);
        if (signatureOf(input, { pageSize }) !== before) {
          const words = `${source}: another program wrote to it while it was copied; stop that first`;
          throw new DatadirError('SOURCE_CHANGED', words, { path: source });
        }
        apply(file);
      },
      (copy) => {
        check = new BoltCheckJob(copy, { path: target });
        return check;
      },
      { mode, signal, onProgress },
    );
    return { result, report: (check as unknown as BoltCheckJob).result };
  });
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
