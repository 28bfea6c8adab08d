// Buckets: making, finding, nesting and deleting them.
import { describe, expect, test } from 'vitest';
import type { TxBucket } from '../../../src/bolt/index.ts';
import { code, contentOf, expectHealthy, fill, newDb, numbered, pagesOf } from '../../support/writer-db.ts';

describe('making a bucket', () => {
  test('it is there at once, empty, and after the commit', () => {
    const database = newDb();
    database.db.update((tx) => {
      const made = tx.createBucket('b');
      expect(tx.bucket('b')).toBe(made);
      expect([made.inline, made.rootPage, made.sequence, [...made.entries()]]).toEqual([true, 0, 0n, []]);
    });
    expect(contentOf(database)).toEqual({ b: {} });
    expect(database.db.view((tx) => tx.bucket('b')?.name)).toEqual(new TextEncoder().encode('b'));
  });

  test('createBucketIfNotExists makes it once', () => {
    const database = newDb();
    database.db.update((tx) => {
      const made = tx.createBucketIfNotExists('b');
      made.put('k', 'v');
      expect(tx.createBucketIfNotExists('b')).toBe(made);
    });
    database.db.update((tx) => tx.createBucketIfNotExists('b').put('k2', 'v2'));
    expect(contentOf(database)).toEqual({ b: { k: 'v', k2: 'v2' } });
  });

  test('twice is refused, in the same transaction and in a later one', () => {
    const { db } = newDb();
    db.update((tx) => {
      tx.createBucket('b');
      expect(() => tx.createBucket('b')).toThrow(code('BOLT_BUCKET_EXISTS'));
    });
    db.update((tx) => expect(() => tx.createBucket('b')).toThrow(code('BOLT_BUCKET_EXISTS')));
  });

  test('needs a name', () => {
    newDb().db.update((tx) => {
      expect(() => tx.createBucket('')).toThrow(code('BOLT_BUCKET_NAME_REQUIRED'));
      expect(() => tx.createBucketIfNotExists('')).toThrow(code('BOLT_BUCKET_NAME_REQUIRED'));
      expect(() => tx.createBucket('b').createBucket(new Uint8Array(0))).toThrow(code('BOLT_BUCKET_NAME_REQUIRED'));
    });
  });

  test('a name may be longer than a key may', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('n'.repeat(40_000)).put('k', 'v'));
    expect(contentOf(database)).toEqual({ ['n'.repeat(40_000)]: { k: 'v' } });
    expectHealthy(database);
    database.db.update((tx) => {
      expect(() => tx.createBucket(new Uint8Array(0x100_0001))).toThrow(code('BOLT_KEY_TOO_LARGE'));
    });
  });

  test('130,000 in one transaction', { timeout: 60_000 }, () => {
    // All are in use at the commit: more than the arguments a call can have.
    const database = newDb({ noSync: true });
    database.db.update((tx) => {
      for (let i = 0; i < 130_000; i++) tx.createBucket(numbered(i, 6));
    });
    expect(database.db.view((tx) => tx.cursor().last()?.key)).toEqual(new TextEncoder().encode('k129999'));
  });
});

