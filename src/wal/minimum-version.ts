/**
 * The lowest version of etcd that understands the entries of a log: what etcd 3.6 and later ask before a downgrade.
 *
 * etcd's messages, fields and enum values say since when they exist. The highest such version among those that are used
 * counts. Lists are not looked into, so what is inside a transaction never matters.
 */
import type { EntryPayload } from '../proto/entry-payload.ts';
import { messageTypeOf } from '../proto/message-types.ts';
import type { DecodedMessage } from '../proto/messages.ts';
import { ENUMS, type FieldSchema, MESSAGES, type MessageName } from '../proto/schema.ts';

type Version = readonly [major: number, minor: number, patch: number];

const V3_0: Version = [3, 0, 0];
const V3_1: Version = [3, 1, 0];
const V3_2: Version = [3, 2, 0];
const V3_3: Version = [3, 3, 0];
const V3_4: Version = [3, 4, 0];
const V3_5: Version = [3, 5, 0];
const V3_6: Version = [3, 6, 0];

/** Messages that are not there since 3.0; `undefined` for those that etcd says nothing of. */
const MESSAGE_VERSIONS: Partial<Record<MessageName, Version | undefined>> = {
  'etcdserverpb.LeaseCheckpointRequest': V3_4,
  'etcdserverpb.AuthStatusRequest': V3_5,
  'membershippb.ClusterVersionSetRequest': V3_5,
  'membershippb.ClusterMemberAttrSetRequest': V3_5,
  'membershippb.DowngradeInfoSetRequest': V3_5,
  'membershippb.Attributes': V3_5,
  'etcdserverpb.DowngradeVersionTestRequest': V3_6,
  'authpb.UserAddOptions': undefined,
  'authpb.Permission': undefined,
};

/** Fields that came later than their messages. */
const FIELD_VERSIONS: Partial<Record<MessageName, Readonly<Record<string, Version>>>> = {
  'etcdserverpb.RequestHeader': { auth_revision: V3_1 },
  'etcdserverpb.RangeRequest': {
    min_mod_revision: V3_1,
    max_mod_revision: V3_1,
    min_create_revision: V3_1,
    max_create_revision: V3_1,
  },
  'etcdserverpb.PutRequest': { prev_kv: V3_1, ignore_value: V3_2, ignore_lease: V3_2 },
  'etcdserverpb.DeleteRangeRequest': { prev_kv: V3_1 },
  'etcdserverpb.InternalRaftRequest': {
    lease_checkpoint: V3_4,
    auth_status: V3_5,
    cluster_version_set: V3_5,
    cluster_member_attr_set: V3_5,
    downgrade_info_set: V3_5,
    downgrade_version_test: V3_6,
  },
  'etcdserverpb.AuthUserAddRequest': { options: V3_4, hashedPassword: V3_5 },
  'etcdserverpb.AuthUserChangePasswordRequest': { hashedPassword: V3_5 },
};

/** Enum values that came later. */
const ENUM_VERSIONS: Readonly<Record<string, Readonly<Record<string, Version>>>> = {
  'etcdserverpb.AlarmType': { CORRUPT: V3_3 },
};

/** Takes the payloads of entries one by one. etcd looks at those after the newest snapshot. */
export class MinimumVersion {
  #highest: Version | undefined;

  add(payload: EntryPayload): void {
    switch (payload.kind) {
      case 'noop':
      case 'conf-change':
        this.#raise(V3_0);
        return;
      case 'conf-change-v2':
        this.#raise(V3_4);
        return;
      case 'internal':
        this.#addMessage('etcdserverpb.InternalRaftRequest', payload.message);
        this.#addTestVersion(payload.message['downgrade_version_test'] as DecodedMessage | undefined);
        return;
      case 'v2':
        // The request says nothing, but what it is wrapped in does.
        if (payload.wrapped) this.#raise(V3_0);
        return;
      case 'undecodable':
        return;
    }
  }

  /** Such as `3.5`; null if no entry says anything. With a patch level only if one of etcd's own tests asked for it. */
  get result(): string | null {
    if (this.#highest === undefined) return null;
    const [major, minor, patch] = this.#highest;
    return patch === 0 ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
  }

  #addMessage(name: MessageName, message: DecodedMessage): void {
    const since = name in MESSAGE_VERSIONS ? MESSAGE_VERSIONS[name] : V3_0;
    if (since !== undefined) this.#raise(since);
    for (const field of MESSAGES[name]) {
      const value = message[field.name];
      if (value === undefined || (field.repeated && (value as unknown[]).length === 0)) continue;
      const fieldSince = FIELD_VERSIONS[name]?.[field.name];
      if (fieldSince !== undefined) this.#raise(fieldSince);
      if (!field.repeated) this.#addValue(field, value);
    }
  }

  #addValue(field: FieldSchema, value: unknown): void {
    const message = messageTypeOf(field);
    if (message !== undefined) this.#addMessage(message, value as DecodedMessage);
    else if (typeof value === 'number') {
      const name = ENUMS[field.type]?.[value];
      const since = name === undefined ? undefined : ENUM_VERSIONS[field.type]?.[name];
      if (since !== undefined) this.#raise(since);
    }
  }

  /** Only etcd's tests write it: a request that says itself which version it needs. */
  #addTestVersion(request: DecodedMessage | undefined): void {
    const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec((request?.['ver'] as string | undefined) ?? '');
    if (match !== null) this.#raise([Number(match[1]), Number(match[2]), Number(match[3])]);
  }

  #raise(version: Version): void {
    const highest = this.#highest;
    if (highest === undefined || isHigher(version, highest)) this.#highest = version;
  }
}

function isHigher(a: Version, b: Version): boolean {
  if (a[0] !== b[0]) return a[0] > b[0];
  if (a[1] !== b[1]) return a[1] > b[1];
  return a[2] > b[2];
}
