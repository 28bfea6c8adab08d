/**
 * `auth PATH`: users, roles and permissions. Hashes of passwords are not shown.
 */
import { type AuthPermission, readAuth } from '../../backend/auth.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withBackend } from '../open-backend.ts';
import { authText } from '../render/auth.ts';
import { jsonText } from '../render/json.ts';
import { byteFields } from '../render/json-bytes.ts';
import { unreadableFields, unreadableWords } from '../render/unreadable-values.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { json, out, note, block } = invocation;
  return withBackend(invocation, ({ file, path, fields }) => {
    const auth = block(() => file.read(readAuth));
    const { enabled, revision, users, roles, unreadable } = auth;
    if (!json) out.write(authText(path, auth));
    else {
      out.write(
        jsonText({
          schema: 1,
          path,
          ...fields,
          enabled,
          revision,
          users,
          roles: roles.map((role) => ({ ...role, permissions: role.permissions.map(permissionFields) })),
          unreadable: unreadableFields(unreadable),
        }),
      );
    }
    const words = unreadableWords(unreadable);
    if (words !== undefined) note(words);
    return EXIT.done;
  });
}

function permissionFields({ type, scope, key, rangeEnd }: AuthPermission): Record<string, unknown> {
  return { type, scope, ...byteFields('key', key), ...byteFields('rangeEnd', rangeEnd) };
}
