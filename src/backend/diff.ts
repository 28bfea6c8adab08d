/**
 * What differs between the live keys of two dbs, or of one db at two revisions.
 *
 * One index holds the keys of both, and of each key a digest of what A has and where both have it: the bytes of the keys and at most 36 bytes a
 * key, and 12 to 24 bytes for every page. Values are read again for the keys that differ, when these are asked for.
 */
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import { AttemptJob } from './attempt-job.ts';
import type { BackendFile } from './backend-file.ts';
import { Uint32Column } from './column.ts';
import { BucketsComparison } from './diff-buckets.ts';
import { DiffResult, differenceOf, SAME } from './diff-result.ts';
import { KeyIndex } from './key-index.ts';
import { hasPrefix } from './key-path.ts';
import { KeyspaceScan } from './keyspace-scan.ts';
import type { KeyRecord } from './record.ts';
import { RecordDigest } from './record-digest.ts';
import { RecordPlaces } from './record-places.ts';
import { readableRevision, readRevisions } from './revisions.ts';

/** What is compared. */
export interface DiffOptions {
  /** Revisions to read A and B at; 0 or none: the current one. */
  readonly revisionA?: bigint | undefined;
  readonly revisionB?: bigint | undefined;
  /** Keys that begin with this only. */
  readonly prefix?: Uint8Array | undefined;
  /**
   * Compares values and leases only. Default: everything that etcd keeps of a key, so also the revisions it was created and last changed at,
   * and its version.
   */
  readonly ignoreRevisions?: boolean | undefined;
}

/** The sides of a comparison. */
export type Side = 'a' | 'b';

/** One side while it is read. */
export interface DiffSide {
  readonly file: BackendFile;
  readonly revision: bigint;
  /** Where each key of the index is in the pass over this side; 0 if it is not live there. */
  readonly places: Uint32Column;
  readonly records: RecordPlaces;
  readonly scan: KeyspaceScan;
}

/**
 * A job that compares `a` and `b`, which may be one and the same. Throws `REVISION_COMPACTED` or `REVISION_FUTURE` for a revision that cannot be
 * read. Both files have to stay open as long as the result is used.
 */
export function diffJob(a: BackendFile, b: BackendFile, options: DiffOptions = {}): Job<DiffResult> {
  return new AttemptJob(a === b ? [a] : [a, b], () => new Comparison(a, b, options));
}

/** One attempt. */
class Comparison implements Job<DiffResult> {
  readonly #options: DiffOptions;
  readonly #index: KeyIndex;
  /** Of the newest record of each key in A. */
  #low = new Uint32Column();
  #high = new Uint32Column();
  readonly #digest: RecordDigest;
  readonly #sides: Readonly<Record<Side, DiffSide>>;
  readonly #buckets: BucketsComparison;
  #phase: 'a' | 'b' | 'buckets' | 'collect' | 'sort' = 'a';
  readonly #counts = { added: 0, removed: 0, changed: 0, same: 0 };
  #few: number[] = [];
  #collected = 0;
  #sorting: Job<Uint32Array> | undefined;
  #result: DiffResult | undefined;

