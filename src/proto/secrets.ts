/**
 * What must never be shown: passwords, their hashes, tokens. Everything that renders a message asks here.
 */
import type { MessageName } from './schema.ts';

/** Secret fields of the messages that have any. */
const SECRET_FIELDS: Partial<Record<MessageName, readonly string[]>> = {
  'authpb.User': ['password'],
  'etcdserverpb.InternalAuthenticateRequest': ['password', 'simple_token'],
  'etcdserverpb.AuthUserAddRequest': ['password', 'hashedPassword'],
  'etcdserverpb.AuthUserChangePasswordRequest': ['password', 'hashedPassword'],
};

/** Whether the field's content must not be shown. */
export function isSecretField(message: MessageName, field: string): boolean {
  return SECRET_FIELDS[message]?.includes(field) ?? false;
}

/**
 * Whether the value of a v2 request may be secret: the users of the v2 API, with hashes of their passwords, are below `/2`.
 * Paths are cleaned as etcd does, so that `//2/users/x` and `/1/../2/users/x` count.
 */
export function isSecretV2Path(path: string): boolean {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts[0] === '2';
}
