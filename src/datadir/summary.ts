/**
 * What a check tells of a data directory as a whole besides its findings: plain data, 64-bit numbers as decimal text.
 */
import type { EtcdMinor } from '../etcd-version.ts';
import type { Finding } from '../findings.ts';

/** The parts of a data directory taken together; what could not be read is null. */
export interface DataDirSummary {
  /** What kind of directory it is: `member`, or why it is none. */
  readonly layout: string;
  /** Whether a running etcd was seen to use it. */
  readonly inUse: boolean;
  /** The release that rules which depend on one were applied for. */
  readonly etcdVersion: string;
  readonly memberId: string | null;
  readonly clusterId: string | null;
  /** Whether there is a file `member/snap/db`, readable or not, and whether etcd sees a log: a name that ends in `.wal`. */
  readonly hasDb: boolean;
  readonly hasWal: boolean;
  /** Indexes of the dbs received from a leader (`<index>.snap.db`). */
  readonly receivedDbs: readonly string[];
  /** Of the db: the last entry that is in it. */
  readonly consistentIndex: string | null;
  readonly dbTerm: string | null;
  /** Of the log. */
  readonly term: string | null;
  readonly vote: string | null;
  readonly commit: string | null;
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
  /** Entries that the log holds beyond the db; null if either could not be read. */
  readonly notInDb: string | null;
  /** Snapshots by index: whether there is a `.snap` file that can be read (level sanity: a file of that name), and a record in the log. */
  readonly snapshots: readonly {
    readonly index: string;
    readonly term: string;
    readonly hasFile: boolean;
    readonly hasWalRecord: boolean;
  }[];
  /** For each release, oldest first, the findings of rules that depend on it; those of `etcdVersion` are among the report's too. */
  readonly versions: readonly { readonly version: EtcdMinor; readonly findings: readonly Finding[] }[];
}
