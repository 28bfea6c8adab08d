/**
 * etcd's words for what a request on keys or leases comes to: those with which it refuses, and those with which it ends.
 */
import type { EtcdMinor } from '../../etcd-version.ts';

export const KEY_NOT_FOUND = 'etcdserver: key not found';
export const LEASE_NOT_FOUND = 'etcdserver: requested lease not found';
export const LEASE_EXISTS = 'etcdserver: lease already exists';
export const LEASE_TTL_TOO_LARGE = 'etcdserver: too large lease TTL';
export const REVISION_COMPACTED = 'etcdserver: mvcc: required revision has been compacted';
export const REVISION_FUTURE = 'etcdserver: mvcc: required revision is a future revision';

/** A put that keeps the lease of a key, which is gone: the db says of the key that it has a lease, but there is none of that id. */
export const LEASE_TO_ATTACH_MISSING = 'unexpected error from lease Attach';

/** A put that keeps value or lease of a key which an earlier operation of the same transaction has deleted. */
export function deletedMeanwhile(minor: EtcdMinor): string {
  switch (minor) {
    case '3.4':
      return `unexpected error during txn: ${KEY_NOT_FOUND}`;
    case '3.5':
    case '3.6':
      return `unexpected error during txn with writes ${JSON.stringify({ error: `applyTxn: failed Put: ${KEY_NOT_FOUND}` })}`;
    case '3.7':
      return 'runtime error: index out of range [0] with length 0';
  }
}
