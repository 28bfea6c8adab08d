/**
 * The check of whatever is at a path, on this thread (Node).
 */
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { type CheckOptions, createCheckJob } from '../datadir/check.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import type { DataDirOptions } from './data-dir-folder.ts';
import { type OpenCheck, openForCheck } from './open-check.ts';

/** Opens it, checks it in slices, and closes it. */
export async function checkPath(
  path: string,
  options: CheckOptions & DataDirOptions & RunOptions = {},
): Promise<CheckReport> {
  const opened = openForCheck(path, options);
  try {
    return await opened.finish(await checkOpened(opened, { ...options, path: options.path ?? path }));
  } finally {
    opened.close();
  }
}

/** Checks what is open already; without what can be seen only from outside. */
export function checkOpened({ input }: OpenCheck, options: CheckOptions & RunOptions): Promise<CheckReport> {
  return runSliced(createCheckJob(input, options, { sha256: createNodeSha256 }), options);
}
