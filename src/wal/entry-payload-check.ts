/**
 * Whether the payload of an entry can be applied at all, as far as that can be told without applying it.
 */
import { isDatadirError } from '../errors.ts';
import { contextMemberId } from '../proto/member-context.ts';
import { payloadShape } from '../proto/payload-shape.ts';
import { parseConfChange } from '../proto/raft.ts';
import { WireReader } from '../proto/wire.ts';
import { MessageParser } from './etcd/parse-message.ts';
import { requestPanic } from './etcd/request-panic.ts';

const CONF_CHANGE = 1;
const REMOVE_NODE = 1;

/** `v2`: a request of the v2 API. Any other text says what is wrong. */
export type PayloadJudgement = 'fine' | 'v2' | BadPayload;
export type BadPayload =
  | 'no protobuf message'
  | 'a request without an id'
  | 'no change of members'
  | 'a change of one member with the description of another';

/** Judges the payload in `bytes[start, end)` of an entry of type 0 or 1. An empty one is a new leader's first entry. */
export function judgePayload(type: number, bytes: Uint8Array, start: number, end: number): PayloadJudgement {
  if (type === CONF_CHANGE) return judgeConfChange(bytes.subarray(start, end));
  if (start >= end) return 'fine';
  switch (payloadShape(bytes, start, end)) {
    case 'request':
      return 'fine';
    case 'v2':
      return 'v2';
    case 'without-id':
      return 'a request without an id';
    case 'bad':
      return 'no protobuf message';
  }
}

function judgeConfChange(data: Uint8Array): PayloadJudgement {
  try {
    const { type = 0, nodeId = 0n, context } = parseConfChange(data);
    if (type === REMOVE_NODE || context === undefined || context.length === 0) return 'fine';
    const isSame = contextMemberId(context) === nodeId;
    return isSame ? 'fine' : 'a change of one member with the description of another';
  } catch (error) {
    if (isDatadirError(error, 'PROTO_INVALID', 'JSON_INVALID')) return 'no change of members';
    throw error;
  }
}

/** The requests that every release from 3.4 on knows, by the number of their field. */
const KNOWN_TO_ALL: readonly (readonly [first: number, last: number])[] = [
  [3, 11],
  [1000, 1012],
  [1100, 1107],
  [1200, 1204],
];

/** Whether a request, the payload in `bytes[start, end)` that was judged fine, is one that every release knows. */
export function isKnownToAll(bytes: Uint8Array, start: number, end: number): boolean {
  const reader = new WireReader(bytes, start, end);
  try {
    while (!reader.done) {
      const tag = reader.tag();
      const field = tag >>> 3;
      if (KNOWN_TO_ALL.some(([first, last]) => field >= first && field <= last)) return true;
      reader.pass(tag);
    }
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
  }
  return false;
}

let etcd36: MessageParser | undefined;

/** Whether a request of the v2 API is one that 3.6 applies (attributes of members, the cluster's version); it panics at every other. */
export function isKnownToEtcd36(data: Uint8Array): boolean {
  etcd36 ??= new MessageParser('3.6');
  return requestPanic(etcd36, data, 0, data.length, false) === undefined;
}
