/**
 * What a check knows of etcd's content of a db, as plain data: 64-bit numbers are decimal text.
 */

/** What was found in the db; what could not be read is null. */
export interface BackendSummary {
  /** The current revision. */
  readonly revision: string;
  /** Nothing below can be read; `-1` as long as nothing was compacted. */
  readonly compactRevision: string;
  readonly finishedCompact: string | null;
  readonly scheduledCompact: string | null;
  /** Live keys; null if not every record could be read. */
  readonly keys: number | null;
  /** Records of bucket `key`, and how many of them are tombstones. */
  readonly records: number;
  readonly tombstones: number;
  /** Records of `snapshot restore --bump-revision`. */
  readonly bumps: number;
  readonly consistentIndex: string | null;
  readonly term: string | null;
  readonly storageVersion: string | null;
  readonly clusterVersion: string | null;
  /** The release that rules which depend on one were applied for. */
  readonly etcdVersion: string;
  readonly members: number;
  readonly learners: number;
  readonly removedMembers: number;
  readonly leases: number;
  readonly authEnabled: boolean;
  readonly users: number;
  readonly roles: number;
  readonly alarms: number;
  /** The sha256 behind the last page; `missing` is how it is in a db that is no snapshot file. */
  readonly trailer: 'right' | 'wrong' | 'missing' | 'truncated' | 'not-examined';
}
