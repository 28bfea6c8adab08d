/**
 * What a server panics about while it applies the entries after the snapshot again, as far as the log alone shows it:
 * payloads it cannot parse, requests that its release does not know any more, changes of membership that do not fit.
 *
 * Which entries survive is known only at the end of the log, because later ones overwrite earlier ones. Of the entries that
 * would make it panic only the first matters, and an entry that overwrites that one overwrites all behind it too: so one
 * place is remembered, not the entries. Changes of membership, of which there are few, are kept.
 */
import { DatadirError, isDatadirError } from '../../errors.ts';
import { parseWalSnapshot } from '../../proto/wal.ts';
import { type ConfContext, parseConfContext } from './conf-context.ts';
import { CONF_CHANGE, INTERNAL_RAFT_REQUEST, REQUEST } from './message-schema.ts';
import type { MessageParser } from './parse-message.ts';
import type { EtcdEntry } from './parse-record.ts';
import type { EntryPlace, ReadAllListener } from './read-all.ts';
import {
  differentMember,
  noHeader,
  notImplemented,
  unknownConfChange,
  unknownEntryType,
  unmarshalPanic,
  unreadableContext,
  v2NotAllowed,
} from './words.ts';

/** A panic at an entry. */
export interface ReplayPanic extends EntryPlace {
  readonly index: bigint;
  readonly words: string;
}

interface Change extends EntryPlace {
  readonly index: bigint;
  readonly type: number;
  readonly nodeId: bigint;
  /** Undefined: cannot be parsed. */
  readonly context: ConfContext | undefined;
}

const NORMAL = 0;
const CONF_CHANGE_ENTRY = 1;
const ADD = 0;
const REMOVE = 1;
const UPDATE = 2;
const ADD_LEARNER = 3;

/** More changes of membership than this are not followed. */
const MAX_CHANGES = 100_000;
/** What 3.6 still takes of the v2 API: attributes of members and the cluster's version, set by servers of 3.5. */
const ATTRIBUTES_PATH = /\/0\/members\/[0-9A-Fa-f]{1,16}\/attributes/;
const VERSION_PATH = '/0/version';

const lossyUtf8 = /* @__PURE__ */ new TextDecoder();

/** The fields of a request. */
const ID = 1;
const V2 = 2;
const HEADER = 100;

/** Listens to `readAll`; afterwards `firstPanic` tells what applying the entries leads to. */
export class Replay implements ReadAllListener {
  readonly #parser: MessageParser;
  readonly #appliedTo: bigint | undefined;
  /** The first entry that cannot be applied. */
  #bad: ReplayPanic | undefined;
  #changes: Change[] = [];
  /** Members at the snapshot: true for voters. Undefined: the record does not say. */
  #members: ReadonlyMap<bigint, boolean> | undefined = new Map();

  /**
   * `appliedTo`: the index up to which entries were applied to the db, its consistent index. What lies above it is applied
   * for real, so that more can go wrong. Undefined: as if all were applied.
   */
  constructor(parser: MessageParser, appliedTo: bigint | undefined) {
    this.#parser = parser;
    this.#appliedTo = appliedTo;
  }

