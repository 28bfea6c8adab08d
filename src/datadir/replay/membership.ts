/**
 * Members during a replay: who belongs to the cluster, and the entries that change it.
 *
 * Changes are validated against the bucket `members`, as 3.6 and later do. 3.4 and 3.5 go by their v2 store, which says the same
 * in all but broken directories.
 */
import { scanBucket } from '../../backend/bucket-scan.ts';
import { parseRemovedMember } from '../../backend/members.ts';
import { UnreadableList } from '../../backend/unreadable.ts';
import type { BoltDb } from '../../bolt/database.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import type { ConfChange } from '../../proto/raft.ts';
import { differentMember, NIL_POINTER, unknownConfChange, unreadableContext } from '../../wal/etcd/words.ts';
import { BucketChanges } from '../rewrite/bucket-changes.ts';
import { type Applied, CHANGED, failed, NOTHING_CHANGED, panics } from './applied.ts';
import {
  encodeMemberRecord,
  type MemberAttributes,
  type MemberContext,
  type MemberRecord,
  memberKey,
  parseMemberAttributes,
  parseMemberContext,
  parseMemberRecord,
} from './member-record.ts';
import { v2SettingOf } from './member-v2.ts';
import {
  attributesUnreadable,
  ID_EXISTS,
  ID_NOT_FOUND,
  ID_REMOVED,
  idUnreadable,
  memberUnknown,
  NOT_A_LEARNER,
  PEER_URL_EXISTS,
  TOO_MANY_LEARNERS,
} from './member-words.ts';

/** Types of a change. */
const ADD = 0;
const REMOVE = 1;
const UPDATE = 2;
const ADD_LEARNER = 3;

/** The default of 3.6 and later, and what older servers have built in. */
const MAX_LEARNERS = 1;

const encoder = new TextEncoder();
const REMOVED = encoder.encode('removed');

export class MembershipState {
  /** By the id that the key stands for. */
  readonly #members = new Map<bigint, MemberRecord>();
  readonly #removed = new Set<bigint>();
  /** How many members have a peer URL: asked at every addition, of which there may be many. */
  readonly #peerUrls = new Map<string, number>();
  readonly #memberChanges = new BucketChanges('members');
  readonly #removedChanges = new BucketChanges('members_removed');

  /** The members of a db; without one, none. Records that cannot be read are passed over: no server starts with them. */
  static load(db: BoltDb | undefined): MembershipState {
    const state = new MembershipState();
    if (db !== undefined) state.#load(db);
    return state;
  }

  private constructor() {}

