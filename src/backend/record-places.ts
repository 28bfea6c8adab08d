/**
 * Finds records of bucket `key` again by their number in a pass. Kept is for every page the number of its first record, so a number is all
 * that an index needs to remember of a record. It works on a bucket whose keys are out of order too.
 */
import type { BoltDb } from '../bolt/database.ts';
import type { LeafAccess } from '../bolt/leaf-access.ts';
import { DatadirError } from '../errors.ts';
import { MAX_RECORD } from './keyspace-scan.ts';
import { KeyRecord } from './record.ts';

const FIRST_PAGES = 64;
/** Numbers have 32 bits; 0 and the last one are free for other use. */
const MAX_PLACE = 0xffff_fffe;

export class RecordPlaces {
  /** The number of the last record noted: 1 for the first one. */
  #last = 0;
  #pages = 0;
  #pageIds = new Float64Array(FIRST_PAGES);
  /** The number of the first record of each page. */
  #numbers = new Uint32Array(FIRST_PAGES);
  #pageId = -1;
  readonly #record = new KeyRecord();
  #db: BoltDb | undefined;
  #leaves: LeafAccess | undefined;

  /**
   * To be called for every record of a pass in turn, also for those that cannot be read: the number of the record, from 1 on. The pass must
   * begin at the first record of a page, as one over the whole bucket does.
   */
  note({ pageId }: KeyRecord): number {
    const place = ++this.#last;
    if (place > MAX_PLACE) {
      throw new DatadirError('UNSUPPORTED', `more than ${MAX_PLACE} records do not fit into an index`);
    }
    if (pageId !== this.#pageId) this.#keep(pageId, place);
    return place;
  }

  /** Bytes of memory. */
  get bytesUsed(): number {
    return this.#pageIds.byteLength + this.#numbers.byteLength;
  }

  #keep(pageId: number, place: number): void {
    const at = this.#pages++;
    if (at === this.#numbers.length) this.#grow();
    this.#numbers[at] = place;
    this.#pageIds[at] = pageId;
    this.#pageId = pageId;
  }

  #grow(): void {
    const pageIds = new Float64Array(this.#pageIds.length * 2);
    pageIds.set(this.#pageIds);
    this.#pageIds = pageIds;
    const numbers = new Uint32Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  /**
   * The record of a number, which must have been readable. The same object each time; its bytes belong to the caller. Undefined if it is not
   * where it was: the file was written to, or one page is in the bucket twice.
   */
  record(db: BoltDb, place: number): KeyRecord | undefined {
    if (db !== this.#db) {
      this.#db = db;
      this.#leaves = db.bucket('key')?.leafAccess();
    }
    const at = this.#pageOf(place);
    const page = this.#leaves?.leaf(this.#pageIds[at]!);
    const index = place - this.#numbers[at]!;
    if (page === undefined || index >= page.count) return undefined;
    page.readElement(index);
    const { keyStart, keyLength, valueLength } = page;
    if (page.isBucket || keyLength + valueLength > MAX_RECORD) return undefined;
    const bytes = page.copy(keyStart, keyLength + valueLength);
    const record = this.#record;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return record.parse(bytes, view, 0, keyLength, valueLength) ? record : undefined;
  }

  /** The page that a record is on, by its position here. */
  #pageOf(place: number): number {
    let low = 0;
    let high = this.#pages - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#numbers[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
