/**
 * The keys of a db while entries are applied to it: the newest state of those that matter, in memory, and the records that come
 * to it. Nothing is written.
 *
 * Changes are made between `begin` and `end`, which make one revision of them, or none if there was no change. All keys that can ever
 * be put are known from the beginning (`demand.ts`), so their order never changes.
 */
import { encodeRevision } from '../../backend/revision.ts';
import { compareKeys } from '../../bolt/compare-keys.ts';
import type { BoltDb } from '../../bolt/database.ts';
import { DatadirError } from '../../errors.ts';
import { encodeKeyValue, parseKeyValue } from '../../proto/mvcc.ts';
import { NewRecords, type RecordsEnd } from '../rewrite/new-records.ts';
import { type Applied, CHANGED, failed } from './applied.ts';
import type { KeyStates, SavedState } from './keyspace-state.ts';
import type { RequestRange } from './request-range.ts';
import { REVISION_COMPACTED, REVISION_FUTURE } from './request-words.ts';

/** What a keyspace begins with. */
export interface KeyspaceBase {
  /** Where values are; undefined: there is no db. */
  readonly db: BoltDb | undefined;
  readonly states: KeyStates;
  /** The numbers of all keys in the order of their bytes. */
  readonly sorted: Uint32Array;
  readonly currentRevision: bigint;
  /** Below it nothing can be read; -1 as long as nothing was compacted. */
  readonly compactRevision: bigint;
  /** A compaction that was asked for and has not been finished. */
  readonly pendingCompaction: bigint | undefined;
  /** Records of the db that could not be read, and were passed over. */
  readonly unreadable: number;
  /** So many bytes of values may be kept by puts that do not bring one: a short request may repeat a long value. */
  readonly maxKeptBytes: number;
}

const EMPTY: Uint8Array = new Uint8Array(0);
/** Keys that are counted together. */
const BLOCK = 256;
const LAST_REVISION = 0x7fff_ffff_ffff_ffffn;

export class Keyspace {
  /** The records that were added, in order. */
  readonly newRecords: NewRecords = new NewRecords();
  /** Records of the db that could not be read, and were passed over: what they said is not known. */
  readonly unreadable: number;
  readonly #db: BoltDb | undefined;
  readonly #states: KeyStates;
  readonly #sorted: Uint32Array;
  /** Where each key stands in the order. */
  readonly #ranks: Uint32Array;
  /** How many keys exist of each so many in the order: many requests may name a wide range in which there is nothing any more. */
  readonly #liveInBlock: Uint32Array;
  readonly #attached = new Map<bigint, Set<number>>();
  #currentRevision: bigint;
  #compactRevision: bigint;
  #compaction: bigint | undefined;
  readonly #maxKeptBytes: number;
  #keptBytes = 0;

  // The changes under way.
  #isOpen = false;
  #sub = 0n;
  #before: RecordsEnd | undefined;
  #saved: SavedState[] | undefined;

  /** For `KeyspaceLoadJob`. */
  constructor(base: KeyspaceBase) {
    this.#db = base.db;
    this.#states = base.states;
    this.#sorted = base.sorted;
    this.#currentRevision = base.currentRevision;
    this.#compactRevision = base.compactRevision;
    this.#compaction = base.pendingCompaction;
    this.unreadable = base.unreadable;
    this.#maxKeptBytes = base.maxKeptBytes;
    this.#ranks = new Uint32Array(base.sorted.length);
    this.#liveInBlock = new Uint32Array(Math.ceil(base.sorted.length / BLOCK));
    base.sorted.forEach((id, rank) => {
      this.#ranks[id] = rank;
      if (base.states.live.get(id) === 1) this.#liveInBlock[Math.floor(rank / BLOCK)]!++;
    });
  }

  /** The newest revision: 1 in a new cluster. */
  get currentRevision(): bigint {
    return this.#currentRevision;
  }

  /** Nothing below can be read; -1 as long as nothing was compacted. */
  get compactRevision(): bigint {
    return this.#compactRevision;
  }

