/**
 * How a command ends that needs all of a db, when pages of it are damaged: with the findings and exit code 1.
 */
import { damageReport } from '../bolt/content-job.ts';
import type { CheckReport } from '../report.ts';
import type { Invocation } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { jsonText } from './render/json.ts';
import { findingJson, findingLine } from './render/report.ts';
import { counted } from './render/size.ts';
import { visible } from './render/visible.ts';

const MAX_LINES = 20;

/** Prints the findings if `error` is about a damaged source, and returns the exit code; undefined for any other error. */
export function refuseDamaged(
  invocation: Invocation,
  path: string,
  error: unknown,
  consequence: string,
): number | undefined {
  const report = damageReport(error);
  if (report === undefined) return undefined;
  if (invocation.json) printJson(invocation, path, report);
  else printText(invocation, report);
  const words = `'etcd-datadir check ${path}' tells more; 'etcd-datadir help bolt surgery' lists what can be done by hand`;
  invocation.note(visible(`${path}: the file is damaged, ${consequence}; ${words}`));
  return EXIT.problems;
}

function printJson({ out }: Invocation, path: string, report: CheckReport): void {
  const error = { code: 'BOLT_SOURCE_DAMAGED', message: `${path}: the file is damaged`, path };
  out.write(jsonText({ schema: 1, path, error, check: { ...report, findings: report.findings.map(findingJson) } }));
}

function printText({ out }: Invocation, report: CheckReport): void {
  const problems = report.findings.filter(({ severity }) => severity !== 'info');
  for (const finding of problems.slice(0, MAX_LINES)) out.write(`${findingLine(finding)}\n`);
  if (problems.length > MAX_LINES) out.write(`${counted(problems.length - MAX_LINES, 'more finding')} not listed\n`);
}
