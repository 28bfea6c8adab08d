/**
 * Defragmentation offline (Node): a copy without free pages and with nothing else changed.
 */
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { type EditCopyOptions, type EditedCopy, editCopy } from './edit-copy.ts';

/** Copies a db, a snapshot file or a data directory to `target`, the db without free pages. */
export function defrag(path: string, target: string, options: EditCopyOptions = {}): Promise<EditedCopy> {
  return editCopy(path, target, options, () => new DbChanges({ neededBuckets: [] }));
}
