/**
 * `.snap` files and snap folders by path (Node).
 */
import { openFileSource } from '../io/file-source.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import { type CheckSnapOptions, SnapCheckJob, snapFileCheck } from '../snap/check.ts';
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
export async function checkSnapPath(path: string, options: CheckSnapOptions & RunOptions = {}): Promise<CheckReport> {
  const folder = openSnapFolder(path);
  const named = { ...options, path: options.path ?? path };
  if (folder !== undefined) return runSliced(new SnapCheckJob(folder.files, named), options);
  const source = openFileSource(path);
  try {
    return await runSliced(snapFileCheck(source, named), options);
  } finally {
    source.close();
  }
}
