/**
 * Changes of members that are made offline: which entries they are in the log, in the forms that etcd's servers write.
 */
import { DatadirError } from '../../errors.ts';
import { goJson } from '../../json/go-json.ts';
import { memberIdOf } from '../../membership/member-id.ts';
import type { ConfChange } from '../../proto/raft.ts';
import type { Configuration } from '../../wal/configuration.ts';
import { encodeMemberRecord, type MemberRecord } from '../replay/member-record.ts';

/** Types of a change. */
const ADD = 0;
const REMOVE = 1;
const UPDATE = 2;
const ADD_LEARNER = 3;

/** What a server takes for the URL of a member that it does not know; the member can be told its own later. */
export const UNKNOWN_PEER_URL = 'http://localhost:2380';

/** Who takes part now, and what is known of each. */
export interface Membership {
  /** The member whose directory it is. */
  readonly self: bigint;
  readonly configuration: Pick<Configuration, 'voters' | 'learners'>;
  /** The records of the db. */
  readonly members: readonly MemberRecord[];
  readonly removed: ReadonlySet<bigint>;
}

/** One change, and what it does in words. */
export interface PlannedChange {
  readonly change: ConfChange;
  readonly words: string;
}

const encoder = new TextEncoder();

/**
 * Makes the member the only one, as `--force-new-cluster` does. A learner is made to vote first, which that flag forgets: nobody would.
 */
export function reclusterChanges({ self, configuration, removed }: Membership): PlannedChange[] {
  const { voters, learners } = configuration;
  if (removed.has(self) && !voters.has(self) && !learners.has(self)) {
    throw refused(
      `member ${hex(self)} was removed from its cluster, and never comes back: restore makes a new cluster of its data`,
    );
  }
  const changes: PlannedChange[] = [];
  if (learners.has(self)) {
    const context = encoder.encode(goJson({ id: self, peerURLs: null, isPromote: true }));
    changes.push({ change: { type: ADD, nodeId: self, context }, words: `${hex(self)} votes` });
  } else if (!voters.has(self)) changes.push(addition(ADD, self, [UNKNOWN_PEER_URL]));
  const others = [...voters, ...learners].filter((id) => id !== self).sort((a, b) => (a < b ? -1 : 1));
  return [...changes, ...others.map(removalOf)];
}

/** Adds a member with these peer URLs. The id depends on the time, as with `etcdctl member add`. */
export function additionChange(
  membership: Membership,
  peerUrls: readonly string[],
  { learner, unixSeconds }: { readonly learner: boolean; readonly unixSeconds: bigint },
): PlannedChange & { readonly id: bigint } {
  assertUnused(membership, peerUrls);
  if (learner && membership.configuration.learners.size > 0) {
    throw refused('etcdserver: too many learner members in cluster: there is one already');
  }
  const id = memberIdOf(peerUrls, '', unixSeconds);
  if (membership.members.some((member) => member.id === id)) throw refused('membership: ID exists');
  if (membership.removed.has(id)) throw refused('membership: ID removed');
  return { ...addition(learner ? ADD_LEARNER : ADD, id, peerUrls), id };
}

/** Removes another member. */
export function removalChange(membership: Membership, id: bigint): PlannedChange {
  assertThere(membership, id);
  if (id === membership.self) {
    throw refused(
      `${hex(id)} is the member whose directory this is, and the only one that votes: it cannot be removed`,
    );
  }
  return removalOf(id);
}

/** Gives a member other peer URLs. */
export function updateChange(membership: Membership, id: bigint, peerUrls: readonly string[]): PlannedChange {
  const member = assertThere(membership, id);
  assertUnused(membership, peerUrls, id);
  const context = encodeMemberRecord({ id, name: '', clientUrls: [], isLearner: member?.isLearner ?? false, peerUrls });
  return { change: { type: UPDATE, nodeId: id, context }, words: `${hex(id)} is at ${peerUrls.join(', ')}` };
}

function addition(type: number, id: bigint, peerUrls: readonly string[]): PlannedChange {
  const isLearner = type === ADD_LEARNER;
  const context = encodeMemberRecord({ id, name: '', peerUrls, clientUrls: [], isLearner });
  const words = `${hex(id)} at ${peerUrls.join(', ')} is added${isLearner ? ' as learner' : ''}`;
  return { change: { type, nodeId: id, context }, words };
}

function removalOf(id: bigint): PlannedChange {
  return { change: { type: REMOVE, nodeId: id }, words: `${hex(id)} is removed` };
}

function assertThere({ members, configuration, removed }: Membership, id: bigint): MemberRecord | undefined {
  if (removed.has(id)) throw refused(`membership: ID removed: ${hex(id)} was removed already`);
  const member = members.find((each) => each.id === id);
  if (member !== undefined || configuration.voters.has(id) || configuration.learners.has(id)) return member;
  throw refused(`membership: ID not found: there is no member ${hex(id)}`);
}

function assertUnused({ members }: Membership, peerUrls: readonly string[], except?: bigint): void {
  for (const { id, peerUrls: urls } of members) {
    const same = id === except ? undefined : urls?.find((url) => peerUrls.includes(url));
    if (same !== undefined) throw refused(`membership: peerURL exists: ${same} is that of ${hex(id)}`);
  }
}

const hex = (id: bigint): string => id.toString(16);

function refused(words: string): DatadirError {
  return new DatadirError('EDIT_REFUSED', words);
}
