/**
 * The records of users and roles, as a replay holds and changes them.
 */
import { decodeValue } from '../../backend/decode-value.ts';
import { compareKeys } from '../../bolt/compare-keys.ts';
import { encodeMessage } from '../../proto/messages.ts';
import type { StoredPassword } from './auth-password.ts';

/** A user. */
export interface UserRecord {
  /** What the record says, and what it is stored under when it is written. */
  readonly name: Uint8Array;
  /** Undefined: none is stored. */
  readonly password: StoredPassword | undefined;
  /** Sorted by their bytes. */
  readonly roles: readonly string[];
  /** Undefined in records that servers before 3.4 have written. */
  readonly options: UserOptions | undefined;
}

export interface UserOptions {
  readonly no_password?: boolean;
}

/** Keys that a role gives a right to. */
export interface PermissionRecord {
  /** 0 read, 1 write, 2 both; other numbers give no right. */
  readonly type: number;
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

/** A role. */
export interface RoleRecord {
  readonly name: Uint8Array;
  /** Sorted by key. */
  readonly permissions: readonly PermissionRecord[];
}

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/** Reads a record of `authUsers`; undefined if it is none. */
export function parseUserRecord(value: Uint8Array): UserRecord | undefined {
  const decoded = decodeValue('authpb.User', value);
  if ('problem' in decoded) return undefined;
  const { name, password, roles, options } = decoded.message as {
    name?: Uint8Array;
    password?: Uint8Array;
    roles?: readonly string[];
    options?: UserOptions;
  };
  const hash = password === undefined || password.length === 0 ? undefined : password.slice();
  return { name: (name ?? NOTHING).slice(), password: hash && { hash }, roles: roles ?? [], options };
}

/** The record as etcd writes it. `hash` is that of the password. */
export function encodeUserRecord({ name, roles, options }: UserRecord, hash: Uint8Array | undefined): Uint8Array {
  return encodeMessage('authpb.User', { name, password: hash, roles, options });
}

/** Reads a permission, in a role or in a request. */
export function parsePermission(message: Readonly<Record<string, unknown>>): PermissionRecord {
  const {
    permType = 0,
    key,
    range_end: rangeEnd,
  } = message as {
    permType?: number;
    key?: Uint8Array;
    range_end?: Uint8Array;
  };
  return { type: permType, key: (key ?? NOTHING).slice(), rangeEnd: (rangeEnd ?? NOTHING).slice() };
}

/** Reads a record of `authRoles`; undefined if it is none. */
export function parseRoleRecord(value: Uint8Array): RoleRecord | undefined {
  const decoded = decodeValue('authpb.Role', value);
  if ('problem' in decoded) return undefined;
  const { name, keyPermission = [] } = decoded.message as {
    name?: Uint8Array;
    keyPermission?: readonly Record<string, unknown>[];
  };
  return { name: (name ?? NOTHING).slice(), permissions: keyPermission.map(parsePermission) };
}

/** The record as etcd writes it. */
export function encodeRoleRecord({ name, permissions }: RoleRecord): Uint8Array {
  return encodeMessage('authpb.Role', {
    name,
    keyPermission: permissions.map(({ type, key, rangeEnd }) => ({ permType: type, key, range_end: rangeEnd })),
  });
}

/** Whether a role is in a list. By halves, as etcd looks for it: that decides what is found in a list that is not sorted. */
export function hasRole(roles: readonly string[], role: string): boolean {
  return roles[lowerBound(roles, (each) => compareTexts(each, role) >= 0)] === role;
}

/** A list of roles with one more. */
export function withRole(roles: readonly string[], role: string): readonly string[] {
  return [...roles, role].sort(compareTexts);
}

/**
 * A list of permissions with one more, or with the type of the one for the same keys replaced. Among those for one key the new one comes
 * last, as in every list of up to twelve; in longer ones Go may exchange them, which makes no difference to anybody's rights.
 */
export function withPermission(
  permissions: readonly PermissionRecord[],
  added: PermissionRecord,
): readonly PermissionRecord[] {
  const at = lowerBound(permissions, ({ key }) => compareKeys(key, added.key) >= 0);
  const found = permissions[at];
  // Others for the same key are not looked at, so that the same keys may be there twice.
  if (found !== undefined && hasKeys(found, added)) return permissions.with(at, { ...found, type: added.type });
  return [...permissions, added].sort((a, b) => compareKeys(a.key, b.key));
}

/** Whether a permission is for exactly these keys. */
export function hasKeys(
  permission: PermissionRecord,
  { key, rangeEnd }: Pick<PermissionRecord, 'key' | 'rangeEnd'>,
): boolean {
  return compareKeys(permission.key, key) === 0 && compareKeys(permission.rangeEnd, rangeEnd) === 0;
}

/** The first place from which on a condition holds, by halves. */
function lowerBound<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** In order of their UTF-8 bytes, which is not that of JavaScript. */
function compareTexts(a: string, b: string): number {
  return compareKeys(encoder.encode(a), encoder.encode(b));
}
