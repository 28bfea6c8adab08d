/**
 * The host's side: hands a request to a worker thread and waits for the answer, ready to stop it.
 */
import type { Worker } from 'node:worker_threads';
import { DatadirError } from '../errors.ts';
import { type RunOptions, throwIfAborted } from '../io/job.ts';
import { createWorker as createDefaultWorker } from './create-worker.ts';
import { errorFromFields, type MessageToHost, type MessageToWorker, type WorkerRequest } from './messages.ts';

/** Options of `runInWorker`. */
export interface RunInWorkerOptions extends RunOptions {
  /** Starts the worker in place of the default way, for bundled programs: its file is the package's `/worker` entry. */
  readonly createWorker?: (() => Worker) | undefined;
}

/** What became of it: the result, or why no worker could be started (the caller then works on its own thread). */
export type WorkerOutcome<Result> =
  | { readonly started: true; readonly result: Result }
  | { readonly started: false; readonly reason: unknown };

/** How long an aborted worker has for ending by itself, so that it no longer reads when the promise is settled. */
const ABORT_GRACE_MS = 30;
/** How long to wait for the thread to be gone, which takes about 3 ms. */
const END_PATIENCE_MS = 20;

/**
 * Runs a request in a worker thread. Rejects as the job itself would: with the job's error, `ABORTED`, or what
 * `onProgress` threw. The thread has ended when the promise is settled (but for one that a read keeps hanging after an
 * abort), so the caller may close the file.
 */
export async function runInWorker<Result>(
  request: WorkerRequest,
  options: RunInWorkerOptions = {},
): Promise<WorkerOutcome<Result>> {
  const { signal, onProgress, createWorker = createDefaultWorker } = options;
  throwIfAborted(signal);
  let worker: Worker;
  try {
    worker = createWorker();
  } catch (reason) {
    return { started: false, reason };
  }

  let onAbort: (() => void) | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  let ready = false;
  try {
    return await new Promise<WorkerOutcome<Result>>((resolve, reject) => {
      const abort = (): void => {
        try {
          throwIfAborted(signal);
        } catch (error) {
          reject(error);
        }
      };
      onAbort = () => {
        post(worker, { type: 'abort' });
        graceTimer = setTimeout(abort, ABORT_GRACE_MS);
      };
      signal?.addEventListener('abort', onAbort, { once: true });

      worker.on('message', (message: MessageToHost) => {
        switch (message.type) {
          case 'ready':
            ready = true;
            break;
          case 'progress':
            try {
              if (!signal?.aborted) onProgress?.(message.progress);
            } catch (error) {
              reject(error);
            }
            break;
          case 'result':
            // What the request asks for is what the worker answers.
            resolve({ started: true, result: message.result as Result });
            break;
          case 'error':
            // The signal's own reason is known only on this side.
            if (message.error.code === 'ABORTED') abort();
            reject(errorFromFields(message.error));
            break;
        }
      });
      const ended = (reason: unknown): void => {
        if (!ready) resolve({ started: false, reason });
        else reject(new DatadirError('INTERNAL', 'the worker thread ended without an answer', { cause: reason }));
      };
      worker.on('messageerror', ended);
      worker.on('error', ended);
      worker.on('exit', (code) => ended(new Error(`the worker thread ended with code ${code}`)));
      try {
        post(worker, { type: 'run', request });
      } catch (reason) {
        ended(reason);
      }
    });
  } finally {
    clearTimeout(graceTimer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    await end(worker);
  }
}

/** Ends the thread, but does not wait for one that hangs in a read of a dead disk or server. */
async function end(worker: Worker): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_PATIENCE_MS);
  });
  await Promise.race([worker.terminate(), patience]);
  clearTimeout(timer);
  worker.unref();
}

function post(worker: Worker, message: MessageToWorker): void {
  worker.postMessage(message);
}
