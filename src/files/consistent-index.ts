/**
 * How far the db of a member has got: the index of the last entry whose changes are in it (Node).
 */
import { readMeta } from '../backend/meta.ts';
import { DatadirError } from '../errors.ts';
import { openReadableFile } from './open-bolt.ts';

/** Reads `consistent_index` of the db at `path`; 0n if it has none, as one to which nothing was applied. */
export function readConsistentIndex(path: string): bigint {
  const db = openReadableFile(path, {});
  try {
    const { consistentIndex, unreadable } = readMeta(db);
    const stored = unreadable.get('consistentIndex');
    if (stored === undefined) return consistentIndex ?? 0n;
    throw new DatadirError('BOLT_DAMAGED', `${path}: consistent_index has ${stored.length} bytes`, { path });
  } finally {
    db.close();
  }
}
