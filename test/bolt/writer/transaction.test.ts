// How transactions begin and end, and what is left of them.
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../src/bolt/index.ts';
import { code, contentOf, expectHealthy, expectSameBytes, newDb, openDb, pagesOf } from '../../support/writer-db.ts';

describe('update', () => {
  test('commits when the work returns, and gives what it returned', () => {
    const database = newDb();
    expect(database.db.update((tx) => tx.createBucket('b').put('k', 'v') ?? 'done')).toBe('done');
    expect(contentOf(database)).toEqual({ b: { k: 'v' } });
    expect(database.db.txid).toBe(2n);
    expectHealthy(database);
  });

  test('rolls back when the work throws, and the next one can begin', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', 'v'));
    const before = database.file.bytes();
    const reason = new Error('a reason of the caller');
    expect(() =>
      database.db.update((tx) => {
        tx.bucket('b')?.put('k', 'other');
        tx.createBucket('c');
        throw reason;
      }),
    ).toThrow(reason);
    expectSameBytes(database.file.bytes(), before);
    database.db.update((tx) => tx.bucket('b')?.put('k2', 'v2'));
    expect(contentOf(database)).toEqual({ b: { k: 'v', k2: 'v2' } });
    expect(database.db.txid).toBe(3n);
  });

  test('refuses commit and rollback within the work, and goes on if that is caught', () => {
    const database = newDb();
    database.db.update((tx) => {
      expect(() => tx.commit()).toThrow(code('USAGE'));
      expect(() => tx.rollback()).toThrow(code('USAGE'));
      expect(tx.closed).toBe(false);
      tx.createBucket('b');
    });
    expect(contentOf(database)).toEqual({ b: {} });
  });

  test('refuses asynchronous work, of which nothing stays, now or later', async () => {
    const database = newDb();
    let later: unknown;
    const work = async (tx: Transaction) => {
      const bucket = tx.createBucket('b');
      await Promise.resolve();
      try {
        bucket.put('k', 'v');
      } catch (error) {
        later = error;
        throw error;
      }
    };
    expect(() => database.db.update(work)).toThrow(code('USAGE'));
    expect(() => database.db.view(async () => {})).toThrow(code('USAGE'));
    // Were the rejection of the rest not heard by anyone, it would end the process.
    await new Promise((resolve) => setImmediate(resolve));
    expect(later).toMatchObject({ code: 'BOLT_TX_CLOSED' });
    expect(contentOf(database)).toEqual({});
    database.db.update((tx) => tx.createBucket('c'));
    expect(contentOf(database)).toEqual({ c: {} });
  });

  test('within update a second writer is refused, a reader sees the last commit', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b'));
    database.db.update((tx) => {
      tx.createBucket('c');
      expect(() => database.db.update(() => {})).toThrow(code('BOLT_TX_ACTIVE'));
      expect(() => database.db.begin({ writable: true })).toThrow(code('BOLT_TX_ACTIVE'));
      database.db.view((reader) => expect(reader.bucket('c')).toBeUndefined());
    });
    expect(contentOf(database)).toEqual({ b: {}, c: {} });
  });
});

describe('view', () => {
  test('gives what the work gives or throws, and writes nothing', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', 'v'));
    const before = database.file.bytes();
    expect(database.db.view((tx) => tx.bucket('b')?.get('k')?.length)).toBe(1);
    const reason = new Error('a reason of the caller');
    expect(() =>
      database.db.view(() => {
        throw reason;
      }),
    ).toThrow(reason);
    expectSameBytes(database.file.bytes(), before);
  });

  test('refuses commit and rollback within the work', () => {
    newDb().db.view((tx) => {
      expect(() => tx.commit()).toThrow(code('USAGE'));
      expect(() => tx.rollback()).toThrow(code('USAGE'));
    });
  });

  test('a reader that threw holds no pages back', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('k', new Uint8Array(5000)));
    expect(() =>
      database.db.view(() => {
        throw new Error('a reason of the caller');
      }),
    ).toThrow();
    database.db.update((tx) => tx.bucket('b')?.put('k', new Uint8Array(5000)));
    database.db.update(() => {});
    database.db.update(() => {});
    expect(database.db.freePageCount).toBeGreaterThan(0);
  });
});

