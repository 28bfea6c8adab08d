/**
 * `log PATH`: the changes of keys, revision by revision.
 */
import { readChanges } from '../../backend/change-log.ts';
import { readRevisions } from '../../backend/revisions.ts';
import { uint64Argument, usageError } from '../arguments.ts';
import { byteArgument } from '../byte-arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { noteUnreadable, withBackend } from '../open-backend.ts';
import { printEach, streamOptions } from '../print-stream.ts';
import { ChangeText, changeJson } from '../render/changes.ts';
import { jsonOf } from '../render/json.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out, note } = invocation;
  const revision = (name: string): bigint | undefined => {
    const text = options[name];
    return typeof text === 'string' ? uint64Argument(`--${name}`, text) : undefined;
  };
  const [from = 0n, to] = [revision('from'), revision('to')];
  const prefix = options['prefix'];
  const wholeRevisions = options['whole-revisions'] === true;
  if (wholeRevisions && prefix === undefined) throw usageError('--whole-revisions is only for --prefix');
  const wanted = {
    from,
    to,
    wholeRevisions,
    prefix: typeof prefix === 'string' ? byteArgument('--prefix', prefix, options['key-format']) : undefined,
  };
  return withBackend(invocation, async ({ file }) => {
    const { current, compact } = file.read(readRevisions);
    const changes = readChanges(file, { ...wanted, ...streamOptions(invocation) });
    const text = new ChangeText(wholeRevisions);
    await printEach(invocation, changes, (change) => {
      out.write(json ? `${jsonOf(changeJson(change, wholeRevisions))}\n` : text.lines(change));
    });
    if (from > current) note(`the current revision is ${current}`);
    if (compact > 0n && from <= compact) {
      note(`changes up to revision ${compact} were compacted: of each key at most the last one is left`);
    }
    noteUnreadable(invocation, changes.unreadable);
    return EXIT.done;
  });
}
