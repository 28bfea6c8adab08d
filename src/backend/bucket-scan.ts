/**
 * A pass in steps over a bucket whose values are read whole: all of etcd's but `key`.
 */
import type { BoltDb } from '../bolt/database.ts';
import type { LeafScan } from '../bolt/leaf-scan.ts';
import type { LogicalPage } from '../bolt/logical-page.ts';
import type { BucketName } from './format.ts';
import type { UnreadableList } from './unreadable.ts';

/** Work of one step: bytes of pages, each record counting for some besides. */
const STEP_BYTES = 1 << 19;
const RECORD_COST = 512;
/** Longer keys and values are not read: bbolt takes no longer keys, etcd no requests that make such values. */
const MAX_KEY = 32768;
const MAX_VALUE = 16 << 20;
/** So much is kept of a key that is too long. */
const KEY_SHOWN = 256;

/** Sees a record: views that are valid during the call only. What it returns is why the value cannot be read, if so. */
export type RecordTaker = (key: Uint8Array, value: Uint8Array) => string | undefined;

export class BucketScan {
  readonly #bucket: BucketName;
  readonly #leaves: LeafScan | undefined;
  readonly #take: RecordTaker;
  readonly #unreadable: UnreadableList;
  /** Bytes of pages read so far. */
  done = 0;

  constructor(db: BoltDb, bucket: BucketName, take: RecordTaker, unreadable: UnreadableList) {
    this.#bucket = bucket;
    this.#leaves = db.bucket(bucket)?.leaves();
    this.#take = take;
    this.#unreadable = unreadable;
  }

  /** Reads some pages; true when everything has been read. Throws like the reader at damaged pages. */
  step(): boolean {
    for (let budget = STEP_BYTES; budget > 0; ) {
      const page = this.#leaves?.next();
      if (page === undefined) return true;
      this.#scanPage(page);
      budget -= page.length + page.count * RECORD_COST;
      this.done += page.length;
    }
    return false;
  }

  #scanPage(page: LogicalPage): void {
    for (let i = 0; i < page.count; i++) {
      page.readElement(i);
      const { keyStart, keyLength, valueLength, isBucket } = page;
      let reason: string | undefined;
      if (isBucket) reason = 'it is a bucket, not a value';
      else if (keyLength > MAX_KEY) reason = `its key has ${keyLength} bytes`;
      else if (valueLength > MAX_VALUE) reason = `it has ${valueLength} bytes`;
      else {
        const bytes = page.read(keyStart, keyLength + valueLength);
        reason = this.#take(bytes.subarray(0, keyLength), bytes.subarray(keyLength));
      }
      if (reason === undefined) continue;
      const key = page.copy(keyStart, keyLength > MAX_KEY ? KEY_SHOWN : keyLength);
      this.#unreadable.add({ bucket: this.#bucket, key, pageId: page.id, offset: page.offset + keyStart, reason });
    }
  }
}

/** Reads a whole bucket at once; one that is not there has no records. */
export function scanBucket(db: BoltDb, bucket: BucketName, take: RecordTaker, unreadable: UnreadableList): void {
  const scan = new BucketScan(db, bucket, take, unreadable);
  while (!scan.step());
}
