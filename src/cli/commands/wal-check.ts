/**
 * `wal check PATH`: every record of a log, its CRC chain, what is torn and what is damaged, and what etcd would do.
 */
import { lookingForUse } from '../../files/look-for-use.ts';
import { openWalFolder } from '../../files/wal-folder.ts';
import { MAX_FINDINGS } from '../../report.ts';
import { WalCheckJob } from '../../wal/check.ts';
import { integerOption } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { exitCodeOfVerdict } from '../exit-codes.ts';
import { reportJson, reportText } from '../render/report.ts';
import { runPrepared } from '../run-check.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, color } = invocation;
  const [path = ''] = positionals;
  const maxFindings = integerOption(options['max-findings'], MAX_FINDINGS);
  const report = await runPrepared(invocation, path, { kind: 'wal', level: 'full' }, () => {
    const folder = openWalFolder(path);
    const job = new WalCheckJob(folder.files, { path, maxFindings, alone: folder.alone });
    return { job, finish: lookingForUse(folder), close: () => folder.close() };
  });
  if (json) {
    const { segments, firstIndex, lastIndex, entries, commit, term, nodeId, clusterId } = report.wal!;
    out.write(reportJson(report, { segments, firstIndex, lastIndex, entries, commit, term, nodeId, clusterId }));
  } else out.write(reportText(report, color));
  return exitCodeOfVerdict(report.verdict);
}
