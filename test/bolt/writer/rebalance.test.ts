// What happens to pages from which keys were deleted.
import { describe, expect, test } from 'vitest';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { boltFile, branch, bucket, leaf, type Page } from '../../support/bolt-pages.ts';
import { code, contentOf, expectHealthy, fill, newDb, numbered, openDb, type TestDb } from '../../support/writer-db.ts';

/** Pages of 1024 bytes; bucket `b` has leaves of 4, 4, 4 and 8 elements of 119 bytes under one branch. */
function fourLeaves(): TestDb {
  const database = newDb({ pageSize: 1024 });
  database.db.update((tx) => fill(tx.createBucket('b'), 20, 98));
  expect(leafCounts(database)).toEqual([4, 4, 4, 8]);
  return database;
}

function leafCounts(database: TestDb): number[] {
  const pages = expectHealthy(database);
  return pages.leaves('b').map((page) => pages.count(page));
}

function deleteKeys(database: TestDb, from: number, to: number, fillPercent = 0.5): void {
  database.db.update((tx) => {
    const found = tx.bucket('b');
    if (found === undefined) return;
    found.fillPercent = fillPercent;
    for (let i = from; i < to; i++) found.delete(numbered(i));
  });
}

describe('a leaf that has become small', () => {
  test('of more than a quarter of a page is left alone', () => {
    const database = fourLeaves();
    deleteKeys(database, 4, 5);
    expect(leafCounts(database)).toEqual([4, 3, 4, 8]); // 16 + 3 × 119 > 256
  });

  test('of a quarter of a page or less is merged with its left neighbour', () => {
    const database = fourLeaves();
    deleteKeys(database, 4, 6);
    expect(leafCounts(database)).toEqual([6, 4, 8]); // 16 + 2 × 119 ≤ 256
  });

  test('the first is merged with its right neighbour', () => {
    const database = fourLeaves();
    deleteKeys(database, 0, 2);
    expect(leafCounts(database)).toEqual([6, 4, 8]);
    const pages = expectHealthy(database);
    const [first] = pages.branchElements(pages.bucket('b').root);
    expect(new TextDecoder().decode(first.key)).toBe('k0002');
  });

  test('of a quarter of a page exactly is merged, with one byte more it is not', () => {
    for (const [length, counts] of [
      [100, [6, 4, 8]], // 16 + 119 + 121 = 256
      [101, [4, 2, 4, 8]],
    ] as const) {
      const database = fourLeaves();
      database.db.update((tx) => tx.bucket('b')?.put('k0007', new Uint8Array(length)));
      deleteKeys(database, 4, 6);
      expect(leafCounts(database)).toEqual(counts);
    }
  });

  test('the bound follows the fill percent', () => {
    const database = fourLeaves();
    deleteKeys(database, 4, 5, 1);
    expect(leafCounts(database)).toEqual([7, 4, 8]); // 16 + 3 × 119 ≤ 512
  });

  test('that is empty goes, whatever its neighbours', () => {
    const database = fourLeaves();
    deleteKeys(database, 4, 8);
    expect(leafCounts(database)).toEqual([4, 4, 8]);
  });

  test('merged with a large one is split again', () => {
    const database = fourLeaves();
    database.db.update((tx) => tx.bucket('b')?.put('k0011', new Uint8Array(798)));
    expect(leafCounts(database)).toEqual([4, 4, 4, 8]);
    deleteKeys(database, 12, 18);
    expect(leafCounts(database)).toEqual([4, 4, 3, 3]);
  });

  test('what is put and deleted again in one transaction leaves the pages as they were', () => {
    const database = fourLeaves();
    database.db.update((tx) => {
      for (let i = 100; i < 200; i++) tx.bucket('b')?.put(numbered(i), new Uint8Array(98));
      for (let i = 100; i < 200; i++) tx.bucket('b')?.delete(numbered(i));
    });
    expect(leafCounts(database)).toEqual([4, 4, 4, 8]);
  });
});

describe('the root', () => {
  test('with one child left becomes that child', () => {
    const database = fourLeaves();
    deleteKeys(database, 4, 20);
    const pages = expectHealthy(database);
    expect([leafCounts(database), pages.branches('b')]).toEqual([[4], []]);
  });

  test('of several levels: all keys but one, the first, the last or one in the middle', () => {
    for (const kept of [0, 321, 999]) {
      const database = newDb({ pageSize: 512 });
      database.db.update((tx) => fill(tx.createBucket('b'), 1000, 60));
      expect(expectHealthy(database).branches('b').length).toBeGreaterThan(10);
      database.db.update((tx) => {
        for (let i = 0; i < 1000; i++) if (i !== kept) tx.bucket('b')?.delete(numbered(i));
      });
      expect(Object.keys(contentOf(database)['b'] as object)).toEqual([numbered(kept)]);
      expectHealthy(database);
      // Whatever levels are left go with further changes.
      database.db.update((tx) => tx.bucket('b')?.delete(numbered(kept)));
      expect(contentOf(database)).toEqual({ b: {} });
      expect(expectHealthy(database).bucketPages('b')).toEqual([]);
    }
  });

  test('all keys in one transaction leave an empty inline bucket', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => fill(tx.createBucket('b'), 1000, 60));
    deleteKeys(database, 0, 1000);
    const pages = expectHealthy(database);
    expect([pages.bucket('b').root, pages.bucket('b').item.valueSize]).toEqual([0, 32]);
  });

  test('level by level, key by key from either end, the file stays healthy', () => {
    for (const order of [(i: number) => i, (i: number) => 299 - i]) {
      const database = newDb({ pageSize: 256, noSync: true });
      database.db.update((tx) => fill(tx.createBucket('b'), 300, 20));
      for (let i = 0; i < 300; i += 10) {
        database.db.update((tx) => {
          for (let k = i; k < i + 10; k++) tx.bucket('b')?.delete(numbered(order(k)));
        });
        expectHealthy(database);
      }
      expect(contentOf(database)).toEqual({ b: {} });
    }
  });

  test('bucket of buckets: deleting all but one of many buckets', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => {
      for (let i = 0; i < 200; i++) tx.createBucket(numbered(i)).put('k', 'v');
    });
    database.db.update((tx) => {
      for (let i = 0; i < 200; i++) if (i !== 77) tx.deleteBucket(numbered(i));
    });
    expect(contentOf(database)).toEqual({ k0077: { k: 'v' } });
    const pages = expectHealthy(database);
    expect(pages.flags(pages.root)).toBe(2);
  });
});

