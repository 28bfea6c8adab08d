/**
 * The state of a db at a glance, with every page of it checked: what `etcdutl snapshot status` tells, in both meanings that releases
 * give to "keys", and more.
 */
import { ContentJob } from '../bolt/content-job.ts';
import type { Finding } from '../findings.ts';
import type { BackendFile } from './backend-file.ts';
import { readCluster } from './cluster.ts';
import { DbContent } from './db-content.ts';
import { ownHashRule } from './db-hash.ts';
import type { DbHashes, HashRule } from './db-hashing.ts';
import type { UnreadableRecords } from './keyspace-scan.ts';
import { LiveKeys } from './live-keys.ts';
import { readMeta } from './meta.ts';
import { type Revisions, readRevisions } from './revisions.ts';
import { detectStorageVersion, type StorageVersion } from './storage-version.ts';
import { type TrailerPresence, trailerPresence } from './trailer.ts';

/** The state of a db. */
export interface BackendStatus {
  /** CRC-32C of everything, unsigned: the hash of `snapshot status`. */
  readonly hash: number;
  /** As `snapshot status` has it: that of the last record, 0 if there is none. What was compacted does not count. */
  readonly revision: bigint;
  /** Revisions as a server finds them. */
  readonly revisions: Revisions;
  /** Live keys: what etcdutl 3.6 and later call total keys. */
  readonly totalKey: number;
  /** Pairs in all buckets: what etcdctl and etcdutl of 3.4 and 3.5 call total keys. */
  readonly records: number;
  /** Pairs in bucket `key`: revisions of keys, tombstones included. */
  readonly keyRecords: number;
  /** Those that are no records, and count for nothing else. */
  readonly unreadable: Readonly<UnreadableRecords>;
  /** Bytes up to the last page ever used: the db size that servers report. */
  readonly totalSize: number;
  /** Bytes of pages that are not free. */
  readonly sizeInUse: number;
  /** Bytes of the file, with preallocated space or a trailer. */
  readonly fileSize: number;
  /** Whether a sha256 follows the last page, by the length of the file alone. */
  readonly trailer: TrailerPresence;
  /** The stored storage version, empty if there is none. */
  readonly version: string;
  readonly storageVersion: StorageVersion;
  /** The last entry of the log that is in the db; null if it is not stored. */
  readonly consistentIndex: bigint | null;
  readonly term: bigint | null;
  /** What the members have agreed on; null if it is not stored. */
  readonly clusterVersion: string | null;
  /** How many members the db has records of. */
  readonly members: number;
  /** `Maintenance.Hash` by the rule of each release, and which of them is the db's own. */
  readonly hashes: DbHashes;
  readonly hashRule: HashRule;
  /** The transaction that this is the state of. */
  readonly txid: bigint;
  readonly pageSize: number;
  /** What was noticed about the file that does not stand in the way, such as a damaged meta page. */
  readonly findings: readonly Finding[];
}

/**
 * Reads everything once. Throws `BOLT_SOURCE_DAMAGED` (`damageReport` gives the findings), `SOURCE_CHANGED`. Memory: all user keys, and
 * 22 bytes for each.
 */
export class StatusJob extends ContentJob<BackendStatus> {
  constructor({ source }: BackendFile) {
    super(source, (db, kernel) => {
      const { pageSize, highWaterMark, txid } = db;
      const totalSize = highWaterMark * pageSize;
      const keys = new LiveKeys({ maxKeyBytes: totalSize });
      const target = new DbContent(kernel, (record) => keys.add(record));
      return {
        target,
        finish({ pagesInUse, findings }): BackendStatus {
          const meta = readMeta(db);
          const fileSize = source.currentSize?.() ?? source.size;
          const cluster = readCluster(db);
          const revisions = readRevisions(db, meta);
          const hashes = target.hashes();
          return {
            hash: hashes.everything,
            revision: revisions.last?.main ?? 0n,
            revisions,
            totalKey: keys.count,
            records: target.records,
            keyRecords: target.keyRecords,
            unreadable: target.unreadable,
            totalSize,
            sizeInUse: pagesInUse * pageSize,
            fileSize,
            trailer: trailerPresence(fileSize, totalSize),
            version: meta.storageVersion ?? '',
            storageVersion: detectStorageVersion(meta),
            consistentIndex: meta.consistentIndex,
            term: meta.term,
            clusterVersion: cluster.version,
            members: target.members,
            hashes,
            hashRule: ownHashRule(db, meta, cluster),
            txid,
            pageSize,
            findings,
          };
        },
      };
    });
  }
}
