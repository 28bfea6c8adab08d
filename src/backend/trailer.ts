/**
 * The sha256 that `etcdctl snapshot save` leaves behind the last page of a snapshot file: 32 bytes, of everything before them.
 */
import { type Hasher, SHA256_LENGTH, Sha256, type Sha256Factory } from '../checksum/sha256.ts';
import { DatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import type { Job, Progress } from '../io/job.ts';

/** etcd takes a file of so many bytes more than a multiple of 512 for one with a sha256. */
const SECTOR = 512;
const PIECE = 1 << 20;

/**
 * What the length of a file says about its sha256. `missing`: it is as long as a db is, of a snapshot it has been cut off.
 * `truncated`: the file ends within it, or before it.
 */
export type TrailerPresence = 'present' | 'missing' | 'truncated';

/** What became of the sha256. */
export interface Trailer {
  readonly state: 'right' | 'wrong' | 'missing' | 'truncated';
  /** The one in the file, and that of the bytes before it; undefined where there is none. */
  readonly stored?: Uint8Array;
  readonly computed?: Uint8Array;
  /** Where it begins, or should. */
  readonly offset: number;
}

/** Looks at lengths only. `end` is where the last page ends: high water mark times page size. */
export function trailerPresence(size: number, end: number): TrailerPresence {
  if (size % SECTOR === SHA256_LENGTH && size > end) return 'present';
  return size >= end && (size === end || size % SECTOR === 0) ? 'missing' : 'truncated';
}

/** Verifies the sha256 of a snapshot file: reads all of it. */
export class TrailerJob implements Job<Trailer> {
  readonly #source: ByteSource;
  readonly #presence: TrailerPresence;
  readonly #end: number;
  readonly #bodyEnd: number;
  readonly #createHasher: Sha256Factory;
  #hasher: Hasher | undefined;
  readonly #piece: Uint8Array;
  #offset = 0;
  #result: Trailer | undefined;

  /** `sha256`: who computes it; Node's own is much faster than the portable one. */
  constructor(source: ByteSource, end: number, sha256: Sha256Factory = () => new Sha256()) {
    this.#source = source;
    this.#end = end;
    this.#presence = trailerPresence(source.size, end);
    this.#bodyEnd = this.#presence === 'present' ? source.size - SHA256_LENGTH : 0;
    this.#createHasher = sha256;
    this.#piece = readBuffer(Math.min(PIECE, Math.max(this.#bodyEnd, SHA256_LENGTH)));
  }

  get progress(): Progress {
    return { done: this.#offset, total: this.#bodyEnd };
  }

  get result(): Trailer {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the sha256 has not been verified yet');
    return this.#result;
  }

  step(): boolean {
    if (this.#presence !== 'present') {
      this.#result = { state: this.#presence, offset: this.#end };
      return true;
    }
    this.#hasher ??= this.#createHasher();
    if (this.#offset < this.#bodyEnd) {
      const piece = this.#read(this.#offset, Math.min(this.#piece.length, this.#bodyEnd - this.#offset));
      this.#hasher.update(piece);
      this.#offset += piece.length;
      return false;
    }
    const computed = this.#hasher.digest();
    const stored = this.#read(this.#bodyEnd, SHA256_LENGTH).slice();
    const state = stored.every((byte, i) => byte === computed[i]) ? 'right' : 'wrong';
    this.#result = { state, stored, computed, offset: this.#bodyEnd };
    return true;
  }

  #read(offset: number, length: number): Uint8Array {
    const piece = this.#piece.subarray(0, length);
    const got = this.#source.readInto(piece, offset);
    if (got < length) {
      throw new DatadirError('FILE_SHRANK', 'the file became shorter while it was read', { offset: offset + got });
    }
    return piece;
  }
}
