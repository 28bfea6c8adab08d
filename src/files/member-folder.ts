/**
 * The folders of a member by path (Node): `wal` and `snap` are found in a data directory, in a member's directory, or given
 * themselves.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathError } from '../io/system-error.ts';

/** Where a data directory has its folders. */
const MEMBER = 'member';

/** The folder of that name in the data directory or member's directory at `path`; undefined if there is none. */
export function folderIn(path: string, name: 'wal' | 'snap'): string | undefined {
  return [join(path, MEMBER, name), join(path, name)].find((below) => isDirectory(below, false));
}

/** Whether there is a directory. Throws `NOT_FOUND` if there is nothing, unless that is allowed. */
export function isDirectory(path: string, mustExist = true): boolean {
  try {
    return statSync(path, { throwIfNoEntry: mustExist })?.isDirectory() ?? false;
  } catch (error) {
    throw pathError(error, path, 'cannot be looked at');
  }
}

/** The names of everything in a directory. */
export function listNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throw pathError(error, path, 'cannot be listed');
  }
}
