/**
 * The records that applied entries add to bucket `key`, in order, as their bytes: no object for each of them.
 */
import { Uint8Column, Uint32Column } from '../../backend/column.ts';
import { REVISION_LENGTH } from '../../backend/format.ts';
import { encodeRevision, parseRevision, type Revision } from '../../backend/revision.ts';
import { parseKeyValue } from '../../proto/mvcc.ts';

/** A record as it is to be stored. The bytes are views of memory that is not written again. */
export interface NewRecord extends Revision {
  readonly tombstone: boolean;
  /** The revision as a key: 17 bytes, or 18 of a tombstone. */
  readonly key: Uint8Array;
  /** The message: what was put, or of a tombstone the user key alone. */
  readonly value: Uint8Array;
}

/** Where the records end, for `cut`. */
export interface RecordsEnd {
  readonly length: number;
  readonly chunks: number;
  readonly at: number;
}

const CHUNK = 1 << 20;

export class NewRecords implements Iterable<NewRecord> {
  readonly #chunks: Uint8Array[] = [];
  /** Bytes in use of the last chunk. */
  #at = 0;
  #length = 0;
  readonly #chunkOf = new Uint32Column();
  readonly #startOf = new Uint32Column();
  readonly #lengthOf = new Uint32Column();
  readonly #keyLengthOf = new Uint8Column();

  /** How many there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds a record, whose bytes are copied, and gives its number, from 0 on. */
  add(revision: Revision, tombstone: boolean, message: Uint8Array): number {
    const key = encodeRevision(revision, tombstone);
    const length = key.length + message.length;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || length > chunk.length - this.#at) {
      chunk = new Uint8Array(Math.max(CHUNK, length));
      this.#chunks.push(chunk);
      this.#at = 0;
    }
    chunk.set(key, this.#at);
    chunk.set(message, this.#at + key.length);
    const number = this.#length++;
    this.#chunkOf.set(number, this.#chunks.length - 1);
    this.#startOf.set(number, this.#at);
    this.#lengthOf.set(number, length);
    this.#keyLengthOf.set(number, key.length);
    this.#at += length;
    return number;
  }

  /** The record of a number. */
  get(number: number): NewRecord {
    const chunk = this.#chunks[this.#chunkOf.get(number)]!;
    const start = this.#startOf.get(number);
    const keyEnd = start + this.#keyLengthOf.get(number);
    const key = chunk.subarray(start, keyEnd);
    const { main, sub } = parseRevision(key) as Revision;
    const value = chunk.subarray(keyEnd, start + this.#lengthOf.get(number));
    return { main, sub, tombstone: key.length > REVISION_LENGTH, key, value };
  }

  /** What was put by the record of a number: a view. */
  userValue(number: number): Uint8Array {
    return parseKeyValue(this.get(number).value).value;
  }

  *[Symbol.iterator](): Generator<NewRecord, void, undefined> {
    for (let number = 0; number < this.#length; number++) yield this.get(number);
  }

  get end(): RecordsEnd {
    return { length: this.#length, chunks: this.#chunks.length, at: this.#at };
  }

  /** Takes away all records behind an earlier end. */
  cut({ length, chunks, at }: RecordsEnd): void {
    this.#chunks.length = chunks;
    this.#length = length;
    this.#at = at;
  }
}
