/**
 * Which `.snap` file a start begins with, and which it sets aside on the way, from what a report says of both.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { CheckReport } from '../../report.ts';
import { chooseSnap, type SnapCandidate } from '../../snap/choose.ts';
import type { StartSummary } from '../../wal/summary.ts';

/** The choice. */
export interface ChosenSnap {
  /** Index and term of the snapshot, as decimal text; index 0 is the beginning of the log. */
  readonly index: string;
  readonly term: string;
  /** The file that is read; undefined if it begins without one. */
  readonly file?: string;
  /** Files that are renamed, each to its name with `.broken`. */
  readonly broken: readonly string[];
}

/** The simulated start of a release on the log; undefined where it was not tried. */
export function logStartOf({ wal }: CheckReport, minor: EtcdMinor): StartSummary | undefined {
  return wal?.etcd.find(({ version }) => version === minor);
}

/** The choice of a release. Undefined if it does not get that far. */
export function chosenSnap(report: CheckReport, minor: EtcdMinor): ChosenSnap | undefined {
  const log = logStartOf(report, minor);
  if (log === undefined || log.stage === 'search') return undefined;
  const { index, term } = log.snapshot ?? { index: '0', term: '0' };
  const candidates = (report.snap?.files ?? []).map(
    (file): SnapCandidate => ({
      name: file.name,
      snapshot:
        file.usable && file.index !== undefined && file.term !== undefined
          ? { index: BigInt(file.index), term: BigInt(file.term) }
          : undefined,
    }),
  );
  // The log's start has chosen among its records already: only which file goes with it is asked here.
  const { file, broken } = chooseSnap(candidates, [{ index: BigInt(index), term: BigInt(term) }], minor);
  return { index, term, ...(file === undefined ? {} : { file }), broken };
}
