// Free pages in the file: the stored list, and none.
import { describe, expect, test } from 'vitest';
import { encodeFreelist, freelistPages } from '../../../src/bolt/encode-page.ts';
import { openBolt, type TxBucket } from '../../../src/bolt/index.ts';
import { sparseSource } from '../../support/bolt-builder.ts';
import { boltFile, freelist, leaf } from '../../support/bolt-pages.ts';
import {
  code,
  contentOf,
  expectHealthy,
  expectSameBytes,
  fill,
  newDb,
  openDb,
  pagesOf,
  storedIds,
  type TestDb,
} from '../../support/writer-db.ts';

describe('the pages of a freelist', () => {
  test.each([
    [0, 1],
    [509, 1],
    [510, 2], // fills a page exactly, and takes one more all the same
    [511, 2],
    [1022, 3],
    [65_534, 129], // fills 128 pages exactly
    [65_535, 129], // from here on with the number in front
    [65_536, 129],
    [66_046, 130], // 129 pages exactly, with the number
  ])('%d ids take %d pages of 4096 bytes', (count, pages) => {
    expect(freelistPages(count, 4096)).toBe(pages);
  });

  test.each([[0], [1], [510], [511], [65_534], [65_535], [65_536]])('%d ids are read as they were written', (count) => {
    const pages = freelistPages(count, 4096);
    const list = Array.from({ length: count }, (_, i) => 3 + pages + 2 * i);
    const bytes = encodeFreelist(2, pages, 4096, count, list);
    expect(bytes.length).toBe(pages * 4096);
    const view = new DataView(bytes.buffer);
    const escaped = count >= 65_535;
    expect([view.getBigUint64(0, true), view.getUint16(8, true), view.getUint16(10, true)]).toEqual([
      2n,
      0x10,
      escaped ? 0xffff : count,
    ]);
    expect(view.getUint32(12, true)).toBe(pages - 1);
    if (escaped) expect(view.getBigUint64(16, true)).toBe(BigInt(count));
    // Put into a file, the reader finds them.
    const root = 2 + pages;
    const highWaterMark = root + 2 + 2 * count;
    const file = boltFile({ [root]: leaf() }, { pageSize: 4096, freelist: 2, root, highWaterMark });
    file.set(bytes, 2 * 4096);
    const free = openBolt(sparseSource(highWaterMark * 4096, new Map([[0, file]]))).freelist();
    expect([free.pageId, free.overflow, free.count]).toEqual([2, pages - 1, count]);
    expect([...free.ids()]).toEqual(list);
  });

  test('an id beyond 32 bits keeps all its bits', () => {
    const view = new DataView(encodeFreelist(2, 1, 4096, 1, [2 ** 40 + 3]).buffer);
    expect(view.getBigUint64(16, true)).toBe(2n ** 40n + 3n);
  });
});

describe('the stored freelist', () => {
  test('names free and pending pages, never its own', () => {
    const database = newDb();
    for (let i = 0; i < 20; i++) {
      database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 10 + i, 300));
      const pages = expectHealthy(database);
      expect(storedIds(pages)).not.toContain(pages.freelist);
      expect(storedIds(pages).length).toBe(database.db.freePageCount + database.db.pendingPageCount);
    }
  });

  test('with a reader: pages that are kept for it are named too', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 100, 300));
    const reader = database.db.begin();
    for (let i = 0; i < 5; i++) database.db.update((tx) => fill(tx.bucket('b') as TxBucket, 100, 300 + i));
    expect(database.db.pendingPageCount).toBeGreaterThan(20);
    expectHealthy(database);
    reader.rollback();
  });

  test('of more than 65,535 pages is written, read again and used', { timeout: 60_000 }, () => {
    const database = newDb({ pageSize: 512, noSync: true });
    database.db.update((tx) => {
      tx.createBucket('large').put('k', new Uint8Array(70_000 * 512));
      tx.createBucket('b').put('k', 'v');
    });
    database.db.update((tx) => tx.deleteBucket('large'));
    const pages = pagesOf(database);
    expect(pages.count(pages.freelist as number)).toBe(0xffff);
    expect(storedIds(pages).length).toBeGreaterThan(70_000);
    const again = openDb(database.file.bytes());
    expect(again.db.freePageCount).toBe(storedIds(pages).length);
    again.db.update((tx) => tx.createBucket('large').put('k', new Uint8Array(69_000 * 512)));
    expect(again.db.highWaterMark - database.db.highWaterMark).toBeLessThan(1200);
    expect(contentOf(again)['b']).toEqual({ k: 'v' });
    expectHealthy(again);
  });
});

describe('pages that a transaction freed', () => {
  const twice = (database: TestDb) => {
    database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 100, 300));
    return database.db.highWaterMark;
  };

  test('are not used by itself, but by the next one', () => {
    const database = newDb();
    twice(database);
    const first = new Set(pagesOf(database).bucketPages('b'));
    twice(database);
    expect(
      pagesOf(database)
        .bucketPages('b')
        .some((page) => first.has(page)),
    ).toBe(false);
    const mark = database.db.highWaterMark;
    twice(database);
    expect(
      pagesOf(database)
        .bucketPages('b')
        .some((page) => first.has(page)),
    ).toBe(true);
    expect(database.db.highWaterMark).toBe(mark);
  });

  test('the file does not grow when the same is written again and again', () => {
    const database = newDb();
    for (let i = 0; i < 4; i++) twice(database);
    const mark = database.db.highWaterMark;
    for (let i = 0; i < 50; i++) expect(twice(database)).toBe(mark);
  });

  test('keep the state before whole: the file can go back one transaction', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 100, 300));
    for (let i = 0; i < 6; i++) {
      const before = contentOf(database);
      database.db.update((tx) => tx.bucket('b')?.put(`new${i}`, 'v'));
      const edit = pagesOf(database);
      edit.bytes.fill(0, edit.at(edit.newerMeta), edit.at(edit.newerMeta + 1));
      const back = openDb(edit.bytes);
      expect(contentOf(back)).toEqual(before);
    }
  });
});