describe('a transaction begun by hand', () => {
  test('is committed by commit', () => {
    const database = newDb();
    const tx = database.db.begin({ writable: true });
    expect([tx.writable, tx.closed, tx.txid]).toEqual([true, false, 2n]);
    tx.createBucket('b');
    tx.commit();
    expect(tx.closed).toBe(true);
    expect(contentOf(database)).toEqual({ b: {} });
  });

  test.each([[true], [false]])('leaves nothing after rollback, freelist stored: %s', (stored) => {
    const database = newDb({ noFreelistSync: !stored });
    database.db.update((tx) => tx.createBucket('b').put('k', 'v'));
    const before = database.file.bytes();
    const counts = [database.db.freePageCount + database.db.pendingPageCount, database.db.highWaterMark];
    const tx = database.db.begin({ writable: true });
    tx.bucket('b')?.put('other', new Uint8Array(20_000));
    tx.deleteBucket('b');
    tx.rollback();
    expect([database.db.freePageCount + database.db.pendingPageCount, database.db.highWaterMark]).toEqual(counts);
    expectSameBytes(database.file.bytes(), before);
    database.db.update((next) => next.bucket('b')?.put('k2', 'v2'));
    expect(contentOf(database)).toEqual({ b: { k: 'v', k2: 'v2' } });
    expectHealthy(database);
  });

  test('is rolled back at the end of its scope', () => {
    const database = newDb();
    const tx = database.db.begin({ writable: true });
    tx.createBucket('b');
    tx[Symbol.dispose]();
    expect(tx.closed).toBe(true);
    expect(contentOf(database)).toEqual({});
    const committed = database.db.begin({ writable: true });
    committed.createBucket('c');
    committed.commit();
    committed[Symbol.dispose]();
    expect(contentOf(database)).toEqual({ c: {} });
  });

  test('cannot be committed twice, nor after rollback; rollback may be called again', () => {
    const { db } = newDb();
    const first = db.begin({ writable: true });
    first.commit();
    expect(() => first.commit()).toThrow(code('BOLT_TX_CLOSED'));
    first.rollback();
    const second = db.begin({ writable: true });
    second.rollback();
    second.rollback();
    expect(() => second.commit()).toThrow(code('BOLT_TX_CLOSED'));
  });

  test('that only reads cannot be committed', () => {
    const { db } = newDb();
    const tx = db.begin();
    expect(tx.writable).toBe(false);
    expect(() => tx.commit()).toThrow(code('BOLT_TX_NOT_WRITABLE'));
    expect(tx.closed).toBe(false);
    tx.rollback();
  });

  test('there is one writer at a time, and any number of readers beside it', () => {
    const { db } = newDb();
    const writer = db.begin({ writable: true });
    const readers = Array.from({ length: 20 }, () => db.begin());
    expect(() => db.begin({ writable: true })).toThrow(code('BOLT_TX_ACTIVE'));
    writer.commit();
    db.begin({ writable: true }).rollback();
    for (const reader of readers) {
      expect(reader.txid).toBe(1n);
      reader.rollback();
    }
  });
});

describe('handlers of a commit', () => {
  test('are called after it, in order, with the commit in the file', () => {
    const database = newDb();
    const calls: string[] = [];
    database.db.update((tx) => {
      tx.createBucket('b');
      tx.onCommit(() => calls.push(`first ${Object.keys(contentOf(database))}`));
      tx.onCommit(() => calls.push(`second, closed: ${tx.closed}`));
    });
    expect(calls).toEqual(['first b', 'second, closed: true']);
  });

  test('are not called after a rollback', () => {
    const { db } = newDb();
    let called = 0;
    const tx = db.begin({ writable: true });
    tx.onCommit(() => called++);
    tx.rollback();
    expect(() =>
      db.update((managed) => {
        managed.onCommit(() => called++);
        throw new Error('a reason of the caller');
      }),
    ).toThrow();
    expect(called).toBe(0);
    expect(() => tx.onCommit(() => {})).toThrow(code('BOLT_TX_CLOSED'));
  });

  test('may begin the next transaction', () => {
    const database = newDb();
    database.db.update((tx) => {
      tx.onCommit(() => database.db.update((next) => next.createBucket('second')));
      tx.createBucket('first');
    });
    expect(contentOf(database)).toEqual({ first: {}, second: {} });
  });
});

describe('a commit without changes', () => {
  test('writes the freelist anew and a meta with the next number', () => {
    const database = newDb();
    database.db.update(() => {});
    const pages = expectHealthy(database);
    // The freelist left page 2, which is pending, for a new page.
    expect([database.db.txid, pages.freelist, pages.highWaterMark, pages.root]).toEqual([2n, 4, 5, 3]);
    database.db.update(() => {});
    expect([database.db.txid, pagesOf(database).freelist, pagesOf(database).highWaterMark]).toEqual([3n, 2, 5]);
  });

  test('writes nothing but the meta when no freelist is stored', () => {
    const database = newDb({ noFreelistSync: true });
    database.db.update((tx) => tx.createBucket('b'));
    const before = database.file.bytes();
    database.db.update(() => {});
    const after = database.file.bytes();
    expectSameBytes(after.subarray(0, 4096), before.subarray(0, 4096));
    expectSameBytes(after.subarray(8192), before.subarray(8192));
    expect(database.db.txid).toBe(3n);
    expectHealthy(database);
  });

  test('deleting a key that is not there writes no page', () => {
    const database = newDb({ noFreelistSync: true });
    database.db.update((tx) => tx.createBucket('b').put('k', new Uint8Array(2000)));
    const before = pagesOf(database);
    database.db.update((tx) => tx.bucket('b')?.delete('other'));
    expect(pagesOf(database).bucketPages('b')).toEqual(before.bucketPages('b'));
    expect(pagesOf(database).root).toBe(before.root);
  });
});

