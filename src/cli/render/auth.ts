/**
 * Users, roles and permissions, for people.
 */
import type { Auth, AuthPermission, AuthRole, AuthUser } from '../../backend/auth.ts';
import { pageKeyText } from './bytes-format.ts';
import { columns } from './columns.ts';
import { grouped } from './size.ts';
import { visible } from './visible.ts';

/** The text of `auth`. */
export function authText(path: string, { enabled, revision, users, roles }: Auth): string {
  const lines = [
    visible(path),
    `auth:      ${enabled ? 'enabled' : 'not enabled'}`,
    `revision:  ${revision === null ? 'none stored' : grouped(revision)}`,
    `users:     ${users.length === 0 ? 'none' : grouped(users.length)}`,
  ];
  const userTable = users.length === 0 ? '' : columns([['name', 'password', 'roles'], ...users.map(userRow)]);
  const rolesLine = `roles:     ${roles.length === 0 ? 'none' : grouped(roles.length)}`;
  return `${lines.join('\n')}\n${userTable}${rolesLine}\n${roles.map(roleText).join('')}`;
}

function userRow({ name, roles, noPassword, hasPassword }: AuthUser): string[] {
  const password = hasPassword ? 'set' : noPassword ? 'none, by choice' : 'none';
  return [visible(name), password, roles.length === 0 ? '-' : visible(roles.join(', '))];
}

function roleText({ name, permissions }: AuthRole): string {
  const rows = permissions.map((each) => [TYPE_WORDS[each.type] ?? `type ${each.type}`, scopeWords(each)]);
  // Whatever is stored for it.
  if (name === 'root') rows.unshift(['read and write', 'everything']);
  return `  ${visible(name)}\n${rows.length === 0 ? '    nothing\n' : columns(rows, 4)}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = { read: 'read', write: 'write', readwrite: 'read and write' };

function scopeWords({ key, rangeEnd, scope }: AuthPermission): string {
  switch (scope) {
    case 'key':
      return `key ${pageKeyText(key)}`;
    case 'prefix':
      return `prefix ${pageKeyText(key)}`;
    case 'from-key':
      return `from key ${pageKeyText(key)} on`;
    case 'all':
      return 'all keys';
    case 'range':
      return `from key ${pageKeyText(key)} to before ${pageKeyText(rangeEnd)}`;
  }
}
