/**
 * A log that somebody writes to while it is looked at: the end of it may be a write in progress.
 */
import type { CheckReport } from '../report.ts';
import { type WalFinding, walFindings } from './findings.ts';

/** The report of a log that is seen to be in use, with a word about that. */
export function noteInUse(report: CheckReport): CheckReport {
  const { severity } = walFindings.WAL_IN_USE;
  const file = report.wal?.segments.at(-1)?.name ?? '';
  const finding: WalFinding = { code: 'WAL_IN_USE', severity, file, args: {} };
  const { counts, findings } = report;
  return {
    ...report,
    counts: { ...counts, [severity]: (counts[severity] ?? 0) + 1 },
    findings: [...findings, finding],
  };
}
