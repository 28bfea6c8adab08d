// Keys and values of one bucket: put, get, delete, and going over them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/faulty.ts';
import { code, contentOf, expectHealthy, fill, newDb, numbered, pagesOf } from '../../support/writer-db.ts';

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

describe('get', () => {
  test('of a key that is not there is undefined', () => {
    newDb().db.update((tx) => {
      const bucket = tx.createBucket('b');
      expect(bucket.get('k')).toBeUndefined();
      bucket.put('k', 'v');
      expect([bucket.get('j'), bucket.get('k\0'), bucket.get('l'), bucket.get('')]).toEqual(Array(4).fill(undefined));
    });
  });

  test('gives what was put in the same transaction', () => {
    newDb().db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.put('k', 'v');
      expect(text(bucket.get('k'))).toBe('v');
      expect(text(tx.bucket('b')?.get('k'))).toBe('v');
    });
  });

  test('of the name of a bucket is undefined', () => {
    newDb().db.update((tx) => {
      tx.createBucket('b').createBucket('inner');
      expect(tx.bucket('b')?.get('inner')).toBeUndefined();
      expect(tx.root.get('b')).toBeUndefined();
    });
  });

  test('gives a copy, of stored and of new values', () => {
    const database = newDb();
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.put('k', 'v');
      bucket.get('k')?.fill(0);
      expect(text(bucket.get('k'))).toBe('v');
    });
    database.db.view((tx) => {
      tx.bucket('b')?.get('k')?.fill(0);
      expect(text(tx.bucket('b')?.get('k'))).toBe('v');
    });
    expect(contentOf(database)).toEqual({ b: { k: 'v' } });
  });
});

describe('put', () => {
  test('keeps key and value over the commit', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', 'v'));
    expect(contentOf(database)).toEqual({ b: { k: 'v' } });
    expect(text(database.db.view((tx) => tx.bucket('b')?.get('k')))).toBe('v');
  });

  test('takes the last of several values, in one transaction and over several', () => {
    const database = newDb();
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.put('k', 'first');
      bucket.put('k', 'second, which is longer');
    });
    expect(contentOf(database)).toEqual({ b: { k: 'second, which is longer' } });
    database.db.update((tx) => tx.bucket('b')?.put('k', '3'));
    expect(contentOf(database)).toEqual({ b: { k: '3' } });
  });

  test('an empty value is a value', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', ''));
    expect(database.db.view((tx) => tx.bucket('b')?.get('k'))).toEqual(new Uint8Array(0));
  });

  test('copies both: what the caller does to them afterwards changes nothing', () => {
    const database = newDb();
    const key = new TextEncoder().encode('key');
    const value = new TextEncoder().encode('value');
    database.db.update((tx) => {
      const bucket = tx.createBucket(key);
      bucket.put(key, value);
      bucket.createBucket(value).put(key, value);
      key.fill(0x7a);
      value.fill(0x7a);
      bucket.put('other', '');
      expect(text(bucket.get('key'))).toBe('value');
      expect(bucket.bucket('value')?.name).toEqual(new TextEncoder().encode('value'));
    });
    expect(contentOf(database)).toEqual({ key: { key: 'value', other: '', value: { key: 'value' } } });
    expectHealthy(database);
  });

  test('orders keys as unsigned bytes, a prefix before what it begins', () => {
    const database = newDb();
    const keys = [[0xff], [0], [0x61, 0], [0x61], [0x7f], [0x80], [0x61, 0xff], [0, 0], [0xff, 0xff]];
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (const key of keys) bucket.put(new Uint8Array(key), new Uint8Array(600));
    });
    const sorted: number[][] = [];
    database.db.view((tx) => tx.bucket('b')?.forEach((key) => void sorted.push([...key])));
    expect(sorted).toEqual([[0], [0, 0], [0x61], [0x61, 0], [0x61, 0xff], [0x7f], [0x80], [0xff], [0xff, 0xff]]);
    expectHealthy(database);
  });

  test('many large values, each of its own length, come back as they were', () => {
    const database = newDb();
    const lengths = Array.from({ length: 100 }, (_, i) => 400 * (100 - i));
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (const [i, length] of lengths.entries()) bucket.put('0'.repeat(i * 10 + 1), 'x'.repeat(length));
    });
    database.db.view((tx) => {
      for (const [i, length] of lengths.entries()) {
        expect(tx.bucket('b')?.get('0'.repeat(i * 10 + 1))?.length).toBe(length);
      }
    });
    expectHealthy(database);
  });

  test('many appends, transaction after transaction', () => {
    const database = newDb({ noSync: true });
    for (let round = 0; round < 10; round++) {
      database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 2000, 8, round * 2000));
    }
    expect(database.db.reader().requireBucket('b').stats().keyN).toBe(20_000);
    const pages = expectHealthy(database);
    expect(pages.branches('b').length).toBeGreaterThan(0);
  });
});

