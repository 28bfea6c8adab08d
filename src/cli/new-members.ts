/**
 * What the commands that make members have in common: their options, and how they end.
 */
import type { EtcdMinor } from '../etcd-version.ts';
import type { CreatedMembers, NewMemberOptions, OneMemberOptions } from '../files/restore.ts';
import { isHarmless } from '../verdict.ts';
import { usageError } from './arguments.ts';
import type { Invocation } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { refuseDamaged } from './refuse-damaged.ts';
import { createdJson, createdText } from './render/created.ts';
import { jsonText } from './render/json.ts';
import { prepareWriting } from './writing.ts';

/** Options that make no sense for all members together. */
const OF_ONE_MEMBER = ['name', 'data-dir', 'wal-dir', 'initial-advertise-peer-urls'] as const;

/** The value of an option. */
export function textOption({ options }: Pick<Invocation, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Options of the library that are the same for both commands. */
export function clusterOptions(invocation: Invocation): NewMemberOptions {
  const { options, signal, showProgress } = invocation;
  return {
    initialCluster: textOption(invocation, 'initial-cluster'),
    initialClusterToken: textOption(invocation, 'initial-cluster-token'),
    // Only these are let through.
    etcdVersion: textOption(invocation, 'etcd-version') as EtcdMinor | undefined,
    dryRun: options['dry-run'] === true,
    signal,
    onProgress: showProgress,
  };
}

/** Where one member goes; `peerUrls`: where the option does not say. */
export function memberOptions(invocation: Invocation, peerUrls?: string): OneMemberOptions {
  const urls = textOption(invocation, 'initial-advertise-peer-urls') ?? peerUrls;
  return {
    name: textOption(invocation, 'name'),
    dataDir: textOption(invocation, 'data-dir'),
    walDir: textOption(invocation, 'wal-dir'),
    peerUrls: urls?.split(','),
  };
}

/** The directory for all members; undefined if one is to be made. */
export function allMembersOption(invocation: Invocation): string | undefined {
  const outDir = textOption(invocation, 'all-members');
  if (outDir === undefined) return undefined;
  const other = OF_ONE_MEMBER.find((name) => invocation.options[name] !== undefined);
  if (other !== undefined) throw usageError(`--all-members and --${other} exclude one another`);
  return outDir;
}

/** Makes them, and tells what was made. `source`: what they are made from, for messages. */
export async function runCreation(
  invocation: Invocation,
  source: string | undefined,
  target: string,
  create: () => Promise<CreatedMembers>,
): Promise<number> {
  const { options, json, out, showProgress } = invocation;
  if (options['dry-run'] !== true) prepareWriting(invocation, target);
  try {
    const created = await create();
    showProgress(undefined);
    out.write(json ? jsonText(createdJson(created, source)) : createdText(created, source));
    return created.findings.every(isHarmless) ? EXIT.done : EXIT.problems;
  } catch (error) {
    showProgress(undefined);
    const refused = refuseDamaged(invocation, source ?? target, error, 'and nothing was written');
    if (refused === undefined) throw error;
    return refused;
  }
}
