/**
 * A sequence of transactions written down, so that it can be kept as a fixture and played again: to a writer that has to
 * leave the same files after every step.
 */
import { createHash } from 'node:crypto';
import type { Operation, OperationResult } from './writer-operations.ts';
import type { OpenOptions, WriterSide } from './writer-side.ts';

/** The file after a step. */
export interface FileMark {
  readonly length: number;
  readonly sha256: string;
}

export type SequenceStep =
  /** Closes the database, which ends all readers, and opens it with other options. */
  | { readonly open: OpenOptions; readonly file?: FileMark }
  /** Begins or ends a transaction that reads: pages are kept for it. */
  | { readonly begin: string; readonly file?: FileMark }
  | { readonly end: string; readonly file?: FileMark }
  | {
      readonly operations: readonly Operation[];
      readonly commit: boolean;
      /** What the operations answered, if any answered something else than `''`. */
      readonly results?: readonly OperationResult[];
      readonly file?: FileMark;
    };

export interface Sequence {
  readonly name: string;
  readonly pageSize: number;
  readonly options: OpenOptions;
  readonly steps: readonly SequenceStep[];
}

export const markOf = (bytes: Uint8Array): FileMark => ({
  length: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Results as they are written down: undefined when there is nothing to tell. */
export const notable = (results: readonly OperationResult[]): readonly OperationResult[] | undefined =>
  results.some((result) => result !== '') ? results : undefined;

/** Has a writer do a step; gives what the operations answered, if it has any. */
export async function playStep(side: WriterSide, step: SequenceStep): Promise<OperationResult[]> {
  if ('open' in step) {
    await side.close();
    await side.open(step.open);
  } else if ('begin' in step) await side.beginReader(step.begin);
  else if ('end' in step) await side.endReader(step.end);
  else return side.transaction(step.operations, step.commit);
  return [];
}

/** Plays a sequence and gives it back with what this writer answered and left after every step. */
export async function recordSequence(sequence: Sequence, side: WriterSide): Promise<Sequence> {
  const steps: SequenceStep[] = [];
  await side.create(sequence.pageSize, sequence.options);
  for (const step of sequence.steps) {
    const results = notable(await playStep(side, step));
    steps.push({ ...step, ...(results ? { results } : {}), file: markOf(side.bytes()) });
  }
  await side.close();
  return { ...sequence, steps };
}
