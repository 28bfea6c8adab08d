// What becomes of transactions when the database is closed, and of everything when its transaction is over.
import { describe, expect, test } from 'vitest';
import type { TxBucket } from '../../../src/bolt/index.ts';
import { code, contentOf, newDb } from '../../support/writer-db.ts';

describe('a database that was closed', () => {
  test('begins nothing any more', () => {
    const { db } = newDb();
    db.close();
    const closed = code('BOLT_CLOSED');
    expect(() => db.begin()).toThrow(closed);
    expect(() => db.begin({ writable: true })).toThrow(closed);
    expect(() => db.update(() => {})).toThrow(closed);
    expect(() => db.view(() => {})).toThrow(closed);
    expect(() => db.reader()).toThrow(closed);
  });

  test('closes its file, once', () => {
    const { db, file } = newDb();
    let closed = 0;
    Object.assign(file, { close: () => closed++ });
    db.close();
    db.close();
    db[Symbol.dispose]();
    expect(closed).toBe(1);
  });

  test('has rolled back the writer that was open', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b'));
    const writer = database.db.begin({ writable: true });
    writer.createBucket('c');
    database.db.close();
    expect(writer.closed).toBe(true);
    expect(() => writer.commit()).toThrow(code('BOLT_TX_CLOSED'));
    writer.rollback();
    expect(contentOf(database)).toEqual({ b: {} });
  });

  test('has ended the readers that were open', () => {
    const { db } = newDb();
    db.update((tx) => tx.createBucket('b'));
    const reader = db.begin();
    const bucket = reader.bucket('b');
    const rich = db.reader();
    db.close();
    expect(reader.closed).toBe(true);
    expect(() => bucket?.get('k')).toThrow(code('BOLT_TX_CLOSED'));
    expect(() => rich.bucket('b')).toThrow(code('BOLT_CLOSED'));
    reader.rollback();
    rich.close();
  });

  test('within update: the work cannot go on, and nothing is committed', () => {
    const database = newDb();
    expect(() =>
      database.db.update((tx) => {
        tx.createBucket('b');
        database.db.close();
        tx.createBucket('c');
      }),
    ).toThrow(code('BOLT_TX_CLOSED'));
    expect(contentOf(database)).toEqual({});
    const other = newDb();
    expect(() => other.db.update(() => other.db.close())).toThrow(code('BOLT_TX_CLOSED'));
  });
});

describe('after the end of a transaction', () => {
  test.each([['commit'], ['rollback']] as const)('by %s nothing of it works', (how) => {
    const { db } = newDb();
    const tx = db.begin({ writable: true });
    const bucket = tx.createBucket('b');
    bucket.put('k', 'v');
    bucket.createBucket('c');
    const cursor = bucket.cursor();
    cursor.first();
    const entries = bucket.entries();
    entries.next();
    tx[how]();
    const uses: (() => unknown)[] = [
      () => tx.bucket('b'),
      () => tx.createBucket('x'),
      () => tx.createBucketIfNotExists('b'),
      () => tx.deleteBucket('b'),
      () => tx.moveBucket('c', bucket, undefined),
      () => tx.cursor(),
      () => [...tx.buckets()],
      () => tx.onCommit(() => {}),
      () => bucket.get('k'),
      () => bucket.put('k', 'v'),
      () => bucket.delete('k'),
      () => bucket.bucket('c'),
      () => bucket.createBucket('x'),
      () => bucket.createBucketIfNotExists('c'),
      () => bucket.deleteBucket('c'),
      () => bucket.moveBucket('c', tx.root),
      () => bucket.sequence,
      () => bucket.setSequence(1n),
      () => bucket.nextSequence(),
      () => bucket.cursor(),
      () => bucket.forEach(() => {}),
      () => [...bucket.buckets()],
      () => entries.next(),
      () => cursor.first(),
      () => cursor.last(),
      () => cursor.next(),
      () => cursor.prev(),
      () => cursor.seek('k'),
      () => cursor.delete(),
    ];
    for (const use of uses) expect(use).toThrow(code('BOLT_TX_CLOSED'));
    expect(db.view((reader) => reader.bucket('b') === undefined)).toBe(how === 'rollback');
  });

  test('a bucket of update cannot be used outside it', () => {
    const { db } = newDb();
    const bucket = db.update((tx) => tx.createBucket('b')) as TxBucket;
    expect(() => bucket.put('k', 'v')).toThrow(code('BOLT_TX_CLOSED'));
    const read = db.view((tx) => tx.bucket('b')) as TxBucket;
    expect(() => read.get('k')).toThrow(code('BOLT_TX_CLOSED'));
  });
});
