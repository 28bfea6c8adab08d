/**
 * A pass in steps over a bucket for the check: pages that cannot be read are passed over, since the check of the structure has
 * reported them.
 */
import type { BoltDb } from '../bolt/database.ts';
import type { LeafScan } from '../bolt/leaf-scan.ts';
import type { LogicalPage } from '../bolt/logical-page.ts';
import { isDatadirError } from '../errors.ts';
import type { StoredRecord } from './check-reporter.ts';
import type { BucketName } from './format.ts';

/** Work of one step: bytes of pages, each record counting for some besides. */
const STEP_BYTES = 1 << 19;
const RECORD_COST = 512;
/** What a page costs that could not be entered, and how many of them are tried: a damaged branch may name 65,535. */
const FAILURE_COST = 1 << 14;
export const MAX_FAILURES = 100_000;
/** bbolt takes no longer keys, and etcd no requests that make such values. */
const MAX_KEY = 32768;
const MAX_VALUE = 16 << 20;
const KEY_SHOWN = 256;

/** What to do with the records of one bucket. */
export interface BucketRules {
  readonly bucket: BucketName;
  take(record: StoredRecord): void;
  /** What cannot be a record at all: a bucket, or of a length that no record has. The value is empty. */
  takeNone(record: StoredRecord, reason: string): void;
}

export class BucketPass {
  /** Whether everything could be read so far. */
  whole = true;
  /** Bytes of pages read so far. */
  done = 0;
  readonly #leaves: LeafScan | undefined;
  readonly #rules: BucketRules;
  #failures = 0;

  constructor(db: BoltDb, rules: BucketRules) {
    this.#rules = rules;
    this.#leaves = this.#orPassOver(() => db.bucket(rules.bucket)?.leaves());
  }

  /** Reads some pages; true when everything has been read. */
  step(): boolean {
    for (let budget = STEP_BYTES; budget > 0; ) {
      const failures = this.#failures;
      const page = this.#orPassOver(() => this.#leaves?.next());
      if (page !== undefined) {
        this.#orPassOver(() => this.#scanPage(page));
        budget -= page.length + page.count * RECORD_COST;
        this.done += page.length;
      } else if (failures === this.#failures || failures > MAX_FAILURES) return true;
      else budget -= FAILURE_COST;
    }
    return false;
  }

  #orPassOver<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.whole = false;
      this.#failures++;
      return undefined;
    }
  }

  #scanPage(page: LogicalPage): void {
    for (let i = 0; i < page.count; i++) {
      page.readElement(i);
      const { keyStart, keyLength, valueLength, isBucket, id } = page;
      const place = { pageId: id, offset: page.offset + keyStart };
      let reason: string | undefined;
      if (isBucket) reason = 'it is a bucket, not a value';
      else if (keyLength > MAX_KEY) reason = `its key has ${keyLength} bytes`;
      else if (valueLength > MAX_VALUE) reason = `it has ${valueLength} bytes`;
      if (reason === undefined) {
        const bytes = page.read(keyStart, keyLength + valueLength);
        this.#rules.take({ key: bytes.subarray(0, keyLength), value: bytes.subarray(keyLength), ...place });
      } else {
        const key = page.copy(keyStart, Math.min(keyLength, KEY_SHOWN));
        this.#rules.takeNone({ key, value: new Uint8Array(0), ...place }, reason);
      }
    }
  }
}
