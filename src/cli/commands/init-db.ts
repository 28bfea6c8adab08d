/**
 * `init-db OUT`: a blank db.
 */
import type { BlankKind } from '../../datadir/create/blank-db.ts';
import { initDb } from '../../files/init-db.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonText } from '../render/json.ts';
import { exactSize } from '../render/size.ts';
import { visible } from '../render/visible.ts';
import { prepareWriting } from '../writing.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, signal } = invocation;
  const [path = ''] = positionals;
  const version = options['etcd-version'];
  if (options['minimal'] === true && version !== undefined) {
    throw usageError('--minimal and --etcd-version exclude one another');
  }
  const pageSize = options['page-size'];
  prepareWriting(invocation, path);
  const made = await initDb(path, {
    // Only these are let through.
    kind: options['minimal'] === true ? 'minimal' : (version as BlankKind | undefined),
    withHash: options['with-hash'] === true,
    pageSize: pageSize === undefined ? undefined : Number(pageSize),
    signal,
  });
  out.write(json ? jsonText({ schema: 1, ...made }) : blankText(made));
  return EXIT.done;
}

function blankText({ path, size, buckets, sha256 }: Awaited<ReturnType<typeof initDb>>): string {
  const lines = [
    'DONE: the blank db was written',
    path,
    `buckets:  ${buckets.join(' ')}`,
    `size:     ${exactSize(size)}`,
    `sha256:   ${sha256 ?? 'none: etcd restores it with --skip-hash-check'}`,
  ];
  return lines.map((line) => `${visible(line)}\n`).join('');
}