describe('delete', () => {
  test('removes a key, in the transaction and from the file', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 3, 1));
    database.db.update((tx) => {
      const bucket = tx.bucket('b');
      bucket?.delete('k0001');
      expect(bucket?.get('k0001')).toBeUndefined();
    });
    expect(contentOf(database)).toEqual({ b: { k0000: 'x', k0002: 'x' } });
  });

  test('of a key that is not there does nothing, also beside a nested bucket', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').createBucket('nested'));
    database.db.update((tx) => {
      tx.bucket('b')?.delete('foo');
      tx.bucket('b')?.delete('zoo');
    });
    expect(contentOf(database)).toEqual({ b: { nested: {} } });
    expectHealthy(database);
  });

  test('and put again in one transaction leaves the key', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 50, 100));
    database.db.update((tx) => {
      const bucket = tx.bucket('b');
      for (let i = 0; i < 50; i++) bucket?.delete(numbered(i));
      for (let i = 0; i < 50; i++) bucket?.put(numbered(i), 'again');
    });
    expect(Object.values(contentOf(database)['b'] as object)).toEqual(Array(50).fill('again'));
    expectHealthy(database);
  });

  test('of many large values in one transaction', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 100, 1000));
    database.db.update((tx) => {
      for (let i = 0; i < 100; i++) tx.bucket('b')?.delete(numbered(i));
    });
    expect(contentOf(database)).toEqual({ b: {} });
    expect(pagesOf(database).bucket('b').root).toBe(0);
    expectHealthy(database);
  });
});

describe('going over a bucket', () => {
  const filled = () => {
    const database = newDb();
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      bucket.put('bar', '2');
      bucket.put('foo', '1');
      bucket.createBucket('csub');
      bucket.createBucket('asub');
    });
    return database;
  };

  test('forEach gives keys in order, with undefined for a bucket', () => {
    const seen: unknown[] = [];
    filled().db.view((tx) =>
      tx.bucket('b')?.forEach((key, value, isBucket) => void seen.push([text(key), text(value), isBucket])),
    );
    expect(seen).toEqual([
      ['asub', undefined, true],
      ['bar', '2', false],
      ['csub', undefined, true],
      ['foo', '1', false],
    ]);
  });

  test('forEach stops at false, and passes on what the callback throws', () => {
    const { db } = filled();
    const seen: unknown[] = [];
    const upToTwo = (key: Uint8Array) => seen.push(text(key)) < 2;
    db.view((tx) => tx.bucket('b')?.forEach(upToTwo));
    expect(seen).toEqual(['asub', 'bar']);
    const reason = new Error('a reason of the caller');
    expect(() =>
      db.view((tx) =>
        tx.root.forEach(() => {
          throw reason;
        }),
      ),
    ).toThrow(reason);
  });

  test('buckets gives only the buckets, and none where there are none', () => {
    filled().db.view((tx) => {
      const bucket = tx.bucket('b');
      expect(Array.from(bucket?.buckets() ?? [], ({ name }) => text(name))).toEqual(['asub', 'csub']);
      expect([...(bucket?.bucket('asub')?.buckets() ?? [])]).toEqual([]);
      expect(Array.from(tx.buckets(), ({ name }) => text(name))).toEqual(['b']);
    });
  });

  test('what is put and deleted on the way is seen or not by its place, and nothing twice', () => {
    newDb().db.update((tx) => {
      const bucket = tx.createBucket('b');
      fill(bucket, 200, 40);
      const seen: unknown[] = [];
      for (const { key } of bucket.entries()) {
        seen.push(text(key));
        if (text(key)?.length === 5) bucket.put(`${text(key)}+`, '');
        bucket.delete(key);
      }
      expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => [numbered(i), `${numbered(i)}+`]).flat());
      expect([...bucket.entries()]).toEqual([]);
    });
  });
});

