/**
 * `snap check PATH`: one `.snap` file, or all that a member has.
 */
import { openSnapFolder } from '../../files/snap-folder.ts';
import { MAX_FINDINGS } from '../../report.ts';
import { SnapCheckJob, snapFileCheck } from '../../snap/check.ts';
import { integerOption } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { exitCodeOfVerdict } from '../exit-codes.ts';
import { reportJson, reportText } from '../render/report.ts';
import { prepareFile, runPrepared } from '../run-check.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, color } = invocation;
  const [path = ''] = positionals;
  const maxFindings = integerOption(options['max-findings'], MAX_FINDINGS);
  const report = await runPrepared(invocation, path, { kind: 'snap', level: 'full' }, () => {
    const folder = openSnapFolder(path);
    if (folder === undefined) return prepareFile(path, (source) => snapFileCheck(source, { path, maxFindings }));
    return { job: new SnapCheckJob(folder.files, { path, maxFindings }), close: () => {} };
  });
  out.write(json ? reportJson(report) : reportText(report, color));
  return exitCodeOfVerdict(report.verdict);
}