  constructor(a: BackendFile, b: BackendFile, options: DiffOptions) {
    this.#options = options;
    this.#digest = new RecordDigest(options.ignoreRevisions !== true);
    // Two sides of one file have the same keys.
    this.#index = new KeyIndex({ maxKeyBytes: a === b ? a.db.size : a.db.size + b.db.size });
    this.#sides = {
      a: this.#side(a, options.revisionA, (record, side) => this.#takeA(record, side)),
      b: this.#side(b, options.revisionB, (record, side) => this.#takeB(record, side)),
    };
    // Other buckets have no revisions, and no keys that a prefix could mean.
    const compared = a !== b && (options.prefix ?? NOTHING).length === 0;
    this.#buckets = new BucketsComparison(a.db, b.db, compared);
  }

  get progress(): Progress {
    const { a, b } = this.#sides;
    const [first, second] = [a.scan.progress, b.scan.progress];
    return { done: first.done + second.done, total: first.total + second.total };
  }

  get result(): DiffResult {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the comparison has not finished');
    return this.#result;
  }

  step(): boolean {
    const { a, b } = this.#sides;
    switch (this.#phase) {
      case 'a':
        if (a.scan.step()) this.#phase = 'b';
        return false;
      case 'b':
        if (b.scan.step()) this.#phase = 'buckets';
        return false;
      case 'buckets':
        if (this.#buckets.step()) this.#phase = 'collect';
        return false;
      case 'collect':
        if (this.#collect()) this.#phase = 'sort';
        return false;
      case 'sort':
        return this.#sort();
    }
  }

  /** Counts, and keeps the ids that differ as long as they are few. */
  #collect(): boolean {
    const { a, b } = this.#sides;
    const end = Math.min(this.#index.size, this.#collected + COLLECTED_AT_ONCE);
    for (let id = this.#collected; id < end; id++) {
      const kind = differenceOf(a, b, id);
      if (kind === undefined) {
        if (b.places.get(id) === SAME) this.#counts.same++;
      } else if (this.#counts[kind]++ < SORTED_AT_ONCE) this.#few.push(id);
    }
    this.#collected = end;
    return end === this.#index.size;
  }

  /** Few ids are sorted by themselves; where there are many, all are, in steps. */
  #sort(): boolean {
    const { added, removed, changed } = this.#counts;
    if (added + removed + changed <= SORTED_AT_ONCE) {
      this.#finish(Uint32Array.from(this.#few).sort((x, y) => this.#index.compare(x, y)));
      return true;
    }
    if (this.#sorting === undefined) {
      this.#few = [];
      // Of no use any more: sorting takes as much.
      this.#low = new Uint32Column();
      this.#high = new Uint32Column();
      this.#sorting = this.#index.sorting();
    }
    if (!this.#sorting.step()) return false;
    this.#finish(this.#sorting.result);
    return true;
  }

  #finish(ids: Uint32Array): void {
    const { a, b } = this.#sides;
    const held = [this.#index, a.places, b.places, a.records, b.records];
    this.#result = new DiffResult({
      index: this.#index,
      ids,
      counts: this.#counts,
      a,
      b,
      buckets: this.#buckets.result,
      ignoreRevisions: this.#options.ignoreRevisions === true,
      bytesUsed: held.reduce((sum, { bytesUsed }) => sum + bytesUsed, ids.byteLength),
    });
  }

  #side(
    file: BackendFile,
    wanted: bigint | undefined,
    take: (record: KeyRecord, side: { places: Uint32Column; records: RecordPlaces }) => void,
  ): DiffSide {
    const { db } = file;
    const revisions = readRevisions(db);
    const revision = readableRevision(revisions, wanted);
    const places = new Uint32Column();
    const records = new RecordPlaces();
    const side = { places, records };
    const scan = new KeyspaceScan(
      db,
      (record) => take(record, side),
      { to: revision },
      (record) => records.note(record),
    );
    return { file, revision, places, records, scan };
  }

  /** Neither the key of no bytes nor what is before revision 1 can be had from a server. */
  #isSeen({ bytes, main, userKeyStart, userKeyEnd }: KeyRecord): boolean {
    const { prefix = NOTHING } = this.#options;
    return main >= 1 && userKeyEnd > userKeyStart && hasPrefix(bytes, userKeyStart, userKeyEnd, prefix);
  }

  /** The id of a key that is put; -1 for all other records. A deletion is noted. */
  #putOf(record: KeyRecord, places: Uint32Column): number {
    if (!this.#isSeen(record)) return -1;
    const { bytes, userKeyStart, userKeyEnd } = record;
    if (!record.tombstone) return this.#index.add(bytes, userKeyStart, userKeyEnd);
    const id = this.#index.find(bytes, userKeyStart, userKeyEnd);
    if (id >= 0) places.set(id, 0);
    return -1;
  }

  #takeA(record: KeyRecord, { places, records }: Pick<DiffSide, 'places' | 'records'>): void {
    const place = records.note(record);
    const id = this.#putOf(record, places);
    if (id < 0) return;
    places.set(id, place);
    this.#digest.take(record);
    this.#low.set(id, this.#digest.low);
    this.#high.set(id, this.#digest.high);
  }

  /** Each record of B is compared with what A has in the end: the newest one of a key has the last word. */
  #takeB(record: KeyRecord, { places, records }: Pick<DiffSide, 'places' | 'records'>): void {
    const place = records.note(record);
    const id = this.#putOf(record, places);
    if (id < 0) return;
    places.set(id, this.#sides.a.places.get(id) !== 0 && this.#sameAsA(id, record) ? SAME : place);
  }

  #sameAsA(id: number, record: KeyRecord): boolean {
    this.#digest.take(record);
    return this.#low.get(id) === this.#digest.low && this.#high.get(id) === this.#digest.high;
  }
}

const NOTHING = new Uint8Array(0);
/** Takes some milliseconds. */
const SORTED_AT_ONCE = 4096;
const COLLECTED_AT_ONCE = 1 << 16;
