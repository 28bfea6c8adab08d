/**
 * The key-values of a range, read again from the file one batch after another: memory holds one batch, however many there are.
 */
import { compareKeys } from '../bolt/compare-keys.ts';
import type { BoltDb } from '../bolt/database.ts';
import { changedMeanwhileError } from '../bolt/live-source.ts';
import { DatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { turn } from '../io/job.ts';
import type { KeyValue } from '../proto/mvcc.ts';
import type { RecordPlaces } from './record-places.ts';

/** What is read, and where it is. */
export interface RangeSelection {
  readonly db: BoltDb;
  readonly source: ByteSource;
  readonly records: RecordPlaces;
  /** How many there are. */
  readonly length: number;
  /** The key and the place of one, by its position in the answer. */
  keyAt(position: number): Uint8Array;
  placeAt(position: number): number;
  readonly keysOnly: boolean;
}

/** A batch ends with so many, or as soon as their values have so many bytes. */
const BATCH_ITEMS = 256;
const BATCH_BYTES = 1 << 20;
/** So much is read at once, while the file is known to be at rest. */
const READY_ITEMS = 16_384;
const READY_BYTES = 8 << 20;

const NOTHING = new Uint8Array(0);

/**
 * Iterate it with `for` or `for await`, as often as you like. The first ones are in memory; where there are more, the file is read:
 * `SOURCE_CHANGED` is thrown if another program wrote to it meanwhile.
 */
export class RangeItems implements Iterable<KeyValue>, AsyncIterable<KeyValue> {
  readonly #selection: RangeSelection;
  readonly #ready: KeyValue[] = [];
  #readyBytes = 0;

  /** Made by `rangeJob`. */
  constructor(selection: RangeSelection) {
    this.#selection = selection;
  }

  /** How many there are. */
  get length(): number {
    return this.#selection.length;
  }

  *[Symbol.iterator](): Generator<KeyValue, void, undefined> {
    for (const items of this.#batches()) yield* items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<KeyValue, void, undefined> {
    for await (const items of this.batches()) yield* items;
  }

  /** One batch after another, with a turn of the event loop before each: cheaper than one by one. */
  async *batches(): AsyncGenerator<readonly KeyValue[], void, undefined> {
    for (const items of this.#batches()) {
      yield items;
      await turn();
    }
  }

  /** Reads a batch of what is kept in memory; true when there is no need for more. For `rangeJob`. */
  prepare(): boolean {
    if (this.#ready.length === this.length) return true;
    const batch = this.#read(this.#ready.length);
    for (const item of batch) {
      this.#ready.push(item);
      this.#readyBytes += item.key.length + item.value.length;
    }
    return this.#ready.length === this.length || this.#ready.length >= READY_ITEMS || this.#readyBytes >= READY_BYTES;
  }

  *#batches(): Generator<readonly KeyValue[], void, undefined> {
    if (this.#ready.length > 0) yield this.#ready;
    for (let position = this.#ready.length; position < this.length; ) {
      let batch: KeyValue[];
      try {
        batch = this.#read(position);
      } catch (error) {
        this.#requireUnchanged();
        throw error;
      }
      this.#requireUnchanged();
      position += batch.length;
      yield batch;
    }
  }

  #read(from: number): KeyValue[] {
    const { length, keysOnly } = this.#selection;
    const batch: KeyValue[] = [];
    let bytes = 0;
    for (let at = from; at < length && batch.length < BATCH_ITEMS && bytes < BATCH_BYTES; at++) {
      const item = readAgain(this.#selection, at);
      bytes += item.value.length;
      batch.push(keysOnly ? { ...item, key: item.key.slice(), value: NOTHING } : item);
    }
    return batch;
  }

  /** What is read later belongs to the answer only if nobody wrote meanwhile. */
  #requireUnchanged(): void {
    const { db, source } = this.#selection;
    if (db.hasChanged()) throw changedMeanwhileError(source);
  }
}

/** The key-value at a position; its bytes belong to the caller. */
export function readAgain({ db, source, records, keyAt, placeAt }: RangeSelection, position: number): KeyValue {
  const keyValue = records.record(db, placeAt(position))?.keyValue();
  if (keyValue !== undefined && compareKeys(keyValue.key, keyAt(position)) === 0) return keyValue;
  const words = 'a record of bucket key is not where it was seen before: a page is in the bucket twice';
  throw new DatadirError('BOLT_DAMAGED', words, source.path === undefined ? {} : { path: source.path });
}
