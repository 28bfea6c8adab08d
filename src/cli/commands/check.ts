/**
 * `check PATH`: all checks that apply to what is there.
 */
import { createNodeSha256 } from '../../checksum/node-sha256.ts';
import { createCheckJob } from '../../datadir/check.ts';
import { ETCD_MINORS } from '../../etcd-version.ts';
import { openForCheck } from '../../files/open-check.ts';
import { type Level, MAX_FINDINGS } from '../../report.ts';
import { integerOption } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { exitCodeOfVerdict } from '../exit-codes.ts';
import { reportJson, reportText } from '../render/report.ts';
import { runPrepared } from '../run-check.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, color } = invocation;
  const [path = ''] = positionals;
  const level = (options['level'] ?? 'full') as Level;
  const maxFindings = integerOption(options['max-findings'], MAX_FINDINGS);
  const etcdVersion = ETCD_MINORS.find((minor) => minor === options['etcd-version']);
  const snapshot = options['snapshot'] === true;
  const checkOptions = { level, maxFindings, path, etcdVersion, snapshot };
  const report = await runPrepared(invocation, path, { kind: null, level }, () => {
    const { input, finish, close } = openForCheck(path, { walDir: options['wal-dir'] as string | undefined });
    try {
      return { job: createCheckJob(input, checkOptions, { sha256: createNodeSha256 }), finish, close };
    } catch (error) {
      close();
      throw error;
    }
  });
  out.write(json ? reportJson(report) : reportText(report, color));
  return exitCodeOfVerdict(report.verdict);
}
