/**
 * The minor releases of etcd whose behaviour is known here: what they write, and what they do with what they find.
 */

/** A minor release. */
export type EtcdMinor = '3.4' | '3.5' | '3.6' | '3.7';

/** All of them, oldest first. */
export const ETCD_MINORS: readonly EtcdMinor[] = ['3.4', '3.5', '3.6', '3.7'];

/** Compares by age: negative when `a` is the older one. */
export function compareMinors(a: EtcdMinor, b: EtcdMinor): number {
  return ETCD_MINORS.indexOf(a) - ETCD_MINORS.indexOf(b);
}
