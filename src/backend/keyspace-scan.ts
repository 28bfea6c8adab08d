/**
 * A pass over bucket `key` in steps: every record in the order of revisions.
 */
import type { BoltDb } from '../bolt/database.ts';
import type { LeafScan } from '../bolt/leaf-scan.ts';
import type { LogicalPage } from '../bolt/logical-page.ts';
import type { Progress } from '../io/job.ts';
import { KeyRecord } from './record.ts';
import { encodeRevision } from './revision.ts';

/** Work of one step: bytes of pages, each record counting for some besides. */
const STEP_BYTES = 1 << 20;
const RECORD_COST = 64;
/** Longer records are not read: etcd takes requests of 1.5 MiB unless told otherwise. */
export const MAX_RECORD: number = 256 << 20;
/** So much of the key of what is no record is looked at. */
const KEY_SHOWN = 64;

/** Which records a pass sees. */
export interface ScanRange {
  /** The first main revision. Default: all. */
  readonly from?: bigint | undefined;
  /** The last main revision. Default: all. */
  readonly to?: bigint | undefined;
}

/** Records that could not be read, and were passed over. */
export interface UnreadableRecords {
  count: number;
  /** The first of them. */
  pageId: number;
  offset: number;
}

/** Sees a record, which is valid during the call only. False ends the pass. */
export type RecordVisitor = (record: KeyRecord) => unknown;

export class KeyspaceScan {
  /** What was passed over because it is no record. */
  readonly unreadable: UnreadableRecords = { count: 0, pageId: 0, offset: 0 };
  readonly #leaves: LeafScan | undefined;
  readonly #visit: RecordVisitor;
  readonly #visitUnreadable: RecordVisitor | undefined;
  readonly #record = new KeyRecord();
  readonly #to: number;
  readonly #total: number;
  #done = 0;
  #ended = false;

  /** `visitUnreadable` sees records with a `problem`, which `visit` never does. */
  constructor(db: BoltDb, visit: RecordVisitor, range: ScanRange = {}, visitUnreadable?: RecordVisitor) {
    const { from, to } = range;
    const bucket = db.bucket('key');
    this.#leaves = bucket?.leaves(
      from === undefined || from <= 0n ? undefined : encodeRevision({ main: from, sub: 0n }),
    );
    this.#visit = visit;
    this.#visitUnreadable = visitUnreadable;
    this.#to = to === undefined ? Number.POSITIVE_INFINITY : Number(to);
    this.#total = db.highWaterMark * db.pageSize;
  }

  get progress(): Progress {
    return { done: Math.min(this.#done, this.#total), total: this.#ended ? this.#done : this.#total };
  }

  /** Reads about 1 MiB; true when everything has been read. Throws like the reader at damaged pages. */
  step(): boolean {
    let budget = STEP_BYTES;
    while (budget > 0 && !this.#ended) {
      const page = this.#leaves?.next();
      if (page === undefined) this.#ended = true;
      else {
        this.#scanPage(page, this.#leaves!.first);
        budget -= page.length + page.count * RECORD_COST;
        this.#done += page.length;
      }
    }
    return this.#ended;
  }

  #scanPage(page: LogicalPage, first: number): void {
    const record = this.#record;
    const { count } = page;
    for (let i = first; i < count; i++) {
      page.readElement(i);
      const { keyStart, keyLength, valueLength } = page;
      const length = keyLength + valueLength;
      record.pageId = page.id;
      record.offset = page.offset + keyStart;
      let readable = false;
      if (page.isBucket || length > MAX_RECORD) {
        const key = page.read(keyStart, Math.min(keyLength, KEY_SHOWN));
        record.parse(key, new DataView(key.buffer, key.byteOffset, key.length), 0, key.length, 0);
        record.problem = 'value';
      } else if (keyStart + length <= page.available) {
        readable = record.parse(page.bytes, page.view, page.base + keyStart, keyLength, valueLength);
      } else {
        const bytes = page.read(keyStart, length);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        readable = record.parse(bytes, view, 0, keyLength, valueLength);
      }
      if (!readable) {
        this.#passOver(record);
        continue;
      }
      if (record.main > this.#to) {
        // The last record of a page tells: a damaged one may stand anywhere.
        if (i === count - 1) this.#ended = true;
      } else if (this.#visit(record) === false) {
        this.#ended = true;
        return;
      }
    }
  }

  #passOver(record: KeyRecord): void {
    const { unreadable } = this;
    if (unreadable.count++ === 0) {
      unreadable.pageId = record.pageId;
      unreadable.offset = record.offset;
    }
    this.#visitUnreadable?.(record);
  }
}
