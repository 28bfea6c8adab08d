/**
 * The release whose data a db is.
 */
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from './go-version.ts';
import type { BackendMeta } from './meta.ts';
import { detectStorageVersion } from './storage-version.ts';

const OLDEST = ETCD_MINORS[0] as EtcdMinor;
const NEWEST = ETCD_MINORS.at(-1) as EtcdMinor;

/** By the cluster version; where that tells none, by the schema; the oldest where nothing does. */
export function minorOf(clusterVersion: string | null, meta: BackendMeta): EtcdMinor {
  return minorOfVersion(clusterVersion) ?? minorOfSchema(meta) ?? OLDEST;
}

/** The release of a version; the newest for what is newer, undefined for what is older than any known here, or no version. */
export function minorOfVersion(text: string | null | undefined): EtcdMinor | undefined {
  const version = text == null ? undefined : parseVersion(fullVersion(text));
  if (version === undefined) return undefined;
  const minor = ETCD_MINORS.find((known) => compareMajorMinor(versionOf(known), version) === 0);
  return minor ?? (compareMajorMinor(version, versionOf(NEWEST)) > 0 ? NEWEST : undefined);
}

/** The release by the schema; undefined for a db to which nothing was applied. */
export function minorOfSchema(meta: BackendMeta): EtcdMinor | undefined {
  return minorOfVersion(detectStorageVersion(meta).detected) ?? (meta.consistentIndex === null ? undefined : OLDEST);
}

/** A minor release as a version. */
export function versionOf(minor: EtcdMinor): Pick<EtcdVersion, 'major' | 'minor'> {
  const [major, number] = minor.split('.').map(Number) as [number, number];
  return { major, minor: number };
}

/** A version with its patch level, which stored ones may lack. */
export const fullVersion = (text: string): string => (/^\d+\.\d+$/.test(text) ? `${text}.0` : text);
