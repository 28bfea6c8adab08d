/**
 * The real servers that a live test runs with: one of each minor release that is asked for and here.
 */
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { findEtcds } from '../support/peers.ts';

/** A real server. */
export interface LiveEtcd {
  readonly version: string;
  readonly program: string;
  readonly minor: EtcdMinor;
}

/** The two that continuous integration has: Debian's, and one that was built. */
export const CI_MINORS: readonly EtcdMinor[] = ['3.4', '3.6'];

/** One server of each minor release, oldest first. Empty where servers cannot be run. */
export function liveEtcds(minors?: readonly EtcdMinor[]): readonly LiveEtcd[] {
  const found = new Map<EtcdMinor, LiveEtcd>();
  for (const { version, path } of process.platform === 'linux' ? findEtcds() : []) {
    const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;
    if (!found.has(minor) && (minors?.includes(minor) ?? true)) found.set(minor, { version, program: path, minor });
  }
  return [...found.values()].sort((a, b) => (a.minor < b.minor ? -1 : 1));
}