  #isNew(index: bigint): boolean {
    return this.#appliedTo !== undefined && index > this.#appliedTo;
  }

  onSnapshot(bytes: Uint8Array, start: number, end: number): void {
    this.#members = undefined;
    try {
      const { index = 0n, confState } = parseWalSnapshot(bytes, start, end);
      if (confState !== undefined) {
        const { learners, voters } = confState;
        this.#members = new Map([...learners.map((id) => [id, false]), ...voters.map((id) => [id, true])] as const as [
          bigint,
          boolean,
        ][]);
      } else if (index === 0n) this.#members = new Map();
    } catch (error) {
      if (!isDatadirError(error)) throw error;
    }
  }

  onEntry(entry: EtcdEntry, _kept: number, bytes: Uint8Array, place: EntryPlace): void {
    const { index, type } = entry;
    if (this.#bad !== undefined && index <= this.#bad.index) this.#bad = undefined;
    while (this.#changes.length > 0 && index <= this.#changes.at(-1)!.index) this.#changes.pop();
    const words =
      type === NORMAL
        ? this.#checkRequest(bytes, entry)
        : type === CONF_CHANGE_ENTRY
          ? this.#addChange(bytes, entry, place)
          : unknownEntryType(this.#parser.minor, type);
    if (words !== undefined) this.#bad ??= { ...place, index, words };
  }

  /**
   * The first panic among the entries up to `commit`. A member that is the only voter commits the rest of its log at once,
   * so there the entries behind count too.
   */
  firstPanic(nodeId: bigint, commit: bigint): ReplayPanic | undefined {
    const members = this.#members === undefined ? undefined : new Map(this.#members);
    const isSole = (): boolean => {
      const voters = [...(members ?? [])].filter(([, votes]) => votes);
      return voters.length === 1 && voters[0]?.[0] === nodeId;
    };
    let sole: boolean | undefined;
    let panic: ReplayPanic | undefined;
    for (const change of this.#changes) {
      if (this.#bad !== undefined && change.index > this.#bad.index) break;
      if (change.index > commit) {
        sole ??= isSole();
        if (!sole) break;
      }
      const words = this.#apply(change, members);
      if (words === undefined) continue;
      panic = { segment: change.segment, offset: change.offset, index: change.index, words };
      break;
    }
    if (panic !== undefined || this.#bad === undefined) return panic;
    return this.#bad.index <= commit || (sole ?? isSole()) ? this.#bad : undefined;
  }

  /** Applies a change to `members`, which is undefined if they are not known. What it panics with, or undefined. */
  #apply({ index, type, nodeId, context }: Change, members: Map<bigint, boolean> | undefined): string | undefined {
    const { minor } = this.#parser;
    // Changes that do not fit the membership, such as a member added twice, are passed over before anybody compares ids.
    // 3.7 asks that only of changes it has not applied yet.
    const isValidated = minor !== '3.7' || this.#isNew(index);
    switch (type) {
      case ADD:
      case ADD_LEARNER:
        if (context === undefined) return unreadableContext(minor, isValidated);
        if (isValidated && members !== undefined && members.has(nodeId) !== context.isPromote) return undefined;
        if (context.id !== nodeId) return differentMember(minor, nodeId, context.id);
        members?.set(nodeId, type === ADD);
        return undefined;
      case REMOVE:
        members?.delete(nodeId);
        return undefined;
      case UPDATE:
        if (isValidated && members?.has(nodeId) !== true) return undefined;
        if (context === undefined) return unreadableContext(minor, false);
        return context.id === nodeId ? undefined : differentMember(minor, nodeId, context.id);
      default:
        return isValidated ? unknownConfChange(minor, type) : undefined;
    }
  }

  #addChange(bytes: Uint8Array, { index, dataStart, dataEnd }: EtcdEntry, place: EntryPlace): string | undefined {
    const parser = this.#parser;
    const failed = parser.parse(bytes, dataStart, dataEnd, CONF_CHANGE);
    if (failed !== undefined) return unmarshalPanic(failed.words);
    if (this.#changes.length >= MAX_CHANGES) {
      throw new DatadirError('UNSUPPORTED', `more than ${MAX_CHANGES} changes of membership`);
    }
    const type = parser.uint32(2) | 0;
    const context = type === REMOVE ? undefined : parseConfContext(bytes.subarray(parser.start(4), parser.end(4)));
    this.#changes.push({ ...place, index, type, nodeId: parser.uint64(3), context });
    return undefined;
  }

  #checkRequest(bytes: Uint8Array, { index, dataStart, dataEnd }: EtcdEntry): string | undefined {
    if (dataEnd === dataStart) return undefined;
    const parser = this.#parser;
    const { minor } = parser;
    const failed = parser.parse(bytes, dataStart, dataEnd, INTERNAL_RAFT_REQUEST);
    if (failed !== undefined) {
      if (minor === '3.7') return unmarshalPanic(failed.words);
      // Up to 3.6 what is not a request of the v3 API has to be one of the v2 API.
      const failedToo = parser.parse(bytes, dataStart, dataEnd, REQUEST);
      return failedToo === undefined ? this.#checkV2(bytes) : unmarshalPanic(failedToo.words);
    }
    if (minor !== '3.7' && parser.has(V2)) {
      const [start, end] = [parser.start(V2), parser.end(V2)];
      return parser.parse(bytes, start, end, REQUEST) === undefined ? this.#checkV2(bytes) : undefined;
    }
    if (parser.uint64(ID) === 0n && !parser.has(HEADER)) return noHeader(minor);
    const isKnown = parser.messages.size > (parser.has(HEADER) ? 1 : 0);
    return isKnown || !this.#isNew(index) ? undefined : notImplemented(minor);
  }

  /** Judges the v2 request that the parser holds. */
  #checkV2(bytes: Uint8Array): string | undefined {
    const parser = this.#parser;
    if (parser.minor !== '3.6') return undefined;
    const text = (field: number): string => lossyUtf8.decode(bytes.subarray(parser.start(field), parser.end(field)));
    const [method, path] = [text(2), text(3)];
    return method === 'PUT' && (ATTRIBUTES_PATH.test(path) || path === VERSION_PATH) ? undefined : v2NotAllowed(method);
  }
}
