/**
 * Reads from a db what entries of a log need to know of its keys: one pass over bucket `key`, whatever their number.
 *
 * Memory follows what is demanded: the keys that are named, and those of the db that lie in a named range or have a named lease.
 */

import { KeyspaceScan } from '../../backend/keyspace-scan.ts';
import type { KeyRecord } from '../../backend/record.ts';
import { type Revisions, readRevisions } from '../../backend/revisions.ts';
import type { BoltDb } from '../../bolt/database.ts';
import { DatadirError } from '../../errors.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { Demand } from './demand.ts';
import { Keyspace } from './keyspace.ts';
import { KeyStates, STATE_BYTES } from './keyspace-state.ts';
import type { LeaseState } from './lease-state.ts';

export interface KeyspaceLoadOptions {
  /** Only revisions are of interest: the db is not read if its keys decide nothing. Versions in new records are wrong then. */
  readonly revisionsOnly?: boolean | undefined;
  /**
   * So much memory may be taken by keys that are in named ranges or have named leases, and as much by values that puts keep. Default
   * 64 MiB.
   */
  readonly maxStateBytes?: number | undefined;
}

const MAX_STATE_BYTES: number = 64 << 20;
/** Keys that are dealt with in one step. */
const STEP_KEYS = 20_000;

export class KeyspaceLoadJob implements Job<Keyspace> {
  readonly #db: BoltDb | undefined;
  readonly #demand: Demand;
  readonly #leases: LeaseState;
  readonly #maxStateBytes: number;
  readonly #states = new KeyStates();
  readonly #revisions: Revisions | undefined;
  readonly #scan: KeyspaceScan | undefined;
  readonly #hasRanges: boolean;
  readonly #hasLeases: boolean;
  /** Memory taken by what was not named one by one. */
  #stateBytes = 0;
  #named = 0;
  #scanned = false;
  #sorting: Job<Uint32Array> | undefined;
  #attached = 0;
  #keyspace: Keyspace | undefined;
  #finished = false;

  /** Without a db the keyspace is that of a new cluster. Leases must be those of the same db. */
  constructor(db: BoltDb | undefined, demand: Demand, leases: LeaseState, options: KeyspaceLoadOptions = {}) {
    const { revisionsOnly = false, maxStateBytes = MAX_STATE_BYTES } = options;
    this.#db = db;
    this.#demand = demand;
    this.#leases = leases;
    this.#maxStateBytes = maxStateBytes;
    this.#hasRanges = !demand.ranges.isEmpty;
    this.#hasLeases = demand.leases.size > 0;
    this.#revisions = db === undefined ? undefined : readRevisions(db);
    const isNeeded = demand.keys.size > 0 || this.#hasRanges || this.#hasLeases;
    if (db !== undefined && isNeeded && (demand.decides || !revisionsOnly)) {
      this.#scan = new KeyspaceScan(db, (record) => this.#take(record));
    }
  }

  get progress(): Progress {
    return this.#scan?.progress ?? { done: 0, total: 0 };
  }

  get result(): Keyspace {
    if (this.#keyspace === undefined || !this.#finished)
      throw new DatadirError('INTERNAL', 'the pass has not finished');
    return this.#keyspace;
  }

  step(): boolean {
    const { keys } = this.#demand;
    if (this.#named < keys.size) {
      const last = Math.min(keys.size, this.#named + STEP_KEYS);
      for (; this.#named < last; this.#named++) {
        const key = keys.key(this.#named);
        this.#states.keys.add(key, 0, key.length);
      }
    } else if (!this.#scanned) this.#scanned = this.#scan?.step() ?? true;
    else if (this.#sorting === undefined) this.#sorting = this.#states.keys.sorting();
    else if (this.#keyspace === undefined) {
      if (this.#sorting.step()) this.#keyspace = this.#makeKeyspace(this.#sorting.result);
    } else this.#finished = this.#attach(this.#keyspace);
    return this.#finished;
  }

  /** Takes note of a record if its key matters. The newest one of a key comes last. */
  #take(record: KeyRecord): void {
    // Servers begin with revision 1.
    if (record.main < 1) return;
    const states = this.#states;
    const { bytes, userKeyStart: start, userKeyEnd: end } = record;
    let id = states.keys.find(bytes, start, end);
    if (id < 0) {
      // A key that is not known and is deleted is as if it were not there.
      if (record.tombstone || !this.#matters(record)) return;
      this.#stateBytes += end - start + STATE_BYTES;
      if (this.#stateBytes > this.#maxStateBytes) throw this.#tooManyKeys();
      id = states.keys.add(bytes, start, end);
    }
    if (record.tombstone) {
      states.live.set(id, 0);
      return;
    }
    states.live.set(id, 1);
    if (record.exact) {
      states.main.setNumber(id, record.main);
      states.sub.setNumber(id, record.sub);
      states.create.setNumber(id, record.createRevision);
      states.version.setNumber(id, record.version);
    } else {
      const { main, sub } = record.revision();
      const { createRevision, version } = record.keyValue();
      states.main.set(id, main);
      states.sub.set(id, sub);
      states.create.set(id, createRevision);
      states.version.set(id, version);
    }
    states.lease.set(id, record.lease());
  }

  #matters(record: KeyRecord): boolean {
    const { view, userKeyStart: start, userKeyEnd: end } = record;
    if (this.#hasRanges && this.#demand.ranges.contains(view, start, end - start)) return true;
    return this.#hasLeases && record.hasLease && this.#demand.leases.has(record.lease());
  }

  #tooManyKeys(): DatadirError {
    const limit = Math.round(this.#maxStateBytes / 1024 / 1024);
    return new DatadirError(
      'REPLAY_REFUSED',
      `requests of the log name ranges and leases with more keys than fit into ${limit} MiB of memory (maxStateBytes)`,
    );
  }

  #makeKeyspace(sorted: Uint32Array): Keyspace {
    const { current = 1n, compact = -1n, compactionPending = false } = this.#revisions ?? {};
    return new Keyspace({
      db: this.#db,
      states: this.#states,
      sorted,
      currentRevision: current,
      compactRevision: compact,
      pendingCompaction: compactionPending ? compact : undefined,
      unreadable: this.#scan?.unreadable.count ?? 0,
      maxKeptBytes: this.#maxStateBytes,
    });
  }

  /** Puts keys to their leases, if these exist: a lease that is granted later does not get the keys that named its id before. */
  #attach(keyspace: Keyspace): boolean {
    const { keys, live, lease } = this.#states;
    const last = Math.min(keys.size, this.#attached + STEP_KEYS);
    for (; this.#attached < last; this.#attached++) {
      const id = this.#attached;
      if (live.get(id) === 0) continue;
      const leaseId = lease.get(id);
      if (leaseId !== 0n && this.#leases.has(leaseId)) keyspace.attach(id);
    }
    return last === keys.size;
  }
}
