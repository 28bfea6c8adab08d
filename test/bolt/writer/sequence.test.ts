// The counter of a bucket.
import { describe, expect, test } from 'vitest';
import { code, contentOf, expectHealthy, fill, newDb, pagesOf } from '../../support/writer-db.ts';

describe('the sequence of a bucket', () => {
  test('is 0 at first, and can be set and read', () => {
    const { db } = newDb();
    db.update((tx) => {
      const bucket = tx.createBucket('b');
      expect(bucket.sequence).toBe(0n);
      bucket.setSequence(1000n);
      expect(bucket.sequence).toBe(1000n);
    });
    db.view((tx) => expect(tx.bucket('b')?.sequence).toBe(1000n));
  });

  test('nextSequence counts from where it was, each bucket for itself', () => {
    const { db } = newDb();
    db.update((tx) => {
      const a = tx.createBucket('a');
      const b = tx.createBucket('b');
      expect([a.nextSequence(), a.nextSequence(), b.nextSequence()]).toEqual([1n, 2n, 1n]);
      b.setSequence(41n);
      expect(b.nextSequence()).toBe(42n);
    });
    db.update((tx) => expect(tx.bucket('a')?.nextSequence()).toBe(3n));
  });

  test.each([
    ['an inline bucket', 1],
    ['a bucket with a page', 30],
    ['a bucket with branches', 500],
  ])('is kept when it is all that was changed: %s', (_name, keys) => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), keys, 100));
    const content = contentOf(database);
    database.db.update((tx) => expect(tx.bucket('b')?.nextSequence()).toBe(1n));
    expect(database.db.view((tx) => tx.bucket('b')?.sequence)).toBe(1n);
    const { headerAt } = pagesOf(database).bucket('b');
    expect(pagesOf(database).u64(headerAt + 8)).toBe(1n);
    expect(contentOf(database)).toEqual(content);
    expectHealthy(database);
  });

  test('of a nested bucket is kept, the outer one only passed', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('a').createBucket('b'));
    database.db.update((tx) => tx.bucket('a')?.bucket('b')?.nextSequence());
    expect(database.db.reader().requireBucket(['a', 'b']).sequence).toBe(1n);
    expectHealthy(database);
  });

  test('has 64 bits: the largest is followed by 0, and what does not fit is refused', () => {
    const { db } = newDb();
    db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.setSequence(0xffff_ffff_ffff_ffffn);
      expect(bucket.nextSequence()).toBe(0n);
      expect(() => bucket.setSequence(0x1_0000_0000_0000_0000n)).toThrow(code('USAGE'));
      expect(() => bucket.setSequence(-1n)).toThrow(code('USAGE'));
    });
  });

  test('is given back by a rollback', () => {
    const { db } = newDb();
    db.update((tx) => tx.createBucket('b').setSequence(5n));
    const tx = db.begin({ writable: true });
    tx.bucket('b')?.setSequence(9n);
    tx.rollback();
    db.view((reader) => expect(reader.bucket('b')?.sequence).toBe(5n));
  });

  test('cannot be changed by a reader, nor of the root bucket, nor after the end', () => {
    const { db } = newDb();
    db.update((tx) => {
      tx.createBucket('b');
      expect(() => tx.root.nextSequence()).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
    });
    const reader = db.begin();
    const bucket = reader.bucket('b');
    expect(() => bucket?.nextSequence()).toThrow(code('BOLT_TX_NOT_WRITABLE'));
    expect(() => bucket?.setSequence(1n)).toThrow(code('BOLT_TX_NOT_WRITABLE'));
    reader.rollback();
    expect(() => bucket?.nextSequence()).toThrow(code('BOLT_TX_CLOSED'));
    expect(() => bucket?.sequence).toThrow(code('BOLT_TX_CLOSED'));
  });
});
