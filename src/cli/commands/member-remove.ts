/**
 * `member remove ID`: a member less, in a copy of a data directory.
 */
import { removeMember } from '../../files/change-members.ts';
import type { Invocation } from '../command.ts';
import { changeMembersOptions, memberIdArgument, runEdit } from '../edit-copy.ts';
import { textOption } from '../new-members.ts';
import { changedJson, changedText } from '../render/changed-members.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const path = textOption(invocation, 'data-dir') ?? '';
  const id = memberIdArgument(invocation.positionals[0], 'ID');
  return runEdit(invocation, path, (output) => removeMember(path, output, id, changeMembersOptions(invocation)), {
    json: changedJson,
    text: (changed) => changedText(path, changed),
  });
}
