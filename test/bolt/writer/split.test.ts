// How a node that has become too large is divided into pages: bbolt's rules, number by number.
import { describe, expect, test } from 'vitest';
import type { TxBucket } from '../../../src/bolt/index.ts';
import { expectHealthy, fill, newDb, numbered, type TestDb } from '../../support/writer-db.ts';

/** Elements of each leaf of bucket `b`, from left to right. */
function leafCounts(database: TestDb): number[] {
  const pages = expectHealthy(database);
  return pages.leaves('b').map((page) => pages.count(page));
}

/** A database of pages of 1024 bytes whose bucket `b` was made in one transaction. */
function made(work: (bucket: TxBucket) => void, pageSize = 1024): TestDb {
  const database = newDb({ pageSize, noSync: true });
  database.db.update((tx) => work(tx.createBucket('b')));
  return database;
}

/** Puts one element for each length; with its header and a key of 5 bytes it takes 21 bytes more. */
const withValues = (lengths: readonly number[]) => (bucket: TxBucket) => {
  for (const [i, length] of lengths.entries()) bucket.put(numbered(i), new Uint8Array(length));
};

describe('a node is split', () => {
  test('never when it has four elements, however large: the page gets overflow pages', () => {
    const database = made(withValues([1000, 1000, 1000, 1000]));
    expect(leafCounts(database)).toEqual([4]);
    const pages = expectHealthy(database);
    expect(pages.overflow(pages.bucket('b').root)).toBe(4); // 16 + 4 × 1021 bytes
  });

  test('when it has five and does not fit, into two and three at the least', () => {
    expect(leafCounts(made(withValues([1000, 1000, 1000, 1000, 1000])))).toEqual([2, 3]);
    expect(leafCounts(made(withValues([5000, 1, 1, 1, 1])))).toEqual([2, 3]);
  });

  test('when it has exactly the size of a page, and not with one byte less', () => {
    expect(leafCounts(made(withValues(Array(8).fill(105))))).toEqual([3, 5]); // 16 + 8 × 126 = 1024
    expect(leafCounts(made(withValues([...Array(7).fill(105), 104])))).toEqual([8]);
  });

  test('before the last three elements when the rest does not fill a page', () => {
    expect(leafCounts(made(withValues([1, 1, 1, 1, 1, 1, 1, 1, 900, 900])))).toEqual([7, 3]);
  });

  test('a piece that still does not fit is split again', () => {
    expect(leafCounts(made(withValues(Array(20).fill(98))))).toEqual([4, 4, 4, 8]);
  });

  test('a large element among small ones begins a piece, from the third element on', () => {
    expect(leafCounts(made(withValues([10, 10, 10, 900, 10, 10, 10])))).toEqual([3, 4]);
    expect(leafCounts(made(withValues([10, 900, 10, 10, 10, 10, 10])))).toEqual([2, 5]);
  });
});

describe('the fill percent', () => {
  /** 40 elements of 100 bytes. */
  const filled = (fillPercent: number) =>
    leafCounts(
      made((bucket) => {
        bucket.fillPercent = fillPercent;
        fill(bucket, 40, 79);
      }),
    );

  test.each([
    [0.1, [...Array(15).fill(2), 10]],
    [0.5, [...Array(8).fill(4), 8]],
    [0.9, [9, 9, 9, 9, 4]],
    [1, [10, 10, 10, 10]],
  ])('%d decides how much goes on a page', (fillPercent, counts) => {
    expect(filled(fillPercent)).toEqual(counts);
  });

  test.each([
    [0, 0.1],
    [-3, 0.1],
    [1.5, 1],
    [1000, 1],
  ])('%d counts as %d', (given, used) => {
    expect(filled(given)).toEqual(filled(used));
  });

  test('must be a number', () => {
    made((bucket) => {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => {
          bucket.fillPercent = value;
        }).toThrow(expect.objectContaining({ code: 'USAGE' }));
      }
      expect(bucket.fillPercent).toBe(0.5);
    });
  });

  test('is that of one bucket in one transaction, and not stored', () => {
    const database = made((bucket) => {
      bucket.fillPercent = 1;
    });
    database.db.update((tx) => {
      expect(tx.bucket('b')?.fillPercent).toBe(0.5);
      expect(tx.createBucket('c').fillPercent).toBe(0.5);
    });
  });

  test('of random inserts leaves pages about as full as it says', () => {
    const database = made((bucket) => {
      bucket.fillPercent = 0.9;
      for (let i = 0; i < 2000; i++) bucket.put(numbered((i * 7919) % 2000), new Uint8Array(79));
    });
    const pages = expectHealthy(database);
    const leaves = pages.leaves('b');
    expect(leaves.length).toBe(Math.ceil(2000 / 9));
  });
});