describe('the numbers of transactions', () => {
  test('decide which meta page is written, in turns', () => {
    const database = newDb();
    for (const [page, txid] of [
      [0, 2],
      [1, 3],
      [0, 4],
      [1, 5],
    ] as const) {
      const other = database.file.bytes().subarray((1 - page) * 4096, (2 - page) * 4096);
      database.db.update(() => {});
      const pages = pagesOf(database);
      expect([pages.newerMeta, pages.u64(pages.at(page, 64))]).toEqual([page, BigInt(txid)]);
      expectSameBytes(pages.bytes.subarray((1 - page) * 4096, (2 - page) * 4096), other);
    }
  });

  /** A database of two commits, with a meta page of which one byte is wrong. */
  function withBrokenMeta(page: 0 | 1, commits: number) {
    const database = newDb();
    for (let i = 0; i < commits; i++) database.db.update((tx) => tx.createBucket(`b${i}`));
    const edit = pagesOf(database);
    edit.flip(edit.at(page, 40), 1);
    return edit.bytes;
  }

  test('when the newer meta is broken, the commit replaces it and not the one that is left', () => {
    // Commits 2 (page 0) and 3 (page 1); page 1 is broken, so transaction 2 is current.
    const database = openDb(withBrokenMeta(1, 2));
    expect(database.db.txid).toBe(2n);
    database.db.update((tx) => tx.createBucket('new'));
    expect(database.db.txid).toBe(3n);
    expect(contentOf(database)).toEqual({ b0: {}, new: {} });
    expectHealthy(database);
  });

  test('when the older meta is broken, it is the one that is replaced', () => {
    const database = openDb(withBrokenMeta(0, 2));
    expect(database.db.txid).toBe(3n);
    database.db.update((tx) => tx.createBucket('new'));
    expect([database.db.txid, pagesOf(database).newerMeta]).toEqual([4n, 0]);
    expectHealthy(database);
  });

  test('one is left out where the next one would go to the page of the only valid meta', () => {
    // As surgery can leave it: transaction 2 is on page 1, which transaction 3 would overwrite, and page 0 is broken.
    const made = newDb();
    made.db.update((tx) => tx.createBucket('b'));
    const edit = pagesOf(made);
    edit.bytes.copyWithin(4096, 0, 4096);
    edit.setU64(4096, 1n);
    edit.bytes.fill(0, 0, 4096);
    const database = openDb(edit.bytes);
    expect(database.db.txid).toBe(2n);
    const only = database.file.bytes().subarray(4096, 8192);
    database.db.update((tx) => tx.createBucket('new'));
    expect(database.db.txid).toBe(4n);
    expectSameBytes(database.file.bytes().subarray(4096, 8192), only);
    expect(contentOf(database)).toEqual({ b: {}, new: {} });
    database.db.update(() => {});
    expect(database.db.txid).toBe(5n);
    expectHealthy(database);
  });

  test('none is left out when the other meta has the same state, as in a backup', () => {
    const made = newDb();
    made.db.update((tx) => tx.createBucket('b'));
    const edit = pagesOf(made);
    // Page 0 has transaction 2; page 1 gets the same state as transaction 1.
    edit.bytes.copyWithin(4096, 0, 4096);
    edit.setU64(4096, 1n);
    edit.setU64(4096 + 64, 3n);
    edit.sealMeta(1);
    const database = openDb(edit.bytes);
    expect(database.db.txid).toBe(3n);
    database.db.update((tx) => tx.createBucket('new'));
    expect([database.db.txid, pagesOf(database).newerMeta]).toEqual([4n, 0]);
    database.db.update(() => {});
    expectHealthy(database);
  });

  test('after the last one of 64 bits there is no other: it would be taken for an older one', () => {
    const made = newDb();
    made.db.update((tx) => tx.createBucket('b'));
    const edit = pagesOf(made);
    for (const [page, txid] of [
      [0, 0xffff_ffff_ffff_fffen],
      [1, 0xffff_ffff_ffff_fffdn],
    ] as const) {
      edit.setU64(edit.at(page, 64), txid);
      edit.sealMeta(page);
    }
    const database = openDb(edit.bytes);
    database.db.update((tx) => tx.createBucket('new'));
    expect(database.db.txid).toBe(0xffff_ffff_ffff_ffffn);
    expect(contentOf(database)).toEqual({ b: {}, new: {} });
    const before = database.file.bytes();
    expect(() => database.db.update(() => {})).toThrow(code('BOLT_DAMAGED'));
    expectSameBytes(database.file.bytes(), before);
    expect(database.db.view((tx) => tx.bucket('new'))).toBeDefined();
  });
});
