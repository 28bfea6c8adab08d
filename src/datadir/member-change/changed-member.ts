/**
 * A replayed directory with changes of members behind its last entry: what goes into the db, what is appended to the log, and the snapshot
 * that a start begins with.
 *
 * The hard state commits what was appended: without that a server would still ask the old voters.
 */
import { META } from '../../backend/format.ts';
import { DatadirError } from '../../errors.ts';
import { compareMinors } from '../../etcd-version.ts';
import { decodeEntryPayload } from '../../proto/entry-payload.ts';
import { type ConfState, ENTRY_CONF_CHANGE, type Entry, encodeConfChange, type HardState } from '../../proto/raft.ts';
import { protoStyleOf } from '../../proto/style.ts';
import { encodeV2Store } from '../../snap/encode-v2-store.ts';
import type { SnapContent } from '../../snap/writer.ts';
import type { Configuration, MemberChange } from '../../wal/configuration.ts';
import { encodeMemberRecord, type MemberRecord, memberKey } from '../replay/member-record.ts';
import type { ReplayedState } from '../replay/outcome.ts';
import type { DbChanges } from '../rewrite/db-changes.ts';
import { confStateJson, uint64 } from '../rewrite/meta-values.ts';
import { type Membership, type PlannedChange, UNKNOWN_PEER_URL } from './planned-change.ts';

/** What the log says at its end. */
export interface LogEnd {
  readonly hardState: { readonly term: bigint; readonly vote: bigint };
  /** The last entry. */
  readonly lastIndex: bigint;
}

/** What has to be written. */
export interface ChangedMember {
  /** Behind the last entry, and the hard state that commits them. */
  readonly entries: readonly Entry[];
  readonly hardState: HardState;
  /** Where the new snapshot lies; its members, and the file. */
  readonly index: bigint;
  readonly term: bigint;
  readonly confState: ConfState;
  snap(): SnapContent;
  /** Adds to the changes of the db. */
  edit(changes: DbChanges): void;
  /** The members as they are then, ascending by id. */
  readonly members: readonly MemberRecord[];
  /** What was done besides, and why: sentences for the report. */
  readonly notes: readonly string[];
}

const encoder = new TextEncoder();
const REMOVED = encoder.encode('removed');

/** Who takes part after the replay. */
export function membershipOf({ tail, configuration, parts }: ReplayedState, self: bigint): Membership {
  const { members, removed } = parts.membership;
  return { self, configuration: configuration ?? tail.configuration, members, removed };
}

/** Puts the changes behind the last entry. */
export function changeMembers(state: ReplayedState, end: LogEnd, planned: readonly PlannedChange[]): ChangedMember {
  const { tail, parts } = state;
  const { version } = tail;
  const { term } = end.hardState;
  const configuration = (state.configuration ?? tail.configuration).clone();
  const notes: string[] = [];
  const changed = planned.map(({ change, words }, i): Entry => {
    const index = end.lastIndex + BigInt(i) + 1n;
    const data = encodeConfChange(change, protoStyleOf(version));
    configuration.apply(decodeEntryPayload({ type: ENTRY_CONF_CHANGE, data }) as MemberChange);
    const { outcome, ...rest } = parts.membership.applyConfChange(change, version);
    if (outcome === 'panics') {
      throw new DatadirError(
        'EDIT_REFUSED',
        `${words}: etcd ${version} panics on it (${'words' in rest ? rest.words : ''})`,
      );
    }
    return { type: ENTRY_CONF_CHANGE, term, index, data };
  });
  // Where nothing changes, the entry that a new leader begins with: a snapshot lies behind an entry of the term.
  const entries = changed.length > 0 ? changed : [{ term, index: end.lastIndex + 1n }];
  const index = end.lastIndex + BigInt(entries.length);
  const records = bringIntoLine(state, configuration, notes);
  const confState = confStateOf(configuration);
  return {
    entries,
    hardState: { ...end.hardState, commit: index },
    index,
    term,
    confState,
    members: records.members,
    notes,
    snap: () => ({
      index,
      term,
      // Servers of 3.7 write it.
      confState: { ...confState, autoLeave: false },
      data: encodeV2Store(
        {
          members: records.members.map(({ id, name, peerUrls, clientUrls, isLearner }) => ({
            id,
            name,
            peerURLs: peerUrls ?? [],
            clientURLs: clientUrls,
            isLearner,
          })),
          removed: [...records.removed],
          version: parts.cluster.version ?? undefined,
        },
        version,
      ),
    }),
    edit(changes) {
      records.edit(changes);
      const meta = changes.bucket('meta');
      meta.put(encoder.encode(META.consistentIndex), uint64(index));
      // 3.4 knows neither of them, and with them a db passes for one of 3.5; those that are there all the same must be right.
      const isKept = (key: string): boolean =>
        compareMinors(version, '3.5') >= 0 || state.db?.bucket('meta')?.get(key) !== undefined;
      if (isKept(META.term)) meta.put(encoder.encode(META.term), uint64(term));
      if (isKept(META.confState)) meta.put(encoder.encode(META.confState), confStateJson(configuration));
    },
  };
}

/** The records of the db must be those of the configuration: servers of 3.7 take them for it. */
function bringIntoLine(
  { parts: { membership } }: ReplayedState,
  configuration: Configuration,
  notes: string[],
): { members: readonly MemberRecord[]; removed: ReadonlySet<bigint>; edit(changes: DbChanges): void } {
  const isMember = ({ id }: MemberRecord): boolean => configuration.has(id);
  const gone = membership.members.filter((member) => !isMember(member));
  const members = membership.members.filter(isMember);
  const added: MemberRecord[] = [];
  for (const id of [...configuration.voters, ...configuration.learners]) {
    if (members.some((member) => member.id === id)) continue;
    const isLearner = configuration.learners.has(id);
    added.push({ id, name: '', peerUrls: [UNKNOWN_PEER_URL], clientUrls: [], isLearner });
    notes.push(
      `the db did not know member ${id.toString(16)}: its peer URL is ${UNKNOWN_PEER_URL} now, change it with member update`,
    );
  }
  for (const { id } of gone) {
    notes.push(`the db had member ${id.toString(16)}, which took no part any more: it is removed`);
  }
  const removed = new Set([...membership.removed, ...gone.map(({ id }) => id)]);
  return {
    members: [...members, ...added].sort((a, b) => (a.id < b.id ? -1 : 1)),
    removed,
    edit(changes) {
      for (const { id } of gone) {
        changes.bucket('members').delete(memberKey(id));
        changes.bucket('members_removed').put(memberKey(id), REMOVED);
      }
      for (const member of added) changes.bucket('members').put(memberKey(member.id), encodeMemberRecord(member));
    },
  };
}

function confStateOf({ voters, learners }: Configuration): ConfState {
  const sorted = (ids: ReadonlySet<bigint>): bigint[] => [...ids].sort((a, b) => (a < b ? -1 : 1));
  return { voters: sorted(voters), learners: sorted(learners), votersOutgoing: [], learnersNext: [] };
}