  /** Ascending by id. */
  get members(): readonly MemberRecord[] {
    return [...this.#members.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The ids of members that were removed. */
  get removed(): ReadonlySet<bigint> {
    return this.#removed;
  }

  /** Applies a change of membership; one that is not valid fails, and changes nothing but the index of the log. */
  applyConfChange(change: ConfChange, minor: EtcdMinor): Applied {
    const { type = ADD, nodeId = 0n } = change;
    if (this.#removed.has(nodeId)) return failed(ID_REMOVED);
    switch (type) {
      case ADD:
      case ADD_LEARNER:
        return this.#applyAdd(type, nodeId, change.context, minor);
      case REMOVE:
        return this.#applyRemove(nodeId);
      case UPDATE:
        return this.#applyUpdate(nodeId, change.context, minor);
      default:
        return panics(unknownConfChange(minor, type));
    }
  }

  /** Applies a request `cluster_member_attr_set`. */
  applyAttributes(request: DecodedMessage, minor: EtcdMinor): Applied {
    const { member_ID: id = 0n, member_attributes: attributes } = request as {
      member_ID?: bigint;
      member_attributes?: { readonly name?: string; readonly client_urls?: readonly string[] };
    };
    if (attributes === undefined) return panics(NIL_POINTER);
    return this.#setAttributes(id, { name: attributes.name ?? '', clientUrls: attributes.client_urls ?? [] }, minor);
  }

  /** Applies a request of the v2 API: one that sets the attributes of a member. All others change nothing here. */
  applyV2(request: DecodedMessage, minor: EtcdMinor): Applied {
    const setting = v2SettingOf(request, minor);
    if (setting?.sets !== 'attributes') return NOTHING_CHANGED;
    if (setting.id === undefined) return panics(idUnreadable(minor));
    const attributes = parseMemberAttributes(setting.value);
    if (attributes === undefined) return panics(attributesUnreadable(minor));
    return this.#setAttributes(setting.id, attributes, minor);
  }

  changes(): BucketChanges[] {
    return [this.#memberChanges, this.#removedChanges];
  }

  #applyAdd(type: number, nodeId: bigint, context: Uint8Array | undefined, minor: EtcdMinor): Applied {
    const parsed = parseMemberContext(context ?? new Uint8Array(0), 'change');
    if (parsed === undefined) return panics(unreadableContext(minor, true));
    const refused = parsed.isPromote
      ? this.#refusePromotion(nodeId)
      : this.#refuseAddition(type, nodeId, parsed.member, minor);
    if (refused !== undefined) return failed(refused);
    if (parsed.member.id !== nodeId) return panics(differentMember(minor, nodeId, parsed.member.id));
    const member = parsed.isPromote ? this.#members.get(nodeId) : parsed.member;
    return this.#save(nodeId, { ...(member as MemberRecord), ...(parsed.isPromote && { isLearner: false }) });
  }

  #refusePromotion(nodeId: bigint): string | undefined {
    const member = this.#members.get(nodeId);
    if (member === undefined) return ID_NOT_FOUND;
    return member.isLearner ? undefined : NOT_A_LEARNER;
  }

  #refuseAddition(type: number, nodeId: bigint, member: MemberRecord, minor: EtcdMinor): string | undefined {
    if (this.#members.has(nodeId)) return ID_EXISTS;
    if (this.#isTaken(member.peerUrls)) return PEER_URL_EXISTS;
    // 3.4 and 3.5 go by the context alone.
    const isLearner = member.isLearner && (type === ADD_LEARNER || minor === '3.4' || minor === '3.5');
    if (!isLearner) return undefined;
    const learners = [...this.#members.values()].filter((each) => each.isLearner).length;
    return learners + 1 > MAX_LEARNERS ? TOO_MANY_LEARNERS : undefined;
  }

  #applyRemove(nodeId: bigint): Applied {
    const member = this.#members.get(nodeId);
    if (member === undefined) return failed(ID_NOT_FOUND);
    this.#countUrls(member, -1);
    this.#members.delete(nodeId);
    this.#removed.add(nodeId);
    this.#memberChanges.delete(memberKey(nodeId));
    this.#removedChanges.put(memberKey(nodeId), REMOVED);
    return CHANGED;
  }

  #applyUpdate(nodeId: bigint, context: Uint8Array | undefined, minor: EtcdMinor): Applied {
    const member = this.#members.get(nodeId);
    if (member === undefined) return failed(ID_NOT_FOUND);
    const parsed: MemberContext | undefined = parseMemberContext(context ?? new Uint8Array(0), 'member');
    if (parsed === undefined) return panics(unreadableContext(minor, false));
    const { id, peerUrls, isLearner } = parsed.member;
    if (this.#isTaken(peerUrls, member)) return failed(PEER_URL_EXISTS);
    if (id !== nodeId) return panics(differentMember(minor, nodeId, id));
    // 3.4 takes over all of it, so that a learner, which the context does not name as one, is none any more.
    return this.#save(nodeId, { ...member, peerUrls, ...(minor === '3.4' && { isLearner }) });
  }

  /** Whether another member has one of these URLs. */
  #isTaken(urls: readonly string[] | undefined, except?: MemberRecord): boolean {
    const own = new Set(except?.peerUrls);
    return urls?.some((url) => (this.#peerUrls.get(url) ?? 0) > (own.has(url) ? 1 : 0)) ?? false;
  }

  #countUrls({ peerUrls }: MemberRecord, by: 1 | -1): void {
    for (const url of new Set(peerUrls)) this.#peerUrls.set(url, (this.#peerUrls.get(url) ?? 0) + by);
  }

  #set(id: bigint, member: MemberRecord): void {
    const before = this.#members.get(id);
    if (before !== undefined) this.#countUrls(before, -1);
    this.#countUrls(member, 1);
    this.#members.set(id, member);
  }

  #setAttributes(id: bigint, attributes: MemberAttributes, minor: EtcdMinor): Applied {
    const member = this.#members.get(id);
    if (member !== undefined) return this.#save(id, { ...member, ...attributes });
    return this.#removed.has(id) ? NOTHING_CHANGED : panics(memberUnknown(minor, id));
  }

  #save(id: bigint, member: MemberRecord): Applied {
    this.#set(id, member);
    this.#memberChanges.put(memberKey(member.id), encodeMemberRecord(member));
    return CHANGED;
  }

  #load(db: BoltDb): void {
    const unreadable = new UnreadableList();
    const takeMember = (key: Uint8Array, value: Uint8Array): undefined => {
      const stored = parseRemovedMember(key);
      if ('problem' in stored) return;
      const member = parseMemberRecord(value, stored.id);
      if (member !== undefined) this.#set(stored.id, member);
    };
    const takeRemoved = (key: Uint8Array): undefined => {
      const stored = parseRemovedMember(key);
      if (!('problem' in stored)) this.#removed.add(stored.id);
    };
    scanBucket(db, 'members', takeMember, unreadable);
    scanBucket(db, 'members_removed', takeRemoved, unreadable);
  }
}
