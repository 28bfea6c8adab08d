/**
 * A put, alone or in a transaction: what it is refused for, and what it does.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import type { Keyspace } from './keyspace.ts';
import type { LeaseState } from './lease-state.ts';
import { requestRange } from './request-range.ts';
import { deletedMeanwhile, KEY_NOT_FOUND, LEASE_NOT_FOUND, LEASE_TO_ATTACH_MISSING } from './request-words.ts';

const EMPTY: Uint8Array = new Uint8Array(0);

/** What a put changes and asks. */
export interface PutTarget {
  readonly keyspace: Keyspace;
  readonly leases: LeaseState;
  readonly minor: EtcdMinor;
}

/** Whether something of the key is kept, so that it has to exist. */
export function keepsSomething(put: DecodedMessage): boolean {
  return put['ignore_value'] === true || put['ignore_lease'] === true;
}

/** Why a put is refused as things are now, in etcd's words. */
export function refusePut(
  put: DecodedMessage,
  { keyspace, leases, minor }: PutTarget,
  alone: boolean,
): string | undefined {
  const lease = (put['lease'] as bigint | undefined) ?? 0n;
  const noLease = lease !== 0n && !leases.has(lease) ? LEASE_NOT_FOUND : undefined;
  const noKey = keepsSomething(put) && keyspace.find(requestRange(put).key) < 0 ? KEY_NOT_FOUND : undefined;
  // Of two reasons 3.7 tells the lease first, as all do outside of transactions.
  return alone || minor === '3.7' ? (noLease ?? noKey) : (noKey ?? noLease);
}

/** Carries out a put that was not refused. Gives the words with which etcd panics, or undefined. */
export function executePut(put: DecodedMessage, { keyspace, leases, minor }: PutTarget): string | undefined {
  const { key } = requestRange(put);
  let { value = EMPTY, lease = 0n } = put as { value?: Uint8Array; lease?: bigint };
  if (keepsSomething(put)) {
    const id = keyspace.find(key);
    if (id < 0) return deletedMeanwhile(minor);
    if (put['ignore_value'] === true) value = keyspace.keptValue(id);
    if (put['ignore_lease'] === true) lease = keyspace.lease(id);
    if (lease !== 0n && !leases.has(lease)) return LEASE_TO_ATTACH_MISSING;
  }
  keyspace.put(key, value, lease);
  return undefined;
}
