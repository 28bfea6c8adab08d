// Moving a bucket with everything in it.
import { describe, expect, test } from 'vitest';
import type { Transaction, TxBucket } from '../../../src/bolt/index.ts';
import { code, contentOf, expectHealthy, fill, newDb, pagesOf, type TestDb } from '../../support/writer-db.ts';

/** Finds or makes the bucket at the end of a path; the root bucket for the empty path. */
function at(tx: Transaction, path: string): TxBucket {
  let bucket = tx.root;
  for (const name of path.split('/').filter(Boolean)) bucket = bucket.createBucketIfNotExists(name);
  return bucket;
}

/** A database with these buckets; the one that is moved has a key in it and a bucket with a key. */
function withBuckets(moved: string, ...others: string[]): TestDb {
  const database = newDb({ pageSize: 512 });
  database.db.update((tx) => {
    for (const path of others) at(tx, path);
    const bucket = at(tx, moved);
    bucket.put('key', 'value');
    bucket.setSequence(5n);
    fill(bucket.createBucket('child'), 40, 40);
  });
  return database;
}

describe('a bucket is moved', () => {
  test.each([
    ['from one bucket to another', 'sb1/sb2/moved', 'sb1/sb2', 'db1/db2'],
    ['within the same bucket above', 'sb1/sb2/moved', 'sb1/sb2', 'sb1/sb3'],
    ['from the top level', 'moved', '', 'db1/db2'],
    ['to the top level', 'sb1/sb2/moved', 'sb1/sb2', ''],
    ['to the bucket above its own', 'sb1/sb2/moved', 'sb1/sb2', 'sb1'],
    ['to a bucket beside it', 'sb1/moved', 'sb1', 'sb1/beside'],
  ])('%s', (_name, path, from, to) => {
    const database = withBuckets(path, to === '' ? 'other' : to);
    database.db.update((tx) => tx.moveBucket('moved', from === '' ? undefined : at(tx, from), at(tx, to)));
    let content = contentOf(database);
    for (const name of from.split('/').filter(Boolean)) content = content[name] as typeof content;
    expect('moved' in content).toBe(from === to);
    content = contentOf(database);
    for (const name of to.split('/').filter(Boolean)) content = content[name] as typeof content;
    expect(content['moved']).toMatchObject({ key: 'value', child: { k0039: 'x'.repeat(40) } });
    expect(database.db.view((tx) => at2(tx, `${to}/moved`)?.sequence)).toBe(5n);
    expectHealthy(database);
  });

  const at2 = (tx: Transaction, path: string): TxBucket | undefined =>
    path
      .split('/')
      .filter(Boolean)
      .reduce<TxBucket | undefined>((bucket, name) => bucket?.bucket(name), tx.root);

  test('without copying its pages', () => {
    const database = withBuckets('a/moved', 'b');
    const before = pagesOf(database);
    database.db.update((tx) => tx.moveBucket('moved', at(tx, 'a'), at(tx, 'b')));
    const pages = pagesOf(database);
    expect(pages.bucketPages('b', 'moved')).toEqual(before.bucketPages('a', 'moved'));
    expect(pages.bucketPages('b', 'moved', 'child')).toEqual(before.bucketPages('a', 'moved', 'child'));
  });

  test('the handle had before goes on working, at the new place', () => {
    const database = withBuckets('a/moved', 'b');
    database.db.update((tx) => {
      const bucket = at(tx, 'a/moved');
      const cursor = bucket.cursor();
      cursor.first();
      tx.moveBucket('moved', at(tx, 'a'), at(tx, 'b'));
      expect(at(tx, 'b').bucket('moved')).toBe(bucket);
      expect(at(tx, 'a').bucket('moved')).toBeUndefined();
      bucket.put('later', 'v');
      expect(cursor.next()?.key).toEqual(new TextEncoder().encode('key'));
    });
    expect(contentOf(database)).toMatchObject({ a: {}, b: { moved: { later: 'v', key: 'value' } } });
    expectHealthy(database);
  });

  test('several times in one transaction, and back', () => {
    const database = withBuckets('a/moved', 'b', 'c');
    const before = contentOf(database);
    database.db.update((tx) => {
      tx.moveBucket('moved', at(tx, 'a'), at(tx, 'b'));
      tx.moveBucket('moved', at(tx, 'b'), at(tx, 'c'));
      tx.moveBucket('moved', at(tx, 'c'), at(tx, 'a'));
    });
    expect(contentOf(database)).toEqual(before);
    expectHealthy(database);
  });
});

