// Readers beside a writer: each sees one commit, and keeps its pages.
import { describe, expect, test } from 'vitest';
import type { BoltDb, Transaction, TxBucket } from '../../../src/bolt/index.ts';
import { seededRandom } from '../../support/faulty.ts';
import {
  code,
  contentOf,
  expectHealthy,
  fill,
  newDb,
  numbered,
  pagesOf,
  type TestDb,
} from '../../support/writer-db.ts';

/** All pairs of bucket `b` as a transaction or a reader sees them. */
function seen(reader: Transaction | BoltDb): Record<string, number> {
  const pairs: Record<string, number> = {};
  const bucket = reader.bucket('b');
  bucket?.forEach((key, value) => {
    pairs[new TextDecoder().decode(key)] = value?.[0] ?? -1;
  });
  return pairs;
}

/** Rewrites half of the keys, with the number of the transaction as value. */
function churn(database: TestDb, keys = 60): Record<string, number> {
  database.db.update((tx) => {
    const bucket = tx.createBucketIfNotExists('b');
    for (let i = Number(tx.txid) % 2; i < keys; i += 2) {
      bucket.put(numbered(i), new Uint8Array(40).fill(Number(tx.txid)));
    }
  });
  return database.db.view(seen);
}

describe('a reader', () => {
  test('sees the commit it began at, whatever is committed later', () => {
    const database = newDb({ pageSize: 512 });
    const states: { reader: Transaction; state: Record<string, number> }[] = [];
    for (let i = 0; i < 12; i++) {
      const state = churn(database);
      states.push({ reader: database.db.begin(), state });
    }
    for (const { reader, state } of states) expect(seen(reader)).toEqual(state);
    expectHealthy(database);
    for (const { reader } of states) reader.rollback();
  });

  test('may be had as a database with everything that only reads, of the same commit', () => {
    const database = newDb({ pageSize: 512 });
    const state = churn(database);
    const reader = database.db.reader();
    const stats = reader.stats();
    const pages = [...reader.pages()];
    for (let i = 0; i < 5; i++) churn(database, 200);
    expect([reader.txid, seen(reader), reader.stats(), [...reader.pages()]]).toEqual([2n, state, stats, pages]);
    reader.close();
    expect(() => reader.bucket('b')).toThrow(code('BOLT_CLOSED'));
  });

  test('that began while a writer was open sees nothing of it, before and after the commit', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', 'old'));
    const writer = database.db.begin({ writable: true });
    writer.bucket('b')?.put('k', 'new');
    const reader = database.db.begin();
    const value = () => new TextDecoder().decode(reader.bucket('b')?.get('k'));
    expect(value()).toBe('old');
    writer.commit();
    expect(value()).toBe('old');
    expect(reader.txid).toBe(2n);
    reader.rollback();
  });

  test('cannot change anything', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').createBucket('c'));
    const reader = database.db.begin();
    const bucket = reader.bucket('b') as TxBucket;
    const refused = code('BOLT_TX_NOT_WRITABLE');
    expect(() => reader.createBucket('x')).toThrow(refused);
    expect(() => reader.createBucketIfNotExists('b')).toThrow(refused);
    expect(() => reader.deleteBucket('b')).toThrow(refused);
    expect(() => reader.moveBucket('c', bucket, undefined)).toThrow(refused);
    expect(() => bucket.put('k', 'v')).toThrow(refused);
    expect(() => bucket.delete('k')).toThrow(refused);
    expect(() => bucket.createBucket('x')).toThrow(refused);
    expect(() => bucket.deleteBucket('c')).toThrow(refused);
    reader.rollback();
  });
});

describe('pages of a reader', () => {
  test('are not used again while it is there, and are when it has gone', () => {
    const database = newDb({ pageSize: 512 });
    churn(database);
    const own = pagesOf(database).bucketPages('b');
    const reader = database.db.begin();
    for (let i = 0; i < 10; i++) {
      churn(database);
      expect(
        pagesOf(database)
          .bucketPages('b')
          .filter((page) => own.includes(page)),
      ).toEqual([]);
    }
    reader.rollback();
    churn(database);
    const reused = pagesOf(database)
      .bucketPages('b')
      .filter((page) => own.includes(page));
    expect(reused.length).toBeGreaterThan(0);
  });

  test('closing a database had by reader() gives them free, once', () => {
    const database = newDb({ pageSize: 512 });
    churn(database);
    const [first, second] = [database.db.reader(), database.db.reader()];
    churn(database);
    churn(database);
    first.close();
    first.close();
    const before = database.db.freePageCount;
    churn(database);
    // The second one is at the same commit and keeps the pages.
    expect(seen(second)).toMatchObject({ k0000: 2 });
    second.close();
    churn(database);
    expect(database.db.freePageCount).toBeGreaterThan(before);
  });

  test('that came and went between two readers are used again, though both are still there', () => {
    const database = newDb({ pageSize: 512 });
    churn(database);
    // As in bbolt, only of pages that were free before is it known who took them; so there must be enough of those.
    database.db.update((tx) => fill(tx.createBucket('room'), 600, 100));
    database.db.update((tx) => tx.deleteBucket('room'));
    churn(database);
    const mark = database.db.highWaterMark;
    const readers = [database.db.begin()];
    for (let i = 0; i < 30; i++) churn(database);
    readers.push(database.db.begin());
    const states = readers.map(seen);
    for (let i = 0; i < 30; i++) churn(database);
    // Were they kept until the first reader ends, these commits would have taken a thousand pages and more.
    expect(database.db.highWaterMark).toBe(mark);
    expect(readers.map(seen)).toEqual(states);
    for (const reader of readers) reader.rollback();
    churn(database);
    churn(database);
    expect(database.db.pendingPageCount).toBeLessThan(60);
    expectHealthy(database);
  });

  test('many readers and writers in turn, seeded: every reader sees its state to its end', () => {
    for (const seed of [1, 2, 3, 4]) {
      const random = seededRandom(seed);
      const database = newDb({ pageSize: 512, noFreelistSync: seed % 2 === 0, noSync: true });
      const open: { reader: Transaction | BoltDb; state: Record<string, number> }[] = [];
      const end = ({ reader, state }: (typeof open)[number]) => {
        expect(seen(reader)).toEqual(state);
        if ('rollback' in reader) reader.rollback();
        else reader.close();
      };
      for (let i = 0; i < 120; i++) {
        const state = churn(database, 20 + Math.floor(random() * 60));
        if (random() < 0.4) open.push({ reader: random() < 0.5 ? database.db.begin() : database.db.reader(), state });
        if (random() < 0.4 && open.length > 0) end(open.splice(Math.floor(random() * open.length), 1)[0]);
        if (i % 30 === 0) expectHealthy(database);
      }
      for (const reader of open) end(reader);
      expectHealthy(database);
    }
  });
});

describe('a transaction that failed', () => {
  test('beside readers leaves their pages and the free pages as they were', () => {
    const database = newDb({ pageSize: 512 });
    for (let i = 0; i < 4; i++) churn(database);
    const reader = database.db.begin();
    const state = seen(reader);
    for (let i = 0; i < 10; i++) {
      const tx = database.db.begin({ writable: true });
      fill(tx.bucket('b') as TxBucket, 100, 40);
      tx.rollback();
      churn(database);
    }
    expect(seen(reader)).toEqual(state);
    reader.rollback();
    expect(Object.keys(contentOf(database)['b'] as object).length).toBe(60);
    expectHealthy(database);
  });
});
