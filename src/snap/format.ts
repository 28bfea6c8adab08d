/**
 * The facts of `.snap` files and of the folder they lie in, and nothing else. docs/formats/snap.md explains them.
 *
 * A `.snap` file is one protobuf message: a CRC-32C, and the bytes of a raft snapshot, whose own data is the v2 store as JSON.
 */

/** What every file ends with that etcd looks at. */
export const SNAP_SUFFIX = '.snap';
/** A database received from the leader, until it takes the place of `db`. */
export const SNAPSHOT_DB_SUFFIX = '.snap.db';
/** What etcd up to 3.6 adds to the name of a `.snap` file that it cannot read. */
export const BROKEN_SUFFIX = '.broken';
/** A database that is being received. */
export const RECEIVING_PREFIX = 'tmp';
/** A database that is being defragmented. */
export const DEFRAGMENTING_PREFIX = 'db.tmp';
/** The database itself. */
export const DB_NAME = 'db';

/** Larger files are not read: they are held in memory as a whole. Real ones have kilobytes, or some MB of v2 keys. */
export const MAX_SNAP_SIZE: number = 1024 * 1024 * 1024;

/** Names in the v2 store. */
export const V2 = {
  cluster: '0',
  keys: '1',
  auth: '2',
  members: 'members',
  removed: 'removed_members',
  version: 'version',
  attributes: 'attributes',
  raftAttributes: 'raftAttributes',
} as const;

/** Elements of the list of events in the v2 store, used or not. */
export const V2_EVENTS = 1000;
/** The time at which a node without one expires. */
export const V2_NEVER = '0001-01-01T00:00:00Z';
/** The version of the v2 store's own format. */
export const V2_FORMAT_VERSION = 2n;
