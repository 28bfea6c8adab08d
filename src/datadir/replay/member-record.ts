/**
 * The record of a member as etcd's membership reads and writes it: JSON, in the db and in changes of membership.
 */
import { isDatadirError } from '../../errors.ts';
import { goJson } from '../../json/go-json.ts';
import { parseGoStruct } from '../../json/go-struct.ts';

/** A member. What a record does not have is undefined here. */
export interface MemberRecord {
  readonly id: bigint;
  readonly name: string;
  /** Undefined is not the same as none: the one is written as `null`, the other as `[]`. */
  readonly peerUrls: readonly string[] | undefined;
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

/** What a change of membership says of a member. */
export interface MemberContext {
  readonly member: MemberRecord;
  /** The member is there, and becomes one that votes. */
  readonly isPromote: boolean;
}

/** What a member says of itself when it starts. */
export interface MemberAttributes {
  readonly name: string;
  readonly clientUrls: readonly string[];
}

const ATTRIBUTES = { name: 'string', clientURLs: 'strings' } as const;
const MEMBER = { id: 'uint64', peerURLs: 'strings', isLearner: 'bool', ...ATTRIBUTES } as const;
const CONTEXT = { ...MEMBER, isPromote: 'bool' } as const;
/** No entry of a log, nor any value, is longer. */
const LIMITS = { maxLength: 16 << 20 };

type MemberFields = NonNullable<ReturnType<typeof parseGoStruct<typeof MEMBER>>>;

const encoder = new TextEncoder();

/** Parses a record of `members`; undefined if it is none. `keyId` is the id of a record that has none. */
export function parseMemberRecord(value: Uint8Array, keyId: bigint): MemberRecord | undefined {
  const fields = unlessInvalid(() => parseGoStruct(value, MEMBER, LIMITS));
  return fields === undefined || fields === null ? undefined : memberOf(fields, keyId);
}

/** Parses the context of a change; undefined where Go's decoder reports an error. `member`: the change has no promotion. */
export function parseMemberContext(bytes: Uint8Array, kind: 'change' | 'member'): MemberContext | undefined {
  const parse = (): MemberFields & { readonly isPromote?: boolean } =>
    parseGoStruct(bytes, kind === 'change' ? CONTEXT : MEMBER, LIMITS) ?? {};
  const fields = unlessInvalid(parse);
  return fields && { member: memberOf(fields, 0n), isPromote: fields.isPromote ?? false };
}

/** Parses the value of a v2 request that sets the attributes of a member; undefined where Go's decoder reports an error. */
export function parseMemberAttributes(text: string): MemberAttributes | undefined {
  const fields = unlessInvalid(() => parseGoStruct(text, ATTRIBUTES, LIMITS) ?? {});
  return fields && { name: fields.name ?? '', clientUrls: fields.clientURLs ?? [] };
}

/** The key of a member in `members` and `members_removed`. */
export function memberKey(id: bigint): Uint8Array {
  return encoder.encode(id.toString(16));
}

/** The record as every release writes it. */
export function encodeMemberRecord({ id, name, peerUrls, clientUrls, isLearner }: MemberRecord): Uint8Array {
  return encoder.encode(
    goJson({
      id,
      peerURLs: peerUrls ?? null,
      isLearner: isLearner || undefined,
      name: name === '' ? undefined : name,
      clientURLs: clientUrls.length === 0 ? undefined : clientUrls,
    }),
  );
}

function memberOf(fields: MemberFields, defaultId: bigint): MemberRecord {
  return {
    id: fields.id ?? defaultId,
    name: fields.name ?? '',
    peerUrls: fields.peerURLs,
    clientUrls: fields.clientURLs ?? [],
    isLearner: fields.isLearner ?? false,
  };
}

function unlessInvalid<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isDatadirError(error, 'JSON_INVALID')) return undefined;
    throw error;
  }
}
