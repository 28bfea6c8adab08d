/**
 * Everything that the rules for a data directory as a whole go by.
 */
import type { EtcdMinor } from '../etcd-version.ts';
import type { AnyFinding, FindingPlace } from '../finding-table.ts';
import type { CheckReport, Level } from '../report.ts';
import type { LogFacts } from '../wal/log-facts.ts';
import type { SegmentInput } from '../wal/segment-input.ts';
import type { DbFacts } from './cross-db.ts';
import type { DataDir } from './data-dir.ts';

/** What is known when all parts were looked at. */
export interface DirFacts {
  readonly dir: DataDir;
  /** Of the log; empty if there is none. */
  readonly segments: readonly SegmentInput[];
  readonly level: Level;
  readonly inUse: boolean;
  /** The release that is to be started. */
  readonly target: EtcdMinor;
  readonly db: DbFacts;
  /** The last entry that is in the db; 0 if there is no db, undefined if it cannot be told. */
  readonly consistentIndex: bigint | undefined;
  /** The log, if there is one. */
  readonly log: LogFacts | undefined;
  /** Its report, and that of the snap files, as far as they were looked at. */
  readonly wal: CheckReport['wal'];
  readonly snap: CheckReport['snap'];
  /** What was found in the log. */
  readonly logFindings: readonly AnyFinding[];
}

/** The finding that others follow from: the first of these codes, or, without codes, the first of damage. */
export function causeAmong(findings: readonly AnyFinding[], codes?: readonly string[]): Pick<FindingPlace, 'causedBy'> {
  const found = findings.find(({ code, severity }) =>
    codes === undefined ? severity === 'corrupt' || severity === 'unknown' : codes.includes(code),
  );
  return found === undefined ? {} : { causedBy: { code: found.code } };
}

/** The `.snap` files that etcd can read. */
export function usableSnaps(
  snap: CheckReport['snap'],
): { readonly name: string; readonly index: bigint; readonly term: bigint }[] {
  return (snap?.files ?? []).flatMap(({ name, usable, index, term }) =>
    usable && index !== undefined && term !== undefined ? [{ name, index: BigInt(index), term: BigInt(term) }] : [],
  );
}
