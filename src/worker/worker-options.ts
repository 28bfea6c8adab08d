/**
 * Where work is done: in a worker thread, or on the caller's.
 */
import type { Worker } from 'node:worker_threads';
import type { FileSource } from '../io/file-source.ts';
import type { RunOptions } from '../io/job.ts';
import type { HandedFile, WorkerRequest } from './messages.ts';
import { runInWorker } from './run-in-worker.ts';

/** Options of everything that a worker thread can do. */
export interface WorkerOptions {
  /**
   * Whether a worker thread does the work. Default: true for what is given by its path. Sources and bytes are always dealt with on the
   * caller's thread, in slices.
   */
  readonly worker?: boolean | undefined;
  /** Starts the worker, for bundled programs: its file is the package's `/worker` entry. */
  readonly createWorker?: (() => Worker) | undefined;
  /** Called when no worker could be started, and the work is done on the caller's thread instead. */
  readonly onWorkerFailure?: ((reason: unknown) => void) | undefined;
}

/** Runs a request in a worker thread; `here` does the same work on this one where there is none to be had, or wanted. */
export async function inWorker<Result>(
  request: WorkerRequest | undefined,
  options: WorkerOptions & RunOptions,
  here: () => Promise<Result>,
): Promise<Result> {
  if (options.worker === false || request === undefined) return here();
  const { signal, onProgress, createWorker, onWorkerFailure } = options;
  const outcome = await runInWorker<Result>(request, { signal, onProgress, createWorker });
  if (outcome.started) return outcome.result;
  onWorkerFailure?.(outcome.reason);
  return here();
}

/** The options of the work itself: the rest cannot be sent to another thread. */
export function plainOptions<Options extends WorkerOptions & RunOptions>(
  options: Options,
): Omit<Options, keyof WorkerOptions | keyof RunOptions> {
  const { signal: _, onProgress: __, createWorker: ___, onWorkerFailure: ____, worker: _____, ...plain } = options;
  return plain;
}

/** An open file for another thread. */
export function handed({ descriptor, size, path }: FileSource): HandedFile {
  return { descriptor, size, path };
}
