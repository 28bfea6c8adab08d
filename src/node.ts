/**
 * The entry for Node: everything of the portable one, with paths, files and worker threads.
 */
import type { Worker } from 'node:worker_threads';
import {
  type BoltDb,
  type CheckBoltOptions,
  type CheckOptions,
  type CheckReport,
  checkBolt as checkBoltInput,
  check as checkInput,
  type Input,
  type OpenBoltOptions,
  openBolt as openBoltInput,
  type RunOptions,
} from './index.ts';
import { type FileSource, openFileSource } from './io/file-source.ts';
import { runInWorker } from './worker/run-in-worker.ts';

export * from './index.ts';
export { openByteFile } from './io/byte-file.ts';
export { type FileSource, openFileSource } from './io/file-source.ts';
export { type OutputOptions, removeTemporaries, writeOutput, writeOutputAsync } from './io/output.ts';

/** A path, or anything that the portable functions take. */
export type NodeInput = Input | string;

/** Opens a bolt database for reading, as the portable `openBolt`; also by path. `close()` closes the file. */
export function openBolt(input: NodeInput, options: OpenBoltOptions = {}): BoltDb {
  if (typeof input !== 'string') return openBoltInput(input, options);
  const source = openFileSource(input);
  try {
    return openBoltInput(source, options);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Checks a bolt file without a pause, as the portable `checkBolt`; also by path. Throws if it cannot be opened. */
export function checkBolt(input: NodeInput, options: CheckBoltOptions = {}): CheckReport {
  if (typeof input !== 'string') return checkBoltInput(input, options);
  const source = openFileSource(input);
  try {
    return checkBoltInput(source, options);
  } finally {
    source.close();
  }
}

/** Where the work of `check` is done. */
export interface WorkerOptions {
  /**
   * Whether a worker thread does the work. Default: true for a path. Sources and bytes are always dealt with on the
   * caller's thread, in slices.
   */
  readonly worker?: boolean | undefined;
  /** Starts the worker, for bundled programs: its file is the package's `/worker` entry. */
  readonly createWorker?: (() => Worker) | undefined;
  /** Called when no worker could be started, and the work is done on the caller's thread instead. */
  readonly onWorkerFailure?: ((reason: unknown) => void) | undefined;
}

/** Checks a file (or bytes, or a source), without blocking the event loop. */
export async function check(
  input: NodeInput,
  options: CheckOptions & RunOptions & WorkerOptions = {},
): Promise<CheckReport> {
  if (typeof input !== 'string') return checkInput(input, options);
  const source = openFileSource(input);
  try {
    if (options.worker !== false) {
      const outcome = await checkInWorker(source, options);
      if (outcome !== undefined) return outcome;
    }
    return await checkInput(source, options);
  } finally {
    source.close();
  }
}

async function checkInWorker(
  source: FileSource,
  options: CheckOptions & RunOptions & WorkerOptions,
): Promise<CheckReport | undefined> {
  const { signal, onProgress, createWorker, onWorkerFailure, worker: _, ...checkOptions } = options;
  const { descriptor, size, path } = source;
  const outcome = await runInWorker(
    { job: 'check', descriptor, size, path, options: checkOptions },
    { signal, onProgress, createWorker },
  );
  if (outcome.started) return outcome.result;
  onWorkerFailure?.(outcome.reason);
  return undefined;
}
