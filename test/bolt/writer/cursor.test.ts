// Cursors of a transaction: over pages, over what is not yet committed, and while keys come and go.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry, TxBucket, TxCursor } from '../../../src/bolt/index.ts';
import { code, contentOf, expectHealthy, fill, newDb, numbered } from '../../support/writer-db.ts';

const name = (entry: Entry | undefined) => entry && new TextDecoder().decode(entry.key);

function forwards(cursor: TxCursor): (string | undefined)[] {
  const keys = [];
  for (let entry = cursor.first(); entry; entry = cursor.next()) keys.push(name(entry));
  return keys;
}
function backwards(cursor: TxCursor): (string | undefined)[] {
  const keys = [];
  for (let entry = cursor.last(); entry; entry = cursor.prev()) keys.push(name(entry));
  return keys;
}

/** Runs a test on keys that are committed, and on the same keys in the transaction that puts them. */
function onStoredAndNew(keys: readonly string[], run: (bucket: TxBucket) => void): void {
  const { db } = newDb({ pageSize: 512 });
  db.update((tx) => {
    const bucket = tx.createBucket('b');
    for (const key of keys) bucket.put(key, 'v'.repeat(30));
    run(bucket);
  });
  db.view((tx) => run(tx.bucket('b') as TxBucket));
}

describe('a cursor', () => {
  test('is nowhere at first', () => {
    onStoredAndNew(['a', 'b'], (bucket) => {
      const cursor = bucket.cursor();
      expect([cursor.next(), cursor.prev()]).toEqual([undefined, undefined]);
    });
  });

  test('in an empty bucket finds nothing, in either direction', () => {
    onStoredAndNew([], (bucket) => {
      const cursor = bucket.cursor();
      expect([cursor.first(), cursor.next(), cursor.last(), cursor.prev(), cursor.seek('a')]).toEqual(
        Array(5).fill(undefined),
      );
    });
  });

  test('goes over a single leaf in both directions, and begins again at first and last', () => {
    onStoredAndNew(['bar', 'baz', 'foo'], (bucket) => {
      const cursor = bucket.cursor();
      for (let i = 0; i < 2; i++) {
        expect(forwards(cursor)).toEqual(['bar', 'baz', 'foo']);
        expect(backwards(cursor)).toEqual(['foo', 'baz', 'bar']);
      }
    });
  });

  test('stays on the last key when next finds no more, and on the first when prev does', () => {
    onStoredAndNew(
      Array.from({ length: 100 }, (_, i) => numbered(i)),
      (bucket) => {
        const cursor = bucket.cursor();
        cursor.last();
        expect([cursor.next(), cursor.next()]).toEqual([undefined, undefined]);
        expect(name(cursor.prev())).toBe('k0098');
        cursor.first();
        expect([cursor.prev(), cursor.prev()]).toEqual([undefined, undefined]);
        expect(name(cursor.next())).toBe('k0001');
      },
    );
  });

  test('seek goes to the key or the next one, to names of buckets too', () => {
    const { db } = newDb();
    db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (const key of ['foo', 'bar', 'baz']) bucket.put(key, '1');
      bucket.createBucket('bkt');
    });
    db.view((tx) => {
      const cursor = (tx.bucket('b') as TxBucket).cursor();
      expect(['bar', 'bas', '', 'zzz', 'bkt'].map((key) => name(cursor.seek(key)))).toEqual([
        'bar',
        'baz',
        'bar',
        undefined,
        'bkt',
      ]);
      expect(cursor.seek('bkt')).toMatchObject({ isBucket: true, value: undefined });
      expect(cursor.seek('foo')).toMatchObject({ isBucket: false, value: new Uint8Array([0x31]) });
    });
  });

  test('seek in a tree of several levels always finds the next key', () => {
    const keys = Array.from({ length: 1000 }, (_, i) => numbered(2 * i));
    onStoredAndNew(keys, (bucket) => {
      const cursor = bucket.cursor();
      for (let i = 0; i < 1999; i++) expect(name(cursor.seek(numbered(i)))).toBe(numbered(i + (i % 2)));
      expect(cursor.seek(numbered(1999))).toBeUndefined();
      expect(name(cursor.prev())).toBe(numbered(1998));
    });
  });

  test('of a transaction goes over the names of the top-level buckets', () => {
    const { db } = newDb();
    db.update((tx) => {
      tx.createBucket('widgets');
      tx.createBucket('woojits');
      expect(forwards(tx.cursor())).toEqual(['widgets', 'woojits']);
    });
    db.view((tx) => expect(backwards(tx.cursor())).toEqual(['woojits', 'widgets']));
  });

  test('goes over buckets only, in both directions', () => {
    const { db } = newDb({ pageSize: 512 });
    const names = Array.from({ length: 120 }, (_, i) => numbered(i));
    db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (const key of names) bucket.createBucket(key);
    });
    db.view((tx) => {
      const cursor = (tx.bucket('b') as TxBucket).cursor();
      expect(forwards(cursor)).toEqual(names);
      expect(backwards(cursor)).toEqual([...names].reverse());
      expect(cursor.first()).toMatchObject({ isBucket: true, value: undefined });
    });
  });

  test('entries belong to the caller', () => {
    onStoredAndNew(['a', 'b'], (bucket) => {
      const cursor = bucket.cursor();
      const first = cursor.first();
      first?.key.fill(0x7a);
      first?.value?.fill(0);
      expect(name(cursor.next())).toBe('b');
      expect(new TextDecoder().decode(bucket.get('a'))).toBe('v'.repeat(30));
    });
  });
});

