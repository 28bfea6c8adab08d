/**
 * The requests that change users and roles, each with what makes it fail and what it does.
 *
 * Each that does something goes on to the next revision of users and roles, except the one that enables authentication.
 */

import { compareKeys } from '../../bolt/compare-keys.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import { NIL_POINTER } from '../../wal/etcd/words.ts';
import { type Applied, CHANGED, failed, NOTHING_CHANGED, panics } from './applied.ts';
import { passwordOf } from './auth-password.ts';
import {
  hasKeys,
  hasRole,
  type PermissionRecord,
  parsePermission,
  type UserRecord,
  withPermission,
  withRole,
} from './auth-records.ts';
import type { AuthStore } from './auth-store.ts';
import {
  INVALID_MANAGEMENT,
  NO_ROOT_ROLE,
  NO_ROOT_USER,
  PASSWORD_UNUSABLE,
  PERMISSION_NOT_GIVEN,
  PERMISSION_NOT_GRANTED,
  ROLE_EMPTY,
  ROLE_EXISTS,
  ROLE_NOT_FOUND,
  ROLE_NOT_GRANTED,
  USER_EMPTY,
  USER_EXISTS,
  USER_NOT_FOUND,
} from './auth-words.ts';
import { isOpenEnded } from './permissions.ts';

/** The user, and the role, that may do everything. */
const ROOT = 'root';

type AuthRequest = (store: AuthStore, request: DecodedMessage, minor: EtcdMinor) => Applied;

const encoder = new TextEncoder();

/** The requests by their names in the log. Those that only ask are not among them. */
export const AUTH_REQUESTS: ReadonlyMap<string, AuthRequest> = new Map<string, AuthRequest>([
  ['auth_enable', enable],
  ['auth_disable', disable],
  ['auth_user_add', addUser],
  ['auth_user_delete', deleteUser],
  ['auth_user_change_password', changePassword],
  ['auth_user_grant_role', grantRole],
  ['auth_user_revoke_role', revokeRole],
  ['auth_role_add', addRole],
  ['auth_role_delete', deleteRole],
  ['auth_role_grant_permission', grantPermission],
  ['auth_role_revoke_permission', revokePermission],
]);

/** Whether a user has the role that may do everything. */
export function isRoot({ roles }: UserRecord): boolean {
  return hasRole(roles, ROOT);
}

function changed(store: AuthStore): Applied {
  store.advance();
  return CHANGED;
}

const textOf = (request: DecodedMessage, field: string): string => (request[field] as string | undefined) ?? '';

function enable(store: AuthStore): Applied {
  if (store.enabled) return NOTHING_CHANGED;
  const root = store.users.get(ROOT);
  if (root === undefined) return failed(NO_ROOT_USER);
  if (!isRoot(root)) return failed(NO_ROOT_ROLE);
  store.enabled = true;
  return CHANGED;
}

function disable(store: AuthStore): Applied {
  if (!store.enabled) return NOTHING_CHANGED;
  store.enabled = false;
  return changed(store);
}

function addUser(store: AuthStore, request: DecodedMessage, minor: EtcdMinor): Applied {
  const name = textOf(request, 'name');
  if (name === '') return failed(USER_EMPTY);
  if (store.users.get(name) !== undefined) return failed(USER_EXISTS);
  const options = (request['options'] as UserRecord['options']) ?? {};
  const given = options.no_password === true ? { password: undefined } : passwordOf(request, minor);
  if (given === undefined) return failed(PASSWORD_UNUSABLE);
  store.users.put({ name: encoder.encode(name), password: given.password, roles: [], options });
  return changed(store);
}

function deleteUser(store: AuthStore, request: DecodedMessage): Applied {
  const name = textOf(request, 'name');
  if (store.enabled && name === ROOT) return failed(INVALID_MANAGEMENT);
  if (store.users.get(name) === undefined) return failed(USER_NOT_FOUND);
  store.users.delete(name);
  return changed(store);
}

