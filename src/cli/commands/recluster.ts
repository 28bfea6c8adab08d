/**
 * `recluster DIR -o OUT`: a copy in which the member is the only one of its cluster.
 */
import { recluster } from '../../files/change-members.ts';
import type { Invocation } from '../command.ts';
import { changeMembersOptions, runEdit } from '../edit-copy.ts';
import { changedJson, changedText } from '../render/changed-members.ts';

const ENDING = [
  'start etcd on it with the name and the URLs that the member had, without any other flag;',
  'the other members must not be started again: add them anew, with empty directories',
];

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const [path = ''] = invocation.positionals;
  return runEdit(invocation, path, (output) => recluster(path, output, changeMembersOptions(invocation)), {
    json: changedJson,
    text: (changed) => changedText(path, changed, ENDING),
  });
}
