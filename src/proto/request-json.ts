/**
 * Messages and payloads of entries as plain objects for JSON: names as in the .proto file, bytes in base64, 64-bit numbers as
 * decimal text, enums by name, absent fields absent. Secrets are left out, see `secrets.ts`.
 */
import { base64Length, encodeBase64 } from '../io/base64.ts';
import type { EntryPayload } from './entry-payload.ts';
import { messageTypeOf } from './message-types.ts';
import type { DecodedMessage } from './messages.ts';
import type { ConfChange, ConfChangeSingle, ConfChangeV2 } from './raft.ts';
import { ENUMS, type FieldSchema, MESSAGES, type MessageName } from './schema.ts';
import { isSecretField, isSecretV2Path } from './secrets.ts';

/** Stands for what is not shown. */
export const REMOVED = '<removed>';

/** A message, as `decodeMessage` gives it, for JSON. Of unknown fields only the number of bytes is told. */
export function messageJson(name: MessageName, message: Readonly<DecodedMessage>): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const field of MESSAGES[name]) {
    const value = message[field.name];
    if (value === undefined) continue;
    if (isSecretField(name, field.name)) json[field.name] = REMOVED;
    else if (field.repeated) json[field.name] = (value as unknown[]).map((each) => valueJson(field, each));
    else json[field.name] = valueJson(field, value);
  }
  const unknown = message['$unknown'] as Uint8Array | undefined;
  if (unknown !== undefined) json['$unknownBytes'] = unknown.length;
  return json;
}

/** The payload of an entry for JSON: `kind`, and the fields of the request or change beside it. */
export function payloadJson(payload: EntryPayload): Record<string, unknown> {
  const { kind } = payload;
  switch (kind) {
    case 'noop':
      return { kind };
    case 'internal': {
      const { requestName, message } = payload;
      return { kind, requestName, ...messageJson('etcdserverpb.InternalRaftRequest', message) };
    }
    case 'v2':
      return { kind, wrapped: payload.wrapped, ...v2Json(payload.request) };
    case 'conf-change':
      return { kind, ...confChangeJson(payload.change), contextId: payload.contextId?.toString() };
    case 'conf-change-v2':
      return { kind, ...confChangeV2Json(payload.change) };
    case 'undecodable':
      return { kind, offset: payload.offset, reason: payload.reason };
  }
}

function v2Json(request: DecodedMessage): Record<string, unknown> {
  const json = messageJson('etcdserverpb.Request', request);
  if (isSecretV2Path((request['Path'] as string | undefined) ?? '')) {
    for (const name of ['Val', 'PrevValue']) if (json[name] !== undefined) json[name] = REMOVED;
  }
  return json;
}

function confChangeJson(change: ConfChange): Record<string, unknown> {
  return {
    id: change.id?.toString(),
    type: change.type === undefined ? undefined : enumJson('raftpb.ConfChangeType', change.type),
    node_id: change.nodeId?.toString(),
    context: change.context === undefined ? undefined : base64Text(change.context),
  };
}

function confChangeV2Json(change: ConfChangeV2): Record<string, unknown> {
  return {
    transition:
      change.transition === undefined ? undefined : enumJson('raftpb.ConfChangeTransition', change.transition),
    changes: change.changes.map(({ type, nodeId }: ConfChangeSingle) => ({
      type: type === undefined ? undefined : enumJson('raftpb.ConfChangeType', type),
      node_id: nodeId?.toString(),
    })),
    context: change.context === undefined ? undefined : base64Text(change.context),
  };
}

function valueJson(field: FieldSchema, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return base64Text(value);
  const message = messageTypeOf(field);
  if (message !== undefined) return messageJson(message, value as DecodedMessage);
  return typeof value === 'number' && field.type in ENUMS ? enumJson(field.type, value) : value;
}

/** The name of an enum's value, or its number if it has none. */
function enumJson(type: string, value: number): string | number {
  return ENUMS[type]?.[value] ?? value;
}

function base64Text(bytes: Uint8Array): string {
  const text = new Uint8Array(base64Length(bytes.length));
  encodeBase64(bytes, text, 0);
  return new TextDecoder().decode(text);
}
