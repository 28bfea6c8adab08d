/**
 * Bucket `lease`: what was granted. When a lease ends is not stored: a server counts anew when it becomes the leader, from the
 * time to live or, if there was a checkpoint, from the rest of it.
 */
import type { BoltDb } from '../bolt/database.ts';
import { scanBucket } from './bucket-scan.ts';
import { decodeValue } from './decode-value.ts';
import { type Problem, UnreadableList, type UnreadableValues } from './unreadable.ts';

/** A lease. */
export interface Lease {
  /** Signed, as etcd has it. */
  readonly id: bigint;
  /** Seconds that were granted. */
  readonly ttl: bigint;
  /** Seconds that were left at the last checkpoint; null if there was none. */
  readonly remainingTtl: bigint | null;
  /** Whether it is stored under its own id; else it is back after each restart, however often it is revoked. */
  readonly canonical: boolean;
}

/** The leases. */
export interface Leases {
  /** In the order of the bucket: ascending by id. */
  readonly leases: readonly Lease[];
  /** Records that are none; they are passed over. */
  readonly unreadable: UnreadableValues;
}

/** Reads the bucket. Never throws for a bad value. */
export function readLeases(db: BoltDb): Leases {
  const leases: Lease[] = [];
  const unreadable = new UnreadableList();
  const take = (key: Uint8Array, value: Uint8Array): string | undefined => {
    const lease = parseLease(key, value);
    if ('problem' in lease) return lease.problem;
    leases.push(lease);
    return undefined;
  };
  scanBucket(db, 'lease', take, unreadable);
  return { leases, unreadable };
}

/** Reads a record of `lease`. */
export function parseLease(key: Uint8Array, value: Uint8Array): Lease | Problem {
  const decoded = decodeValue('leasepb.Lease', value);
  if ('problem' in decoded) return decoded;
  const { ID = 0n, TTL = 0n, RemainingTTL = 0n } = decoded.message as Partial<Record<string, bigint>>;
  const canonical = key.length === 8 && new DataView(key.buffer, key.byteOffset, 8).getBigInt64(0) === ID;
  return { id: ID, ttl: TTL, remainingTtl: RemainingTTL === 0n ? null : RemainingTTL, canonical };
}
