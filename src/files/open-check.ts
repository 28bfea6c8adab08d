/**
 * Opens whatever is at a path for a check (Node): a data directory, a file, the directory of a log, or a snap folder.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { CheckInput } from '../datadir/check.ts';
import { DataDir } from '../datadir/data-dir.ts';
import { DatadirError } from '../errors.ts';
import { type FileSource, openFileSource } from '../io/file-source.ts';
import type { CheckReport } from '../report.ts';
import { snapFolderKind } from '../snap/snap-name.ts';
import { type DataDirOptions, isDataDir, openDataDirFolder } from './data-dir-folder.ts';
import { lookingForUse } from './look-for-use.ts';
import { isDirectory, listNames } from './member-folder.ts';
import { listFiles } from './snap-folder.ts';
import { isWalDirectory, openWalFolder } from './wal-folder.ts';

/** What is to be checked, open. */
export interface OpenCheck {
  readonly input: CheckInput;
  /** The open file, if it is one. */
  readonly file?: FileSource;
  /** Adds to the report of the check what can be seen only from outside. */
  finish(report: CheckReport): Promise<CheckReport>;
  close(): void;
}

const asItIs = async (report: CheckReport): Promise<CheckReport> => report;

/**
 * Throws `UNKNOWN_KIND` for a directory that is none of these. With `walDir` it is a data directory. The folder `member` of one may be given
 * in its place.
 */
export function openForCheck(path: string, options: DataDirOptions = {}): OpenCheck {
  if (!isDirectory(path)) {
    const file = openFileSource(path);
    return { input: file, file, finish: asItIs, close: () => file.close() };
  }
  const dataDir = options.walDir === undefined ? dataDirAt(path) : path;
  if (dataDir !== undefined) {
    const dir = new DataDir(openDataDirFolder(dataDir, options));
    return { input: { dataDir: dir }, finish: asItIs, close: () => dir.close() };
  }
  const names = listNames(path);
  if (isWalDirectory(names)) {
    const folder = openWalFolder(path);
    return { input: { wal: folder.files }, finish: lookingForUse(folder), close: () => folder.close() };
  }
  if (names.some((name) => snapFolderKind(name) !== 'other')) {
    return { input: { snap: listFiles(path) }, finish: asItIs, close: () => {} };
  }
  const what = 'a directory that is no data directory, with neither segments of a log nor .snap files';
  throw new DatadirError('UNKNOWN_KIND', `${path}: ${hasFolders(path) ? RENAMED : what}`, { path });
}

const RENAMED = 'like the folder member of a data directory, but with another name: check its parts, or call it member';

/** The data directory that `path` is, or whose folder `member` it is; undefined if it is neither. */
function dataDirAt(path: string): string | undefined {
  if (isDataDir(path)) return path;
  const whole = resolve(path);
  if (basename(whole) === 'member') {
    return ['snap', 'wal'].some((name) => isDirectory(join(whole, name), false)) ? dirname(whole) : undefined;
  }
  // etcd 2.0 had no folder `member`, and no db.
  return hasFolders(path) && !existsSync(join(path, 'snap', 'db')) ? path : undefined;
}

function hasFolders(path: string): boolean {
  return ['snap', 'wal'].every((name) => isDirectory(join(path, name), false));
}
