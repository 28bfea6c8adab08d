/**
 * The passwords in a db, told by trying: of what is stored only the hash is known, and 3.4 makes another at each replay.
 */
import type { BackendFile } from '../../src/backend/backend-file.ts';
import { bcryptMatches } from '../../src/datadir/replay/bcrypt.ts';
import { fieldsOf } from './wal-edit.ts';

const PASSWORD = 2;

/**
 * For each user of bucket `authUsers` the one of the passwords that it has; null: it has none; undefined: another. A trial takes a tenth
 * of a second: by design of the hash.
 */
export function passwordsOf(
  file: BackendFile,
  candidates: (user: string) => readonly string[],
): Readonly<Record<string, string | null | undefined>> {
  const found: Record<string, string | null | undefined> = {};
  file.db.bucket(['authUsers'])?.forEach((name, value) => {
    const hash = fieldsOf(value as Uint8Array).find(({ number }) => number === PASSWORD)?.value as
      | Uint8Array
      | undefined;
    const stored = Buffer.from(hash ?? []).toString('latin1');
    const matches = (password: string): boolean => bcryptMatches(new TextEncoder().encode(password), stored);
    const user = Buffer.from(name).toString();
    found[user] = stored === '' ? null : candidates(user).find(matches);
  });
  return found;
}
