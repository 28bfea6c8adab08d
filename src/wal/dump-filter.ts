/**
 * Which records of a log are to be shown. A record passes if it has what each condition asks for: one on the index is for
 * entries and snapshots, one on the term for hard states too, one on keys for entries.
 */
import { isDatadirError } from '../errors.ts';
import { decodeEntryPayload, type EntryPayload } from '../proto/entry-payload.ts';
import { ENTRY_CONF_CHANGE, ENTRY_CONF_CHANGE_V2, ENTRY_NORMAL } from '../proto/raft.ts';
import { dataTouches, type KeyMatcher, type KeyTouch } from '../proto/touched-keys.ts';
import type { EntryContent, RecordContent, RecordTypeName } from './dump-record.ts';
import { RECORD_TYPE } from './format.ts';

/** The requests that `etcd-dump-logs` has names for, and the fields they are in. */
const REQUEST_FIELDS = {
  IRRRange: 'range',
  IRRPut: 'put',
  IRRDeleteRange: 'delete_range',
  IRRTxn: 'txn',
  IRRCompaction: 'compaction',
  IRRLeaseGrant: 'lease_grant',
  IRRLeaseRevoke: 'lease_revoke',
  IRRLeaseCheckpoint: 'lease_checkpoint',
} as const;

/** A kind of entries, by the name that `etcd-dump-logs` has for it. */
export type EntryFilterName =
  | 'ConfigChange'
  | 'Normal'
  | 'Request'
  | 'InternalRaftRequest'
  | keyof typeof REQUEST_FIELDS;

/** A type of records, or a kind of entries. */
export type DumpType = RecordTypeName | EntryFilterName;

/** All names of types: of records first, then of entries. */
export const DUMP_TYPES: readonly DumpType[] = [
  ...(Object.keys(RECORD_TYPE) as RecordTypeName[]),
  'ConfigChange',
  'Normal',
  'Request',
  'InternalRaftRequest',
  ...(Object.keys(REQUEST_FIELDS) as (keyof typeof REQUEST_FIELDS)[]),
];

/** Conditions; absent ones do not restrict anything. */
export interface RecordConditions {
  /** Of these types. */
  readonly types?: readonly DumpType[] | undefined;
  /** Index from here on. */
  readonly from?: bigint | undefined;
  /** Index up to here, itself included. */
  readonly to?: bigint | undefined;
  readonly term?: bigint | undefined;
  /** Writes or deletes such a key, as far as the request says: also in a transaction, whatever branch was taken. */
  readonly keys?: KeyMatcher | undefined;
}

/** Why a record passes: `touches` is there if keys were asked for. */
export interface Pass {
  readonly touches?: readonly KeyTouch[];
}

const PASS: Pass = {};

/** Decides about records. */
export class RecordFilter {
  readonly #conditions: RecordConditions;
  readonly #recordTypes: ReadonlySet<string> | undefined;
  readonly #entryFilters: readonly EntryFilterName[];

  constructor(conditions: RecordConditions) {
    this.#conditions = conditions;
    const { types } = conditions;
    this.#recordTypes = types === undefined ? undefined : new Set<string>(types.filter((type) => type in RECORD_TYPE));
    this.#entryFilters = (types ?? []).filter((type): type is EntryFilterName => !(type in RECORD_TYPE));
  }

  /** Whether the record is to be shown; undefined if not. */
  passes(content: RecordContent): Pass | undefined {
    const { from, to, term, keys } = this.#conditions;
    if (term !== undefined && !('term' in content && content.term === term)) return undefined;
    if (from !== undefined && !('index' in content && content.index >= from)) return undefined;
    if (to !== undefined && !('index' in content && content.index <= to)) return undefined;
    if (!this.#isOfType(content)) return undefined;
    if (keys === undefined) return PASS;
    const touches = content.type === 'entry' ? touchesOf(content, keys) : [];
    return touches.length === 0 ? undefined : { touches };
  }

  #isOfType(content: RecordContent): boolean {
    const types = this.#recordTypes;
    if (types === undefined) return true;
    if (types.has(content.type === 'undecodable' ? content.recordType : content.type)) return true;
    return content.type === 'entry' && this.#isOfEntryKind(content);
  }

  #isOfEntryKind({ entryType: type, data }: EntryContent): boolean {
    let payload: EntryPayload | undefined;
    for (const name of this.#entryFilters) {
      if (name === 'ConfigChange') {
        if (type === ENTRY_CONF_CHANGE || type === ENTRY_CONF_CHANGE_V2) return true;
      } else if (type === ENTRY_NORMAL) {
        if (name === 'Normal') return true;
        payload ??= decodeEntryPayload({ type, data });
        if (isRequest(payload, name)) return true;
      }
    }
    return false;
  }
}

function isRequest(payload: EntryPayload, name: Exclude<EntryFilterName, 'ConfigChange' | 'Normal'>): boolean {
  switch (name) {
    case 'Request':
      return payload.kind === 'v2' && !payload.wrapped;
    case 'InternalRaftRequest':
      // Nothing at all is an empty message.
      return payload.kind === 'internal' || payload.kind === 'noop' || (payload.kind === 'v2' && payload.wrapped);
    default:
      return payload.kind === 'internal' && payload.message[REQUEST_FIELDS[name]] !== undefined;
  }
}

function touchesOf({ entryType, data }: EntryContent, keys: KeyMatcher): readonly KeyTouch[] {
  if (entryType !== ENTRY_NORMAL) return [];
  try {
    return dataTouches(data, keys);
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
    return [];
  }
}
