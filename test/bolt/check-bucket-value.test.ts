// The check read a bucket's header through a view of the bytes before it, when the header was the first thing needed of the
// rest of a long page. It took a healthy bucket behind a large value for damaged.
import { describe, expect, it } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { createBolt } from '../../src/bolt/writable.ts';
import { memoryFile } from '../../src/io/memory-file.ts';

describe('the check of a bucket on a page of several', () => {
  it('reads its header wherever the first page ends', () => {
    for (const length of [16_000, ...Array.from({ length: 64 }, (_, i) => 930 + i)]) {
      const file = memoryFile();
      const db = createBolt(file, { pageSize: 1024 });
      db.update((tx) => {
        const bucket = tx.createBucket('b');
        bucket.put('a', new Uint8Array(length).fill(1));
        bucket.createBucket('z').put('k', 'v');
        bucket.createBucket('y').put('k', new Uint8Array(2000));
      });
      db.close();
      expect(checkBolt(file.bytes()).findings, `${length}`).toEqual([]);
    }
  });
});