describe('names and values', () => {
  test('a bucket where a value is, a value where a bucket is: refused', () => {
    const database = newDb();
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.put('value', 'v');
      bucket.createBucket('inner');
      expect(bucket.bucket('value')).toBeUndefined();
      expect(() => bucket.createBucket('value')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      expect(() => bucket.createBucketIfNotExists('value')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      expect(() => bucket.deleteBucket('value')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      expect(() => bucket.put('inner', 'v')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      expect(() => bucket.delete('inner')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
    });
    expect(contentOf(database)).toEqual({ b: { value: 'v', inner: {} } });
  });

  test('the root bucket holds buckets only', () => {
    const database = newDb();
    database.db.update((tx) => {
      tx.createBucket('b');
      expect(() => tx.root.put('k', 'v')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      expect(() => tx.root.put('b', 'v')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      expect(() => tx.root.delete('b')).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
    });
    expect(contentOf(database)).toEqual({ b: {} });
  });
});

describe('nested buckets', () => {
  test('are read and changed over several transactions', () => {
    const database = newDb({ pageSize: 1024 });
    database.db.update((tx) => {
      const bucket = tx.createBucket('widgets');
      bucket.createBucket('foo');
      bucket.put('bar', '0');
    });
    expectHealthy(database);
    database.db.update((tx) => tx.bucket('widgets')?.put('bar', 'xxxx'));
    expectHealthy(database);
    database.db.update((tx) => fill(tx.bucket('widgets') as TxBucket, 2000, 4));
    expectHealthy(database);
    database.db.update((tx) => tx.bucket('widgets')?.bucket('foo')?.put('baz', 'yyyy'));
    expectHealthy(database);
    const { widgets } = contentOf(database);
    expect(widgets).toMatchObject({ bar: 'xxxx', foo: { baz: 'yyyy' }, k0000: 'xxxx', k1999: 'xxxx' });
    expect(Object.keys(widgets as object).length).toBe(2002);
  });

  test('a change far down reaches the root through buckets that were only passed', () => {
    const database = newDb();
    database.db.update((tx) => {
      let bucket = tx.root;
      for (const name of ['a', 'b', 'c', 'd']) {
        bucket = bucket.createBucket(name);
        bucket.put('own', name);
      }
    });
    database.db.update((tx) => {
      tx.bucket('a')?.bucket('b')?.bucket('c')?.bucket('d')?.put('new', 'v');
      // Looked at only; nothing of it is to be written.
      tx.bucket('a')?.bucket('b')?.get('own');
    });
    expect(contentOf(database)).toEqual({
      a: { own: 'a', b: { own: 'b', c: { own: 'c', d: { own: 'd', new: 'v' } } } },
    });
    expectHealthy(database);
  });

  test('several changed in one transaction, with pages of their own', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => {
      for (const name of ['x', 'y', 'z']) fill(tx.createBucket(`top${name}`).createBucket('in'), 60, 50);
    });
    database.db.update((tx) => {
      for (const name of ['z', 'x', 'y']) {
        fill(tx.bucket(`top${name}`)?.bucket('in') as TxBucket, 60, 20, 30);
        tx.bucket(`top${name}`)?.put('own', name);
      }
    });
    const { topy } = contentOf(database);
    expect(topy).toMatchObject({ own: 'y', in: { k0000: 'x'.repeat(50), k0089: 'x'.repeat(20) } });
    expectHealthy(database);
  });

  test('10,000 in one another: made, read, changed at the end, deleted', { timeout: 60_000 }, () => {
    const database = newDb({ noSync: true });
    const depth = 10_000;
    const innermost = (top: TxBucket) => {
      let bucket = top;
      for (let next = bucket.bucket('x'); next !== undefined; next = bucket.bucket('x')) bucket = next;
      return bucket;
    };
    database.db.update((tx) => {
      let bucket = tx.root;
      for (let i = 0; i < depth; i++) bucket = bucket.createBucket('x');
    });
    database.db.update((tx) => innermost(tx.root).put('k', 'v'));
    expect(database.db.view((tx) => innermost(tx.root).get('k'))).toEqual(new TextEncoder().encode('v'));
    // All but the innermost have a page of their own, since they hold a bucket.
    const used = database.db.highWaterMark - database.db.freePageCount - database.db.pendingPageCount;
    expect(used).toBeGreaterThanOrEqual(depth);
    database.db.update((tx) => tx.deleteBucket('x'));
    expect(contentOf(database)).toEqual({});
    const pages = expectHealthy(database);
    expect(pages.usedByTrees().size).toBe(3);
  });
});

describe('deleting a bucket', () => {
  test('takes what is in it along, and frees its page for a bucket to come', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', new Uint8Array(2000)));
    const { root } = pagesOf(database).bucket('b');
    database.db.update((tx) => {
      tx.deleteBucket('b');
      expect(tx.bucket('b')).toBeUndefined();
    });
    expect(contentOf(database)).toEqual({});
    database.db.update((tx) => {
      const again = tx.createBucket('b');
      expect(again.get('k')).toBeUndefined();
      again.put('k', new Uint8Array(2000));
    });
    expect(pagesOf(database).bucket('b').root).toBeLessThanOrEqual(root);
    expectHealthy(database);
  });

  test('of which there is none is an error', () => {
    const { db } = newDb();
    db.update((tx) => {
      expect(() => tx.deleteBucket('b')).toThrow(code('BOLT_BUCKET_NOT_FOUND'));
      expect(() => tx.createBucket('a').deleteBucket('b')).toThrow(code('BOLT_BUCKET_NOT_FOUND'));
    });
  });

  test('deletes the nested ones, those of the same transaction', () => {
    const database = newDb();
    database.db.update((tx) => {
      const bar = tx.createBucket('widgets').createBucket('foo').createBucket('bar');
      bar.put('baz', 'bat');
      tx.bucket('widgets')?.deleteBucket('foo');
      expect(tx.bucket('widgets')?.bucket('foo')).toBeUndefined();
    });
    expect(contentOf(database)).toEqual({ widgets: {} });
  });

  test('deletes the nested ones, those that were committed', () => {
    const database = newDb();
    database.db.update((tx) => {
      const bar = tx.createBucket('widgets').createBucket('foo').createBucket('bar');
      bar.put('baz', new Uint8Array(3000));
    });
    database.db.update((tx) => tx.bucket('widgets')?.deleteBucket('foo'));
    expect(contentOf(database)).toEqual({ widgets: {} });
    expectHealthy(database);
  });

  test('frees all pages of a nested bucket with branches and overflow pages', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => {
      const foo = tx.createBucket('widgets').createBucket('foo');
      fill(foo, 500, 40);
      foo.put('large', new Uint8Array(100_000));
    });
    const before = pagesOf(database);
    expect(before.branches('widgets', 'foo').length).toBeGreaterThan(1);
    database.db.update((tx) => tx.deleteBucket('widgets'));
    const pages = expectHealthy(database);
    // Only the metas, the root leaf and the freelist are left.
    expect(pages.usedByTrees().size).toBe(3);
    expect(contentOf(database)).toEqual({});
  });

  test('also frees what was changed in it before, in the same transaction', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => fill(tx.createBucket('b').createBucket('in'), 100, 40));
    database.db.update((tx) => {
      const inner = tx.bucket('b')?.bucket('in') as TxBucket;
      fill(inner, 300, 40, 50);
      for (let i = 0; i < 60; i++) inner.delete(numbered(i));
      inner.createBucket('new').put('k', 'v');
      tx.deleteBucket('b');
    });
    expect(contentOf(database)).toEqual({});
    expectHealthy(database);
  });

  test('and making it again in the same transaction gives an empty one', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      fill(bucket, 100, 40);
      bucket.setSequence(9n);
    });
    database.db.update((tx) => {
      const old = tx.bucket('b') as TxBucket;
      old.put('k', 'changed before');
      tx.deleteBucket('b');
      const again = tx.createBucket('b');
      expect(again).not.toBe(old);
      expect([again.sequence, [...again.entries()]]).toEqual([0n, []]);
      again.put('k', 'v');
      expect(() => old.get('k')).toThrow(code('BOLT_BUCKET_NOT_FOUND'));
    });
    expect(contentOf(database)).toEqual({ b: { k: 'v' } });
    expectHealthy(database);
  });

  test('handles of it and of buckets in it are of no use any more', () => {
    const { db } = newDb();
    db.update((tx) => {
      const outer = tx.createBucket('outer');
      const inner = outer.createBucket('in');
      const cursor = inner.cursor();
      inner.put('k', 'v');
      tx.deleteBucket('outer');
      const gone = code('BOLT_BUCKET_NOT_FOUND');
      for (const bucket of [outer, inner]) {
        expect(() => bucket.get('k')).toThrow(gone);
        expect(() => bucket.put('k', 'v')).toThrow(gone);
        expect(() => bucket.delete('k')).toThrow(gone);
        expect(() => bucket.bucket('in')).toThrow(gone);
        expect(() => bucket.createBucket('x')).toThrow(gone);
        expect(() => bucket.deleteBucket('in')).toThrow(gone);
        expect(() => bucket.nextSequence()).toThrow(gone);
        expect(() => bucket.cursor()).toThrow(gone);
        expect(() => tx.moveBucket('x', bucket, undefined)).toThrow(gone);
      }
      expect(() => cursor.first()).toThrow(gone);
      expect(() => cursor.next()).toThrow(gone);
      expect(() => cursor.delete()).toThrow(gone);
      tx.createBucket('other');
      expect(() => tx.moveBucket('other', undefined, inner)).toThrow(gone);
    });
  });
});
