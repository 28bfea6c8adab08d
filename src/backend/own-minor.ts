/**
 * The release whose data a db is.
 */
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from './go-version.ts';
import type { BackendMeta } from './meta.ts';
import { detectStorageVersion } from './storage-version.ts';

/** By the cluster version; where that tells none, by the schema; the newest for what is newer. */
export function minorOf(clusterVersion: string | null, meta: BackendMeta): EtcdMinor {
  const schema = detectStorageVersion(meta).detected;
  for (const text of [clusterVersion, schema]) {
    const version = text === null ? undefined : parseVersion(fullVersion(text));
    if (version === undefined) continue;
    const minor = ETCD_MINORS.find((known) => compareMajorMinor(versionOf(known), version) === 0);
    if (minor !== undefined) return minor;
    const newest = ETCD_MINORS.at(-1)!;
    if (compareMajorMinor(version, versionOf(newest)) > 0) return newest;
  }
  return ETCD_MINORS[0]!;
}

/** A minor release as a version. */
export function versionOf(minor: EtcdMinor): Pick<EtcdVersion, 'major' | 'minor'> {
  const [major, number] = minor.split('.').map(Number) as [number, number];
  return { major, minor: number };
}

/** A version with its patch level, which stored ones may lack. */
export const fullVersion = (text: string): string => (/^\d+\.\d+$/.test(text) ? `${text}.0` : text);
