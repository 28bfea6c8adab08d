/**
 * A data directory by path (Node).
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirFiles, Folder, FolderItem } from '../datadir/data-dir-files.ts';
import { DatadirError } from '../errors.ts';
import { openFileSource } from '../io/file-source.ts';
import { pathError } from '../io/system-error.ts';
import { isSegmentFile } from '../wal/segment-input.ts';
import { isDirectory, listNames } from './member-folder.ts';
import { seeSegmentLock } from './wal-directory-lock.ts';

/** Options of everything that takes a data directory. */
export interface DataDirOptions {
  /** Where the log is, if not in `member/wal`: the value of etcd's `--wal-dir`. */
  readonly walDir?: string | undefined;
}

/** As `listDataDir`; throws `NOT_FOUND` if there is nothing, `UNKNOWN_KIND` if it is no directory, `NO_PERMISSION` … */
export function openDataDirFolder(path: string, options: DataDirOptions = {}): DataDirFiles {
  if (!isDirectory(path)) throw new DatadirError('UNKNOWN_KIND', `${path}: not a directory`, { path });
  listNames(path);
  return listDataDir(path, options);
}

/** Lists the data directory at `path`; opens nothing. Throws nothing for what is missing: that is in the answer. */
export function listDataDir(path: string, { walDir }: DataDirOptions = {}): DataDirFiles {
  const member = listFolder(join(path, 'member'), 'member');
  const wal = walDir === undefined ? listFolder(join(path, 'member', 'wal'), 'member/wal') : listFolder(walDir, walDir);
  const snap = listFolder(join(path, 'member', 'snap'), 'member/snap');
  return {
    path,
    root: listFolder(path, '.'),
    member,
    snap,
    wal,
    separateWal: walDir !== undefined,
    lookForUse: () => isUsed(wal, snap),
  };
}

/** Whether the directory at `path` is a data directory, or one for whose parts a place is there. */
export function isDataDir(path: string): boolean {
  return ['member', 'proxy'].some((name) => isThere(join(path, name)));
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** `shown` is the path for findings. */
function listFolder(path: string, shown: string): Folder {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { path: shown, state: 'missing', items: [] };
    if (!stat.isDirectory()) return { path: shown, state: 'not-a-directory', items: [] };
    const items = readdirSync(path)
      .sort()
      .map((name) => folderItem(join(path, name), name));
    return { path: shown, state: 'directory', items };
  } catch (error) {
    const { code, message } = pathError(error, path, 'cannot be listed');
    // A file in the way of a directory above it.
    if (code === 'NOT_FOUND' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') {
      return { path: shown, state: 'missing', items: [] };
    }
    return { path: shown, state: 'unreadable', reason: message, items: [] };
  }
}

function folderItem(path: string, name: string): FolderItem {
  return { name, type: typeOf(path), open: () => openFileSource(path) };
}

function typeOf(path: string): FolderItem['type'] {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? 'file' : stat?.isDirectory() === true ? 'directory' : 'other';
  } catch {
    return 'other';
  }
}

/** etcd has locks on its segments and on its db as long as it runs. */
function isUsed(wal: Folder, snap: Folder): boolean {
  const last = wal.items.findLast(({ name }) => isSegmentFile(name));
  const db = snap.items.find(({ name }) => name === 'db');
  return [last, db].some((item) => item !== undefined && isLocked(item));
}

function isLocked(item: FolderItem): boolean {
  let source: ReturnType<typeof openFileSource>;
  try {
    source = item.open() as ReturnType<typeof openFileSource>;
  } catch (error) {
    if (error instanceof DatadirError) return false;
    throw error;
  }
  try {
    return seeSegmentLock(source.descriptor, source.path);
  } finally {
    source.close();
  }
}
