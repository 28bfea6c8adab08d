/**
 * `alarms PATH`: alarms that were raised and not disarmed.
 */
import { type Alarm, readAlarms } from '../../backend/alarms.ts';
import { type Member, readMembers } from '../../backend/members.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBackend } from '../open-backend.ts';
import { columns } from '../render/columns.ts';
import { jsonText } from '../render/json.ts';
import { counted } from '../render/size.ts';
import { unreadableFields, unreadableWords } from '../render/unreadable-values.ts';
import { visible } from '../render/visible.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { json, out, note, block } = invocation;
  return withBackend(invocation, ({ file, path, fields }) => {
    const { found, members } = block(() =>
      file.read((db) => ({ found: readAlarms(db), members: readMembers(db).members })),
    );
    const { alarms, unreadable } = found;
    const byId = new Map(members.map((member) => [member.id, member]));
    const named = alarms.map((alarm) => ({ alarm, member: byId.get(alarm.memberId) }));
    if (json) {
      const list = named.map(({ alarm: { memberId, type }, member }) => ({
        type,
        memberId,
        memberIdHex: memberId.toString(16),
        memberName: member?.name ?? null,
      }));
      out.write(jsonText({ schema: 1, path, ...fields, alarms: list, unreadable: unreadableFields(unreadable) }));
    } else {
      out.write(`${visible(path)}\n${alarms.length === 0 ? 'no alarms' : counted(alarms.length, 'alarm')}\n`);
      out.write(
        columns(named.map(({ alarm, member }) => [alarm.type, ofWhom(alarm, member), MEANING[alarm.type] ?? ''])),
      );
    }
    const words = unreadableWords(unreadable);
    if (words !== undefined) note(words);
    return EXIT.done;
  });
}

function ofWhom({ memberId, type }: Alarm, member: Member | undefined): string {
  if (memberId === 0n && type === 'CORRUPT') return 'the whole cluster';
  const id = `member ${memberId.toString(16)}`;
  return member === undefined ? `${id} (not a member)` : `${id} (${visible(member.name)})`;
}

const MEANING: Readonly<Record<string, string>> = {
  NOSPACE: 'puts and new leases are refused until there is room again and the alarm is disarmed',
  CORRUPT: 'its data differs from that of the others: requests for keys and leases are refused',
};
