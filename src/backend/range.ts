/**
 * What a server answers to a request for a key or a range of keys, at any revision that can be read.
 *
 * The bucket is in the order of revisions, so every answer takes one pass over it. For one key nothing is kept but where its newest record is; for
 * a range an index of the keys in it: their bytes and at most 32 bytes a key, 8 more if another order than that of keys is asked for, and 12 to 24
 * bytes for every page of the bucket. The values are read again when they are asked for; only sorting by value holds all of them.
 */
import type { BoltDb } from '../bolt/database.ts';
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import { AttemptJob } from './attempt-job.ts';
import type { BackendFile } from './backend-file.ts';
import { Float64Column, Uint8Column, Uint32Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { KeyspaceScan, type UnreadableRecords } from './keyspace-scan.ts';
import { type KeyRange, RangeBounds } from './range-bounds.ts';
import { RangeItems, type RangeSelection, readAgain } from './range-items.ts';
import type { KeyRecord } from './record.ts';
import { RecordPlaces } from './record-places.ts';
import { readableRevision, readRevisions } from './revisions.ts';
import { ValueSort } from './sort-by-value.ts';
import { IdSort } from './sort-ids.ts';

/** What the key-values can be sorted by. */
export type SortTarget = 'key' | 'version' | 'create' | 'modify' | 'value';

/** A request, with the fields and the meaning that it has for a server. */
export interface RangeOptions extends KeyRange {
  /** The revision to read at; 0, less or none: the current one. */
  readonly revision?: bigint | undefined;
  /** As many key-values at most; 0 or none: all. */
  readonly limit?: number | undefined;
  /** Default: key. */
  readonly sortBy?: SortTarget | undefined;
  /**
   * Default: ascending. As on a server, `limit` and `sortBy` without an `order` do not mean the first ones by `sortBy`, but the
   * first `limit` + 1 by key, sorted, and the last of these left out.
   */
  readonly order?: 'ascend' | 'descend' | undefined;
  /** Leaves the values out. */
  readonly keysOnly?: boolean | undefined;
  /** Gives the count alone. */
  readonly countOnly?: boolean | undefined;
  /** Only what was last changed at such a revision, or created. `count` counts the others too. 0 or none: any. */
  readonly minModRevision?: bigint | undefined;
  readonly maxModRevision?: bigint | undefined;
  readonly minCreateRevision?: bigint | undefined;
  readonly maxCreateRevision?: bigint | undefined;
}

/** An answer. The file has to stay open as long as its `keyValues` are read. */
export interface RangeResult {
  /** The current revision, as in the head of a server's answer. */
  readonly revision: bigint;
  /** The revision that was read. */
  readonly readRevision: bigint;
  readonly keyValues: RangeItems;
  /** Whether the limit cut something off. */
  readonly more: boolean;
  /** All keys in the range, whatever the limit and the revisions asked for. */
  readonly count: number;
  /** Records that could not be read, and were passed over. */
  readonly unreadable: Readonly<UnreadableRecords>;
  /** Memory of the index. */
  readonly bytesUsed: number;
}

/**
 * A job that answers a request. Throws `REVISION_COMPACTED` or `REVISION_FUTURE` for a revision that cannot be read, in etcd's words.
 * Keys with the same number come in the order of keys when sorted by it; a server promises no order among them.
 */
export function rangeJob(file: BackendFile, options: RangeOptions): Job<RangeResult> {
  const bounds = new RangeBounds(options);
  return new AttemptJob([file], () => new RangeWork(file, options, bounds));
}

/** Revisions that records are held against; undefined: any. */
interface RevisionLimits {
  readonly minModify: number;
  readonly maxModify: number;
  readonly minCreate: number;
  readonly maxCreate: number;
}

/** The one id of a request for one key. */
const SINGLE = 0;
const COLLECTED_AT_ONCE = 1 << 16;

/** One attempt. */
class RangeWork implements Job<RangeResult> {
  readonly #file: BackendFile;
  readonly #db: BoltDb;
  readonly #options: RangeOptions;
  readonly #bounds: RangeBounds;
  readonly #limits: RevisionLimits | undefined;
  readonly #revision: { readonly current: bigint; readonly read: bigint };
  readonly #scan: KeyspaceScan;
  /** Undefined for one key. */
  readonly #index: KeyIndex | undefined;
  readonly #places = new Uint32Column();
  readonly #records = new RecordPlaces();
  /** 1: live, but outside of the limits. */
  readonly #outside = new Uint8Column();
  /** What is sorted by, other than keys and values. */
  readonly #numbers = new Float64Column();
  #count = 0;
  #phase: 'read' | 'sort' | 'collect' | 'order' | 'prepare' = 'read';
  /** The work of the phases that sort. */
  #sorting: Job<Uint32Array> | undefined;
  /** The answer, when all is done: before, what may be in it. */
  #ids: Uint32Array = new Uint32Array(0);
  #collected = 0;
  #kept = 0;
  #more = false;
  #items: RangeItems | undefined;

  constructor(file: BackendFile, options: RangeOptions, bounds: RangeBounds) {
    const { db } = file;
    this.#file = file;
    this.#db = db;
    this.#options = options;
    this.#bounds = bounds;
    this.#limits = revisionLimits(options);
    const revisions = readRevisions(db);
    const read = readableRevision(revisions, options.revision);
    this.#revision = { current: revisions.current, read };
    this.#index = bounds.single === undefined ? new KeyIndex({ maxKeyBytes: db.size }) : undefined;
    this.#scan = new KeyspaceScan(
      db,
      (record) => this.#take(record),
      { to: read },
      (record) => this.#records.note(record),
    );
  }

  get progress(): Progress {
    return this.#scan.progress;
  }

  get result(): RangeResult {
    if (this.#items === undefined) throw new DatadirError('INTERNAL', 'the range has not been read');
    const held = [this.#places, this.#records, this.#outside, this.#numbers];
    const bytesUsed = held.reduce((sum, each) => sum + each.bytesUsed, this.#ids.buffer.byteLength);
    return {
      revision: this.#revision.current,
      readRevision: this.#revision.read,
      keyValues: this.#items,
      more: this.#more,
      count: this.#count,
      unreadable: this.#scan.unreadable,
      bytesUsed: bytesUsed + (this.#index?.bytesUsed ?? 0),
    };
  }

  step(): boolean {
    switch (this.#phase) {
      case 'read':
        if (this.#scan.step()) this.#beginSorting();
        return false;
      case 'sort':
        if (this.#sort()) this.#phase = 'collect';
        return false;
      case 'collect':
        if (this.#collect()) this.#beginOrdering();
        return false;
      case 'order':
        if (this.#sort()) this.#beginPreparing();
        return false;
      case 'prepare':
        return (this.#items as RangeItems).prepare();
    }
  }

  #take(record: KeyRecord): void {
    const place = this.#records.note(record);
    const { bytes, userKeyStart, userKeyEnd } = record;
    // A server does not see what is before revision 1.
    if (record.main < 1 || !this.#bounds.contains(bytes, userKeyStart, userKeyEnd)) return;
    const id = this.#idOf(record);
    // The tombstone of a key that was not seen before.
    if (id < 0) return;
    const before = this.#places.get(id);
    if (record.tombstone) {
      if (before !== 0) this.#count--;
      this.#places.set(id, 0);
      return;
    }
    if (before === 0) this.#count++;
    this.#places.set(id, place);
    if (this.#limits !== undefined) this.#outside.set(id, isWithin(record, this.#limits) ? 0 : 1);
    const { sortBy } = this.#options;
    if (sortBy === 'version') this.#numbers.set(id, record.version);
    else if (sortBy === 'create') this.#numbers.set(id, record.createRevision);
    else if (sortBy === 'modify') this.#numbers.set(id, record.modRevision);
  }

  #idOf({ bytes, userKeyStart, userKeyEnd, tombstone }: KeyRecord): number {
    if (this.#index === undefined) return SINGLE;
    return tombstone
      ? this.#index.find(bytes, userKeyStart, userKeyEnd)
      : this.#index.add(bytes, userKeyStart, userKeyEnd);
  }

  #beginSorting(): void {
    if (this.#options.countOnly === true) this.#beginPreparing();
    else if (this.#index === undefined) {
      this.#ids = Uint32Array.of(SINGLE);
      this.#phase = 'collect';
    } else {
      this.#sorting = this.#index.sorting();
      this.#phase = 'sort';
    }
  }

  #sort(): boolean {
    const sorting = this.#sorting as Job<Uint32Array>;
    if (!sorting.step()) return false;
    this.#ids = sorting.result;
    this.#sorting = undefined;
    return true;
  }

  /** Leaves out ids that are not live, or outside of the limits. */
  #collect(): boolean {
    const ids = this.#ids;
    const end = Math.min(ids.length, this.#collected + COLLECTED_AT_ONCE);
    for (let at = this.#collected; at < end; at++) {
      const id = ids[at]!;
      if (this.#places.get(id) !== 0 && this.#outside.get(id) === 0) ids[this.#kept++] = id;
    }
    this.#collected = end;
    if (end < ids.length) return false;
    this.#ids = ids.subarray(0, this.#kept);
    return true;
  }

  #beginOrdering(): void {
    const { sortBy = 'key', order, limit = 0 } = this.#options;
    const descending = order === 'descend';
    // A server that is told no order stops at one more than the limit, and sorts what it has then.
    if (limit > 0 && order === undefined && this.#limits === undefined) this.#ids = this.#ids.subarray(0, limit + 1);
    if (sortBy === 'key') {
      if (descending) this.#ids.reverse();
      this.#beginPreparing();
      return;
    }
    if (sortBy === 'value') {
      const selection = this.#selection();
      const options = { maxBytes: this.#db.size, descending };
      this.#sorting = new ValueSort(this.#ids, (position) => readAgain(selection, position).value, options);
    } else this.#sorting = new IdSort(this.#ids, (id) => this.#numbers.get(id), descending);
    this.#phase = 'order';
  }

  #beginPreparing(): void {
    const { limit = 0 } = this.#options;
    this.#more = limit > 0 && this.#ids.length > limit;
    if (this.#more) this.#ids = this.#ids.subarray(0, limit);
    this.#items = new RangeItems(this.#selection());
    this.#phase = 'prepare';
  }

  #selection(): RangeSelection {
    const ids = this.#ids;
    const { single = new Uint8Array(0) } = this.#bounds;
    return {
      db: this.#db,
      source: this.#file.source,
      records: this.#records,
      length: ids.length,
      keyAt: (position) => this.#index?.key(ids[position]!) ?? single,
      placeAt: (position) => this.#places.get(ids[position]!),
      keysOnly: this.#options.keysOnly === true,
    };
  }
}

/** 0 is no limit, as for a server. */
function revisionLimits(options: RangeOptions): RevisionLimits | undefined {
  const { minModRevision, maxModRevision, minCreateRevision, maxCreateRevision } = options;
  const given = [minModRevision, maxModRevision, minCreateRevision, maxCreateRevision];
  if (given.every((limit) => limit === undefined || limit === 0n)) return undefined;
  return {
    minModify: minModRevision ? Number(minModRevision) : Number.NEGATIVE_INFINITY,
    maxModify: maxModRevision ? Number(maxModRevision) : Number.POSITIVE_INFINITY,
    minCreate: minCreateRevision ? Number(minCreateRevision) : Number.NEGATIVE_INFINITY,
    maxCreate: maxCreateRevision ? Number(maxCreateRevision) : Number.POSITIVE_INFINITY,
  };
}

function isWithin({ createRevision, modRevision }: KeyRecord, limits: RevisionLimits): boolean {
  const { minModify, maxModify, minCreate, maxCreate } = limits;
  return (
    modRevision >= minModify && modRevision <= maxModify && createRevision >= minCreate && createRevision <= maxCreate
  );
}