describe('levels', () => {
  test('several are made at once when one transaction puts very much', () => {
    const database = made((bucket) => fill(bucket, 3000, 10), 256);
    const pages = expectHealthy(database);
    let depth = 1;
    for (let page = pages.bucket('b').root; pages.flags(page) === 1; depth++)
      page = pages.branchElements(page)[0].child;
    expect(depth).toBeGreaterThanOrEqual(5);
    expect(database.db.reader().requireBucket('b').stats().keyN).toBe(3000);
  });

  test('one more is made when the root becomes too large in a later transaction', () => {
    const database = made((bucket) => fill(bucket, 20, 98));
    const before = expectHealthy(database).branches('b').length;
    for (let from = 20; expectHealthy(database).branches('b').length === before; from += 20) {
      database.db.update((tx) => fill(tx.bucket('b') as TxBucket, 20, 98, from));
      expect(from).toBeLessThan(2000);
    }
    expect(expectHealthy(database).branches('b').length).toBe(3);
  });

  test('a split in the middle keeps all keys in order', () => {
    const database = made((bucket) => {
      for (let i = 0; i < 400; i += 2) bucket.put(numbered(i), new Uint8Array(60));
    }, 512);
    database.db.update((tx) => {
      for (let i = 1; i < 400; i += 2) tx.bucket('b')?.put(numbered(i), new Uint8Array(60));
    });
    const keys: string[] = [];
    database.db.view((tx) => tx.bucket('b')?.forEach((key) => void keys.push(new TextDecoder().decode(key))));
    expect(keys).toEqual(Array.from({ length: 400 }, (_, i) => numbered(i)));
    expectHealthy(database);
  });

  test('a first key that becomes smaller changes the key in the branch above', () => {
    const database = made((bucket) => fill(bucket, 20, 98, 100));
    database.db.update((tx) => tx.bucket('b')?.put('a', 'first'));
    const pages = expectHealthy(database);
    const [first] = pages.branchElements(pages.bucket('b').root);
    expect(new TextDecoder().decode(first.key)).toBe('a');
  });
});

describe('a page has at most 65,534 elements', () => {
  // bbolt ends in a panic here.
  const short = (i: number) => new Uint8Array([i >> 16, i >> 8, i]);

  test('of pages that would have room for more', { timeout: 60_000 }, () => {
    const database = newDb({ pageSize: 4 << 20, noSync: true });
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (let i = 0; i < 150_000; i++) bucket.put(short(i), '');
    });
    expect(leafCounts(database)).toEqual([65_534, 65_534, 18_932]);
  });

  test('an inline bucket too: with more it gets pages of its own', { timeout: 60_000 }, () => {
    const database = newDb({ pageSize: 8 << 20, noSync: true });
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (let i = 0; i < 65_535; i++) bucket.put(short(i), '');
    });
    expect(leafCounts(database)).toEqual([65_532, 3]);
    database.db.update((tx) => tx.bucket('b')?.delete(short(0)));
    const pages = expectHealthy(database);
    expect(pages.bucket('b').root).toBe(0);
    expect(pages.entries('b').length).toBe(65_534);
  });
});
