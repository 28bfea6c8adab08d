/**
 * What is to be different in a db that is written anew: records behind those of bucket `key`, records that go, and changes of other buckets.
 */
import { BUCKETS, type BucketName } from '../../backend/format.ts';
import { BucketChanges } from './bucket-changes.ts';
import type { KeepSet } from './keep-set.ts';
import { NewRecords } from './new-records.ts';

export class DbChanges {
  /** They come behind all records that there are, in order. */
  readonly records: NewRecords;
  /** What a compaction leaves of old and new records; undefined: everything. */
  readonly keep: KeepSet | undefined;
  /** Buckets that are made if they are not there, in order of name. */
  readonly neededBuckets: readonly BucketName[];
  readonly #buckets = new Map<string, BucketChanges>();

  /** By default all buckets of etcd are made, as every server does it when it starts. */
  constructor(
    parts: {
      readonly records?: NewRecords | undefined;
      readonly keep?: KeepSet | undefined;
      readonly neededBuckets?: readonly BucketName[] | undefined;
    } = {},
  ) {
    this.records = parts.records ?? new NewRecords();
    this.keep = parts.keep;
    const { neededBuckets = BUCKETS } = parts;
    this.neededBuckets = BUCKETS.filter((name) => neededBuckets.includes(name));
  }

  /** The changes of a bucket, to add to. */
  bucket(name: BucketName): BucketChanges {
    const changes = this.#buckets.get(name) ?? new BucketChanges(name);
    this.#buckets.set(name, changes);
    return changes;
  }

  /** Takes over the changes of a bucket, of which there are none yet. */
  add(changes: BucketChanges): void {
    this.#buckets.set(changes.bucket, changes);
  }

  /** The changes of a bucket, by any name; undefined if there are none. */
  of(name: string): BucketChanges | undefined {
    return this.#buckets.get(name);
  }
}
