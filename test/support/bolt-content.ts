/**
 * What is in a bolt file, in the form in which the makers of the fixtures have written it down (`content.json`).
 */
import { createHash } from 'node:crypto';
import type { Bucket } from '../../src/bolt/bucket.ts';
import { openReadable } from '../../src/bolt/database.ts';
import type { Input } from '../../src/io/input.ts';
import type { BoltContentBucket } from './fixtures.ts';

/** Every bucket, each before those in it, in order of name. */
export function listContent(input: Input): BoltContentBucket[] {
  const listed: BoltContentBucket[] = [];
  const length = new DataView(new ArrayBuffer(4));
  const add = (bucket: Bucket, path: readonly string[]): void => {
    const hash = createHash('sha256');
    const children: Uint8Array[] = [];
    let keys = 0;
    bucket.forEach((key, value) => {
      if (value === undefined) {
        children.push(key.slice());
        return;
      }
      keys++;
      for (const bytes of [key, value]) {
        length.setUint32(0, bytes.length, true);
        hash.update(new Uint8Array(length.buffer)).update(bytes);
      }
    });
    if (path.length > 0) listed.push({ path, sequence: bucket.sequence, keys, sha256: hash.digest('hex') });
    for (const name of children) add(bucket.requireBucket(name), [...path, Buffer.from(name).toString('hex')]);
  };
  add(openReadable(input).root, []);
  return listed;
}
