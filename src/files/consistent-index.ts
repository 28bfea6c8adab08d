/**
 * How far the db of a member has got: the index of the last entry whose changes are in it (Node).
 */
import { DatadirError } from '../errors.ts';
import { openReadableFile } from './open-bolt.ts';

/** Where etcd keeps it: 8 bytes, big endian. */
const BUCKET = 'meta';
const KEY = 'consistent_index';

/** Reads `consistent_index` of the db at `path`; 0n if it has none, as one to which nothing was applied. */
export function readConsistentIndex(path: string): bigint {
  const db = openReadableFile(path, {});
  try {
    const value = db.bucket(BUCKET)?.get(KEY);
    if (value === undefined) return 0n;
    if (value.length === 8) return new DataView(value.buffer, value.byteOffset, 8).getBigUint64(0);
    throw new DatadirError('BOLT_DAMAGED', `${path}: consistent_index has ${value.length} bytes`, { path });
  } finally {
    db.close();
  }
}
