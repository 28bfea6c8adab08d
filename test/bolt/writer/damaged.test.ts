// Writing to files that are damaged: done, or refused with one of our errors, and never endless.
import { describe, expect, test } from 'vitest';
import { checkBolt, openBolt, type Transaction, type TxBucket, type WritableBoltDb } from '../../../src/bolt/index.ts';
import { isDatadirError } from '../../../src/errors.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { BoltEdit, boundaryValues } from '../../support/bolt-edit.ts';
import { boltFile, branch, bucket, inlineBucket, leaf } from '../../support/bolt-pages.ts';
import { code, contentOf, expectSameBytes, fill, newDb, numbered, openDb, pagesOf } from '../../support/writer-db.ts';

/** A small file with everything in it: branches, inline and nested buckets, overflow pages, free pages. */
function small(noFreelistSync: boolean): Uint8Array {
  const database = newDb({ pageSize: 512, noFreelistSync });
  database.db.update((tx) => {
    fill(tx.createBucket('branches'), 16, 60);
    tx.createBucket('inline').put('k', 'v');
    tx.createBucket('outer').createBucket('in').put('large', new Uint8Array(700));
    tx.createBucket('gone').put('k', new Uint8Array(1500));
  });
  database.db.update((tx) => tx.deleteBucket('gone'));
  return database.file.bytes();
}

/** What must be possible, or refused in our words; what else is thrown comes out. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isDatadirError(error) || error.code === 'INTERNAL' || error.code === 'USAGE') throw error;
    return false;
  }
}

const WORK: readonly ((tx: Transaction) => void)[] = [
  (tx) => {
    for (const top of [...tx.buckets()]) {
      top.put('new', new Uint8Array(300));
      for (const inner of [...top.buckets()]) inner.put('new', 'v');
    }
  },
  (tx) => {
    for (const top of [...tx.buckets()]) for (const { key, isBucket } of top.entries()) if (!isBucket) top.delete(key);
  },
  (tx) => {
    const top = tx.bucket('branches') as TxBucket | undefined;
    for (let i = 0; i < 6; i++) top?.delete(numbered(i));
    for (let i = 10; i < 20; i++) top?.put(numbered(i), new Uint8Array(200));
  },
  (tx) => tx.moveBucket('in', tx.bucket('outer'), tx.bucket('branches')),
  (tx) => {
    for (const { name } of [...tx.buckets()]) tx.deleteBucket(name);
  },
];

/** Opens the file and does all work, each piece in a transaction of its own. What fails must leave the file as it was. */
function writeTo(bytes: Uint8Array): number {
  const file = memoryFile(bytes);
  let db: WritableBoltDb | undefined;
  if (
    !attempt(() => {
      db = openBolt(file, { readOnly: false });
    })
  ) {
    expectSameBytes(file.bytes(), bytes);
    return 0;
  }
  let done = 1;
  for (const work of WORK) {
    const before = file.bytes();
    if (attempt(() => db?.update(work))) done++;
    // What was not committed may have made the file longer, nothing else.
    else if (Buffer.compare(file.bytes().subarray(0, before.length), before) !== 0) throw new Error('the file changed');
  }
  db?.close();
  return done;
}

