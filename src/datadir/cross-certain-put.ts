/**
 * The newest entry up to an index that certainly made a revision, found in one pass over the log: a put without a lease and without flags that
 * can make it fail. Authentication and alarms can too; an entry that changes either ends what is certain before it.
 */

import { isDatadirError } from '../errors.ts';
import type { EntryHead } from '../proto/entry-head.ts';
import { isV2Request } from '../proto/entry-payload.ts';
import { type PutRequest, parsePutRequest } from '../proto/put-request.ts';
import { ENTRY_NORMAL } from '../proto/raft.ts';
import { WireReader } from '../proto/wire.ts';
import type { EntrySpot } from './cross-entries.ts';

/** An entry that certainly made a revision. */
export interface CertainPut extends EntrySpot {
  readonly index: number;
  /** How many entries behind it, up to the index, may have made one too. */
  readonly behind: number;
}

/** Certain puts kept for the case that the newest ones are replaced. */
const MAX_KEPT = 256;
/** More entries than this behind the certain one are too many to look for it. */
const MAX_BEHIND = 10_000;

// Fields of an InternalRaftRequest.
const PUT = 4;
const DELETE_RANGE = 5;
const TXN = 6;
const LEASE_REVOKE = 9;
const ALARM = 10;
// Field 1 of an AlarmRequest; 0 lists.
const ALARM_ACTION = 0x08;
const AUTH_ENABLE = 1000;
const AUTH_DISABLE = 1011;

export class CertainPuts {
  readonly #upTo: number;
  readonly #kept: (EntrySpot & { readonly index: number })[] = [];
  /** Indexes of entries that may have made a revision, and certain ones. The oldest are dropped. */
  readonly #behind: number[] = [];
  #forgotten = 0;

  constructor(upTo: bigint) {
    this.#upTo = Number(upTo);
  }

  /** Takes the next entry of the log. */
  add(entry: EntryHead, bytes: Uint8Array, segment: number, offset: number): void {
    const { index } = entry;
    if (index > this.#upTo) return;
    while ((this.#kept.at(-1)?.index ?? 0) >= index) this.#kept.pop();
    while ((this.#behind.at(-1) ?? 0) >= index) this.#behind.pop();
    if (entry.type !== ENTRY_NORMAL || entry.dataStart < 0 || entry.dataStart === entry.dataEnd) return;
    switch (kindOf(bytes, entry.dataStart, entry.dataEnd)) {
      case 'certain':
        if (this.#kept.length >= MAX_KEPT) this.#kept.splice(0, MAX_KEPT / 2);
        this.#kept.push({ index, segment, offset });
        this.#addBehind(index);
        return;
      case 'perhaps':
        this.#addBehind(index);
        return;
      case 'gate':
        this.#kept.length = 0;
        return;
      case 'none':
    }
  }

  #addBehind(index: number): void {
    this.#behind.push(index);
    if (this.#behind.length <= 2 * MAX_BEHIND) return;
    this.#forgotten = this.#behind[MAX_BEHIND - 1]!;
    this.#behind.splice(0, MAX_BEHIND);
  }

  /** The newest; undefined if there is none, or too much behind it. */
  get newest(): CertainPut | undefined {
    const put = this.#kept.at(-1);
    if (put === undefined || put.index <= this.#forgotten) return undefined;
    let behind = 0;
    while (behind < this.#behind.length && this.#behind[this.#behind.length - 1 - behind]! > put.index) behind++;
    return behind > MAX_BEHIND ? undefined : { ...put, behind };
  }
}

/** `gate`: decides whether others succeed. */
function kindOf(bytes: Uint8Array, start: number, end: number): 'certain' | 'perhaps' | 'gate' | 'none' {
  try {
    if (isV2Request(bytes.subarray(start, end))) return 'none';
    const reader = new WireReader(bytes, start, end);
    let kind: 'certain' | 'perhaps' | 'none' = 'none';
    while (!reader.done) {
      const tag = reader.tag();
      switch (tag >>> 3) {
        case PUT: {
          const { key, lease, ignoreLease, ignoreValue } = nested(reader);
          const certain: boolean = kind === 'none' && key.length > 0 && lease === 0n && !ignoreLease && !ignoreValue;
          kind = certain ? 'certain' : 'perhaps';
          break;
        }
        case DELETE_RANGE:
        case TXN:
        case LEASE_REVOKE:
          kind = 'perhaps';
          reader.pass(tag);
          break;
        case ALARM:
          if (changesAlarms(reader)) return 'gate';
          break;
        case AUTH_ENABLE:
        case AUTH_DISABLE:
          return 'gate';
        default:
          reader.pass(tag);
      }
    }
    return kind;
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
    return 'perhaps';
  }
}

/** Whether the alarm request that `reader` is at does more than to list the alarms. */
function changesAlarms(reader: WireReader): boolean {
  const end = reader.length();
  const { source, position } = reader;
  reader.position = end;
  const inner = new WireReader(source, position, end);
  while (!inner.done) {
    const tag = inner.tag();
    if (tag === ALARM_ACTION) return inner.int32() !== 0;
    inner.pass(tag);
  }
  return false;
}

function nested(reader: WireReader): PutRequest {
  const end = reader.length();
  const request = parsePutRequest(reader.source, reader.position, end);
  reader.position = end;
  return request;
}

/** The put in the payload of an entry; undefined if there is none. */
export function putOf(bytes: Uint8Array, start: number, end: number): PutRequest | undefined {
  const reader = new WireReader(bytes, start, end);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag >>> 3 === PUT) return nested(reader);
    reader.pass(tag);
  }
  return undefined;
}