  /**
   * The compaction that is to be carried out on what results: the last one of the entries, or one that was pending in the db.
   * Earlier ones remove nothing that it leaves. Undefined: there is none.
   */
  get compaction(): bigint | undefined {
    return this.#compaction;
  }

  /** How many keys are kept in mind. */
  get trackedKeys(): number {
    return this.#sorted.length;
  }

  /** Asks for a compaction. */
  compact(revision: bigint): Applied {
    if (revision <= this.#compactRevision) return failed(REVISION_COMPACTED);
    if (revision > this.#currentRevision) return failed(REVISION_FUTURE);
    this.#compactRevision = revision;
    this.#compaction = revision;
    return CHANGED;
  }

  // One key.

  /** The number of a key that exists now; -1 if it does not. */
  find(key: Uint8Array): number {
    const id = this.#idOf(key);
    return this.#states.live.get(id) === 1 ? id : -1;
  }

  createRevision(id: number): bigint {
    return this.#states.create.get(id);
  }

  modRevision(id: number): bigint {
    return this.#states.main.get(id);
  }

  version(id: number): bigint {
    return this.#states.version.get(id);
  }

  /** The lease that its newest record names, 0 for none. */
  lease(id: number): bigint {
    return this.#states.lease.get(id);
  }

  /** Its value: a view. Of a record of the db it is read there. */
  value(id: number): Uint8Array {
    const record = this.#states.record.get(id);
    if (record > 0) return this.newRecords.userValue(record - 1);
    const revision = { main: this.#states.main.get(id), sub: this.#states.sub.get(id) };
    const stored = this.#db?.bucket('key')?.get(encodeRevision(revision));
    if (stored === undefined) {
      const words = `the record of revision ${revision.main} (${revision.sub}) is not found where it belongs`;
      throw new DatadirError('BOLT_DAMAGED', words);
    }
    return parseKeyValue(stored).value;
  }

  /** The value for a put that keeps it. Throws `REPLAY_REFUSED` when these come to more than may be. */
  keptValue(id: number): Uint8Array {
    const value = this.value(id);
    this.#keptBytes += value.length;
    if (this.#keptBytes <= this.#maxKeptBytes) return value;
    const limit = Math.round(this.#maxKeptBytes / 1024 / 1024);
    const words = `puts of the log that keep the value of their key come to more than ${limit} MiB (maxStateBytes)`;
    throw new DatadirError('REPLAY_REFUSED', words);
  }

  // Many keys.

  /** Shows the keys of a range that exist now, in the order of their bytes, until `visit` returns false. */
  forEach(range: RequestRange, visit: (id: number) => unknown): void {
    const { key, end } = range;
    if (end === undefined) {
      const id = this.find(key);
      if (id >= 0) visit(id);
      return;
    }
    const sorted = this.#sorted;
    const { live } = this.#states;
    const last = end === null ? sorted.length : this.#position(end);
    for (let at = this.#position(key); at < last; at++) {
      if (at % BLOCK === 0 && this.#liveInBlock[at / BLOCK] === 0) {
        at += BLOCK - 1;
        continue;
      }
      const id = sorted[at]!;
      if (live.get(id) === 1 && visit(id) === false) return;
    }
  }

  /** The keys of a lease, in the order of their bytes: copies. Of a lease that is not among the demanded ones some may be missing. */
  *attached(lease: bigint): Generator<Uint8Array, void, undefined> {
    for (const id of this.#attachedIds(lease)) yield this.#states.keys.key(id);
  }

  /** Puts a key among those of its lease. Only for keys of the db, before the first change. */
  attach(id: number): void {
    const lease = this.#states.lease.get(id);
    let keys = this.#attached.get(lease);
    if (keys === undefined) {
      keys = new Set();
      this.#attached.set(lease, keys);
    }
    keys.add(id);
    this.#states.attached.set(id, 1);
  }

  // Changes.

  /** Changes follow. `undoable`: they may be taken back, which takes memory for each. */
  begin(undoable = false): void {
    if (this.#isOpen) throw new DatadirError('INTERNAL', 'changes are under way already');
    if (this.#currentRevision === LAST_REVISION) {
      throw new DatadirError('REPLAY_REFUSED', `there is no revision after ${LAST_REVISION}`);
    }
    this.#isOpen = true;
    this.#sub = 0n;
    this.#before = undoable ? this.newRecords.end : undefined;
    this.#saved = undoable ? [] : undefined;
  }

  /** All changes are made. Whether there was one, so that there is a new revision. */
  end(): boolean {
    const changed = this.#sub > 0n;
    if (changed) this.#currentRevision++;
    this.#close();
    return changed;
  }

  /** Takes all changes back. */
  undo(): void {
    if (this.#saved === undefined || this.#before === undefined) {
      throw new DatadirError('INTERNAL', 'these changes cannot be taken back');
    }
    for (const saved of this.#saved.reverse()) {
      this.#detach(saved.id);
      this.#setLive(saved.id, saved.live);
      this.#states.restore(saved);
      if (saved.attached === 1) this.attach(saved.id);
    }
    this.newRecords.cut(this.#before);
    this.#close();
  }

  /** Puts a key. The lease must exist, unless it is 0. */
  put(key: Uint8Array, value: Uint8Array, lease: bigint): void {
    const id = this.#idOf(key);
    const states = this.#states;
    this.#saved?.push(states.save(id));
    this.#detach(id);
    const exists = states.live.get(id) === 1;
    const main = this.#currentRevision + 1n;
    const sub = this.#sub++;
    const createRevision = exists ? states.create.get(id) : main;
    const version = exists ? states.version.get(id) + 1n : 1n;
    const message = encodeKeyValue({ key, createRevision, modRevision: main, version, value, lease });
    this.#setLive(id, 1);
    states.main.set(id, main);
    states.sub.set(id, sub);
    states.create.set(id, createRevision);
    states.version.set(id, version);
    states.lease.set(id, lease);
    states.record.set(id, this.newRecords.add({ main, sub }, false, message) + 1);
    if (lease !== 0n) this.attach(id);
  }

  /** Deletes the keys of a range that exist now, in the order of their bytes. */
  deleteRange(range: RequestRange): void {
    this.forEach(range, (id) => this.#delete(id));
  }

  /** Deletes the keys of a lease, in the order of their bytes. */
  deleteAttached(lease: bigint): void {
    for (const id of this.#attachedIds(lease)) this.#delete(id);
    this.#attached.delete(lease);
  }

  #delete(id: number): void {
    const states = this.#states;
    this.#saved?.push(states.save(id));
    this.#detach(id);
    this.#setLive(id, 0);
    const message = encodeKeyValue({
      key: states.keys.key(id),
      createRevision: 0n,
      modRevision: 0n,
      version: 0n,
      value: EMPTY,
      lease: 0n,
    });
    this.newRecords.add({ main: this.#currentRevision + 1n, sub: this.#sub++ }, true, message);
  }

  #detach(id: number): void {
    const { attached, lease } = this.#states;
    if (attached.get(id) === 0) return;
    attached.set(id, 0);
    this.#attached.get(lease.get(id))?.delete(id);
  }

  #attachedIds(lease: bigint): readonly number[] {
    const ids = [...(this.#attached.get(lease) ?? [])];
    return ids.sort((a, b) => this.#ranks[a]! - this.#ranks[b]!);
  }

  #setLive(id: number, live: number): void {
    this.#liveInBlock[Math.floor(this.#ranks[id]! / BLOCK)]! += live - this.#states.live.get(id);
    this.#states.live.set(id, live);
  }

  #close(): void {
    this.#isOpen = false;
    this.#before = undefined;
    this.#saved = undefined;
  }

  #idOf(key: Uint8Array): number {
    const id = this.#states.keys.find(key, 0, key.length);
    if (id < 0) throw new DatadirError('INTERNAL', 'a key that no request was known to name');
    return id;
  }

  /** How many keys sort before `key`. */
  #position(key: Uint8Array): number {
    const { keys } = this.#states;
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(keys.key(this.#sorted[middle]!), key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