describe('what was changed in it before, in the same transaction, goes along', () => {
  // bbolt moves the element as it is stored, and what was changed since is lost without a word.
  test('in a bucket with pages, in an inline one, and in one below', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => {
      fill(at(tx, 'a/paged'), 60, 40);
      at(tx, 'a/inline').put('k', 'old');
      fill(at(tx, 'a/outer/in'), 60, 40);
      at(tx, 'b');
    });
    database.db.update((tx) => {
      at(tx, 'a/paged').put('new', 'v');
      at(tx, 'a/paged').delete('k0000');
      at(tx, 'a/paged').setSequence(7n);
      at(tx, 'a/inline').put('k', 'new');
      at(tx, 'a/outer/in').put('new', 'v');
      for (const name of ['paged', 'inline', 'outer']) tx.moveBucket(name, at(tx, 'a'), at(tx, 'b'));
    });
    expect(contentOf(database)).toMatchObject({
      a: {},
      b: { paged: { new: 'v', k0001: expect.any(String) }, inline: { k: 'new' }, outer: { in: { new: 'v' } } },
    });
    expect(contentOf(database)).not.toHaveProperty('b.paged.k0000');
    expect(database.db.view((tx) => tx.bucket('b')?.bucket('paged')?.sequence)).toBe(7n);
    expectHealthy(database);
  });

  test('in a bucket that was made in the same transaction', () => {
    const database = newDb();
    database.db.update((tx) => {
      at(tx, 'a/new').put('k', 'v');
      tx.moveBucket('new', at(tx, 'a'), undefined);
    });
    expect(contentOf(database)).toEqual({ a: {}, new: { k: 'v' } });
  });
});

describe('moving and deleting', () => {
  test('the bucket it came from may be deleted: its pages stay', () => {
    const database = withBuckets('a/moved', 'b');
    database.db.update((tx) => {
      tx.moveBucket('moved', at(tx, 'a'), at(tx, 'b'));
      tx.deleteBucket('a');
    });
    expect(contentOf(database)).toMatchObject({ b: { moved: { key: 'value', child: { k0000: expect.any(String) } } } });
    expectHealthy(database);
  });

  test('the bucket it came to may be deleted: its pages go', () => {
    const database = withBuckets('a/moved', 'b');
    database.db.update((tx) => {
      const moved = at(tx, 'a/moved');
      tx.moveBucket('moved', at(tx, 'a'), at(tx, 'b'));
      tx.deleteBucket('b');
      expect(() => moved.get('key')).toThrow(code('BOLT_BUCKET_NOT_FOUND'));
    });
    expect(contentOf(database)).toEqual({ a: {} });
    expectHealthy(database);
  });
});

describe('refused, with nothing changed:', () => {
  const cases: [string, string, (tx: Transaction) => void][] = [
    ['a bucket that is not there', 'BOLT_BUCKET_NOT_FOUND', (tx) => tx.moveBucket('none', at(tx, 'a'), at(tx, 'b'))],
    ['a value', 'BOLT_INCOMPATIBLE_VALUE', (tx) => tx.moveBucket('key', at(tx, 'a/moved'), at(tx, 'b'))],
    ['to where a bucket has the name', 'BOLT_BUCKET_EXISTS', (tx) => tx.moveBucket('moved', at(tx, 'a'), at(tx, 'c'))],
    [
      'to where a value has the name',
      'BOLT_INCOMPATIBLE_VALUE',
      (tx) => tx.moveBucket('moved', at(tx, 'a'), at(tx, 'd')),
    ],
    ['to where it is', 'BOLT_SAME_BUCKET', (tx) => tx.moveBucket('moved', at(tx, 'a'), at(tx, 'a'))],
    ['from the top level to the top level', 'BOLT_SAME_BUCKET', (tx) => tx.moveBucket('a', undefined, undefined)],
    ['into itself', 'BOLT_SAME_BUCKET', (tx) => tx.moveBucket('moved', at(tx, 'a'), at(tx, 'a/moved'))],
    ['into a bucket in it', 'BOLT_SAME_BUCKET', (tx) => tx.moveBucket('a', undefined, at(tx, 'a/moved/child'))],
  ];
  test.each(cases)('%s', (_name, wanted, move) => {
    const database = withBuckets('a/moved', 'b', 'c/moved', 'd');
    database.db.update((tx) => at(tx, 'd').put('moved', 'a value'));
    const before = contentOf(database);
    database.db.update((tx) => expect(() => move(tx)).toThrow(code(wanted as 'USAGE')));
    expect(contentOf(database)).toEqual(before);
    expectHealthy(database);
  });

  test('between transactions, and between databases', () => {
    const one = withBuckets('a/moved', 'b');
    const two = withBuckets('a/moved', 'b');
    const reader = one.db.begin();
    const writer = one.db.begin({ writable: true });
    const other = two.db.begin({ writable: true });
    expect(() => writer.moveBucket('moved', at(writer, 'a'), reader.bucket('b'))).toThrow(code('BOLT_TX_NOT_WRITABLE'));
    expect(() => reader.moveBucket('moved', reader.bucket('a'), writer.bucket('b'))).toThrow(
      code('BOLT_TX_NOT_WRITABLE'),
    );
    expect(() => writer.moveBucket('moved', at(writer, 'a'), at(other, 'b'))).toThrow(code('BOLT_DIFFERENT_TX'));
    const target = at(other, 'b');
    other.rollback();
    expect(() => writer.moveBucket('moved', at(writer, 'a'), target)).toThrow(code('BOLT_TX_CLOSED'));
    writer.rollback();
    expect(() => writer.moveBucket('moved', undefined, undefined)).toThrow(code('BOLT_TX_CLOSED'));
    reader.rollback();
  });
});
