/**
 * `members PATH`: who belongs to the cluster, as the db has it.
 */
import { readCluster } from '../../backend/cluster.ts';
import { membersCount, readMembers } from '../../backend/members.ts';
import { readMeta } from '../../backend/meta.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type BackendInput, withBackend } from '../open-backend.ts';
import { type Form, membersForm } from '../render/etcd-forms.ts';
import { membersText } from '../render/members.ts';
import { unreadableFields, unreadableWords } from '../render/unreadable-values.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, json, out, note, block } = invocation;
  const form = json ? 'json' : (options['write-out'] as Form | undefined);
  const minor = (options['etcd-version'] ?? '3.7') as EtcdMinor;
  return withBackend(invocation, (input) => {
    const { file, path, clusterId, memberId, raftTerm } = input;
    const found = block(() =>
      file.read((db) => ({ members: readMembers(db), cluster: readCluster(db), storage: readMeta(db).storageVersion })),
    );
    const { members, cluster, storage } = found;
    const authoritative = membersCount(storage, cluster.version);
    if (form === undefined) out.write(membersText({ path, clusterId, cluster, members }));
    else {
      const header = { clusterId, memberId, raftTerm };
      out.write(membersForm(form, minor, header, members.members, extraFields(input, found, authoritative)));
    }
    if (!authoritative && members.members.length > 0) note(NOT_READ);
    const unreadable = unreadableWords(members.unreadable, cluster.unreadable);
    if (unreadable !== undefined) note(unreadable);
    return EXIT.done;
  });
}

const NOT_READ =
  'this db is of etcd 3.4 or 3.5, which do not go by these records but by the log and the .snap files; after a restore by 3.4 they are still those of the old cluster';

interface Found {
  readonly members: ReturnType<typeof readMembers>;
  readonly cluster: ReturnType<typeof readCluster>;
}

/** What etcdctl does not tell. */
function extraFields(
  { clusterId, path, fields }: BackendInput,
  { members, cluster }: Found,
  authoritative: boolean,
): Record<string, unknown> {
  return {
    schema: 1,
    path,
    removed: members.removed,
    clusterId: clusterId ?? null,
    clusterIdHex: clusterId?.toString(16) ?? null,
    clusterVersion: cluster.version,
    downgrade: cluster.downgrade,
    authoritative,
    unreadable: unreadableFields(members.unreadable, cluster.unreadable),
    ...fields,
  };
}