describe.each([
  ['with a stored freelist', false],
  ['without a freelist', true],
])('%s', (_name, noFreelistSync) => {
  const whole = small(noFreelistSync);

  test('the whole file takes all of it', () => {
    expect(writeTo(whole)).toBe(1 + WORK.length);
  });

  test('every field at every edge', { timeout: 120_000 }, () => {
    const original = new BoltEdit(whole);
    let tried = 0;
    for (const field of original.fields()) {
      // Elements further on are as the first ones.
      if ((field.index ?? 0) > 2) continue;
      const value = original.getField(field);
      for (const other of boundaryValues(field.size, value, BigInt(original.highWaterMark))) {
        if (other === value) continue;
        const edit = new BoltEdit(whole);
        edit.setField(field, other);
        if (field.structure === 'meta' && field.field !== 'checksum') edit.sealMeta(field.page as 0 | 1);
        writeTo(edit.bytes);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(1000);
  });

  test('pages in each other’s places', { timeout: 120_000 }, () => {
    const original = new BoltEdit(whole);
    for (const from of original.treePages()) {
      for (const to of original.treePages()) {
        if (from === to) continue;
        const edit = new BoltEdit(whole);
        edit.bytes.set(whole.subarray(original.at(from), original.at(from + 1)), edit.at(to));
        edit.setU64(edit.at(to), to);
        writeTo(edit.bytes);
      }
    }
  });
});

describe('damage that would spoil more when written', () => {
  /** With a freelist, so that not all trees are walked at once. */
  const open = (pages: Parameters<typeof boltFile>[0]) => {
    const edit = new BoltEdit(boltFile(pages));
    edit.storeFreelist([]);
    return openDb(edit.bytes);
  };
  const file = (pages: Parameters<typeof boltFile>[0]) => open({ 2: leaf(bucket('b', 3)), ...pages });
  const damaged = code('BOLT_DAMAGED');

  test('keys that are not in order: the page can be read, not changed', () => {
    const database = file({ 3: leaf(['b', '1'], ['a', '2']) });
    expect(() => database.db.update((tx) => tx.bucket('b')?.put('c', '3'))).toThrow(damaged);
    expect(contentOf(database)).toEqual({ b: { b: '1', a: '2' } });
  });

  test('elements that share bytes', () => {
    const made = newDb({ pageSize: 512 });
    made.db.update((tx) => fill(tx.createBucket('b'), 3, 100));
    const edit = pagesOf(made);
    const [first, second] = edit.entries('b');
    // The second key begins within the first value, and all values together are longer than the page.
    edit.setU32(second.element + 4, edit.u32(first.element + 4) - 16 + 5);
    edit.setU32(second.element + 12, 400);
    const database = openDb(edit.bytes);
    expect(() => database.db.update((tx) => tx.bucket('b')?.put('zz', ''))).toThrow(damaged);
  });

  test('a page of two buckets is freed once only: deleting both is refused', () => {
    const database = open({ 2: leaf(bucket('a', 3), bucket('b', 3)), 3: leaf(['k', 'v']) });
    expect(() =>
      database.db.update((tx) => {
        tx.deleteBucket('a');
        tx.deleteBucket('b');
      }),
    ).toThrow(damaged);
    expect(contentOf(database)).toEqual({ a: { k: 'v' }, b: { k: 'v' } });
  });

  test('a change that damage left incomplete cannot be committed, even when its error was caught', () => {
    // Deleting `outer` meets a bucket in it whose page is none, after pages were given up.
    const database = open({
      2: leaf(bucket('good', 4), bucket('outer', 3)),
      3: leaf(bucket('bad', 5), bucket('in', 6)),
      4: leaf(['k', 'v']),
      5: { flags: 0x40, count: 0, body: new Uint8Array(0) },
      6: leaf(['k', 'v']),
    });
    expect(() =>
      database.db.update((tx) => {
        expect(() => tx.deleteBucket('outer')).toThrow(damaged);
        tx.bucket('good')?.put('k', 'other');
      }),
    ).toThrow(damaged);
    database.db.update((tx) => tx.bucket('good')?.put('k', 'third'));
    expect(database.db.view((tx) => tx.bucket('good')?.get('k'))).toEqual(new TextEncoder().encode('third'));
  });

  test('a bucket whose root is that of a bucket above it cannot be opened', () => {
    const database = file({ 3: leaf(bucket('c', 4)), 4: leaf(bucket('d', 3)) });
    database.db.view((tx) => expect(() => tx.bucket('b')?.bucket('c')?.bucket('d')).toThrow(damaged));
    expect(() => database.db.update((tx) => tx.deleteBucket('b'))).toThrow(damaged);
  });

  test('a loop of more buckets than are compared: it ends at the number of pages', () => {
    const pages: Record<number, ReturnType<typeof leaf>> = {};
    for (let page = 3; page < 1503; page++) pages[page] = leaf(bucket('b', page === 1502 ? 3 : page + 1));
    const database = file(pages);
    const walk = (tx: Transaction) => {
      for (let next = tx.bucket('b'); next !== undefined; next = next.bucket('b'));
    };
    expect(() => database.db.view(walk)).toThrow(damaged);
    expect(() => database.db.update((tx) => tx.deleteBucket('b'))).toThrow(damaged);
  });

  test('a bucket in an inline bucket', () => {
    const inner = inlineBucket('in', leaf(['k', 'v']));
    const database = open({ 2: leaf(inlineBucket('b', leaf(inner))) });
    database.db.update((tx) => tx.bucket('b')?.put('k', 'v'));
    // As bbolt would have stored it: with pages of its own.
    expect(contentOf(database)).toEqual({ b: { in: { k: 'v' }, k: 'v' } });
    expect(pagesOf(database).bucket('b').root).not.toBe(0);
  });

  test('a branch without children', () => {
    const database = file({ 3: branch() });
    expect(() => database.db.update((tx) => tx.bucket('b')?.put('k', 'v'))).toThrow(damaged);
  });
});

describe('a page that claims more overflow pages than it needs', () => {
  // Its pages were given up with those of others, which the next transaction then overwrote. A file with a stored freelist
  // shows nothing of this when it is opened.
  const claiming = (): Uint8Array => {
    const { db, file } = newDb({ pageSize: 512 });
    db.update((tx) => {
      fill(tx.createBucket('a'), 3, 120);
      fill(tx.createBucket('b'), 3, 120);
    });
    const bytes = file.bytes();
    const { rootPage } = db.view((tx) => tx.bucket('a') as TxBucket);
    new DataView(bytes.buffer).setUint32(rootPage * 512 + 12, 1, true);
    return bytes;
  };

  test.each<[string, (tx: Transaction) => void]>([
    ['is not changed', (tx) => tx.bucket('a')?.put('new', 'v')],
    ['is not given up with its bucket', (tx) => tx.deleteBucket('a')],
  ])('%s', (_, work) => {
    const file = memoryFile(claiming());
    const db = openBolt(file, { readOnly: false });
    expect(() => db.update(work)).toThrow(code('BOLT_DAMAGED'));
    expectSameBytes(file.bytes(), claiming());
    db.update((tx) => tx.bucket('b')?.put('new', 'v'));
    expect(db.view((tx) => tx.bucket('b')?.get('new')?.length)).toBe(1);
  });
});

test('a page more, as boltdb before 1.3 took it for content that ends with a page, is no damage', () => {
  // Header 16, element 16, key 1: the leaf ends exactly at 512. Page 4 is its second one.
  const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['k', 'v'.repeat(479)]), 5: leaf() }, { pageSize: 512 });
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(3 * 512 + 12, 1, true);
  const { db, file } = openDb(bytes);
  expect(checkBolt(file).verdict).toBe('healthy');
  db.update((tx) => tx.bucket('b')?.put('l', 'v'));
  db.update((tx) => tx.deleteBucket('b'));
  expect(checkBolt(file).verdict).toBe('healthy');
});
