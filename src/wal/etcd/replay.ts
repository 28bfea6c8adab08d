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
import { CONF_CHANGE } from './message-schema.ts';
import type { MessageParser } from './parse-message.ts';
import type { EtcdEntry } from './parse-record.ts';
import type { EntryPlace, ReadAllListener } from './read-all.ts';
import { requestPanic } from './request-panic.ts';
import { differentMember, unknownConfChange, unknownEntryType, unmarshalPanic, unreadableContext } from './words.ts';

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
        ? requestPanic(this.#parser, bytes, entry.dataStart, entry.dataEnd, this.#isNew(index))
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
}
