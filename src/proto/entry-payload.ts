/**
 * What a log entry asks for. Which message its data is depends on the entry's type and, for old logs, on the data itself;
 * docs/formats/protobuf.md tells how.
 */
import { isDatadirError } from '../errors.ts';
import { contextMemberId } from './member-context.ts';
import { type DecodedMessage, decodeMessage } from './messages.ts';
import { payloadShape } from './payload-shape.ts';
import {
  type ConfChange,
  type ConfChangeV2,
  ENTRY_CONF_CHANGE,
  ENTRY_CONF_CHANGE_V2,
  ENTRY_NORMAL,
  parseConfChange,
  parseConfChangeV2,
} from './raft.ts';
import { MESSAGES } from './schema.ts';

/** The data of an entry, decoded. Bytes in it are views of the data. */
export type EntryPayload =
  /** Nothing: the first entry of a new leader. */
  | { readonly kind: 'noop' }
  | InternalPayload
  /** A request of the v2 API; `wrapped` if it is inside an InternalRaftRequest, which servers do not do. */
  | { readonly kind: 'v2'; readonly request: DecodedMessage; readonly wrapped: boolean }
  /** A change of one member. `contextId` is the member id in its context, undefined if there is none. */
  | { readonly kind: 'conf-change'; readonly change: ConfChange; readonly contextId: bigint | undefined }
  | { readonly kind: 'conf-change-v2'; readonly change: ConfChangeV2 }
  /** No message at all; `offset` counts in the data. The data may hold secrets: it is not here. */
  | { readonly kind: 'undecodable'; readonly offset: number; readonly reason: string };

/** A request of the v3 API or of the server itself. */
export interface InternalPayload {
  readonly kind: 'internal';
  /** Name of the field that holds the request, such as `put` or `txn`; undefined if none is set. */
  readonly requestName: string | undefined;
  /** The request; empty if none is set. */
  readonly request: DecodedMessage;
  /** The InternalRaftRequest with its header and all that is in it. */
  readonly message: DecodedMessage;
  /** What all of it was decoded from. */
  readonly data: Uint8Array;
}

/** Decodes the data of an entry. Never throws: what cannot be decoded is `undecodable`. */
export function decodeEntryPayload(entry: {
  readonly type?: number | undefined;
  readonly data?: Uint8Array | undefined;
}): EntryPayload {
  const { type = ENTRY_NORMAL, data = new Uint8Array(0) } = entry;
  try {
    switch (type) {
      case ENTRY_NORMAL:
        return decodeNormal(data);
      case ENTRY_CONF_CHANGE: {
        const change = parseConfChange(data);
        return { kind: 'conf-change', change, contextId: contextId(change.context) };
      }
      case ENTRY_CONF_CHANGE_V2:
        return { kind: 'conf-change-v2', change: parseConfChangeV2(data) };
      default:
        return { kind: 'undecodable', offset: 0, reason: `entry type ${type} does not exist` };
    }
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
    return { kind: 'undecodable', offset: error.offset ?? 0, reason: error.message };
  }
}

function decodeNormal(data: Uint8Array): EntryPayload {
  if (data.length === 0) return { kind: 'noop' };
  if (isV2Request(data)) return { kind: 'v2', request: decodeMessage('etcdserverpb.Request', data), wrapped: false };
  const message = decodeMessage('etcdserverpb.InternalRaftRequest', data);
  const wrapped = message['v2'] as DecodedMessage | undefined;
  if (wrapped !== undefined) return { kind: 'v2', request: wrapped, wrapped: true };
  const requestName = REQUEST_NAMES.find((name) => message[name] !== undefined);
  const request = requestName === undefined ? {} : (message[requestName] as DecodedMessage);
  return { kind: 'internal', requestName, request, message, data };
}

const REQUEST_NAMES: readonly string[] = /* @__PURE__ */ requestNames();

function requestNames(): string[] {
  const names = MESSAGES['etcdserverpb.InternalRaftRequest'].map((field) => field.name);
  return names.filter((name) => name !== 'header' && name !== 'ID' && name !== 'v2');
}

/**
 * Whether the data of a normal entry is a bare v2 request. These always have their fields 5 and 7 as varints; in an
 * InternalRaftRequest both are messages.
 */
export function isV2Request(data: Uint8Array): boolean {
  return payloadShape(data, 0, data.length) === 'v2';
}

/** The `id` in the JSON of a member, all 64 bits of it. */
function contextId(context: Uint8Array | undefined): bigint | undefined {
  if (context === undefined || context.length === 0) return undefined;
  try {
    return contextMemberId(context);
  } catch (error) {
    if (!isDatadirError(error, 'JSON_INVALID')) throw error;
    return undefined;
  }
}
