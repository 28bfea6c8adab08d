/**
 * Rule for the leases that live keys name: each is in bucket `lease`.
 */
import { keyText } from '../bolt/key-text.ts';
import type { BackendReporter, Cause } from './check-reporter.ts';
import type { KeyRecord } from './record.ts';
import { encodeRevision } from './revision.ts';
import type { KeyHistory } from './rules-history.ts';
import { revisionText } from './rules-record.ts';

/** Ids of leases in 8 bytes each, for millions of them. */
export class LeaseSet {
  #ids = new BigInt64Array(16);
  #size = 0;
  #sorted = true;

  get size(): number {
    return this.#size;
  }

  add(id: bigint): void {
    if (this.#size === this.#ids.length) {
      const larger = new BigInt64Array(2 * this.#size);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#size++] = id;
    this.#sorted = false;
  }

  has(id: bigint): boolean {
    if (!this.#sorted) {
      this.#ids.subarray(0, this.#size).sort();
      this.#sorted = true;
    }
    const ids = this.#ids;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low < this.#size && ids[low] === id;
  }
}

/** The newest record of a key whose lease is missing. */
interface Reference {
  readonly lease: bigint;
  readonly revision: string;
  readonly main: bigint;
  readonly sub: bigint;
  readonly pageId: number;
  readonly offset: number;
}

/** So many keys with a missing lease are remembered. */
const MAX_REFERENCES = 100_000;

export class LeaseReferences {
  readonly #leases: LeaseSet;
  readonly #cause: Cause | undefined;
  readonly #lost = new Map<number, Reference>();
  /** The last lease asked for: many keys in a row have the same one. */
  #lease = 0n;
  #present = true; // no lease at all is always there
  /** A record is damaged: what key it changed, and how, is not known. */
  unclear = false;

  /** `cause`: why leases are missing, if that was found already. */
  constructor(leases: LeaseSet, cause: Cause | undefined) {
    this.#leases = leases;
    this.#cause = cause;
  }

  /** The next record of the key `id`. */
  take(record: KeyRecord, id: number): void {
    if (!record.hasLease) {
      if (this.#lost.size > 0) this.#lost.delete(id);
      return;
    }
    const lease = record.lease();
    if (lease !== this.#lease && lease !== 0n) {
      this.#lease = lease;
      this.#present = this.#leases.has(lease);
    }
    if (this.#present) this.#lost.delete(id);
    else if (this.#lost.size < MAX_REFERENCES) {
      const { pageId, offset } = record;
      this.#lost.set(id, { lease, revision: revisionText(record), ...record.revision(), pageId, offset });
    }
  }

  /** Reports each missing lease once, with the first of its keys. */
  report(history: KeyHistory, reporter: BackendReporter): void {
    // A key may have been deleted by the record that could not be read.
    if (this.unclear) return;
    const byLease = new Map<bigint, { id: number; first: Reference; keys: number }>();
    for (const [id, reference] of this.#lost) {
      const found = byLease.get(reference.lease);
      if (found === undefined) byLease.set(reference.lease, { id, first: reference, keys: 1 });
      else found.keys++;
    }
    for (const [lease, { id, first, keys }] of byLease) {
      const { revision, main, sub, pageId, offset } = first;
      const args = { id: hexId(lease), keys: `${keys}`, userKey: keyText(history.key(id)), revision };
      const key = keyText(encodeRevision({ main, sub }));
      const causedBy = this.#cause === undefined ? {} : { causedBy: this.#cause };
      reporter.report('BACKEND_LEASE_MISSING', args, { page: pageId, offset, bucket: ['"key"'], key, ...causedBy });
    }
  }
}

/** A lease id as etcdctl prints it. */
export function hexId(id: bigint): string {
  return BigInt.asUintN(64, id).toString(16).padStart(16, '0');
}
