/**
 * The members and ids of a cluster that is about to be made, at bootstrap or by a restore.
 */
import { DatadirError } from '../errors.ts';
import { clusterIdOf } from '../wal/bootstrap-members.ts';
import { quotedText } from './byte-text.ts';
import type { InitialCluster } from './initial-cluster.ts';
import { memberIdOf } from './member-id.ts';

/** A member of a new cluster. */
export interface NewMember {
  readonly id: bigint;
  readonly name: string;
  /** Sorted by their bytes. */
  readonly peerUrls: readonly string[];
  readonly isLearner: boolean;
}

/** A new cluster. */
export interface NewCluster {
  readonly clusterId: bigint;
  readonly token: string;
  /** By ascending id. */
  readonly members: readonly NewMember[];
}

/** As etcd's `--experimental-max-learners`, whose default is this. */
const MAX_LEARNERS = 1;

/**
 * The members with their ids, and the id of the cluster, which all members make, the learners too. `learners` are names of
 * members. Throws `USAGE`, for wrong ids in etcd's words.
 */
export function newCluster(
  cluster: InitialCluster,
  token: string,
  learners: ReadonlySet<string> = new Set(),
): NewCluster {
  checkLearners(cluster, learners);
  const members = new Map<bigint, NewMember>();
  for (const [name, peerUrls] of cluster) {
    const id = memberIdOf(peerUrls, token);
    const member = { id, name, peerUrls, isLearner: learners.has(name) };
    if (members.has(id)) throw new DatadirError('USAGE', `member exists with identical ID ${goText(member)}`);
    if (id === 0n) throw new DatadirError('USAGE', 'cannot use 0 as member id');
    members.set(id, member);
  }
  const sorted = [...members.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { clusterId: clusterIdOf([...members.keys()]), token, members: sorted };
}

/** A cluster begins with members that vote: nobody could make a learner one of them. */
function checkLearners(cluster: InitialCluster, learners: ReadonlySet<string>): void {
  for (const name of learners) {
    if (!cluster.has(name)) {
      throw new DatadirError('USAGE', `the learner ${quotedText(name)} is no member of the cluster`);
    }
  }
  if (learners.size > MAX_LEARNERS) {
    throw new DatadirError('USAGE', `${learners.size} learners: a cluster has at most ${MAX_LEARNERS}`);
  }
  if (learners.size === cluster.size) {
    const words = cluster.size === 0 ? 'no members' : 'all members are learners';
    throw new DatadirError('USAGE', `${words}: a cluster needs at least one that votes`);
  }
}

/** The struct of a member in Go's `%v`. */
function goText({ id, name, peerUrls, isLearner }: NewMember): string {
  return `&{${id.toString(16)} {[${peerUrls.join(' ')}] ${isLearner}} {${name} []}}`;
}
