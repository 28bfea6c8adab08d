/**
 * The leases while entries are applied: which there are, and what changes in their bucket. Which keys they have is for the keyspace.
 */
import { readLeases } from '../../backend/leases.ts';
import type { BoltDb } from '../../bolt/database.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import { encodeMessage } from '../../proto/messages.ts';
import { BucketChanges } from '../rewrite/bucket-changes.ts';
import { type Applied, CHANGED, failed, NOTHING_CHANGED } from './applied.ts';
import { LEASE_EXISTS, LEASE_NOT_FOUND, LEASE_TTL_TOO_LARGE } from './request-words.ts';

/** Longer than this, in seconds, no lease may live. */
const MAX_TTL = 9_000_000_000n;

interface LeaseTimes {
  /** Seconds that were granted. */
  readonly ttl: bigint;
  /** Seconds that were left at the last checkpoint, 0 if there was none. */
  readonly remainingTtl: bigint;
}

export class LeaseState {
  readonly #leases = new Map<bigint, LeaseTimes>();
  readonly #changes = new BucketChanges('lease');

  /** The leases of a db; none without one. */
  static load(db: BoltDb | undefined): LeaseState {
    const state = new LeaseState();
    if (db === undefined) return state;
    for (const { id, ttl, remainingTtl } of readLeases(db).leases) {
      state.#leases.set(id, { ttl, remainingTtl: remainingTtl ?? 0n });
    }
    return state;
  }

  get count(): number {
    return this.#leases.size;
  }

  has(id: bigint): boolean {
    return this.#leases.has(id);
  }

  /** Grants a lease; one that is to be shorter than `minimum` seconds gets these. */
  grant(request: DecodedMessage, minimum: bigint): Applied {
    const { ID: id = 0n, TTL: asked = 0n } = request as { ID?: bigint; TTL?: bigint };
    if (id === 0n) return failed(LEASE_NOT_FOUND);
    if (asked > MAX_TTL) return failed(LEASE_TTL_TOO_LARGE);
    if (this.#leases.has(id)) return failed(LEASE_EXISTS);
    this.#store(id, { ttl: asked < minimum ? minimum : asked, remainingTtl: 0n });
    return CHANGED;
  }

  /** Takes a lease away. Its keys must be gone already. */
  remove(id: bigint): void {
    this.#leases.delete(id);
    this.#changes.delete(leaseKey(id));
  }

  /** Notes what is left of leases; leases that are not there are passed over. Without `persist` nothing of it reaches the db. */
  checkpoint(request: DecodedMessage, minimum: bigint, persist: boolean): Applied {
    if (!persist) return NOTHING_CHANGED;
    let changed = false;
    for (const checkpoint of (request['checkpoints'] as readonly DecodedMessage[] | undefined) ?? []) {
      const { ID: id = 0n, remaining_TTL: remainingTtl = 0n } = checkpoint as { ID?: bigint; remaining_TTL?: bigint };
      const lease = this.#leases.get(id);
      if (lease === undefined) continue;
      // A server raises what is too short when it starts, and writes all of the lease.
      this.#store(id, { ttl: lease.ttl < minimum ? minimum : lease.ttl, remainingTtl });
      changed = true;
    }
    return changed ? CHANGED : NOTHING_CHANGED;
  }

  changes(): BucketChanges[] {
    return [this.#changes];
  }

  #store(id: bigint, times: LeaseTimes): void {
    this.#leases.set(id, times);
    const { ttl, remainingTtl } = times;
    const message: DecodedMessage = { ID: id };
    // proto3 does not write zeros.
    if (ttl !== 0n) message['TTL'] = ttl;
    if (remainingTtl !== 0n) message['RemainingTTL'] = remainingTtl;
    this.#changes.put(leaseKey(id), encodeMessage('leasepb.Lease', message));
  }
}

/** Under which a lease is stored. */
function leaseKey(id: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigInt64(0, id);
  return key;
}
