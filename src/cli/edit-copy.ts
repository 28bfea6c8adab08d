/**
 * What the commands that change a copy have in common: their options, and how they end.
 */
import type { EtcdMinor } from '../etcd-version.ts';
import type { ChangeMembersOptions } from '../files/change-members.ts';
import type { DataDirCopyOptions } from '../files/data-dir-copy.ts';
import { usageError } from './arguments.ts';
import type { Invocation } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { textOption } from './new-members.ts';
import { refuseDamaged } from './refuse-damaged.ts';
import { jsonText } from './render/json.ts';
import { prepareWriting } from './writing.ts';

/** What is copied: the argument, or `--data-dir`. */
export function inputPath(invocation: Invocation): string {
  const named = [invocation.positionals[0], textOption(invocation, 'data-dir')].filter((path) => path !== undefined);
  if (named.length > 1) throw usageError('PATH and --data-dir exclude one another');
  if (named[0] === undefined) throw usageError('a PATH is needed: what is to be copied');
  return named[0];
}

/** The id of a member as it is printed. */
export function memberIdArgument(text: string | undefined, name: string): bigint {
  if (text === undefined || !/^[0-9a-f]{1,16}$/i.test(text)) {
    throw usageError(`${name} must be the id of a member in hexadecimal digits, not '${text ?? ''}'`);
  }
  return BigInt(`0x${text}`);
}

/** Where the copy goes. */
export function copyOptions(invocation: Invocation): DataDirCopyOptions {
  return {
    walDir: textOption(invocation, 'wal-dir'),
    outputWalDir: textOption(invocation, 'output-wal-dir'),
    signal: invocation.signal,
    onProgress: invocation.showProgress,
  };
}

/** For commands that replay the log too. */
export function changeMembersOptions(invocation: Invocation): ChangeMembersOptions {
  const ttl = textOption(invocation, 'min-lease-ttl');
  return {
    ...copyOptions(invocation),
    // Only these are let through.
    etcdVersion: textOption(invocation, 'etcd-version') as EtcdMinor | undefined,
    minLeaseTtl: ttl === undefined ? undefined : BigInt(ttl),
    persistCheckpoints: invocation.options['persist-checkpoints'] === true,
  };
}

/** Makes the copy, and tells what was made. */
export async function runEdit<Made>(
  invocation: Invocation,
  path: string,
  edit: (output: string) => Promise<Made>,
  render: { json(made: Made): Record<string, unknown>; text(made: Made): string },
): Promise<number> {
  const { json, out, showProgress } = invocation;
  const output = textOption(invocation, 'output') ?? '';
  prepareWriting(invocation, output);
  try {
    const made = await edit(output);
    showProgress(undefined);
    out.write(json ? jsonText({ schema: 1, source: path, ...render.json(made) }) : render.text(made));
    return EXIT.done;
  } catch (error) {
    showProgress(undefined);
    const refused = refuseDamaged(invocation, path, error, 'and nothing was written');
    if (refused === undefined) throw error;
    return refused;
  }
}
