// New databases, and the opening of those that are there.
import { describe, expect, test } from 'vitest';
import { DEFAULT_PAGE_SIZE, encodeEmptyBolt } from '../../../src/bolt/create.ts';
import { checkBolt, createBolt, openBolt } from '../../../src/bolt/index.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { listDbFixtures, readFixture } from '../../support/fixtures.ts';
import { freshFile } from '../../support/golden-bolt.ts';
import {
  code,
  contentOf,
  expectHealthy,
  expectSameBytes,
  fill,
  newDb,
  numbered,
  openDb,
  pagesOf,
} from '../../support/writer-db.ts';

const PAGE_SIZES = [256, 512, 1000, 1024, 4096, 16_384, 65_536, 1 << 20, 1 << 26];

describe('a new database', () => {
  test('has pages of 4096 bytes unless told, byte for byte as bbolt makes it', () => {
    expect(DEFAULT_PAGE_SIZE).toBe(4096);
    expectSameBytes(encodeEmptyBolt(), freshFile());
    expectSameBytes(newDb().file.bytes(), freshFile());
  });

  test.each(PAGE_SIZES.map((size) => [size]))('of pages of %d bytes has four, and is healthy', (pageSize) => {
    const bytes = encodeEmptyBolt(pageSize);
    expect(bytes.length).toBe(4 * pageSize);
    const edit = new BoltEdit(bytes);
    expect([edit.pageSize, edit.newerMeta, edit.root, edit.freelist, edit.highWaterMark]).toEqual([
      pageSize,
      1,
      3,
      2,
      4,
    ]);
    expect([0, 1, 2, 3].map((page) => edit.flags(page))).toEqual([4, 4, 0x10, 2]);
    expect(checkBolt(bytes).verdict).toBe('healthy');
  });

  test.each(PAGE_SIZES.slice(0, 8).map((size) => [size]))(
    'of pages of %d bytes can be written and read',
    (pageSize) => {
      const database = newDb({ pageSize, noSync: true });
      database.db.update((tx) => fill(tx.createBucket('b'), 200, 50));
      const again = openDb(database.file.bytes());
      expect([again.db.pageSize, again.db.txid]).toEqual([pageSize, 2n]);
      again.db.update((tx) => tx.bucket('b')?.put('last', 'v'));
      expect(Object.keys(contentOf(again)['b'] as object)).toEqual([
        ...Array.from({ length: 200 }, (_, i) => numbered(i)),
        'last',
      ]);
      expectHealthy(again);
    },
  );

  test.each([[0], [255], [(1 << 26) + 1], [4096.5], [Number.NaN], [-4096]])(
    'cannot have pages of %d bytes',
    (pageSize) => {
      const file = memoryFile();
      expect(() => createBolt(file, { pageSize })).toThrow(code('USAGE'));
      expect(file.size).toBe(0);
    },
  );

  test('is only made of an empty file', () => {
    const file = memoryFile(new Uint8Array([1]));
    expect(() => createBolt(file)).toThrow(code('TARGET_EXISTS'));
    expect(file.bytes()).toEqual(new Uint8Array([1]));
  });

  test('an error of the file comes through', () => {
    const file = Object.assign(memoryFile(), {
      write: () => {
        throw new Error('no space left');
      },
    });
    expect(() => createBolt(file)).toThrow('no space left');
  });
});

describe('opening for writing', () => {
  test('finds what was written, and goes on from there', () => {
    const database = newDb();
    for (let i = 0; i < 5; i++) {
      const { db, file } = openDb(database.file.bytes());
      db.update((tx) => tx.createBucket(`b${i}`).put('k', 'v'));
      database.file.truncate(0);
      database.file.write(0, file.bytes());
      db.close();
    }
    expect(Object.keys(contentOf(database))).toEqual(['b0', 'b1', 'b2', 'b3', 'b4']);
    expectHealthy(database);
  });

  test('needs a file that can be written to', () => {
    const bytes = newDb().file.bytes();
    expect(() => openBolt(memorySource(bytes) as never, { readOnly: false })).toThrow(code('USAGE'));
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['a page of zeros', new Uint8Array(4096)],
    ['text', new TextEncoder().encode('a file that is no database '.repeat(1000))],
  ])('of %s fails, and leaves the file open and as it was', (_name, bytes) => {
    const file = memoryFile(bytes);
    let closed = 0;
    Object.assign(file, { close: () => closed++ });
    expect(() => openBolt(file, { readOnly: false })).toThrow(code('BOLT_NO_META'));
    expectSameBytes(file.bytes(), bytes);
    expect(closed).toBe(0);
  });

  test('of a file that is shorter than its pages is refused', () => {
    const database = newDb();
    database.db.update((tx) => fill(tx.createBucket('b'), 100, 100));
    const { highWaterMark } = pagesOf(database);
    const bytes = database.file.bytes();
    expect(() => openDb(bytes.subarray(0, highWaterMark * 4096 - 1))).toThrow(code('BOLT_DAMAGED'));
    openDb(bytes.subarray(0, highWaterMark * 4096)).db.update((tx) => tx.createBucket('c'));
  });

  test.each(
    listDbFixtures()
      .filter(({ kind, name }) => kind === 'bolt' || name.includes('/busy/'))
      .map((fixture) => [fixture.name, fixture] as const),
  )('%s: written by bbolt or etcd, it can be changed, and is healthy afterwards', (_name, fixture) => {
    const database = openDb(readFixture(fixture));
    const before = contentOf(database);
    database.db.update((tx) => fill(tx.createBucket('a bucket of ours'), 300, 100));
    database.db.update((tx) => tx.deleteBucket('a bucket of ours'));
    expect(contentOf(database)).toEqual(before);
    expect(checkBolt(database.file.bytes()).verdict).toBe('healthy');
  });
});