describe('with and without a stored list', () => {
  test('a commit keeps to what the file has, unless told otherwise', () => {
    const stored = newDb();
    stored.db.update((tx) => tx.createBucket('b'));
    expect(pagesOf(stored).freelist).toBeDefined();
    const none = openDb(stored.file.bytes(), { noFreelistSync: true });
    none.db.update((tx) => tx.createBucket('c'));
    expect(pagesOf(none).freelist).toBeUndefined();
    const still = openDb(none.file.bytes());
    still.db.update((tx) => tx.createBucket('d'));
    expect(pagesOf(still).freelist).toBeUndefined();
    const again = openDb(still.file.bytes(), { noFreelistSync: false });
    again.db.update((tx) => tx.createBucket('e'));
    expect(pagesOf(again).freelist).toBeDefined();
    expect(Object.keys(contentOf(again))).toEqual(['b', 'c', 'd', 'e']);
    for (const database of [stored, none, still, again]) expectHealthy(database);
  });

  test('a new database without one stores none from its first commit on', () => {
    const database = newDb({ noFreelistSync: true });
    expect(pagesOf(database).freelist).toBe(2);
    database.db.update((tx) => tx.createBucket('b'));
    expect(pagesOf(database).freelist).toBeUndefined();
    expectHealthy(database);
  });

  test('opening writes nothing, whichever way', () => {
    for (const made of [newDb({ noFreelistSync: true }), newDb()]) {
      made.db.update((tx) => fill(tx.createBucket('b'), 100, 100));
      for (const noFreelistSync of [true, false, undefined]) {
        const { db, file } = openDb(made.file.bytes(), { noFreelistSync });
        db.view((tx) => tx.bucket('b')?.get('k0000'));
        db.close();
        expectSameBytes(file.bytes(), made.file.bytes());
      }
    }
  });

  test('the free pages found by walking are those that a list would name', () => {
    const database = newDb({ pageSize: 512 });
    for (let i = 0; i < 10; i++) {
      database.db.update((tx) => {
        fill(tx.createBucketIfNotExists('b'), 50 + i * 10, 100);
        fill(tx.createBucketIfNotExists('c').createBucketIfNotExists('d'), 30, 50 + 30 * i);
      });
    }
    database.db.update((tx) => tx.deleteBucket('c'));
    const stored = storedIds(pagesOf(database));
    const none = openDb(database.file.bytes(), { noFreelistSync: true });
    none.db.update(() => {});
    const walked = openDb(none.file.bytes());
    // The pages of the list itself have become free.
    const first = pagesOf(database).freelist as number;
    const own = Array.from({ length: 1 + pagesOf(database).overflow(first) }, (_, i) => first + i);
    expect([...walked.db.reader().freelist().ids()]).toEqual([...stored, ...own].sort((a, b) => a - b));
    expect(walked.db.freePageCount).toBe(stored.length + own.length);
  });

  test('two databases that differ in nothing else have the same content and go on alike', () => {
    const databases = [newDb({ pageSize: 512 }), newDb({ pageSize: 512, noFreelistSync: true })];
    for (const database of databases) {
      for (let i = 0; i < 20; i++) {
        database.db.update((tx) => {
          const bucket = tx.createBucketIfNotExists('b');
          fill(bucket, 20, 40 + i, i * 10);
          if (i % 3 === 0) bucket.delete(`k00${i}0`);
        });
        expectHealthy(database);
      }
    }
    expect(contentOf(databases[0])).toEqual(contentOf(databases[1]));
  });
});

describe('a list that cannot be believed keeps the database from being opened for writing:', () => {
  const file = (...ids: number[]) => boltFile({ 2: leaf(), 3: freelist(...ids), 9: leaf() }, { freelist: 3, root: 2 });

  test.each([
    ['a page twice', [5, 6, 5]],
    ['its own page', [3, 5]],
    ['the root page', [2, 5]],
    ['a meta', [1, 5]],
    ['a page that is none', [5, 10]],
    ['no page at all', [5, 2 ** 40]],
  ])('%s', (_name, ids) => {
    expect(() => openDb(file(...ids))).toThrow(code('BOLT_DAMAGED'));
  });

  test('in any order it is as good as sorted', () => {
    const { db } = openDb(file(7, 5, 8, 6));
    expect(db.freePageCount).toBe(4);
  });

  test('a page of another kind in its place', () => {
    expect(() => openDb(boltFile({ 2: leaf(), 3: leaf() }, { freelist: 3, root: 2 }))).toThrow(code('BOLT_DAMAGED'));
  });

  test('damage that hides which pages are in use, when there is no list', () => {
    const edit = pagesOf({ db: newDb().db, file: wholeWithoutList().file });
    const [leafPage] = edit.leaves('b');
    edit.setU16(edit.at(leafPage, 8), 0x40);
    expect(() => openDb(edit.bytes)).toThrow(code('BOLT_DAMAGED'));
  });

  function wholeWithoutList(): TestDb {
    const database = newDb({ noFreelistSync: true });
    database.db.update((tx) => fill(tx.createBucket('b'), 100, 100));
    return database;
  }
});
