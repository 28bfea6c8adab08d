// Small buckets, which lie in the element that names them.
import { describe, expect, test } from 'vitest';
import type { TxBucket } from '../../../src/bolt/index.ts';
import { contentOf, expectHealthy, fill, newDb, numbered, pagesOf } from '../../support/writer-db.ts';

/** Bytes of an inline page with one key of one byte, without its value. */
const WITHOUT_VALUE = 16 + 16 + 1;

describe('a bucket is inline', () => {
  test.each([[256], [512], [1000], [1024], [4096], [16_384], [65_536]])(
    'up to a quarter of a page, not with one byte more: pages of %d bytes',
    (pageSize) => {
      const limit = Math.floor(pageSize / 4);
      for (const [more, inline] of [
        [-1, true],
        [0, true],
        [1, false],
      ] as const) {
        const database = newDb({ pageSize });
        database.db.update((tx) => tx.createBucket('b').put('k', new Uint8Array(limit - WITHOUT_VALUE + more)));
        const pages = expectHealthy(database);
        expect(pages.bucket('b').root === 0).toBe(inline);
        expect(pages.bucket('b').item.valueSize).toBe(inline ? 16 + limit + more : 16);
        database.db.view((tx) => expect(tx.bucket('b')?.inline).toBe(inline));
      }
    },
  );

  test('with many small keys, by the same bound', () => {
    for (const [keys, inline] of [
      [48, true], // 16 + 48 × 21 = 1024
      [49, false],
    ] as const) {
      const database = newDb();
      database.db.update((tx) => fill(tx.createBucket('b'), keys, 0));
      expect(expectHealthy(database).bucket('b').root === 0).toBe(inline);
    }
  });

  test('never when there is a bucket in it', () => {
    const database = newDb();
    database.db.update((tx) => {
      tx.createBucket('outer').put('k', 'v');
      tx.bucket('outer')?.createBucket('in');
    });
    const pages = expectHealthy(database);
    expect([pages.bucket('outer').root === 0, pages.bucket('outer', 'in').root === 0]).toEqual([false, true]);
    database.db.update((tx) => tx.bucket('outer')?.deleteBucket('in'));
    expect(expectHealthy(database).bucket('outer').root).toBe(0);
    expect(contentOf(database)).toEqual({ outer: { k: 'v' } });
  });

  test('never the root bucket', () => {
    const database = newDb();
    database.db.update(() => {});
    const pages = expectHealthy(database);
    expect([pages.flags(pages.root), pages.count(pages.root)]).toEqual([2, 0]);
  });
});

describe('a bucket moves', () => {
  test('out when it grows, and back in when it shrinks', () => {
    const database = newDb();
    const roots: boolean[] = [];
    const step = (work: (bucket: TxBucket) => void) => {
      database.db.update((tx) => work(tx.createBucketIfNotExists('b')));
      roots.push(expectHealthy(database).bucket('b').root === 0);
    };
    step((bucket) => bucket.put('k', 'v'));
    step((bucket) => fill(bucket, 20, 100));
    step((bucket) => fill(bucket, 200, 100));
    step((bucket) => {
      for (let i = 1; i < 200; i++) bucket.delete(numbered(i));
    });
    step((bucket) => bucket.put('large', new Uint8Array(10_000)));
    step((bucket) => bucket.delete('large'));
    expect(roots).toEqual([true, false, false, true, false, true]);
    expect(contentOf(database)).toEqual({ b: { k: 'v', k0000: 'x'.repeat(100) } });
  });

  test('in only when it is changed: one that was made small enough by another page size stays', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 12, 100));
    const before = pagesOf(database).bucket('b').root;
    database.db.update((tx) => tx.bucket('b')?.get('k0000'));
    expect(pagesOf(database).bucket('b').root).toBe(before);
  });

  test('several inline buckets in one leaf, at any alignment, are changed one by one', () => {
    const database = newDb();
    const names = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
    database.db.update((tx) => {
      for (const [i, name] of names.entries()) tx.createBucket(name).put(name, 'v'.repeat(i));
    });
    for (const name of names) {
      database.db.update((tx) => tx.bucket(name)?.put('new', name));
      expectHealthy(database);
    }
    const content = Object.fromEntries(names.map((name, i) => [name, { [name]: 'v'.repeat(i), new: name }]));
    expect(contentOf(database)).toEqual(content);
  });

  test('a nested inline bucket makes the leaf above larger, which is then split', () => {
    const database = newDb({ pageSize: 1024 });
    database.db.update((tx) => {
      const outer = tx.createBucket('outer');
      for (let i = 0; i < 30; i++) outer.createBucket(numbered(i));
    });
    database.db.update((tx) => {
      for (let i = 0; i < 30; i++) tx.bucket('outer')?.bucket(numbered(i))?.put('k', new Uint8Array(200));
    });
    const pages = expectHealthy(database);
    expect(pages.leaves('outer').length).toBeGreaterThan(8);
    expect(pages.bucket('outer', 'k0017').root).toBe(0);
  });
});
