/**
 * The release whose data a directory holds: by the cluster version in the db; where that tells none, as in a db to which no server has
 * committed anything yet, by what log and `.snap` files tell; then by the schema of the db.
 */
import type { BackendMeta } from '../backend/meta.ts';
import { minorOfSchema, minorOfVersion } from '../backend/own-minor.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { decodeEntryPayload, type EntryPayload } from '../proto/entry-payload.ts';
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
  const log = new LogVersions(segments());
  while (!log.step()) yield;
  return (
    minorOfVersion(log.clusterVersion) ??
    minorOfVersion(snapVersion) ??
    (meta === undefined ? undefined : minorOfSchema(meta)) ??
    minorOfVersion(log.minimum) ??
    DEFAULT_RELEASE
  );
}

/** What the entries of a log tell of versions, up to the first that cannot be read. */
class LogVersions {
  readonly #minimum = new MinimumVersion();
  readonly #pass: EntryPass;
  /** The last one that was set; undefined if none was. */
  clusterVersion: string | undefined;

  constructor(segments: readonly SegmentInput[]) {
    this.#pass = new EntryPass(segments, ({ type, dataStart, dataEnd }, bytes) => {
      const data = dataStart < 0 ? undefined : bytes.subarray(dataStart, dataEnd);
      const payload = decodeEntryPayload({ type, data });
      this.#minimum.add(payload);
      this.clusterVersion = clusterVersionIn(payload) ?? this.clusterVersion;
      return true;
    });
  }

  step(): boolean {
    return this.#pass.step();
  }

  /** The lowest version that understands all entries; null if they tell none. */
  get minimum(): string | null {
    return this.#minimum.result;
  }
}

/** The cluster version that an entry sets. */
function clusterVersionIn(payload: EntryPayload): string | undefined {
  if (payload.kind === 'internal' && payload.requestName === 'cluster_version_set') return `${payload.request['ver']}`;
  if (payload.kind !== 'v2') return undefined;
  const { Method, Path, Val } = payload.request as { Method?: string; Path?: string; Val?: string };
  return Method === 'PUT' && Path === '/0/version' ? Val : undefined;
}
