/**
 * The one place that names the worker's file. Bundlers that know this expression emit the file beside their output; with
 * the others starting fails, and the work is done on the caller's thread.
 */
import { Worker } from 'node:worker_threads';

/** Starts the worker thread. */
export function createWorker(): Worker {
  return new Worker(new URL('../worker.js', import.meta.url));
}
