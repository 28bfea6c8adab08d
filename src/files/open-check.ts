/**
 * Opens whatever is at a path for a check (Node): a file, the directory of a log, or a snap folder.
 */
import { basename, join } from 'node:path';
import type { CheckInput } from '../datadir/check.ts';
import { DatadirError } from '../errors.ts';
import { type FileSource, openFileSource } from '../io/file-source.ts';
import type { CheckReport } from '../report.ts';
import { snapFolderKind } from '../snap/snap-name.ts';
import { lookingForUse } from './look-for-use.ts';
import { folderIn, isDirectory, listNames } from './member-folder.ts';
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

/** Throws `UNKNOWN_KIND` for a directory that is neither of a log nor of snap files. */
export function openForCheck(path: string): OpenCheck {
  if (!isDirectory(path)) {
    const file = openFileSource(path);
    return { input: file, file, finish: asItIs, close: () => file.close() };
  }
  const names = listNames(path);
  if (isWalDirectory(names)) {
    const folder = openWalFolder(path);
    return { input: { wal: folder.files }, finish: lookingForUse(folder), close: () => folder.close() };
  }
  if (names.some((name) => snapFolderKind(name) !== 'other')) {
    return { input: { snap: listFiles(path) }, finish: asItIs, close: () => {} };
  }
  throw new DatadirError('UNKNOWN_KIND', `${path}: ${whatElse(path)}`, { path });
}

function whatElse(path: string): string {
  const parts = (['wal', 'snap'] as const).flatMap((name) => folderIn(path, name) ?? []);
  if (parts.length === 0) return 'a directory with neither segments of a log nor .snap files';
  const db = parts.find((part) => basename(part) === 'snap');
  const list = [...(db === undefined ? [] : [join(db, 'db')]), ...parts];
  return `a data directory is not checked as a whole: check ${list.join(', ')}`;
}
