/**
 * All content of a database as its reader sees it, in the form that a model and a transaction are listed in.
 */
import type { Bucket } from '../../src/bolt/bucket.ts';
import type { BoltDb } from '../../src/bolt/database.ts';
import { EntryDigest, type ListedBucket, type Path, toText } from './writer-operations.ts';

/** Each bucket, then those in it, in order of their names. */
export function listDatabase(db: BoltDb): ListedBucket[] {
  const listed: ListedBucket[] = [];
  const add = (bucket: Bucket, path: Path): void => {
    const digest = new EntryDigest();
    const names: Uint8Array[] = [];
    bucket.forEach((key, value, isBucket) => {
      digest.add(key, value);
      if (isBucket) names.push(key.slice());
    });
    listed.push({ path, sequence: `${bucket.sequence}`, keys: digest.entries, crc: digest.crc });
    for (const name of names) {
      const inside = [...path, toText(name)];
      const child = bucket.bucket(name);
      // In a damaged tree a name may be read, but not found.
      if (child === undefined) listed.push({ path: inside, sequence: 'not found', keys: 0, crc: 0 });
      else add(child, inside);
    }
  };
  add(db.root, []);
  return listed;
}

/** A listing as one text, to compare and to keep; whether buckets are inline does not count. */
export function contentText(listed: readonly ListedBucket[]): string {
  return listed.map(({ path, sequence, keys, crc }) => `${JSON.stringify(path)} ${sequence} ${keys} ${crc}`).join('\n');
}
