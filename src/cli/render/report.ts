/**
 * The report of a check: for people (verdict, worst finding, place, remedy, the rest) and as JSON.
 */
import { styleText } from 'node:util';
import type { AnyFinding } from '../../finding-table.ts';
import { describeFinding, type Finding, type Verdict } from '../../findings.ts';
import type { CheckReport } from '../../report.ts';
import { dataDirLines } from './data-dir-summary.ts';
import { jsonText } from './json.ts';
import { logSummaryLines } from './log-summary.ts';
import { counted, duration, exactSize, grouped } from './size.ts';
import { visible } from './visible.ts';

type Style = Parameters<typeof styleText>[0];

const VERDICT_WORDS: Readonly<Record<Verdict, readonly [words: string, style: Style]>> = {
  healthy: ['HEALTHY: no problem was found', 'green'],
  repairable: ['REPAIRABLE: something is wrong that can be mended without loss', 'yellow'],
  stale: ['STALE: whole, but older than it should be', 'yellow'],
  damaged: ['DAMAGED: data is lost or wrong', 'red'],
  undecided: ['UNDECIDED: not enough could be read to tell', 'yellow'],
  refused: ['REFUSED: cannot be used as it is', 'red'],
  unreadable: ['UNREADABLE: it could not be looked at', 'red'],
  'in-use': ['IN USE: a running program writes to it', 'yellow'],
};

/** The report as text. `color` says whether the terminal takes colours; they carry no meaning of their own. */
export function reportText(report: CheckReport, color: boolean): string {
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const [words, style] = VERDICT_WORDS[report.verdict];
  const [worst, ...others] = report.findings;
  const parts = [
    `${paint([style as never, 'bold'], words)}\n${visible(report.path)} (${report.kind}, level ${report.level})\n`,
  ];
  if (worst !== undefined) {
    const { message, remedy } = describeFinding(worst);
    parts.push(
      [
        `${worst.severity}: ${visible(message)}`,
        ...placeLines(worst, report.path),
        `  to do:   ${remedy}`,
        `  code:    ${worst.code}`,
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
  if (others.length > 0) parts.push(otherFindings(others));
  const lines = summaryLines(report);
  if (lines.length > 0) parts.push(lines.map((line) => `${visible(line)}\n`).join(''));
  const total = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
  const left = total - report.findings.length;
  if (left > 0) parts.push(`${counted(left, 'more finding')} not listed (--max-findings)\n`);
  if (total > 0) parts.push(`${counted(total, 'finding')}: ${countsText(report.counts)}\n`);
  parts.push(
    `${listText('examined', report.examined)}${listText('not examined', report.notExamined)}` +
      `read ${exactSize(report.bytesRead)} in ${duration(report.elapsedMs)}\n`,
  );
  return parts.join('\n');
}

/** What is known of the log, and of the directory it lies in. */
function summaryLines({ wal, dataDir }: CheckReport): string[] {
  if (dataDir === undefined) return wal === undefined ? [] : logSummaryLines(wal);
  // What a release does with a directory does not hang on the log alone: that is for `explain`.
  return [...dataDirLines(dataDir), ...(wal === undefined ? [] : logSummaryLines({ ...wal, etcd: [] }))];
}

/** The verdict in a line. */
export function verdictText(verdict: Verdict): string {
  return VERDICT_WORDS[verdict][0];
}

/** The report as JSON, each finding with its sentence and remedy. */
export function reportJson(report: CheckReport, extra: Readonly<Record<string, unknown>> = {}): string {
  return jsonText({ ...report, findings: report.findings.map(findingJson), ...extra });
}

/** A finding with its sentence and remedy, for JSON. */
export function findingJson(finding: Finding): Record<string, unknown> {
  const { code, severity, ...rest } = finding;
  return { code, severity, ...describeFinding(finding), ...rest };
}

/** The sentence of a finding with its bucket, on one line. */
export function findingLine(finding: Finding): string {
  const { bucket } = finding as AnyFinding;
  const where = bucket === undefined || bucket.length === 0 ? '' : ` (bucket ${bucket.join(' > ')})`;
  return visible(`${describeFinding(finding).message}${where}`);
}

function placeLines(finding: AnyFinding, reportPath: string): string[] {
  const { file, page, pages, offset, path, bucket, key, causedBy } = finding;
  const where: string[] = [];
  if (file !== undefined && file !== reportPath) where.push(`file ${file}`);
  if (pages !== undefined) where.push(`pages ${grouped(pages[0])} to ${grouped(pages[1])}`);
  else if (page !== undefined) where.push(`page ${grouped(page)}`);
  if (offset !== undefined) where.push(`byte ${grouped(offset)} (0x${offset.toString(16)})`);
  const lines: string[] = [];
  if (where.length > 0) lines.push(`  where:   ${where.join(', ')}`);
  if (bucket !== undefined && bucket.length > 0) lines.push(`  bucket:  ${bucket.join(' > ')}`);
  if (key !== undefined) lines.push(`  key:     ${key}`);
  if (path !== undefined && path.length > 0) lines.push(`  path:    pages ${path.join(' > ')}`);
  if (causedBy !== undefined) {
    lines.push(`  because: ${causedBy.code}${causedBy.page === undefined ? '' : ` at page ${causedBy.page}`}`);
  }
  return lines.map(visible);
}

function otherFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ severity }) => severity.length));
  const lines = findings.map(
    (finding) => `  ${finding.severity.padEnd(width)}  ${findingLine(finding)}  [${finding.code}]\n`,
  );
  return `also found:\n${lines.join('')}`;
}

function countsText(counts: CheckReport['counts']): string {
  return Object.entries(counts)
    .map(([severity, count]) => `${grouped(count)} ${severity}`)
    .join(', ');
}

function listText(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `${title}:\n${items.map((item) => `  ${visible(item)}\n`).join('')}`;
}
