/**
 * Buckets `auth`, `authUsers` and `authRoles`: who may do what. The hashes of passwords never leave this module.
 */

import { compareKeys } from '../bolt/compare-keys.ts';
import type { BoltDb } from '../bolt/database.ts';
import { ENUMS } from '../proto/schema.ts';
import { scanBucket } from './bucket-scan.ts';
import { decodeValue } from './decode-value.ts';
import { AUTH } from './format.ts';
import { prefixEnd } from './range-bounds.ts';
import { storedValue } from './stored-value.ts';
import { type Problem, UnreadableList, type UnreadableValues } from './unreadable.ts';

/** A user. */
export interface AuthUser {
  /** What is not UTF-8 in it is U+FFFD. */
  readonly name: string;
  /** In the order in which they are stored: etcd keeps them sorted. */
  readonly roles: readonly string[];
  /** It has no password by choice: it can only be told by its certificate. */
  readonly noPassword: boolean;
  /** Whether the hash of a password is stored. */
  readonly hasPassword: boolean;
  /** Whether it is stored under its own name. */
  readonly canonical: boolean;
}

/** `read`, `write` or both; a number that means nothing is given as digits. */
export type PermissionType = 'read' | 'write' | 'readwrite' | (string & {});

/** What the keys of a permission are: one key, all with a prefix, all from a key on, all there are, or those of a range. */
export type PermissionScope = 'key' | 'prefix' | 'from-key' | 'all' | 'range';

/** Keys that may be read or written. */
export interface AuthPermission {
  readonly type: PermissionType;
  readonly key: Uint8Array;
  /** The first key that does not belong to it; empty for a single key, one zero byte for all keys from `key` on. */
  readonly rangeEnd: Uint8Array;
  /** What both together say. */
  readonly scope: PermissionScope;
}

/** A role. */
export interface AuthRole {
  /** What is not UTF-8 in it is U+FFFD. */
  readonly name: string;
  /** In the order in which they are stored: etcd keeps them sorted by key. Role `root` may do everything, whatever is here. */
  readonly permissions: readonly AuthPermission[];
  /** Whether it is stored under its own name. */
  readonly canonical: boolean;
}

/** Users, roles, and whether they matter. */
export interface Auth {
  /** False also if it was never enabled. */
  readonly enabled: boolean;
  /** Changes with every user and role; null if none is stored, which counts as 0. */
  readonly revision: bigint | null;
  /** In the order of their names. */
  readonly users: readonly AuthUser[];
  readonly roles: readonly AuthRole[];
  /** Records that are none; they are passed over. */
  readonly unreadable: UnreadableValues;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads the three buckets. Never throws for a bad value. */
export function readAuth(db: BoltDb): Auth {
  const unreadable = new UnreadableList();
  const users: AuthUser[] = [];
  const roles: AuthRole[] = [];
  const enabled = storedValue(db, 'auth', AUTH.enabled, parseAuthEnabled, unreadable) ?? false;
  const revision = storedValue(db, 'auth', AUTH.revision, parseAuthRevision, unreadable);
  const takeUser = (key: Uint8Array, value: Uint8Array): string | undefined => {
    const user = parseUser(key, value);
    if ('problem' in user) return user.problem;
    users.push(user);
    return undefined;
  };
  const takeRole = (key: Uint8Array, value: Uint8Array): string | undefined => {
    const role = parseRole(key, value);
    if ('problem' in role) return role.problem;
    roles.push(role);
    return undefined;
  };
  scanBucket(db, 'authUsers', takeUser, unreadable);
  scanBucket(db, 'authRoles', takeRole, unreadable);
  return { enabled, revision, users, roles, unreadable };
}

/** Reads the value of `authEnabled`. etcd takes everything but a single 1 for "not enabled". */
export function parseAuthEnabled(value: Uint8Array): { readonly value: boolean } | Problem {
  if (value.length === 1 && value[0]! <= 1) return { value: value[0] === 1 };
  return { problem: 'it is neither 0 nor 1, which etcd takes for "not enabled"' };
}

/** Reads the value of `authRevision`. */
export function parseAuthRevision(value: Uint8Array): { readonly value: bigint } | Problem {
  if (value.length !== 8) return { problem: `it has ${value.length} bytes, not the 8 of a number` };
  return { value: new DataView(value.buffer, value.byteOffset, 8).getBigUint64(0) };
}

/** Reads a record of `authUsers`. */
export function parseUser(key: Uint8Array, value: Uint8Array): AuthUser | Problem {
  const decoded = decodeValue('authpb.User', value);
  if ('problem' in decoded) return decoded;
  const { name, password, roles, options } = decoded.message as {
    name?: Uint8Array;
    password?: Uint8Array;
    roles?: readonly string[];
    options?: { no_password?: boolean };
  };
  return {
    name: decoder.decode(name),
    roles: roles ?? [],
    noPassword: options?.no_password ?? false,
    hasPassword: password !== undefined && password.length > 0,
    canonical: compareKeys(key, name ?? NOTHING) === 0,
  };
}

/** Reads a record of `authRoles`. */
export function parseRole(key: Uint8Array, value: Uint8Array): AuthRole | Problem {
  const decoded = decodeValue('authpb.Role', value);
  if ('problem' in decoded) return decoded;
  const { name, keyPermission = [] } = decoded.message as {
    name?: Uint8Array;
    keyPermission?: readonly StoredPermission[];
  };
  return {
    name: decoder.decode(name),
    permissions: keyPermission.map(permissionOf),
    canonical: compareKeys(key, name ?? NOTHING) === 0,
  };
}

interface StoredPermission {
  readonly permType?: number;
  readonly key?: Uint8Array;
  readonly range_end?: Uint8Array;
}

const NOTHING = new Uint8Array(0);

function permissionOf({
  permType = 0,
  key = NOTHING,
  range_end: rangeEnd = NOTHING,
}: StoredPermission): AuthPermission {
  const type = ENUMS['authpb.Permission.Type']?.[permType]?.toLowerCase() ?? `${permType}`;
  return { type, key: key.slice(), rangeEnd: rangeEnd.slice(), scope: scopeOf(key, rangeEnd) };
}

function scopeOf(key: Uint8Array, rangeEnd: Uint8Array): PermissionScope {
  if (rangeEnd.length === 0) return 'key';
  if (isZero(rangeEnd)) return key.length === 0 || isZero(key) ? 'all' : 'from-key';
  return key.length > 0 && compareKeys(rangeEnd, prefixEnd(key)) === 0 ? 'prefix' : 'range';
}

const isZero = (bytes: Uint8Array): boolean => bytes.length === 1 && bytes[0] === 0;
