/**
 * SHA-256 of an open file by a thread of its own (Node), for files that are read for something else at the same time.
 */
import { Worker } from 'node:worker_threads';
import { DatadirError } from '../errors.ts';

/** What the thread runs. Given as text: it needs no file of its own, which a bundler would have to know of. */
const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { readSync } = require('node:fs');
const { descriptor, length } = workerData;
const hash = createHash('sha256');
const piece = Buffer.alloc(1 << 20);
let done = 0;
while (done < length) {
  const got = readSync(descriptor, piece, 0, Math.min(piece.length, length - done), done);
  if (got === 0) break;
  hash.update(got === piece.length ? piece : piece.subarray(0, got));
  done += got;
}
parentPort.postMessage({ done, sha256: new Uint8Array(hash.digest()) });
`;

/**
 * The sha256 of the first `length` bytes of an open file, which must stay open until the promise is settled. Rejects with `FILE_SHRANK` if there
 * are fewer, `ABORTED` when the signal fires, and `UNSUPPORTED` if there is no thread to be had or it cannot read.
 */
export function sha256InThread(descriptor: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let worker: Worker;
    try {
      worker = new Worker(CODE, { eval: true, workerData: { descriptor, length } });
    } catch (error) {
      reject(unsupported(error));
      return;
    }
    const stop = (): void =>
      end(() => reject(new DatadirError('ABORTED', 'stopped by the caller', { cause: signal?.reason })));
    // The file may be closed as soon as the promise is settled: the thread has ended by then.
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', stop);
      worker.terminate().then(settle, settle);
    };
    worker.once('message', ({ done, sha256 }: { done: number; sha256: Uint8Array }) =>
      end(() => {
        if (done === length) resolve(sha256);
        else reject(new DatadirError('FILE_SHRANK', 'the file became shorter while it was read', { offset: done }));
      }),
    );
    worker.once('error', (error) => end(() => reject(unsupported(error))));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}

function unsupported(cause: unknown): DatadirError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new DatadirError('UNSUPPORTED', `no thread could compute the sha256: ${words}`, { cause });
}
