/**
 * `snapshot DIR OUT`: a snapshot file with everything that etcd would have after a start on a data directory.
 */
import type { TailMode } from '../../datadir/replay/tail.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { snapshotFromDataDir } from '../../files/replay-to-file.ts';
import { isHarmless } from '../../verdict.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { refuseDamaged } from '../refuse-damaged.ts';
import { jsonText } from '../render/json.ts';
import { snapshotJson, snapshotText } from '../render/snapshot.ts';
import { prepareWriting } from '../writing.ts';

const CONSEQUENCE = 'and nothing was written; a log that is whole can do without it (--without-db)';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, signal, showProgress } = invocation;
  const [path = ''] = positionals;
  const output = outputOf(invocation);
  const text = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined);
  const minLeaseTtl = text('min-lease-ttl');
  prepareWriting(invocation, output);
  try {
    const summary = await snapshotFromDataDir(path, output, {
      // Only these are let through.
      tail: text('tail') as TailMode | undefined,
      etcdVersion: text('etcd-version') as EtcdMinor | undefined,
      minLeaseTtl: minLeaseTtl === undefined ? undefined : BigInt(minLeaseTtl),
      persistCheckpoints: options['persist-checkpoints'] === true,
      withoutDb: options['without-db'] === true,
      walDir: text('wal-dir'),
      signal,
      onProgress: showProgress,
    });
    showProgress(undefined);
    out.write(json ? jsonText(snapshotJson(summary)) : snapshotText(summary, path));
    return summary.findings.every(isHarmless) ? EXIT.done : EXIT.problems;
  } catch (error) {
    showProgress(undefined);
    const refused = refuseDamaged(invocation, path, error, CONSEQUENCE);
    if (refused === undefined) throw error;
    return refused;
  }
}

function outputOf({ positionals, options }: Invocation): string {
  const named = [positionals[1], options['output']].filter((path) => typeof path === 'string');
  const [output] = named;
  if (output === undefined) throw usageError('snapshot needs OUT: the file to write to');
  if (named.length > 1) throw usageError('OUT and --output exclude one another');
  return output;
}
