/**
 * `restore SNAPSHOT`: data directories of a new cluster that has the data of a snapshot.
 */
import type { TailMode } from '../../datadir/replay/tail.ts';
import { type RestoreOptions, restoreCluster, restoreSnapshot } from '../../files/restore.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { allMembersOption, clusterOptions, memberOptions, runCreation, textOption } from '../new-members.ts';

/** What etcdutl takes for the URLs of the member, whatever its name is. */
const DEFAULT_PEER_URL = 'http://localhost:2380';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const [source = ''] = invocation.positionals;
  const { options } = invocation;
  const text = (name: string): string | undefined => textOption(invocation, name);
  const notBelow = text('not-below');
  const restore: RestoreOptions = {
    ...clusterOptions(invocation),
    skipHashCheck: options['skip-hash-check'] === true,
    bumpRevision: bumpOption(invocation),
    notBelow: notBelow === undefined ? undefined : BigInt(notBelow),
    keepDowngrade: options['keep-downgrade'] === true,
    // Only these are let through.
    tail: text('tail') as TailMode | undefined,
    sourceWalDir: text('source-wal-dir'),
  };
  const outDir = allMembersOption(invocation);
  if (outDir !== undefined) {
    return runCreation(invocation, source, outDir, () => restoreCluster(source, outDir, restore));
  }
  const one = memberOptions(invocation, DEFAULT_PEER_URL);
  const target = one.dataDir ?? `${one.name ?? 'default'}.etcd`;
  return runCreation(invocation, source, target, () => restoreSnapshot(source, { ...restore, ...one }));
}

/** `--bump-revision` needs `--mark-compacted`, and the other way round; in the words of etcdutl. */
function bumpOption(invocation: Invocation): bigint | 'auto' | undefined {
  const value = textOption(invocation, 'bump-revision');
  if (value === undefined && textOption(invocation, 'not-below') !== undefined) {
    throw usageError('--not-below says how far --bump-revision must go at least, which is not given');
  }
  const marked = invocation.options['mark-compacted'] === true;
  if (value === 'auto') return 'auto';
  if (value !== undefined && !/^\d+$/.test(value)) {
    throw usageError(`--bump-revision must be a number or auto, not '${value}'`);
  }
  const by = BigInt(value ?? 0);
  if (by > 0n !== marked) throw usageError('--mark-compacted required if --revision-bump > 0');
  return by > 0n ? by : undefined;
}