describe('random content', () => {
  test('keys and values of any bytes, one transaction each or all in one, are all there', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.uint8Array({ maxLength: 1000 })), {
          selector: ([key]) => Buffer.from(key).toString('hex'),
          maxLength: 60,
        }),
        fc.boolean(),
        fc.constantFrom(512, 1024, 4096),
        (pairs, together, pageSize) => {
          const database = newDb({ pageSize });
          database.db.update((tx) => tx.createBucket('b'));
          for (const batch of together ? [pairs] : pairs.map((pair) => [pair])) {
            database.db.update((tx) => {
              for (const [key, value] of batch) tx.bucket('b')?.put(key, value);
            });
          }
          database.db.view((tx) => {
            for (const [key, value] of pairs) expect(tx.bucket('b')?.get(key)).toEqual(value);
            expect([...(tx.bucket('b')?.entries() ?? [])].length).toBe(pairs.length);
          });
          expectHealthy(database);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('deleting all keys in random order, one transaction each, comes back to a single leaf', () => {
    const random = seededRandom(7);
    const database = newDb({ pageSize: 512, noSync: true });
    database.db.update((tx) => fill(tx.createBucket('b'), 150, 40));
    const keys = Array.from({ length: 150 }, (_, i) => numbered(i));
    while (keys.length > 0) {
      const [key] = keys.splice(Math.floor(random() * keys.length), 1);
      database.db.update((tx) => tx.bucket('b')?.delete(key as string));
    }
    expect(contentOf(database)).toEqual({ b: {} });
    const pages = expectHealthy(database);
    expect(pages.bucketPages('b')).toEqual([]);
  });
});

describe('limits', () => {
  test('a key has at least one byte and at most 32,768', () => {
    const database = newDb();
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      expect(() => bucket.put('', 'v')).toThrow(code('BOLT_KEY_REQUIRED'));
      expect(() => bucket.put(new Uint8Array(32_769), 'v')).toThrow(code('BOLT_KEY_TOO_LARGE'));
      bucket.put(new Uint8Array(32_768), 'v');
      bucket.put('k', 'v');
    });
    expect(database.db.reader().requireBucket('b').stats().keyN).toBe(2);
    expectHealthy(database);
  });

  test('a value of 2 GiB less one byte is too large', () => {
    // Only its length is looked at; nothing of the kind is allocated.
    const value = new Proxy(new Uint8Array(0), {
      get: (target, name) => (name === 'length' ? 0x7fff_ffff : Reflect.get(target, name, target)),
    });
    newDb().db.update((tx) => {
      const bucket = tx.createBucket('b');
      expect(() => bucket.put('k', value)).toThrow(code('BOLT_VALUE_TOO_LARGE'));
      expect(bucket.get('k')).toBeUndefined();
    });
  });

  test('a value of 50 MB is written and read', () => {
    const database = newDb({ noSync: true });
    const value = new Uint8Array(50_000_000);
    value[49_999_999] = 7;
    database.db.update((tx) => {
      tx.createBucket('b').put('k', value);
      tx.bucket('b')?.put('small', 'v');
    });
    const read = database.db.view((tx) => tx.bucket('b')?.get('k'));
    expect([read?.length, read?.at(-1)]).toEqual([50_000_000, 7]);
    const pages = expectHealthy(database);
    expect(pages.overflow(pages.bucket('b').root)).toBe(Math.ceil((50_000_000 + 16 + 32 + 1 + 5 + 1) / 4096) - 1);
  });

  test('keys of the greatest length make branches with overflow pages', () => {
    const database = newDb({ pageSize: 1024 });
    database.db.update((tx) => {
      const bucket = tx.createBucket('b');
      for (let i = 0; i < 12; i++) bucket.put(new Uint8Array(32_768).fill(i), '');
    });
    const pages = expectHealthy(database);
    expect(pages.branches('b').some((page) => pages.overflow(page) > 0)).toBe(true);
  });
});