describe('trees that only surgery leaves', () => {
  /** A file of 512-byte pages whose bucket `b` begins at page 3. */
  const file = (pages: Record<number, Page>) => openDb(boltFile({ 2: leaf(bucket('b', 3)), ...pages }));
  const large = 'x'.repeat(100);

  test('a branch with a single child is left as it is, since there is nothing to merge with', () => {
    const database = file({ 3: branch(['a', 4]), 4: leaf(['a', large], ['b', large]) });
    database.db.update((tx) => tx.bucket('b')?.delete('a'));
    expect(contentOf(database)).toEqual({ b: { b: large } });
    database.db.update((tx) => tx.bucket('b')?.delete('b'));
    expect(contentOf(database)).toEqual({ b: {} });
    expect(expectHealthy(database, 'BOLT_BRANCH_ONE_CHILD').bucketPages('b')).toEqual([]);
  });

  test('single children over several levels', () => {
    const pages = () => ({
      3: branch(['a', 4], ['m', 6]),
      4: branch(['a', 5]),
      5: leaf(['a', large], ['b', large]),
      6: branch(['m', 7]),
      7: leaf(['m', large]),
    });
    for (const keys of [['a'], ['a', 'b'], ['m'], ['b', 'm'], ['a', 'b', 'm']]) {
      const database = file(pages());
      database.db.update((tx) => {
        for (const key of keys) tx.bucket('b')?.delete(key);
      });
      const left = ['a', 'b', 'm'].filter((key) => !keys.includes(key));
      expect(Object.keys(contentOf(database)['b'] as object)).toEqual(left);
      expectHealthy(database, 'BOLT_BRANCH_ONE_CHILD');
    }
  });

  test('an empty leaf beside others is filled, or goes', () => {
    const pages = () => ({ 3: branch(['a', 4], ['h', 5]), 4: leaf(), 5: leaf(['h', large], ['k', large]) });
    const filled = file(pages());
    filled.db.update((tx) => tx.bucket('b')?.put('c', 'v'));
    expect(contentOf(filled)).toEqual({ b: { c: 'v', h: large, k: large } });
    expectHealthy(filled, 'BOLT_PREVIOUS_DAMAGED');
    const gone = file(pages());
    gone.db.update((tx) => {
      tx.bucket('b')?.put('c', 'v');
      tx.bucket('b')?.delete('c');
    });
    expect(contentOf(gone)).toEqual({ b: { h: large, k: large } });
    expectHealthy(gone, 'BOLT_PREVIOUS_DAMAGED');
  });

  test('keys in a branch that are smaller than the first key below them', () => {
    const database = file({
      3: branch(['a', 4], ['f', 5]),
      4: leaf(['c', large]),
      5: leaf(['h', large], ['k', large]),
    });
    database.db.update((tx) => {
      tx.bucket('b')?.put('g', 'v');
      tx.bucket('b')?.put('b', 'v');
    });
    expect(contentOf(database)).toEqual({ b: { b: 'v', c: large, g: 'v', h: large, k: large } });
    expectHealthy(database);
  });

  // The two merged with each other without end, until memory was used up.
  test('a page that is twice the child of one branch is not merged with itself', () => {
    // With a freelist: without one all trees are walked at once, and the file is not opened.
    const edit = new BoltEdit(
      boltFile({
        2: leaf(bucket('b', 3)),
        3: branch(['a', 4], ['m', 4]),
        4: branch(['a', 5], ['b', 6]),
        5: leaf(['a', '1']),
        6: leaf(['b', '2']),
      }),
    );
    edit.storeFreelist([]);
    const database = openDb(edit.bytes);
    const before = database.file.bytes();
    expect(() =>
      database.db.update((tx) => {
        tx.bucket('b')?.delete('a');
        tx.bucket('b')?.delete('b');
      }),
    ).toThrow(code('BOLT_DAMAGED'));
    expect(Buffer.compare(database.file.bytes(), before)).toBe(0);
  });

  test('neighbours of different kinds are not merged', () => {
    const database = file({
      3: branch(['a', 4], ['m', 5]),
      4: leaf(['a', '1'], ['b', '2']),
      5: branch(['m', 6]),
      6: leaf(['m', '3']),
    });
    expect(() => database.db.update((tx) => tx.bucket('b')?.delete('a'))).toThrow(code('BOLT_DAMAGED'));
    expect(contentOf(database)).toEqual({ b: { a: '1', b: '2', m: '3' } });
  });
});
