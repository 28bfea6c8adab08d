/**
 * Ids of leases for people, as etcdctl writes them.
 */

/** `, lease 694d…`; nothing if there is none. */
export function leaseText(lease: bigint): string {
  return lease === 0n ? '' : `, lease ${BigInt.asUintN(64, lease).toString(16)}`;
}
