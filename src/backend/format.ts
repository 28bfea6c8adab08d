/**
 * What etcd's buckets and their fixed keys are called, and the layout of a revision key.
 */

/** The buckets of every covered release, in order of name. */
export const BUCKETS = [
  'alarm',
  'auth',
  'authRoles',
  'authUsers',
  'cluster',
  'key',
  'lease',
  'members',
  'members_removed',
  'meta',
] as const;

/** The name of a bucket of etcd. */
export type BucketName = (typeof BUCKETS)[number];

/** Keys of bucket `meta`. */
export const META = {
  consistentIndex: 'consistent_index',
  term: 'term',
  confState: 'confState',
  storageVersion: 'storageVersion',
  scheduledCompact: 'scheduledCompactRev',
  finishedCompact: 'finishedCompactRev',
} as const;

/** Keys of bucket `cluster`. */
export const CLUSTER = { version: 'clusterVersion', downgrade: 'downgrade' } as const;

/** Keys of bucket `auth`. */
export const AUTH = { enabled: 'authEnabled', revision: 'authRevision' } as const;

/** A revision key: main (8 bytes, big endian), `_`, sub (8 bytes), and `t` if it is a tombstone. */
export const REVISION_LENGTH = 17;
export const TOMBSTONE_LENGTH = 18;
export const SEPARATOR_AT = 8;
export const SUB_AT = 9;
export const MARK_AT = 17;
export const SEPARATOR = 0x5f;
export const TOMBSTONE_MARK = 0x74;
