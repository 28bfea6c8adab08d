/**
 * `bolt check FILE`: findings one a line, then `OK` or how many there are, as the bbolt tool prints them.
 */
import { BoltCheckJob } from '../../bolt/check.ts';
import { isDatadirError } from '../../errors.ts';
import { MAX_FINDINGS } from '../../report.ts';
import { integerOption } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT, exitCodeOfVerdict } from '../exit-codes.ts';
import { findingLine, reportJson } from '../render/report.ts';
import { counted } from '../render/size.ts';
import { runCheck } from '../run-check.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out } = invocation;
  const [path = ''] = positionals;
  const fromPage = integerOption(options['from-page'], 0);
  const maxFindings = integerOption(options['max-findings'], MAX_FINDINGS);
  const report = await runCheck(invocation, path, { kind: 'db', level: 'full' }, (source) => {
    return new BoltCheckJob(source, { path, maxFindings, fromPage: fromPage === 0 ? undefined : fromPage });
  }).catch((error: unknown) => {
    if (json || !isDatadirError(error, 'BOLT_PAGE_OUT_OF_RANGE')) throw error;
    out.write(`${error.message}\n1 errors found\n`);
    return undefined;
  });
  if (report === undefined) return EXIT.problems;
  if (json) {
    out.write(reportJson(report));
    return exitCodeOfVerdict(report.verdict);
  }
  const errors = report.findings.filter(({ severity }) => severity !== 'info');
  for (const finding of errors) out.write(`${findingLine(finding)}\n`);
  let count = 0;
  for (const [severity, found] of Object.entries(report.counts)) if (severity !== 'info') count += found;
  if (count > errors.length)
    out.write(`${counted(count - errors.length, 'more finding')} not listed (--max-findings)\n`);
  out.write(count === 0 ? 'OK\n' : `${count} errors found\n`);
  return exitCodeOfVerdict(report.verdict);
}
