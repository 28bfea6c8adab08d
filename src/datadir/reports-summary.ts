/**
 * What a check tells of a data directory besides its findings, from what is known of its parts.
 */
import { chooseSnap } from '../snap/choose.ts';
import { parseSnapName } from '../snap/snap-name.ts';
import type { SnapSummary } from '../snap/summary.ts';
import type { DirFacts } from './cross-facts.ts';
import type { DataDirSummary } from './summary.ts';

/** So many snapshots are listed, the newest. */
const MAX_SNAPSHOTS = 1000;

/** The summary. */
export function dirSummary(facts: DirFacts, versions: DataDirSummary['versions']): DataDirSummary {
  const { dir, inUse, target, db, wal, log, consistentIndex } = facts;
  const known = db.state === 'missing' ? undefined : consistentIndex;
  const notInDb = known === undefined || log === undefined ? undefined : log.lastIndex - known;
  return {
    layout: dir.layout.kind,
    inUse,
    etcdVersion: target,
    memberId: wal?.nodeId ?? null,
    clusterId: wal?.clusterId ?? null,
    hasDb: dir.hasDb,
    hasWal: dir.hasWal,
    receivedDbs: dir.receivedDbs.map(({ index }) => `${index}`),
    consistentIndex: known === undefined ? null : `${known}`,
    dbTerm: db.meta?.term == null ? null : `${db.meta.term}`,
    term: wal?.term ?? null,
    vote: wal?.vote ?? null,
    commit: wal?.commit ?? null,
    firstIndex: wal?.firstIndex ?? null,
    lastIndex: wal?.lastIndex ?? null,
    notInDb: notInDb === undefined ? null : `${notInDb > 0n ? notInDb : 0n}`,
    snapshots: snapshotList(facts),
    versions,
  };
}

function snapshotList({ dir, log, snap }: DirFacts): DataDirSummary['snapshots'] {
  const all = new Map<string, { index: bigint; term: bigint; hasFile: boolean; hasWalRecord: boolean }>();
  const note = (index: bigint, term: bigint, what: 'hasFile' | 'hasWalRecord'): void => {
    const key = `${term}/${index}`;
    const found = all.get(key) ?? { index, term, hasFile: false, hasWalRecord: false };
    found[what] = true;
    all.set(key, found);
  };
  for (const { index, term } of log?.snapshots ?? []) if (index > 0) note(BigInt(index), BigInt(term), 'hasWalRecord');
  for (const { index, term, usable } of snap?.files ?? []) {
    if (usable && index !== undefined && term !== undefined) note(BigInt(index), BigInt(term), 'hasFile');
  }
  // Where the files were not looked at, their names have to do.
  for (const { name } of snap === undefined ? dir.snapFiles : []) {
    const named = parseSnapName(name);
    if (named !== undefined) note(named.index, named.term, 'hasFile');
  }
  return [...all.values()]
    .sort((a, b) => (a.index < b.index ? -1 : a.index > b.index ? 1 : a.term < b.term ? -1 : 1))
    .slice(-MAX_SNAPSHOTS)
    .map(({ index, term, ...rest }) => ({ index: `${index}`, term: `${term}`, ...rest }));
}

/** The summary of the snap files, with the one that releases up to 3.6 start from now that the log is known. */
export function snapSummary({ log, wal }: DirFacts, snap: SnapSummary): SnapSummary {
  if (log === undefined) return snap;
  const commit = BigInt(wal?.commit ?? 0);
  const records = log.snapshots
    .map(({ index, term }) => ({ index: BigInt(index), term: BigInt(term) }))
    .filter(({ index }) => index <= commit);
  const candidates = snap.files.map(({ name, index, term }) => ({
    name,
    snapshot: index === undefined || term === undefined ? undefined : { index: BigInt(index), term: BigInt(term) },
  }));
  return { ...snap, startsFrom: chooseSnap(candidates, records, '3.6').file ?? null };
}
