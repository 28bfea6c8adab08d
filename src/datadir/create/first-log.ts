/**
 * The log that a new cluster begins with, as etcd's `snapshot restore` writes it: one entry for each member, all committed, and the note
 * of a snapshot behind them.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { NewCluster, NewMember } from '../../membership/new-cluster.ts';
import { type ConfState, ENTRY_CONF_CHANGE, type Entry, encodeConfChange } from '../../proto/raft.ts';
import { protoStyleOf } from '../../proto/style.ts';
import type { LogDirectory } from '../../wal/log-directory.ts';
import { createWal } from '../../wal/writer.ts';
import { encodeMemberRecord } from '../replay/member-record.ts';

/** The term of all first entries. */
export const FIRST_TERM = 1n;

const ADD = 0;
const ADD_LEARNER = 3;

/** Where the snapshot lies that such a log begins with: behind the last member. */
export function firstIndex({ members }: NewCluster): bigint {
  return BigInt(members.length);
}

/** Who takes part at first. 3.7's restore writes no `autoLeave`; older ones write it whether it is there or not. */
export function firstConfState({ members }: NewCluster): ConfState {
  const ids = (isLearner: boolean): bigint[] =>
    members.filter((member) => member.isLearner === isLearner).map(({ id }) => id);
  return { voters: ids(false), learners: ids(true), votersOutgoing: [], learnersNext: [] };
}

/** Writes the log of the member `memberId` into an empty directory, synced, in the bytes of a release. */
export function writeFirstLog(
  directory: LogDirectory,
  cluster: NewCluster,
  memberId: bigint,
  etcdVersion: EtcdMinor,
): void {
  const { members, clusterId } = cluster;
  const writer = createWal(directory, { nodeId: memberId, clusterId }, { etcdVersion });
  try {
    const index = firstIndex(cluster);
    // etcd votes for the first of the list, whoever the member itself is; a learner cannot be voted for.
    const vote = members.find(({ isLearner }) => !isLearner)?.id ?? memberId;
    writer.save(
      { term: FIRST_TERM, vote, commit: index },
      members.map((member, i) => firstEntry(member, BigInt(i + 1), etcdVersion)),
    );
    writer.saveSnapshot({ index, term: FIRST_TERM, confState: firstConfState(cluster) });
  } finally {
    writer.close();
  }
}

function firstEntry(member: NewMember, index: bigint, etcdVersion: EtcdMinor): Entry {
  const { id, isLearner } = member;
  const change = {
    type: isLearner ? ADD_LEARNER : ADD,
    nodeId: id,
    context: encodeMemberRecord({ ...member, clientUrls: [] }),
  };
  return {
    type: ENTRY_CONF_CHANGE,
    term: FIRST_TERM,
    index,
    data: encodeConfChange(change, protoStyleOf(etcdVersion)),
  };
}
