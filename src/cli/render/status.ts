/**
 * The status of a db, for people, and the fields that JSON has besides those of etcdutl.
 */
import type { BackendStatus } from '../../backend/status.ts';
import type { StorageVersion } from '../../backend/storage-version.ts';
import type { TrailerPresence } from '../../backend/trailer.ts';
import { crcText } from '../../checksum/crc-text.ts';
import { counted, exactSize, grouped } from './size.ts';
import { visible } from './visible.ts';

/** What the file is. */
export type StatusKind = 'db' | 'snapshot' | 'data-dir';

const KINDS: Readonly<Record<StatusKind, string>> = {
  db: 'a db',
  snapshot: 'a snapshot file',
  'data-dir': 'the db of a data directory',
};

const TRAILERS: Readonly<Record<TrailerPresence, string>> = {
  present: 'there, not verified: check does that',
  missing: 'none, as in any db that is no snapshot file: check --level deep looks at every record',
  truncated: 'cut off',
};

/** The text of `status`. */
export function statusText(path: string, kind: StatusKind, status: BackendStatus): string {
  const { totalKey, records, keyRecords, members, unreadable } = status;
  const state = unreadable.count === 0 ? 'in good order' : `with ${counted(unreadable.count, 'damaged record')}`;
  const lines = [
    `${path}: ${KINDS[kind]} ${state}, every page checked`,
    `keys:             ${grouped(totalKey)} live (the total keys of etcdutl 3.6 and later)`,
    `records:          ${grouped(records)} in all buckets (the total keys of 3.4 and 3.5), ${grouped(keyRecords)} of them revisions of keys`,
    `revision:         ${revisionWords(status)}`,
    `compacted:        ${compactionWords(status)}`,
    ...sizeLines(status),
    ...(kind === 'data-dir' ? [] : [`sha256:           ${TRAILERS[status.trailer]}`]),
    `hash:             ${status.hash.toString(16)} (${status.hash}), of snapshot status`,
    `storage version:  ${storageVersionWords(status.storageVersion)}`,
    `cluster version:  ${status.clusterVersion ?? 'not stored'}`,
    `raft:             ${raftWords(status)}`,
    `members:          ${members === 0 ? 'none' : grouped(members)}`,
  ];
  return lines.map((line) => `${visible(line)}\n`).join('');
}

function revisionWords({ revision, revisions: { current } }: BackendStatus): string {
  if (current === revision) return grouped(revision);
  if (revision === 0n) return `no record; a server starts at ${grouped(current)}`;
  return `${grouped(revision)} is that of the last record; a server starts at ${grouped(current)}`;
}

function compactionWords({ revisions: { compact, compactionPending, finishedCompact } }: BackendStatus): string {
  if (compact < 0n) return 'never';
  if (!compactionPending) return grouped(compact);
  const before = finishedCompact === null ? 'never before' : `${grouped(finishedCompact)} before`;
  return `${grouped(compact)}, not finished (${before}); a server goes on with it when it starts`;
}

function sizeLines({ totalSize, sizeInUse, fileSize }: BackendStatus): string[] {
  const lines = [
    `size:             ${exactSize(totalSize)}`,
    `in use:           ${exactSize(sizeInUse)}, ${percent(sizeInUse, totalSize)} of it`,
  ];
  if (fileSize !== totalSize) lines.push(`file:             ${exactSize(fileSize)}`);
  return lines;
}

const percent = (part: number, whole: number): string => `${Math.floor((100 * part) / Math.max(1, whole))} %`;

function raftWords({ consistentIndex, term }: BackendStatus): string {
  if (consistentIndex === null) return 'no index stored';
  return `index ${grouped(consistentIndex)}, ${term === null ? 'no term stored' : `term ${grouped(term)}`}`;
}

/** How the version of the schema was found. */
export function storageVersionWords({ detected, by, byEtcd34 }: StorageVersion): string {
  if (by === 'stored') return `${detected}`;
  if (by === 'term') return `${detected} (none is stored, but a term)`;
  return `none is stored; ${byEtcd34 === '3.5' ? 'there are traces of 3.5' : '3.4 or older'}`;
}

/** What `status --json` tells besides. */
export function statusFields(status: BackendStatus): Record<string, unknown> {
  const { revisions, storageVersion, hashes, hashRule, unreadable } = status;
  return {
    records: status.records,
    keyRecords: status.keyRecords,
    unreadableRecords: unreadable.count,
    currentRevision: revisions.current,
    compactRevision: revisions.compact,
    scheduledCompactRevision: revisions.scheduledCompact,
    finishedCompactRevision: revisions.finishedCompact,
    compactionPending: revisions.compactionPending,
    sizeInUse: status.sizeInUse,
    fileSize: status.fileSize,
    trailer: status.trailer,
    pageSize: status.pageSize,
    txid: status.txid,
    storageVersion: storageVersion.detected,
    storageVersionBy: storageVersion.by,
    clusterVersion: status.clusterVersion,
    consistentIndex: status.consistentIndex,
    term: status.term,
    members: status.members,
    serverHashes: hashes.byRule,
    serverHashRule: hashRule,
  };
}

/** The text of `hash`: the number, by whose rule, and the others. */
export function hashText(hash: number, rule: string, others: readonly (readonly [string, number])[]): string {
  const lines = others.map(([name, value]) => `  ${name.padEnd(17)}${crcText(value)} (${value})`);
  return `${hash}, by the rule of etcd ${rule === '3.6' ? '3.6 and later' : rule}\n${lines.join('\n')}\n`;
}
