/**
 * Whether the folders of a member are there, as far as etcd-backup-restore looks: the rest is found by the checks.
 */
import type { DataDir } from '../data-dir.ts';

export interface Structure {
  /** There is no directory at all. */
  readonly missing: boolean;
  /** There is one, with nothing in it; what a file system keeps in its root does not count. */
  readonly empty: boolean;
  /** A folder that has to be there is missing, or something else has its name. */
  readonly invalid: boolean;
  /** Folders that could not be looked at, from the data directory on; `.` is the directory itself. */
  readonly unreadable: readonly string[];
}

/** Looks at names only. */
export function structureOf({ files }: DataDir): Structure {
  const { root, member, snap, wal } = files;
  const parts = [member, snap, wal];
  const isDirectory = root.state === 'directory';
  // A file of that name is somebody else's, not a directory that was damaged.
  const rootUnreadable = root.state === 'unreadable' || root.state === 'not-a-directory';
  return {
    missing: root.state === 'missing',
    empty: isDirectory && root.items.every(({ name }) => name === 'lost+found'),
    invalid: isDirectory && parts.some(({ state }) => state === 'missing' || state === 'not-a-directory'),
    unreadable: [
      ...(rootUnreadable ? [root.path] : []),
      ...parts.flatMap(({ state, path }) => (state === 'unreadable' ? [path] : [])),
    ],
  };
}
