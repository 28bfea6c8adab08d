/**
 * What is in a record of a log, decoded, and as plain data for JSON: 64-bit numbers as decimal text; single ids in hex too.
 */
import { isDatadirError } from '../errors.ts';
import { decodeEntryPayload } from '../proto/entry-payload.ts';
import { type ConfState, parseEntry, parseHardState } from '../proto/raft.ts';
import { payloadJson } from '../proto/request-json.ts';
import { ENUMS } from '../proto/schema.ts';
import type { KeyTouch } from '../proto/touched-keys.ts';
import { parseMetadata, parseWalSnapshot } from '../proto/wal.ts';
import { RECORD_TYPE } from './format.ts';
import type { LogDamage, LogRecord } from './log-records.ts';

/** The types of records by name. */
export type RecordTypeName = keyof typeof RECORD_TYPE;

/** What a record holds. */
export type RecordContent =
  | { readonly type: 'metadata'; readonly nodeId: bigint; readonly clusterId: bigint }
  | EntryContent
  | { readonly type: 'state'; readonly term: bigint; readonly vote: bigint; readonly commit: bigint }
  | { readonly type: 'crc' }
  | {
      readonly type: 'snapshot';
      readonly index: bigint;
      readonly term: bigint;
      /** Not there in logs of 3.4, nor in the 0/0 record of a new log. */
      readonly confState: ConfState | undefined;
    }
  /** Right by its CRC, but no message. */
  | { readonly type: 'undecodable'; readonly recordType: RecordTypeName; readonly reason: string }
  /** Of a type that does not exist. */
  | { readonly type: 'unknown'; readonly recordType: number };

/** An entry; its data is not decoded. */
export interface EntryContent {
  readonly type: 'entry';
  readonly entryType: number;
  readonly term: bigint;
  readonly index: bigint;
  /** A view of the record. */
  readonly data: Uint8Array;
}

const EMPTY: Uint8Array = new Uint8Array(0);

/** Decodes a record. Never throws. */
export function decodeRecord({ type, data = EMPTY }: LogRecord): RecordContent {
  const recordType = (Object.keys(RECORD_TYPE) as RecordTypeName[]).find((name) => RECORD_TYPE[name] === type);
  if (recordType === undefined) return { type: 'unknown', recordType: type };
  try {
    return decode(recordType, data);
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
    return { type: 'undecodable', recordType, reason: error.message };
  }
}

function decode(type: RecordTypeName, bytes: Uint8Array): RecordContent {
  switch (type) {
    case 'metadata': {
      const { nodeId = 0n, clusterId = 0n } = parseMetadata(bytes);
      return { type, nodeId, clusterId };
    }
    case 'entry': {
      const { type: entryType = 0, term = 0n, index = 0n, data = EMPTY } = parseEntry(bytes);
      return { type, entryType, term, index, data };
    }
    case 'state': {
      const { term = 0n, vote = 0n, commit = 0n } = parseHardState(bytes);
      return { type, term, vote, commit };
    }
    case 'crc':
      return { type };
    case 'snapshot': {
      const { index = 0n, term = 0n, confState } = parseWalSnapshot(bytes);
      return { type, index, term, confState };
    }
  }
}

/** What is known of a record besides what is in it. */
export interface RecordMarks {
  readonly overwritten?: boolean | undefined;
  /** How it touches the keys that were asked for. */
  readonly touches?: readonly KeyTouch[] | undefined;
}

/** A record as plain data. Secrets are left out. */
export function recordJson(
  { segment, offset, crc }: LogRecord,
  content: RecordContent,
  { overwritten = false, touches }: RecordMarks = {},
): Record<string, unknown> {
  return {
    segment,
    offset,
    ...contentJson(content),
    crc,
    ...(overwritten ? { overwritten } : {}),
    ...(touches === undefined ? {} : { touches }),
  };
}

function contentJson(content: RecordContent): Record<string, unknown> {
  const { type } = content;
  switch (type) {
    case 'metadata':
      return {
        type,
        ...idJson('nodeId', content.nodeId),
        ...idJson('clusterId', content.clusterId),
      };
    case 'entry': {
      const { term, index, entryType } = content;
      const request = payloadJson(decodeEntryPayload({ type: entryType, data: content.data }));
      return { type, index: `${index}`, term: `${term}`, entryType: entryTypeName(entryType), request };
    }
    case 'state':
      return { type, term: `${content.term}`, ...idJson('vote', content.vote), commit: `${content.commit}` };
    case 'crc':
      return { type };
    case 'snapshot': {
      const { index, term, confState } = content;
      const members = confState === undefined ? {} : { confState: confStateJson(confState) };
      return { type, index: `${index}`, term: `${term}`, ...members };
    }
    case 'undecodable':
      return { type: content.recordType, undecodable: content.reason };
    case 'unknown':
      return { type: content.recordType, undecodable: 'records of this type do not exist' };
  }
}

/** Who takes part, by id. */
export function confStateJson(state: ConfState): Record<string, unknown> {
  const { voters, learners, votersOutgoing, learnersNext, autoLeave = false } = state;
  return {
    voters: voters.map(String),
    learners: learners.map(String),
    votersOutgoing: votersOutgoing.map(String),
    learnersNext: learnersNext.map(String),
    autoLeave,
  };
}

/** The name of an entry's type, or its number if it has none. */
export function entryTypeName(type: number): string | number {
  return ENUMS['raftpb.EntryType']?.[type] ?? type;
}

/** An id under its name, and in hex under the same name with `Hex` behind it. */
function idJson(name: string, id: bigint): Record<string, string> {
  return { [name]: `${id}`, [`${name}Hex`]: hex(id) };
}

/** An id as etcd prints it. */
export function hex(id: bigint): string {
  return id.toString(16);
}

/** What is wrong at a damaged place, in the words of `wal check`. */
export type DamageKind = 'cut' | 'crc' | 'unparsable' | 'chain' | 'hole' | 'too-large' | 'unreadable';

/** A damaged place as plain data. */
export function damageJson({ segment, offset, reason }: LogDamage): {
  readonly segment: string;
  readonly offset: number;
  readonly kind: DamageKind;
} {
  return { segment, offset, kind: reason === 'short' || reason === 'beyond' ? 'cut' : reason };
}
