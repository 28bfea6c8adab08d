/**
 * `explain DIR`: what etcd does when it is started on a data directory.
 */
import type { DirStart } from '../../datadir/start/start.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { explain } from '../../files/explain.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { explanationJson, explanationText } from '../render/explain.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, color, signal, showProgress } = invocation;
  const [path = ''] = positionals;
  const etcdVersion = options['etcd-version'] as EtcdMinor | undefined;
  const level = (options['level'] ?? 'full') as 'full' | 'deep';
  const walDir = options['wal-dir'] as string | undefined;
  let explanation: Awaited<ReturnType<typeof explain>>;
  try {
    explanation = await explain(path, { etcdVersion, level, walDir, signal, onProgress: showProgress });
  } finally {
    showProgress(undefined);
  }
  const { report, starts, start } = explanation;
  const told = etcdVersion === undefined ? starts : [start];
  out.write(json ? explanationJson(explanation, told) : explanationText(explanation, told, color));
  return report.dataDir?.inUse === true ? EXIT.inUse : exitCodeOfStart(start);
}

function exitCodeOfStart({ outcome }: DirStart): number {
  if (outcome === 'unknown') return EXIT.unreadable;
  return outcome === 'starts' || outcome === 'repairs' ? EXIT.done : EXIT.problems;
}
