/**
 * Standard output with a buffer and back-pressure, so that gigabytes can be printed in constant memory and nothing is
 * lost when the reader at the other end is slow or goes away.
 */
import { DatadirError } from '../errors.ts';
import { throwIfAborted } from '../io/job.ts';

/** As much of a Node stream as is needed. */
export interface OutputStream {
  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): boolean;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Thrown when nobody reads standard output any more (`| head -1`): not an error, just a reason to stop. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

const FLUSH_AT = 64 * 1024;

/** Collects what is written; the writer calls `flush()` when `full` says so, and `main` does at the end. */
export class Output {
  readonly #stream: OutputStream;
  readonly #signal: AbortSignal | undefined;
  #parts: Uint8Array[] = [];
  #text = '';
  #size = 0;
  #began = false;

  constructor(stream: OutputStream, signal?: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
  }

  /** Bytes are copied: the caller may use its buffer again. */
  write(chunk: string | Uint8Array): void {
    this.#size += chunk.length;
    if (typeof chunk === 'string') {
      this.#text += chunk;
      return;
    }
    this.#sealText();
    this.#parts.push(chunk.slice());
  }

  /** Whether enough has come together to be worth a `flush()`. */
  get full(): boolean {
    return this.#size >= FLUSH_AT;
  }

  /** Whether anything was written, flushed or not. */
  get began(): boolean {
    return this.#began || this.#size > 0;
  }

  /** Hands everything to the stream and waits until it has taken it, or the signal fires. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    this.#sealText();
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#began = true;
    await new Promise<void>((resolve, reject) => {
      // Whoever reads the other end may have stopped doing so for good.
      const stop = (): void => resolve();
      this.#signal?.addEventListener('abort', stop);
      this.#stream.write(bytes, (error) => {
        this.#signal?.removeEventListener('abort', stop);
        if (error) reject(outputError(error));
        else resolve();
      });
    });
    throwIfAborted(this.#signal);
  }

  #sealText(): void {
    if (this.#text === '') return;
    this.#parts.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

function outputError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET') return new OutputClosed();
  return new DatadirError('IO_FAILED', `standard output cannot be written to: ${code ?? error.message}`, {
    ...(code === undefined ? {} : { systemCode: code }),
    cause: error,
  });
}
