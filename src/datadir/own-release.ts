/**
 * The release whose data a directory holds: by the cluster version in the db; where that tells none, as in a db to which no server has
 * committed anything yet, by what log and `.snap` files tell; then by the schema of the db.
 */
import type { BackendMeta } from '../backend/meta.ts';
import { minorOfSchema, minorOfVersion } from '../backend/own-minor.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { decodeEntryPayload, type EntryPayload, isV2Request } from '../proto/entry-payload.ts';
import { ENTRY_NORMAL } from '../proto/raft.ts';
import { isKnownToAll } from '../wal/entry-payload-check.ts';
import type { Steps } from '../wal/etcd/index.ts';
import { MinimumVersion } from '../wal/minimum-version.ts';
import type { SegmentInput } from '../wal/segment-input.ts';
import { EntryPass } from './cross-entries.ts';

/** The release where nothing tells one. */
export const DEFAULT_RELEASE: EtcdMinor = '3.5';

/** What can tell it; undefined for what is not there or cannot be read. */
export interface ReleaseHints {
  /** The cluster version in the db. */
  readonly clusterVersion?: string | null | undefined;
  /** Bucket `meta` of the db. */
  readonly meta?: BackendMeta | undefined;
  /** The cluster version in the newest `.snap` file. */
  readonly snapVersion?: string | null | undefined;
  /** The segments of the log; asked for only if the db does not tell. */
  readonly segments: () => readonly SegmentInput[];
}

/** Finds it, in steps of about 1 MiB of the log. */
export function* ownReleaseSteps({ clusterVersion, meta, snapVersion, segments }: ReleaseHints): Steps<EtcdMinor> {
  const stored = minorOfVersion(clusterVersion);
  if (stored !== undefined) return stored;
  const log = segments();
  return (
    minorOfVersion(yield* lastClusterVersion(log)) ??
    minorOfVersion(snapVersion) ??
    (meta === undefined ? undefined : minorOfSchema(meta)) ??
    minorOfVersion(yield* minimumVersion(log)) ??
    DEFAULT_RELEASE
  );
}

/** The cluster version that was set last, as far as the log can be read. Only entries that can set one are decoded. */
function* lastClusterVersion(segments: readonly SegmentInput[]): Steps<string | undefined> {
  let version: string | undefined;
  const pass = new EntryPass(segments, ({ type, dataStart: start, dataEnd: end }, bytes) => {
    if (type !== ENTRY_NORMAL || start < 0) return true;
    const data = bytes.subarray(start, end);
    if (isV2Request(data) || !isKnownToAll(bytes, start, end)) {
      version = clusterVersionIn(decodeEntryPayload({ type, data })) ?? version;
    }
    return true;
  });
  while (!pass.step()) yield;
  return version;
}

/** The lowest version that understands all entries; null if they tell none. */
function* minimumVersion(segments: readonly SegmentInput[]): Steps<string | null> {
  const minimum = new MinimumVersion();
  const pass = new EntryPass(segments, ({ type, dataStart, dataEnd }, bytes) => {
    const data = dataStart < 0 ? undefined : bytes.subarray(dataStart, dataEnd);
    minimum.add(decodeEntryPayload({ type, data }));
    return true;
  });
  while (!pass.step()) yield;
  return minimum.result;
}

/** The cluster version that an entry sets. */
function clusterVersionIn(payload: EntryPayload): string | undefined {
  if (payload.kind === 'internal' && payload.requestName === 'cluster_version_set') return `${payload.request['ver']}`;
  if (payload.kind !== 'v2') return undefined;
  const { Method, Path, Val } = payload.request as { Method?: string; Path?: string; Val?: string };
  return Method === 'PUT' && Path === '/0/version' ? Val : undefined;
}
