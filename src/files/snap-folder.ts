/**
 * The snap folder of a member by path (Node): given itself, the member's folder, or the data directory.
 */
import { basename, join } from 'node:path';
import { DatadirError } from '../errors.ts';
import { openFileSource } from '../io/file-source.ts';
import type { SnapFile } from '../snap/check.ts';
import { snapFolderKind } from '../snap/snap-name.ts';
import { folderIn, isDirectory, listNames } from './member-folder.ts';

/** A snap folder and everything in it. */
export interface SnapFolder {
  readonly path: string;
  readonly files: readonly SnapFile[];
}

const FOLDER = 'snap';

/**
 * The snap folder at `path`, or undefined if that is a file. Throws `UNKNOWN_KIND` for a directory that is neither a snap
 * folder nor has one in its place in a data directory.
 */
export function openSnapFolder(path: string): SnapFolder | undefined {
  if (!isDirectory(path)) return undefined;
  const below = folderIn(path, FOLDER);
  if (below !== undefined) return { path: below, files: listFiles(below) };
  const files = listFiles(path);
  if (basename(path) !== FOLDER && !files.some(({ name }) => snapFolderKind(name) !== 'other')) {
    throw new DatadirError('UNKNOWN_KIND', `${path}: neither a snap folder nor a data directory`, { path });
  }
  return { path, files };
}

/** Everything in a snap folder; files are opened when they are looked at. */
export function listFiles(path: string): SnapFile[] {
  return listNames(path).map((name) => ({ name, open: () => openFileSource(join(path, name)) }));
}