function changePassword(store: AuthStore, request: DecodedMessage, minor: EtcdMinor): Applied {
  const name = textOf(request, 'name');
  const user = store.users.get(name);
  if (user === undefined) return failed(USER_NOT_FOUND);
  // 3.4 gives one to a user that was to have none.
  const none = minor !== '3.4' && user.options?.no_password === true;
  const given = none ? { password: undefined } : passwordOf(request, minor);
  if (given === undefined) return failed(PASSWORD_UNUSABLE);
  store.users.put({ ...user, name: encoder.encode(name), password: given.password });
  return changed(store);
}

function grantRole(store: AuthStore, request: DecodedMessage): Applied {
  const user = store.users.get(textOf(request, 'user'));
  const role = textOf(request, 'role');
  if (user === undefined) return failed(USER_NOT_FOUND);
  // The role that may do everything needs no record.
  if (role !== ROOT && store.roles.get(role) === undefined) return failed(ROLE_NOT_FOUND);
  if (hasRole(user.roles, role)) return NOTHING_CHANGED;
  store.users.put({ ...user, roles: withRole(user.roles, role) });
  return changed(store);
}

function revokeRole(store: AuthStore, request: DecodedMessage): Applied {
  const name = textOf(request, 'name');
  const role = textOf(request, 'role');
  if (store.enabled && name === ROOT && role === ROOT) return failed(INVALID_MANAGEMENT);
  const user = store.users.get(name);
  if (user === undefined) return failed(USER_NOT_FOUND);
  if (!user.roles.includes(role)) return failed(ROLE_NOT_GRANTED);
  store.users.put(withoutRole(user, role));
  return changed(store);
}

function withoutRole(user: UserRecord, role: string): UserRecord {
  return { ...user, roles: user.roles.filter((each) => each !== role) };
}

function addRole(store: AuthStore, request: DecodedMessage): Applied {
  const name = textOf(request, 'name');
  if (name === '') return failed(ROLE_EMPTY);
  if (store.roles.get(name) !== undefined) return failed(ROLE_EXISTS);
  store.roles.put({ name: encoder.encode(name), permissions: [] });
  return changed(store);
}

function deleteRole(store: AuthStore, request: DecodedMessage): Applied {
  const role = textOf(request, 'role');
  if (store.enabled && role === ROOT) return failed(INVALID_MANAGEMENT);
  if (store.roles.get(role) === undefined) return failed(ROLE_NOT_FOUND);
  store.roles.delete(role);
  for (const user of store.users.all) {
    if (user.roles.includes(role)) store.users.put(withoutRole(user, role));
  }
  return changed(store);
}

function grantPermission(store: AuthStore, request: DecodedMessage, minor: EtcdMinor): Applied {
  const given = request['perm'] as DecodedMessage | undefined;
  const permission = given === undefined ? undefined : parsePermission(given);
  if (minor !== '3.4') {
    if (permission === undefined) return failed(PERMISSION_NOT_GIVEN);
    if (!isValidRange(permission)) return failed(INVALID_MANAGEMENT);
  }
  const role = store.roles.get(textOf(request, 'name'));
  if (role === undefined) return failed(ROLE_NOT_FOUND);
  if (permission === undefined) return panics(NIL_POINTER);
  store.roles.put({ ...role, permissions: withPermission(role.permissions, permission) });
  return changed(store);
}

/** Whether keys can be in it. 3.4 stores others too. */
function isValidRange({ key, rangeEnd }: PermissionRecord): boolean {
  if (key.length === 0) return false;
  return rangeEnd.length === 0 || isOpenEnded(rangeEnd) || compareKeys(key, rangeEnd) < 0;
}

function revokePermission(store: AuthStore, request: DecodedMessage): Applied {
  const role = store.roles.get(textOf(request, 'role'));
  if (role === undefined) return failed(ROLE_NOT_FOUND);
  const revoked = parsePermission(request);
  const permissions = role.permissions.filter((each) => !hasKeys(each, revoked));
  if (permissions.length === role.permissions.length) return failed(PERMISSION_NOT_GRANTED);
  store.roles.put({ ...role, permissions });
  return changed(store);
}
