/**
 * Long work in small steps, and the two ways to drive it.
 *
 * A synchronous loop hears nothing: while it runs no AbortSignal fires and no timer. So every long operation is a job
 * that can be stopped between steps of about a millisecond. The synchronous API drains it; the asynchronous one runs it
 * in slices. Both give the same result, since the job itself does not know who drives it.
 */
import { DatadirError } from '../errors.ts';

/** How far a job has come. `total` is an estimate that may change; `done` never shrinks and ends at or below it. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A long operation. */
export interface Job<Result> {
  /** Does about 1 MiB or 1 ms of work; returns true when there is nothing left to do. */
  step(): boolean;
  /** Bytes dealt with so far, and how many there are in all. */
  readonly progress: Progress;
  /** There once `step()` has returned true. */
  readonly result: Result;
}

/** What every long asynchronous operation accepts. */
export interface RunOptions {
  /** Stops the operation within about 50 ms; it then rejects with code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Called at most once per slice, and once at the end. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Steps to the end without a pause. */
export function drain<Result>(job: Job<Result>): Result {
  while (!job.step());
  return job.result;
}

const SLICE_MS = 10;

/** Steps in slices of about 10 ms, between which the event loop runs, the signal is looked at and progress reported. */
export async function runSliced<Result>(job: Job<Result>, options: RunOptions = {}): Promise<Result> {
  const { signal, onProgress } = options;
  for (;;) {
    throwIfAborted(signal);
    const until = performance.now() + SLICE_MS;
    let finished = job.step();
    while (!finished && performance.now() < until) finished = job.step();
    onProgress?.(job.progress);
    if (finished) return job.result;
    await turn();
  }
}

/** Throws our own ABORTED error when the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DatadirError('ABORTED', 'stopped by the caller', { cause: signal.reason });
}

/** As much of a browser's MessagePort as is used here: the types of Node and of browsers differ. */
interface Port {
  onmessage: (() => void) | null;
  postMessage(message: null): void;
  close(): void;
}

/** One turn of the event loop, by the cheapest means there is (a timer of 0 ms is at least 1 ms, in browsers 4). */
export function turn(): Promise<void> {
  const immediate = (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate;
  if (immediate !== undefined) return new Promise((resolve) => immediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel() as unknown as { port1: Port; port2: Port };
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
