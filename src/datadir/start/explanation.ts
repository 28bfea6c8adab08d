/**
 * What etcd does with a data directory, release by release, together with the report that tells why.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { CheckReport } from '../../report.ts';
import { type DirStart, startsOf } from './start.ts';

/** An explanation. Plain data. */
export interface Explanation {
  readonly path: string;
  /** The release that was asked for; else that of the directory itself. */
  readonly etcdVersion: EtcdMinor;
  /** What that release does. */
  readonly start: DirStart;
  /** What each of the releases does, oldest first. */
  readonly starts: readonly DirStart[];
  /** The check that it was made from. */
  readonly report: CheckReport;
}

/** Explains a directory by the report of its check, at level `full` or `deep`. */
export function explainReport(report: CheckReport): Explanation {
  const starts = startsOf(report);
  const etcdVersion = report.dataDir?.etcdVersion as EtcdMinor;
  // The check was made for one of the known releases.
  const start = starts.find(({ version }) => version === etcdVersion) as DirStart;
  return { path: report.path, etcdVersion, start, starts, report };
}