describe('leaves emptied in the transaction', () => {
  /** 100 keys on many leaves, of which those in `[from, to)` are deleted. */
  function without(from: number, to: number, run: (bucket: TxBucket, left: string[]) => void): void {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => fill(tx.createBucket('b'), 100, 40));
    const left = Array.from({ length: 100 }, (_, i) => i).filter((i) => i < from || i >= to);
    database.db.update((tx) => {
      const bucket = tx.bucket('b') as TxBucket;
      for (let i = from; i < to; i++) bucket.delete(numbered(i));
      run(
        bucket,
        left.map((i) => numbered(i)),
      );
    });
    expect(Object.keys(contentOf(database)['b'] as object)).toEqual(left.map((i) => numbered(i)));
    expectHealthy(database);
  }

  test.each([
    ['at the beginning', 0, 60],
    ['at the end', 40, 100],
    ['in the middle', 20, 80],
    ['all: there is no key, and last ends', 0, 100],
  ])('are passed over: %s', (_name, from, to) => {
    without(from, to, (bucket, left) => {
      const cursor = bucket.cursor();
      expect(forwards(cursor)).toEqual(left);
      expect(backwards(cursor)).toEqual([...left].reverse());
      expect(name(cursor.seek(numbered(from)))).toBe(left[from]);
    });
  });
});

describe('delete through a cursor', () => {
  test('removes the key it is at; next and prev go on from there', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => {
      fill(tx.createBucket('b'), 100, 30);
      tx.bucket('b')?.createBucket('sub');
    });
    database.db.update((tx) => {
      const cursor = (tx.bucket('b') as TxBucket).cursor();
      const seen: unknown[] = [];
      for (let entry = cursor.first(); entry; entry = cursor.next()) {
        seen.push(name(entry));
        // bbolt's next leaves out a key after a delete in a leaf that was changed before.
        if (!entry.isBucket && seen.length % 3 !== 0) cursor.delete();
      }
      expect(seen.length).toBe(101);
      cursor.seek('k0050');
      cursor.delete();
      expect(name(cursor.prev())).toBe('k0047');
      expect(name(cursor.next())).toBe('k0053');
    });
    const left = Array.from({ length: 33 }, (_, i) => numbered(3 * i + 2)).filter((key) => key !== 'k0050');
    expect(Object.keys(contentOf(database)['b'] as object)).toEqual([...left, 'sub']);
    expectHealthy(database);
  });

  test('is refused at a bucket, at no key, and twice at the same key', () => {
    newDb().db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.createBucket('sub');
      bucket.put('k', 'v');
      const cursor = bucket.cursor();
      expect(() => cursor.delete()).toThrow(code('USAGE'));
      cursor.seek('sub');
      expect(() => cursor.delete()).toThrow(code('BOLT_INCOMPATIBLE_VALUE'));
      cursor.seek('k');
      cursor.delete();
      expect(() => cursor.delete()).toThrow(code('USAGE'));
      cursor.seek('zzz');
      expect(() => cursor.delete()).toThrow(code('USAGE'));
    });
  });

  test('is refused to a reader', () => {
    const { db } = newDb();
    db.update((tx) => tx.createBucket('b').put('k', 'v'));
    db.view((tx) => {
      const cursor = (tx.bucket('b') as TxBucket).cursor();
      cursor.first();
      expect(() => cursor.delete()).toThrow(code('BOLT_TX_NOT_WRITABLE'));
    });
  });
});

describe('changes while a cursor is at work', () => {
  test('next gives the first key after its own, prev the last before, whatever was put and deleted', () => {
    type Step = { readonly kind: 'next' | 'prev' | 'seek' | 'put' | 'delete' | 'remove'; readonly key: number };
    const steps = fc.array(
      fc.record<Step>({
        kind: fc.constantFrom('next', 'prev', 'next', 'prev', 'seek', 'put', 'delete', 'remove'),
        key: fc.integer({ min: 0, max: 60 }),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(steps, fc.boolean(), (list, stored) => {
        const { db } = newDb({ pageSize: 256 });
        const model = new Set<string>();
        for (let i = 0; i < 60; i += 2) model.add(numbered(i));
        db.update((tx) => {
          const bucket = tx.createBucket('b');
          for (const key of model) bucket.put(key, 'value');
          if (!stored) walk(bucket);
        });
        if (stored) db.update((tx) => walk(tx.bucket('b') as TxBucket));

        function walk(bucket: TxBucket): void {
          const cursor = bucket.cursor();
          let at: string | undefined;
          const sorted = () => [...model].sort();
          for (const { kind, key } of list) {
            const wanted = numbered(key);
            if (kind === 'put') {
              bucket.put(wanted, 'new');
              model.add(wanted);
            } else if (kind === 'delete') {
              bucket.delete(wanted);
              model.delete(wanted);
            } else if (kind === 'seek') {
              const found = name(cursor.seek(wanted));
              expect(found).toBe(sorted().find((other) => other >= wanted));
              at = found ?? wanted;
            } else if (kind === 'remove') {
              if (at === undefined || !model.has(at)) continue;
              cursor.delete();
              model.delete(at);
            } else {
              const from = at;
              const expected =
                from === undefined
                  ? undefined
                  : kind === 'next'
                    ? sorted().find((other) => other > from)
                    : sorted().findLast((other) => other < from);
              expect(name(kind === 'next' ? cursor.next() : cursor.prev())).toBe(expected);
              at = expected ?? at;
            }
          }
          expect(forwards(bucket.cursor())).toEqual(sorted());
          expect(backwards(bucket.cursor())).toEqual(sorted().reverse());
        }
      }),
      { numRuns: 150 },
    );
  });
});
