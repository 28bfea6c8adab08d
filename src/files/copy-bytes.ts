/**
 * Copies a file byte by byte, in steps: a job, so that it can be stopped and shows how far it has come.
 */
import { DatadirError } from '../errors.ts';
import { type ByteFile, type ByteSource, readBuffer } from '../io/byte-source.ts';
import type { Job, Progress } from '../io/job.ts';

const PIECE = 1 << 20;

/** Copies all of `source` to the empty file `target`. Stretches of zeros are not written: they stay holes on the disk. */
export class CopyBytesJob implements Job<undefined> {
  readonly result: undefined = undefined;
  readonly #source: ByteSource;
  readonly #target: ByteFile;
  readonly #buffer: Uint8Array;
  #done = 0;

  constructor(source: ByteSource, target: ByteFile) {
    this.#source = source;
    this.#target = target;
    // Whole words, for the search for zeros.
    this.#buffer = readBuffer(PIECE);
  }

  get progress(): Progress {
    return { done: this.#done, total: this.#source.size };
  }

  step(): boolean {
    const { size, path = 'the source' } = this.#source;
    // First of all, as it also waits for the disk.
    if (this.#done === 0) this.#target.truncate(size);
    const piece = this.#buffer.subarray(0, Math.min(PIECE, size - this.#done));
    const got = this.#source.readInto(piece, this.#done);
    if (got < piece.length) throw new DatadirError('FILE_SHRANK', `${path}: ends at ${this.#done + got}`, { path });
    if (!isZero(piece)) this.#target.write(this.#done, piece);
    this.#done += piece.length;
    return this.#done >= size;
  }
}

function isZero(bytes: Uint8Array): boolean {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  for (let i = words.length * 4; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}
