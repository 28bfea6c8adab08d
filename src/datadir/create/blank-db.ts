/**
 * Blank dbs: what a new cluster begins with before it has members.
 */
import { BUCKETS, type BucketName } from '../../backend/format.ts';
import type { EtcdMinor } from '../../etcd-version.ts';

/**
 * `any`: all buckets that etcd knows, usable with every release. `minimal`: `members` and `cluster` only, as the document has it that
 * this library began with; etcd's own tools from 3.5 on cannot populate that one.
 */
export type BlankKind = 'any' | 'minimal' | EtcdMinor;

const MINIMAL: readonly BucketName[] = ['cluster', 'members'];

/**
 * The buckets of a blank db, in order of name. Those of all covered releases are the same; a version is never stored in it: servers from
 * 3.6 on write their own within seconds, and refuse a newer one.
 */
export function blankBuckets(kind: BlankKind = 'any'): readonly BucketName[] {
  return kind === 'minimal' ? MINIMAL : BUCKETS;
}
