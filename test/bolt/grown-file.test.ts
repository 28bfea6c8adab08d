// A running etcd makes its db longer while we have it open. The length from when it was opened was gone by, so that pages behind
// it counted as missing, and a tree with more pages than that as one whose pages are referenced more than once.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReadable } from '../../src/bolt/database.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { createBolt, openBolt } from '../../src/node.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('a database that has grown since its file was opened is read as a whole', () => {
  const path = join(temporaryDirectory(), 'db');
  const created = createBolt(path);
  created.update((tx) => tx.createBucket('key').put('first', 'x'));
  created.close();
  const source = openFileSource(path);
  try {
    const writable = openBolt(path, { readOnly: false });
    writable.update((tx) => {
      const bucket = tx.bucket('key')!;
      for (let i = 0; i < 2000; i++) bucket.put(`key ${i}`, 'y'.repeat(500));
      // More than is read at once.
      bucket.put('large', 'z'.repeat(3 << 20));
    });
    writable.close();

    expect(source.currentSize()).toBeGreaterThan(source.size);
    const db = openReadable(source);
    let pairs = 0;
    let bytes = 0;
    db.bucket('key')!.forEach((_, value) => {
      pairs++;
      bytes += value?.length ?? 0;
    });
    expect([pairs, bytes]).toEqual([2002, 1 + 2000 * 500 + (3 << 20)]);
    let inLeaves = 0;
    const leaves = db.bucket('key')!.leaves();
    for (let page = leaves.next(); page !== undefined; page = leaves.next()) inLeaves += page.count;
    expect(inLeaves).toBe(2002);
    expect(db.size).toBe(source.currentSize());
  } finally {
    source.close();
  }
});
