/**
 * `member update ID`: other peer URLs of a member, in a copy of a data directory.
 */
import { updateMember } from '../../files/change-members.ts';
import type { Invocation } from '../command.ts';
import { changeMembersOptions, memberIdArgument, runEdit } from '../edit-copy.ts';
import { textOption } from '../new-members.ts';
import { changedJson, changedText } from '../render/changed-members.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const path = textOption(invocation, 'data-dir') ?? '';
  const id = memberIdArgument(invocation.positionals[0], 'ID');
  const urls = (textOption(invocation, 'peer-urls') ?? '').split(',');
  return runEdit(invocation, path, (output) => updateMember(path, output, id, urls, changeMembersOptions(invocation)), {
    json: changedJson,
    text: (changed) => changedText(path, changed),
  });
}
