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

/** Listens to `readAll`; afterwards `firstPanic` tells what applying the entries leads to. */
export class Replay implements ReadAllListener {
  readonly #parser: MessageParser;
  /** The first entry that cannot be applied. */
  #bad: ReplayPanic | undefined;
  #changes: Change[] = [];
  /** Members at the snapshot: true for voters. Undefined: the record does not say. */
  #members: ReadonlyMap<bigint, boolean> | undefined = new Map();

  constructor(parser: MessageParser) {
    this.#parser = parser;
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
  #apply({ type, nodeId, context }: Change, members: Map<bigint, boolean> | undefined): string | undefined {
    const { minor } = this.#parser;
    switch (type) {
      case ADD:
      case ADD_LEARNER:
        if (context === undefined) return unreadableContext(minor, true);
        // A member cannot be added twice: such a change is refused before anybody compares the ids.
        if (members?.has(nodeId) === true && !context.isPromote) return undefined;
        if (context.isPromote && members?.has(nodeId) !== true) return undefined;
        if (context.id !== nodeId) return differentMember(minor, nodeId, context.id);
        members?.set(nodeId, type === ADD);
        return undefined;
      case REMOVE:
        members?.delete(nodeId);
        return undefined;
      case UPDATE:
        if (members?.has(nodeId) !== true) return undefined;
        if (context === undefined) return unreadableContext(minor, false);
        return context.id === nodeId ? undefined : differentMember(minor, nodeId, context.id);
      default:
        return unknownConfChange(minor, type);
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

  #checkRequest(bytes: Uint8Array, { dataStart, dataEnd }: EtcdEntry): string | undefined {
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
    if (minor !== '3.7' && parser.has(2)) {
      const [start, end] = [parser.start(2), parser.end(2)];
      return parser.parse(bytes, start, end, REQUEST) === undefined ? this.#checkV2(bytes) : undefined;
    }
    return parser.uint64(1) === 0n && !parser.has(100) ? noHeader(minor) : undefined;
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
