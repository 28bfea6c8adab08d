/**
 * Makes findings of what the check of a data directory sees, with the severity of the code unless the place makes it milder.
 */
import type { FindingPlace, Severity } from '../finding-table.ts';
import type { Finding } from '../findings.ts';
import { type DataDirFinding, type DataDirFindingArgs, type DataDirFindingCode, dataDirFindings } from './findings.ts';

/** A finding about the directory. */
export function dirFinding<Code extends DataDirFindingCode>(
  code: Code,
  args: DataDirFindingArgs[Code],
  place: FindingPlace = {},
  severity: Severity = dataDirFindings[code].severity,
): DataDirFinding {
  // The union over all codes cannot be built from a generic code; code and args were matched by the signature.
  return { code, severity, ...place, args } as unknown as DataDirFinding;
}

/** Collects what the rules that compare the parts have to say. */
export class CrossReporter {
  readonly findings: Finding[] = [];
  readonly examined: string[] = [];
  readonly notExamined: string[] = [];

  report<Code extends DataDirFindingCode>(
    code: Code,
    args: DataDirFindingArgs[Code],
    place: FindingPlace = {},
    severity: Severity = dataDirFindings[code].severity,
  ): void {
    this.findings.push(dirFinding(code, args, place, severity));
  }
}

/** How many ids are named. */
const SHOWN_IDS = 9;

/** Ids as etcd prints them, ascending. */
export function idsText(ids: Iterable<bigint>): string {
  const sorted = [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (sorted.length === 0) return 'none';
  const shown = sorted.slice(0, SHOWN_IDS).map((id) => id.toString(16));
  return `${shown.join(', ')}${sorted.length > SHOWN_IDS ? ` and ${sorted.length - SHOWN_IDS} more` : ''}`;
}
