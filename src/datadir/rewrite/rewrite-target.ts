/**
 * The target of a db that is written anew: takes everything of the old one, and puts what has changed in between.
 */
import type { BulkCopy } from '../../bolt/bulk-copy.ts';
import { compareKeys } from '../../bolt/compare-keys.ts';
import type { ContentTarget } from '../../bolt/content-target.ts';
import { ELEMENT_SIZE, LEAF_KEY_SIZE, LEAF_VALUE_SIZE, PAGE_HEADER_SIZE } from '../../bolt/format.ts';
import type { BucketChange } from './bucket-changes.ts';
import type { DbChanges } from './db-changes.ts';

const encoder = new TextEncoder();
/** A name that begins with the mark of an order of bytes is another name. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NO_CHANGES: readonly BucketChange[] = [];

/** What becomes of a pair of the old db. */
type Fate = 'stays' | 'goes';

export class RewriteTarget implements ContentTarget {
  readonly #copy: BulkCopy;
  readonly #changes: DbChanges;
  /** Buckets that there must be, in order. */
  readonly #needed: readonly Uint8Array[];
  /** How many of the needed buckets have been opened or made, and whether the next is being made. */
  #made = 0;
  #isMaking = false;
  #depth = 0;
  /** Whether the open bucket at the top is `key`, and how many of its records have come. */
  #isKey = false;
  #records = 0;
  /** How many of the new records were put behind them. */
  #appended = 0;
  /** Changes of the open bucket at the top, and how many have been made. */
  #merge: readonly BucketChange[] = NO_CHANGES;
  #merged = 0;
  /** Nothing of what it had stays. */
  #cleared = false;
  /** A large value is passed over. */
  #swallowed: Uint8Array | undefined;

  constructor(copy: BulkCopy, changes: DbChanges) {
    this.#copy = copy;
    this.#changes = changes;
    this.#needed = changes.neededBuckets.map((name) => encoder.encode(name));
  }

  openBucket(name: Uint8Array, sequence: bigint): void {
    if (this.#depth++ === 0) {
      while (this.#makeBefore(name));
      this.#enter(name);
    } else if (this.#depth === 2) this.#mergeBelow(name);
    this.#copy.openBucket(name, sequence);
  }

  atEnd(): boolean {
    return this.#depth > 1 || this.#append();
  }

  closeBucket(): void {
    if (--this.#depth === 0) while (!this.#append());
    this.#copy.closeBucket();
  }

  /** The old db has ended: makes the buckets that it does not have. */
  finish(): void {
    while (!this.finishSome());
  }

  /** A piece of `finish`; true when that is done. */
  finishSome(): boolean {
    return !this.#makeBefore(undefined);
  }

  addLeaf(bytes: Uint8Array, view: DataView, at: number, count: number): void {
    if (this.#takesAll(count)) {
      this.#copy.addLeaf(bytes, view, at, count);
      return;
    }
    let position = at + PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    for (let i = 0, element = at + PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
      const valueAt = position + view.getUint32(element + LEAF_KEY_SIZE, true);
      const end = valueAt + view.getUint32(element + LEAF_VALUE_SIZE, true);
      this.addPair(bytes.slice(position, valueAt), bytes.subarray(valueAt, end));
      position = end;
    }
  }

  addPair(key: Uint8Array, value: Uint8Array): void {
    if (this.#fateOf(key) === 'stays') this.#copy.addPair(key, value);
  }

  isLarge(valueLength: number): boolean {
    return this.#copy.isLarge(valueLength);
  }

  beginLarge(key: Uint8Array, valueLength: number): void {
    if (this.#fateOf(key) === 'stays') this.#copy.beginLarge(key, valueLength);
    else this.#swallowed = new Uint8Array(PIECE);
  }

  fillLarge(length: number, read: (room: Uint8Array) => void): number {
    if (this.#swallowed === undefined) return this.#copy.fillLarge(length, read);
    const size = Math.min(length, PIECE);
    read(this.#swallowed.subarray(0, size));
    return size;
  }

  endLarge(): void {
    if (this.#swallowed === undefined) this.#copy.endLarge();
    this.#swallowed = undefined;
  }

  /** Whether the next pairs of the open bucket are taken as they are; if so they are counted. */
  #takesAll(count: number): boolean {
    if (this.#depth !== 1) return true;
    if (!this.#isKey) return !this.#cleared && this.#merged === this.#merge.length;
    if (this.#changes.keep?.keepsAll(this.#records, count) === false) return false;
    this.#records += count;
    return true;
  }

  #fateOf(key: Uint8Array): Fate {
    if (this.#depth !== 1) return 'stays';
    if (this.#isKey) return this.#changes.keep?.keeps(this.#records++) === false ? 'goes' : 'stays';
    this.#mergeBelow(key);
    const next = this.#merge[this.#merged];
    if (next === undefined || compareKeys(next.key, key) !== 0) return this.#cleared ? 'goes' : 'stays';
    this.#merged++;
    if (next.value !== null) this.#copy.addPair(next.key, next.value);
    return 'goes';
  }

  /** Makes the changes of keys below `key`; all that are left if it is undefined. */
  #mergeBelow(key: Uint8Array | undefined): void {
    for (; this.#merged < this.#merge.length; this.#merged++) {
      const { key: changed, value } = this.#merge[this.#merged]!;
      if (key !== undefined && compareKeys(changed, key) >= 0) return;
      if (value !== null) this.#copy.addPair(changed, value);
    }
  }

  #enter(name: Uint8Array): void {
    const text = decoder.decode(name);
    this.#isKey = text === 'key';
    const changes = this.#isKey ? undefined : this.#changes.of(text);
    this.#merge = changes?.sorted ?? NO_CHANGES;
    this.#cleared = changes?.cleared ?? false;
    this.#merged = 0;
  }

  /** Puts some of what comes behind everything that the bucket had; true when that is all. */
  #append(): boolean {
    if (!this.#isKey) {
      this.#mergeBelow(undefined);
      return true;
    }
    const { records, keep } = this.#changes;
    for (let budget = STEP_BYTES; budget > 0 && this.#appended < records.length; this.#appended++) {
      budget -= RECORD_COST;
      if (keep?.keeps(this.#records + this.#appended) === false) continue;
      const { key, value } = records.get(this.#appended);
      this.#copy.addPair(key, value);
      budget -= value.length;
    }
    return this.#appended === records.length;
  }

  /**
   * Makes the next of the needed buckets that come before `name` and are not there, or a piece of it; before the end of the db if `name` is
   * undefined. False: there is none.
   */
  #makeBefore(name: Uint8Array | undefined): boolean {
    for (; this.#made < this.#needed.length; this.#made++) {
      const next = this.#needed[this.#made]!;
      const order = name === undefined ? -1 : compareKeys(next, name);
      if (order > 0) return false;
      if (order === 0) continue;
      if (!this.#isMaking) {
        this.#enter(next);
        this.#copy.openBucket(next, 0n);
        this.#isMaking = true;
      }
      if (this.#append()) {
        this.#copy.closeBucket();
        this.#isMaking = false;
        this.#made++;
      }
      return true;
    }
    return false;
  }
}

/** Work of a step: bytes of records, each counting for some besides. */
const STEP_BYTES = 1 << 20;
const RECORD_COST = 256;

/** So much of a value that is not taken is read at a time. */
const PIECE = 1 << 16;
