/**
 * Small data directories made by hand: a log of a few puts, the db that has applied them, and snap files; right, or wrong in one place.
 */

import { type CheckDirOptions, DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import type { DataDirFiles } from '../../src/datadir/data-dir-files.ts';
import { drain } from '../../src/io/job.ts';
import type { CheckReport } from '../../src/report.ts';
import { snapName } from '../../src/snap/snap-name.ts';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { segmentName } from '../../src/wal/segment-name.ts';
import { type Bytes, makeDb, put, uint64 } from './backend-db.ts';
import { type DirContent, type MemoryDir, memoryDir, plainFile } from './data-dir-fixtures.ts';
import { addNodeEntry, buildLog, emptyEntry, metadata, putEntry, snapshot, state } from './small-log.ts';
import { snapFile, v2Document } from './snap-files.ts';
import type { RecordToWrite } from './wal-edit.ts';

export const DB = 'member/snap/db';
export const SEGMENT = `member/wal/${segmentName(0n, 0n)}`;

/** The log: entry 1 adds the member, entry 2 is the leader's, then come the puts of `k3`, `k4` … Everything has term 2 but entry 1. */
export interface SmallDirOptions {
  /** Whose log it is. Default 1. */
  readonly node?: bigint;
  /** Who is added by the first entries. Default: member 1. */
  readonly voters?: readonly bigint[];
  /** Index of the last entry. Default 10. */
  readonly last?: number;
  readonly commit?: number;
  readonly vote?: bigint;
  /** Records of snapshots in the log, at the end of it, as far as they are committed; `[]` but for that of index 0. Default: at 5. */
  readonly snapshots?: readonly number[];
  /** Indexes of `.snap` files. Default: those of the snapshots. */
  readonly snapFiles?: readonly number[];
  /** Records put in before the last hard state. */
  readonly more?: readonly RecordToWrite[];
  /** The log in place of all that. */
  readonly records?: readonly RecordToWrite[];
  /** Name of the segment. */
  readonly segment?: string;

  /** What the db has applied; default: all. `null`: no db. */
  readonly applied?: number | null;
  /** What it says that it has applied. Default: the truth. */
  readonly consistentIndex?: number | null;
  readonly dbTerm?: number | null;
  readonly members?: readonly bigint[];
  readonly removed?: readonly bigint[];
  readonly clusterVersion?: string;
  readonly storageVersion?: string | null;
  /** Pairs of buckets in place of those that are made. */
  readonly buckets?: Readonly<Record<string, readonly (readonly [Bytes, Bytes])[]>>;
}

/** The key and value that an entry writes. */
export const keyOf = (index: number): string => `k${index}`;
export const valueBy = (index: number): string => `v${index}`;

/** The directory in memory; its `content` can be changed before it is opened. */
export async function smallDataDir(options: SmallDirOptions = {}): Promise<MemoryDir> {
  const { voters = [1n], snapshots = [5], snapFiles = snapshots, last = 10 } = options;
  const files: DirContent['files'] = new Map();
  const [log] = buildLog([{ name: 'log', records: options.records ?? logRecords(options) }], 4096);
  files.set(options.segment === undefined ? SEGMENT : `member/wal/${options.segment}`, plainFile(log!.bytes));
  for (const index of snapFiles) {
    const file = snapFile({ index: BigInt(index), term: 2n, voters, document: v2Document() });
    files.set(`member/snap/${snapName(2n, BigInt(index))}`, plainFile(file));
  }
  const { applied = last } = options;
  if (applied !== null) files.set(DB, plainFile(await dbOf({ ...options, applied })));
  return memoryDir({ files, folders: new Set(['member', 'member/snap', 'member/wal']) });
}

/** The records of such a log. */
function logRecords(options: SmallDirOptions): RecordToWrite[] {
  const { node = 1n, voters = [1n], last = 10, commit = last, vote = 1n, snapshots = [5], more = [] } = options;
  const first = voters.length;
  const records = [metadata(node, clusterIdOf(voters)), snapshot(0n, 0n)];
  for (const [i, voter] of voters.entries()) records.push(addNodeEntry(1n, BigInt(i + 1), voter));
  records.push(state(2n, vote, BigInt(first)), emptyEntry(2n, BigInt(first + 1)));
  for (let index = first + 2; index <= last; index++) {
    records.push(putEntry(2n, BigInt(index), keyOf(index), valueBy(index)));
  }
  records.push(...more, state(2n, vote, BigInt(commit)));
  for (const index of snapshots) records.push(snapshot(BigInt(index), 2n, ...voters));
  return records;
}

async function dbOf(options: SmallDirOptions & { readonly applied: number }): Promise<Uint8Array> {
  const { applied, voters = [1n], consistentIndex = applied, dbTerm = 2, members = voters, removed = [] } = options;
  const { clusterVersion = '3.6.0', storageVersion = clusterVersion >= '3.6' ? clusterVersion : null } = options;
  const first = voters.length + 2;
  const records = Array.from({ length: Math.max(0, applied - first + 1) }, (_, i) =>
    put(i + 2, 0, { key: keyOf(first + i), value: valueBy(first + i) }),
  );
  const meta: [Bytes, Bytes][] = [];
  if (consistentIndex !== null) meta.push(['consistent_index', uint64(BigInt(consistentIndex))]);
  if (dbTerm !== null) meta.push(['term', uint64(BigInt(dbTerm))]);
  if (storageVersion !== null) meta.push(['storageVersion', storageVersion]);
  return makeDb({
    meta,
    key: records,
    cluster: [['clusterVersion', clusterVersion]],
    members: members.map((id) => [id.toString(16), `{"id":${id},"peerURLs":["http://m${id}"],"name":"m${id}"}`]),
    members_removed: removed.map((id) => [id.toString(16), 'removed']),
    ...options.buckets,
  });
}

/** Checks a directory, deep if nothing else is said. */
export function checkDir(files: DataDirFiles, options: CheckDirOptions = {}): CheckReport {
  using dir = openDataDir(files);
  return drain(new DataDirCheckJob(dir, { level: 'deep', ...options }));
}

/** The same directory after its files or folders were changed. */
export function changed(dir: MemoryDir, change: (content: DirContent) => void): MemoryDir {
  const content = { files: new Map(dir.content.files), folders: new Set(dir.content.folders) };
  change(content);
  return memoryDir(content);
}

/** Severity and code of each finding, in order. */
export const found = ({ findings }: CheckReport): string[] =>
  findings.map(({ severity, code }) => `${severity} ${code}`);
