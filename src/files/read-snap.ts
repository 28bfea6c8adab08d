/**
 * `.snap` files and snap folders by path (Node).
 */
import { openFileSource } from '../io/file-source.ts';
import type { CheckReport } from '../report.ts';
import { type CheckSnapOptions, checkSnap, checkSnapFolder } from '../snap/check.ts';
import { readSnap, type Snap } from '../snap/reader.ts';
import type { V2StoreOptions } from '../snap/v2-store.ts';
import { openSnapFolder } from './snap-folder.ts';

/** Reads the `.snap` file at `path`, as the portable `readSnap`. */
export function readSnapFile(path: string, options: V2StoreOptions = {}): Snap {
  const source = openFileSource(path);
  try {
    return readSnap(source, options);
  } finally {
    source.close();
  }
}

/** Checks the `.snap` file at `path`, or the snap folder there, in a member's folder or in a data directory. */
export function checkSnapPath(path: string, options: CheckSnapOptions = {}): CheckReport {
  const folder = openSnapFolder(path);
  const named = { ...options, path: options.path ?? path };
  if (folder !== undefined) return checkSnapFolder(folder.files, named);
  const source = openFileSource(path);
  try {
    return checkSnap(source, named);
  } finally {
    source.close();
  }
}
