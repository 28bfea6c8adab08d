/**
 * One version of a key: what a put wrote, or that it was deleted.
 */
import type { KeyRecord } from './record.ts';

/** All of it belongs to the caller. */
export interface KeyVersion {
  readonly key: Uint8Array;
  /** Empty if it was deleted. */
  readonly value: Uint8Array;
  /** 0 if it was deleted, as in etcd's events. */
  readonly createRevision: bigint;
  /** The revision of the change. */
  readonly modRevision: bigint;
  /** Number of the operation in its transaction. */
  readonly sub: bigint;
  /** 1 for the first put, 1 more for each that follows; 0 if it was deleted. */
  readonly version: bigint;
  /** Lease id, 0 for none. */
  readonly lease: bigint;
  readonly deleted: boolean;
}

/** A copy of what a record says. */
export function keyVersion(record: KeyRecord): KeyVersion {
  const { key, value, createRevision, version, lease } = record.keyValue();
  const { main, sub } = record.revision();
  return {
    key: key.slice(),
    value: value.slice(),
    createRevision,
    modRevision: main,
    sub,
    version,
    lease,
    deleted: record.tombstone,
  };
}

/** Whether a server knows of it: not before revision 1, and no key of no bytes, such as the record that `--bump-revision` leaves. */
export function isKeyRecord({ main, userKeyStart, userKeyEnd }: KeyRecord): boolean {
  return main >= 1 && userKeyEnd > userKeyStart;
}
