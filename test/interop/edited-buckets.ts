/**
 * The content of the dbs of two directories, compared bucket by bucket.
 */
import { join } from 'node:path';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { type BackendMeta, readMeta } from '../../src/backend/meta.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { DB_PATH } from '../support/data-dir-fixtures.ts';

/** All pairs of each bucket, a line each. */
export type BucketLines = ReadonlyMap<string, readonly string[]>;

/** Reads the db of a directory, or a db file. */
export function readDb<Result>(path: string, read: (file: BackendFile) => Result): Result {
  const file = new BackendFile(openFileSource(path.endsWith('db') ? path : join(path, DB_PATH)));
  try {
    return read(file);
  } finally {
    file.close();
  }
}

/** Everything in a db. */
export function bucketLines(path: string): BucketLines {
  return readDb(path, ({ db }) => {
    const lines = new Map<string, string[]>();
    db.root.forEach((name) => {
      const pairs: string[] = [];
      db.bucket([name])?.forEach((key, value) => {
        pairs.push(`${text(key)} = ${text(value)}`);
      });
      lines.set(text(name), pairs);
    });
    return lines;
  });
}

/** One bucket of a db; none is as good as an empty one. */
export function linesOf(path: string, bucket: string): readonly string[] {
  return bucketLines(path).get(bucket) ?? [];
}

/** The keys of one bucket. */
export function keysOf(path: string, bucket: string): string[] {
  return linesOf(path, bucket).map((line) => line.slice(0, line.indexOf(' = ')));
}

/** The revision that a db has come to, and the one that was compacted last. */
export function revisionsOf(path: string): { readonly current: bigint; readonly compact: bigint } {
  return readDb(path, (file) => file.read(readRevisions));
}

/** Names of the buckets that are not the same in two dbs. */
export function differingBuckets(a: string, b: string): string[] {
  const [left, right] = [bucketLines(a), bucketLines(b)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => JSON.stringify(left.get(name) ?? []) !== JSON.stringify(right.get(name) ?? []))
    .sort();
}

/** Bucket `meta` of a db. */
export function metaOf(path: string): BackendMeta {
  return readDb(path, (file) => file.read(readMeta));
}

/** Bytes that are no characters of ASCII in hex: a difference is shown on a terminal. */
const text = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes ?? [])
    .toString('latin1')
    .replaceAll(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
