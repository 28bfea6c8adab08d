/**
 * `alarm disarm PATH -o OUT`: a copy without alarms.
 */
import { type DisarmOptions, disarmAlarms } from '../../files/disarm-alarms.ts';
import type { Invocation } from '../command.ts';
import { copyOptions, memberIdArgument, runEdit } from '../edit-copy.ts';
import { textOption } from '../new-members.ts';
import { editedJson, editedText } from '../render/edited.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const [path = ''] = invocation.positionals;
  const member = textOption(invocation, 'member');
  const options: DisarmOptions = {
    ...copyOptions(invocation),
    type: textOption(invocation, 'type') as DisarmOptions['type'],
    memberId: member === undefined ? undefined : memberIdArgument(member, '--member'),
  };
  const words = ({ type, memberId }: { type: string; memberId: bigint }): string =>
    `${type} of ${memberId.toString(16)}`;
  return runEdit(invocation, path, (output) => disarmAlarms(path, output, options), {
    json: ({ disarmed, left, ...made }) => ({ ...editedJson(made), disarmed, left }),
    text: ({ disarmed, left, ...made }) =>
      editedText(path, made, [
        ...(disarmed.length === 0 ? ['disarmed:   nothing, there was no such alarm'] : []),
        ...disarmed.map((alarm) => `disarmed:   ${words(alarm)}`),
        ...left.map((alarm) => `still there: ${words(alarm)}`),
      ]),
  });
}
