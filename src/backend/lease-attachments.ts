/**
 * Which keys are attached to which lease, at the current revision. It is not stored as such: the newest record of a key says
 * so, and a put without a lease, or a deletion, ends it.
 */
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { Uint32Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import type { UnreadableRecords } from './keyspace-scan.ts';
import { type Pass, PassJob } from './pass-job.ts';
import type { KeyRecord } from './record.ts';

/** The keys of one lease in ascending order: copies, made when they are asked for. */
export interface AttachedKeys extends Iterable<Uint8Array> {
  readonly length: number;
}

/** All attachments. */
export interface LeaseAttachments {
  /** By lease id, signed, as etcd has it. Leases without keys are not in it, and some that are may not exist. */
  readonly byLease: ReadonlyMap<bigint, AttachedKeys>;
  /** Attached keys of all leases. */
  readonly total: number;
  /** Records that could not be read: what they say is not known. */
  readonly unreadable: Readonly<UnreadableRecords>;
}

/** Keys that have, or had, a lease, and which one. */
class LeasedKeys {
  readonly keys: KeyIndex;
  // The 64 bits of the lease id; all 0 without one.
  readonly #high = new Uint32Column();
  readonly #low = new Uint32Column();

  constructor(maxKeyBytes: number) {
    this.keys = new KeyIndex({ maxKeyBytes });
  }

  take(record: KeyRecord): void {
    // Servers begin with revision 1.
    if (record.main < 1) return;
    const { bytes, userKeyStart, userKeyEnd } = record;
    const attached = record.hasLease && !record.tombstone;
    if (!attached && this.keys.size === 0) return;
    const id = attached
      ? this.keys.add(bytes, userKeyStart, userKeyEnd)
      : this.keys.find(bytes, userKeyStart, userKeyEnd);
    if (id < 0) return;
    const lease = attached ? BigInt.asUintN(64, record.lease()) : 0n;
    this.#high.set(id, Number(lease >> 32n));
    this.#low.set(id, Number(lease & 0xffff_ffffn));
  }

  /** Lease of an id, 0 if it has none any more. */
  lease(id: number): bigint {
    const high = this.#high.get(id);
    const low = this.#low.get(id);
    return high === 0 && low === 0 ? 0n : BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
  }
}

/** Some of the ids that `ids` holds. */
class KeysOfLease implements AttachedKeys {
  readonly #keys: KeyIndex;
  readonly #ids: Uint32Array;
  readonly #start: number;
  #end: number;

  /** None yet, but room for them from `start` on. */
  constructor(keys: KeyIndex, ids: Uint32Array, start: number) {
    this.#keys = keys;
    this.#ids = ids;
    this.#start = start;
    this.#end = start;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  add(id: number): void {
    this.#ids[this.#end++] = id;
  }

  *[Symbol.iterator](): Generator<Uint8Array, void, undefined> {
    for (let at = this.#start; at < this.#end; at++) yield this.#keys.key(this.#ids[at]!);
  }
}

/** Finds the attachments, in one pass. Memory: an index of the keys that ever had a lease, and 20 bytes for each. */
export class LeaseAttachmentsJob implements Job<LeaseAttachments> {
  readonly #pass: PassJob<{ readonly leased: LeasedKeys; readonly unreadable: Readonly<UnreadableRecords> }>;
  #sorting: Job<Uint32Array> | undefined;
  #result: LeaseAttachments | undefined;

  constructor(file: BackendFile) {
    this.#pass = new PassJob(file, (db) => leasePass(db.size));
  }

  get progress(): Progress {
    return this.#pass.progress;
  }

  get result(): LeaseAttachments {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the pass has not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#sorting === undefined) {
      if (this.#pass.step()) this.#sorting = this.#pass.result.leased.keys.sorting();
      return false;
    }
    if (!this.#sorting.step()) return false;
    const { leased, unreadable } = this.#pass.result;
    this.#result = { ...group(leased, this.#sorting.result), unreadable };
    return true;
  }
}

function leasePass(
  maxKeyBytes: number,
): Pass<{ readonly leased: LeasedKeys; readonly unreadable: Readonly<UnreadableRecords> }> {
  const leased = new LeasedKeys(maxKeyBytes);
  return {
    visit: (record) => leased.take(record),
    finish: (unreadable) => ({ leased, unreadable }),
  };
}

/** Puts the keys, which come in order, to their leases: counted first, so that one array is enough. */
function group(leased: LeasedKeys, sorted: Uint32Array): Pick<LeaseAttachments, 'byLease' | 'total'> {
  const counts = new Map<bigint, number>();
  for (const id of sorted) {
    const lease = leased.lease(id);
    if (lease !== 0n) counts.set(lease, (counts.get(lease) ?? 0) + 1);
  }
  let total = 0;
  for (const count of counts.values()) total += count;
  const ids = new Uint32Array(total);
  const byLease = new Map<bigint, KeysOfLease>();
  let start = 0;
  for (const [lease, count] of counts) {
    byLease.set(lease, new KeysOfLease(leased.keys, ids, start));
    start += count;
  }
  for (const id of sorted) {
    const lease = leased.lease(id);
    if (lease !== 0n) byLease.get(lease)!.add(id);
  }
  return { byLease, total };
}
