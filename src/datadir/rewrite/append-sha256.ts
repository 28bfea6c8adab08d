/**
 * Makes a snapshot file of a db: puts the sha256 of all its bytes behind them, as `etcdctl snapshot save` does.
 */
import { Sha256, type Sha256Factory } from '../../checksum/sha256.ts';
import { DatadirError } from '../../errors.ts';
import { type ByteFile, readBuffer } from '../../io/byte-source.ts';
import type { Job, Progress } from '../../io/job.ts';

const PIECE = 1 << 20;

/** Reads the file again and appends 32 bytes, in steps. The result is the sha256. */
export class AppendSha256Job implements Job<Uint8Array> {
  readonly #file: ByteFile;
  readonly #size: number;
  readonly #hasher: ReturnType<Sha256Factory>;
  readonly #piece: Uint8Array;
  #done = 0;
  #result: Uint8Array | undefined;

  /** `sha256`: who computes it; Node's own is much faster than the portable one. */
  constructor(file: ByteFile, sha256: Sha256Factory = () => new Sha256()) {
    this.#file = file;
    this.#size = file.size;
    this.#hasher = sha256();
    this.#piece = readBuffer(Math.min(PIECE, this.#size));
  }

  get progress(): Progress {
    return { done: this.#done, total: this.#size };
  }

  get result(): Uint8Array {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the sha256 has not been made yet');
    return this.#result;
  }

  step(): boolean {
    const piece = this.#piece.subarray(0, Math.min(this.#piece.length, this.#size - this.#done));
    if (piece.length > 0) {
      const got = this.#file.readInto(piece, this.#done);
      if (got < piece.length) throw new DatadirError('FILE_SHRANK', 'the file became shorter while it was read');
      this.#hasher.update(piece);
      this.#done += got;
      return false;
    }
    this.#result = this.#hasher.digest();
    this.#file.write(this.#size, this.#result);
    return true;
  }
}
