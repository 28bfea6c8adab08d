/**
 * Puts the reports of the parts of a data directory together: findings with their place in the directory, what was examined of which part.
 */
import type { AnyFinding, Severity } from '../finding-table.ts';
import type { Finding } from '../findings.ts';
import { type CheckReport, FindingList } from '../report.ts';
import { type Verdict, verdictOf } from '../verdict.ts';

/** As much of a report as is put together. */
export interface PartReport {
  readonly findings: readonly Finding[];
  readonly counts: CheckReport['counts'];
  readonly examined: readonly string[];
  readonly notExamined: readonly string[];
  readonly bytesRead?: number;
}

/** How a part is taken in. */
export interface PartPlace {
  /** What it is called in the lists of what was and was not examined. */
  readonly name?: string;
  /** The folder that names of files in its findings are completed with. Default: they are complete. */
  readonly folder?: string;
  /** The file that its findings are about, where they do not say. */
  readonly file?: string;
  /** How bad a finding is, seen from the whole directory. Default: as bad as it says. */
  judge?(finding: AnyFinding): Severity;
}

/** All parts together. */
export class Reports {
  readonly examined: string[] = [];
  readonly notExamined: string[] = [];
  bytesRead = 0;
  readonly #list: FindingList;
  /** Findings that a part counted, but did not list. */
  readonly #unlisted: Partial<Record<Severity, number>> = {};

  constructor(maxFindings: number | undefined) {
    this.#list = new FindingList(maxFindings);
  }

  add(report: PartReport, { name, folder, file: only, judge }: PartPlace = {}): void {
    const listed: Partial<Record<Severity, number>> = {};
    for (const finding of report.findings as readonly AnyFinding[]) {
      listed[finding.severity] = (listed[finding.severity] ?? 0) + 1;
      const file = folder === undefined ? (finding.file ?? only) : completed(folder, finding.file);
      const severity = judge?.(finding) ?? finding.severity;
      const placed = { ...finding, severity, ...(file === undefined ? {} : { file }) };
      // Only its place and how bad it is have changed: code and arguments still belong together.
      this.#list.add(placed as unknown as Finding);
    }
    for (const [severity, count] of Object.entries(report.counts) as [Severity, number][]) {
      const left = count - (listed[severity] ?? 0);
      if (left > 0) this.#unlisted[severity] = (this.#unlisted[severity] ?? 0) + left;
    }
    const prefix = name === undefined ? '' : `${name}: `;
    this.examined.push(...report.examined.map((item) => prefix + item));
    this.notExamined.push(...report.notExamined.map((item) => prefix + item));
    this.bytesRead += report.bytesRead ?? 0;
  }

  get counts(): Partial<Record<Severity, number>> {
    const counts = this.#list.counts;
    for (const [severity, count] of Object.entries(this.#unlisted) as [Severity, number][]) {
      counts[severity] = (counts[severity] ?? 0) + count;
    }
    return counts;
  }

  get findings(): Finding[] {
    return this.#list.findings;
  }

  get verdict(): Verdict {
    return verdictOf(this.counts);
  }
}

function completed(folder: string, file: string | undefined): string {
  return file === undefined || file === '' ? folder : `${folder}/${file}`;
}
