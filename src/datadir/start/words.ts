/**
 * What servers of each release print when they give up because of a db or a directory, word for word. Paths are from the data
 * directory on; a server prints them with whatever its `--data-dir` is before them.
 */
import type { EtcdMinor } from '../../etcd-version.ts';

const DB = 'member/snap/db';

/** The db could not be opened. */
export function openDbFailed(minor: EtcdMinor, error: string): string {
  if (minor === '3.4') return `cannot open database at ${DB} (${error})`;
  return `failed to open database ${JSON.stringify({ path: DB, error })}`;
}

/** bbolt refuses a file that cannot hold two metas; later ones also tell its size. */
export function fileTooSmall(minor: EtcdMinor, size: string): string {
  const told = minor === '3.6' || minor === '3.7' ? ` ${size}` : '';
  return openDbFailed(minor, `file size too small${told}`);
}

/** The db is older than the snapshot, and the one that came with the snapshot is not there. */
export function snapshotDbMissing(minor: EtcdMinor): string {
  const error = "failed to find database snapshot file (snap: snapshot file doesn't exist)";
  if (minor === '3.4') return `recovering backend from snapshot error: ${error}`;
  return `failed to recover v3 backend from snapshot ${JSON.stringify({ error })}`;
}

/** A start that failed before there was a server. */
export function discoveryFailed(error: string): string {
  return `discovery failed ${JSON.stringify({ error })}`;
}

/** Another process has the lock of the db. */
export function dbLocked(minor: EtcdMinor): string {
  if (minor === '3.4') return `another etcd process is using "${DB}" and holds the file lock`;
  return 'db file is flocked by another process, or taking too long';
}

/** The first entry of its own that a server wants applied is not. */
export function publishFailed(minor: EtcdMinor): string {
  return minor === '3.6' || minor === '3.7' ? 'failed to publish local member to cluster through raft' : '';
}

/** The cluster has agreed on a version above the server's own. */
export function clusterVersionNewer(minor: EtcdMinor): string {
  return minor === '3.4'
    ? 'cluster cannot be downgraded'
    : 'invalid downgrade; server version is lower than determined cluster version';
}

export function bothKinds(minor: EtcdMinor): string {
  return minor === '3.4'
    ? 'invalid datadir. Both member and proxy directories exist.'
    : 'invalid datadir; both member and proxy directories exist';
}

/** A file lies where a folder of the member should be. */
export function folderIsNone(minor: EtcdMinor, name: 'member' | 'snap'): string {
  if (minor === '3.4') return 'create snapshot directory error: ';
  if (name === 'member' && minor !== '3.5') return 'discovery failed {"error":"cannot access member directory: ';
  return 'failed to create snapshot directory ';
}

export const V2_CONTENT = 'detected disallowed custom content in v2store for stage --v2-deprecation=write-only';
export const MEMBER_REMOVED = 'the member has been permanently removed from the cluster';
/** raft, when a change of membership leaves nobody. */
export const NO_VOTERS_LEFT = 'removed all voters';
export const PROXY_GONE = 'v2 http proxy has already been deprecated in 3.6';
export const MEMBER_UNKNOWN = 'failed to update; member unknown';
/** A memory map that reaches past the end of its file. */
export const FAULT = 'unexpected fault address';

/** bbolt, when it collects the pages that are free. */
export function freePages(problem: string): string {
  return `freepages: failed to get all reachable pages (${problem}`;
}
