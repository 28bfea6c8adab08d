/**
 * Finds records of bucket `key` again by their number in a pass. Kept is one revision key for every 64 records, so a number is all
 * that an index needs to remember of a record.
 */
import type { Cursor } from '../bolt/cursor.ts';
import type { BoltDb } from '../bolt/database.ts';
import { DatadirError } from '../errors.ts';
import { TOMBSTONE_LENGTH } from './format.ts';
import { KeyRecord } from './record.ts';

/** Records from one kept key to the next. */
const STRIDE = 64;
/** A kept key: its length, and room for the longest. */
const ENTRY = TOMBSTONE_LENGTH + 1;
const FIRST_ENTRIES = 64;
/** Numbers have 32 bits; 0 and the last one are free for other use. */
const MAX_PLACE = 0xffff_fffe;

export class RecordPlaces {
  /** The number of the last record noted: 1 for the first one. */
  #last = 0;
  #entries = 0;
  #keys = new Uint8Array(FIRST_ENTRIES * ENTRY);
  #numbers = new Uint32Array(FIRST_ENTRIES);
  readonly #record = new KeyRecord();
  #db: BoltDb | undefined;
  #cursor: Cursor | undefined;

  /** To be called for every record of a pass in turn, also for those that cannot be read: the number of the record, from 1 on. */
  note(record: KeyRecord): number {
    const place = ++this.#last;
    if (place > MAX_PLACE) {
      throw new DatadirError('UNSUPPORTED', `more than ${MAX_PLACE} records do not fit into an index`);
    }
    if (record.problem !== undefined) return place;
    const entries = this.#entries;
    if (entries === 0 || place - this.#numbers[entries - 1]! >= STRIDE) this.#keep(record, place);
    return place;
  }

  /** Bytes of memory. */
  get bytesUsed(): number {
    return this.#keys.length + this.#numbers.byteLength;
  }

  #keep({ bytes, start, valueStart }: KeyRecord, place: number): void {
    const entry = this.#entries++;
    if (entry === this.#numbers.length) this.#grow();
    this.#numbers[entry] = place;
    this.#keys[entry * ENTRY] = valueStart - start;
    this.#keys.set(bytes.subarray(start, valueStart), entry * ENTRY + 1);
  }

  #grow(): void {
    const keys = new Uint8Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const numbers = new Uint32Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  /**
   * The record of a number, which must have been readable. The same object each time; its bytes belong to the caller. Undefined if it is not
   * where it was: keys of the bucket are out of order, or the file was written to.
   */
  record(db: BoltDb, place: number): KeyRecord | undefined {
    if (db !== this.#db) {
      this.#db = db;
      this.#cursor = db.bucket('key')?.cursor();
    }
    const cursor = this.#cursor;
    const entry = this.#entryOf(place);
    const at = entry * ENTRY;
    let element = cursor?.seek(this.#keys.slice(at + 1, at + 1 + this.#keys[at]!));
    for (let left = place - this.#numbers[entry]!; left > 0; left--) element = cursor?.next();
    if (element === undefined || element.isBucket || element.keyLength > TOMBSTONE_LENGTH) return undefined;
    const { keyLength, valueLength } = element;
    const bytes = new Uint8Array(keyLength + valueLength);
    bytes.set(element.key);
    bytes.set(element.rawValue(), keyLength);
    const record = this.#record;
    return record.parse(bytes, new DataView(bytes.buffer), 0, keyLength, valueLength) ? record : undefined;
  }

  /** The last kept key that is not behind a record. */
  #entryOf(place: number): number {
    let low = 0;
    let high = this.#entries - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#numbers[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
