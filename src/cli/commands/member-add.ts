/**
 * `member add [NAME]`: a member more, in a copy of a data directory.
 */
import { addMember, type ChangedDirectory } from '../../files/change-members.ts';
import type { Invocation } from '../command.ts';
import { changeMembersOptions, runEdit } from '../edit-copy.ts';
import { textOption } from '../new-members.ts';
import { changedJson, changedText } from '../render/changed-members.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const path = textOption(invocation, 'data-dir') ?? '';
  const [name = ''] = invocation.positionals;
  const urls = (textOption(invocation, 'peer-urls') ?? '').split(',');
  const options = { ...changeMembersOptions(invocation), voter: invocation.options['voter'] === true };
  return runEdit(invocation, path, (output) => addMember(path, output, urls, options), {
    json: (changed) => ({ ...changedJson(changed), environment: environmentOf(changed, name) }),
    text: (changed) =>
      changedText(path, changed, [
        'start the new member, with an empty directory, with:',
        ...Object.entries(environmentOf(changed, name)).map(([key, value]) => `  ${key}="${value}"`),
      ]),
  });
}

/** What `etcdctl member add` prints for the new member. */
function environmentOf({ members, addedId }: ChangedDirectory, name: string): Record<string, string> {
  const cluster = members.flatMap(({ id, name: known, peerUrls }) =>
    (peerUrls ?? []).map((url) => `${id === addedId ? name : known}=${url}`),
  );
  const own = members.find(({ id }) => id === addedId)?.peerUrls ?? [];
  return {
    ETCD_NAME: name,
    ETCD_INITIAL_CLUSTER: cluster.join(','),
    ETCD_INITIAL_ADVERTISE_PEER_URLS: own.join(','),
    ETCD_INITIAL_CLUSTER_STATE: 'existing',
  };
}
