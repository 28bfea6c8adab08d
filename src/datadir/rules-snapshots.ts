/**
 * Rules for `.snap` files and the records of them in the log (X8). The file is written first, then the record; up to 3.6 a start needs
 * both, or the first entry of the log; 3.7 needs the record only.
 */
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import type { Finding } from '../findings.ts';
import { snapName } from '../snap/snap-name.ts';
import { causeAmong, type DirFacts, usableSnaps } from './cross-facts.ts';
import { type CrossReporter, dirFinding } from './cross-reporter.ts';

/** The first release that starts from the record alone. */
const FIRST_WITHOUT_FILES: EtcdMinor = '3.7';

/** Reports files without a record, and records without a file. */
export function checkSnapshots(facts: DirFacts, reporter: CrossReporter): void {
  const { dir, log, snap, inUse, logFindings } = facts;
  if (log === undefined || snap === undefined) return;
  if (!log.isWhole) {
    reporter.notExamined.push('which .snap files have a record in the log: it cannot be read to its end');
    return;
  }
  if (inUse) {
    reporter.notExamined.push('which .snap files have a record in the log: a running etcd writes both');
    return;
  }
  reporter.examined.push('which .snap files have a record in the log');
  const folder = dir.files.snap.path;
  let newest = 0n;
  for (const { index } of log.snapshots) if (BigInt(index) > newest) newest = BigInt(index);
  const orphans = usableSnaps(snap).filter(({ index }) => index > newest);
  const [orphan] = orphans;
  if (orphans.length > 1) {
    const args = { files: `${orphans.length}`, newest: `${newest}` };
    const cause = causeAmong(reporter.findings, ['DIR_INDEX_BEYOND_LOG']);
    reporter.report('DIR_SNAP_RECORDS_MISSING', args, { file: dir.files.wal.path, ...cause });
  } else if (orphan !== undefined) {
    reporter.report('DIR_SNAP_ORPHAN', { name: orphan.name }, { file: `${folder}/${orphan.name}` });
  }
  const { index = 0, term = 0 } = log.snapshot ?? {};
  const name = snapName(BigInt(term), BigInt(index));
  // One that is there and cannot be read has a finding of its own; so has a db that is gone with the whole folder.
  if (index > 0 && dir.files.snap.state === 'directory' && !dir.snapFiles.some((file) => file.name === name)) {
    const place = { file: `${folder}/${name}`, ...causeAmong(logFindings, ['WAL_SNAPSHOT_TERM']) };
    reporter.report('DIR_SNAP_FILE_MISSING', { index: `${index}`, term: `${term}` }, place);
  }
}

/** Whether a release has a snapshot, or the first entry, to start from. */
export function startFindings({ dir, log, snap, inUse }: DirFacts, target: EtcdMinor): Finding[] {
  if (log === undefined || snap === undefined || inUse) return [];
  if (compareMinors(target, FIRST_WITHOUT_FILES) >= 0) return [];
  const usable = usableSnaps(snap);
  const { snapshot } = log;
  // Without a record of any kind the check of the log has said so.
  if (snapshot === undefined || (snapshot.index === 0 && usable.length === 0) || log.isWholeFrom(0n)) return [];
  const canStart = log.snapshots.some(
    ({ index, term }) =>
      index > 0 &&
      index <= snapshot.index &&
      usable.some((file) => file.index === BigInt(index) && file.term === BigInt(term)) &&
      log.isWholeFrom(BigInt(index)),
  );
  // Where a start from the newest snapshot would not get through either, that is told of the log.
  if (canStart || !log.isWholeFrom(BigInt(snapshot.index))) return [];
  const args = { target, index: `${snapshot.index}` };
  return [dirFinding('DIR_NO_SNAPSHOT', args, { file: dir.files.snap.path })];
}
