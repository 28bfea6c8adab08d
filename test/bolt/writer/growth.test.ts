// How long the file is made, and what keeps it from growing.
import { describe, expect, test } from 'vitest';
import { FileGrowth } from '../../../src/bolt/file-growth.ts';
import type { TxBucket } from '../../../src/bolt/index.ts';
import { createBolt } from '../../../src/bolt/index.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { type FileEvent, faultyFile } from '../../support/faulty.ts';
import { code, contentOf, expectHealthy, expectSameBytes, fill, newDb, openDb } from '../../support/writer-db.ts';

const MIB = 1 << 20;
const GIB = 2 ** 30;

describe('the length of a file', () => {
  /** The lengths that a file takes as its pages grow in number, one after the other. */
  function lengths(growth: FileGrowth, fileSize: number, marks: readonly number[]): number[] {
    const sizes: number[] = [];
    let size = fileSize;
    for (const mark of marks) {
      growth.reserve(mark, size);
      const target = growth.target(mark, size);
      if (target !== undefined) {
        size = target;
        sizes.push(size);
      }
    }
    return sizes;
  }

  test('doubles from 32 KiB to 16 MiB, then goes on by what is needed and 16 MiB', () => {
    const marks = Array.from({ length: 9000 }, (_, i) => i + 4);
    const sizes = lengths(new FileGrowth(4096, 16_384, 16 * MIB, 0), 16_384, marks);
    expect(sizes).toEqual([
      ...[32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384].map((kib) => kib * 1024),
      4097 * 4096 + 16 * MIB,
      8194 * 4096 + 16 * MIB,
    ]);
  });

  test('jumps as far as it has to', () => {
    const growth = () => new FileGrowth(4096, 16_384, 16 * MIB, 0);
    expect(lengths(growth(), 16_384, [100])).toEqual([512 * 1024]);
    expect(lengths(growth(), 16_384, [4102])).toEqual([33_583_104]);
    expect(lengths(growth(), 16_384, [7])).toEqual([32_768]);
    expect(lengths(growth(), 16_384, [8])).toEqual([65_536]);
  });

  test('follows a large initial map, as etcd has it', () => {
    expect(lengths(new FileGrowth(4096, 16_384, 16 * MIB, 10 * GIB), 16_384, [5])).toEqual([16_801_792]);
  });

  test('above 1 GiB the map is a multiple of it, in whole pages', () => {
    const sizes = (pageSize: number) => {
      const start = Math.floor((1.5 * GIB) / pageSize) * pageSize;
      return lengths(new FileGrowth(pageSize, start, 8 * GIB, 0), start, [Math.ceil((1.6 * GIB) / pageSize)]);
    };
    expect(sizes(4096)).toEqual([2 * GIB]);
    expect(sizes(1000)).toEqual([Math.ceil((2 * GIB) / 1000) * 1000]);
    expect(lengths(new FileGrowth(4096, GIB, 8 * GIB, 0), GIB, [GIB / 4096 - 1])).toEqual([]);
  });

  test('follows the step that was asked for', () => {
    const marks = Array.from({ length: 60 }, (_, i) => i + 4);
    expect(lengths(new FileGrowth(4096, 16_384, 65_536, 0), 16_384, marks)).toEqual([
      32_768,
      65_536,
      17 * 4096 + 65_536,
      34 * 4096 + 65_536,
      51 * 4096 + 65_536,
    ]);
  });

  test('of a database in use: as bbolt makes it', () => {
    const database = newDb({ noSync: true });
    const sizes = new Set<number>([database.file.size]);
    for (let i = 0; i < 30; i++) {
      database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 50, 1000, i * 50));
      sizes.add(database.file.size);
    }
    expect([...sizes]).toEqual([16_384, 262_144, 524_288, 1_048_576, 2_097_152, 4_194_304].filter((s) => sizes.has(s)));
    expect(database.file.size).toBe(4_194_304);
    expectHealthy(database);
  });

  test('does not change when it is opened and something small is written', () => {
    const database = newDb();
    for (let i = 0; i < 3; i++) database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 100, 1000));
    const { size } = database.file;
    for (let i = 0; i < 10; i++) {
      const again = openDb(database.file.bytes());
      again.db.update((tx) => tx.bucket('b')?.put('k0000', `${i}`));
      expect(again.file.size).toBe(size);
      again.db.close();
    }
  });

  test('does not change when a large file is opened again', () => {
    const database = newDb({ noSync: true });
    database.db.update((tx) => tx.createBucket('b').put('k', new Uint8Array(20 * MIB)));
    const { size } = database.file;
    expect(size).toBe((database.db.highWaterMark + 1) * 4096 + 16 * MIB);
    const again = openDb(database.file.bytes());
    again.db.update((tx) => tx.createBucket('c').put('small', 'v'));
    // Also a larger value has room in the step that was made.
    again.db.update((tx) => tx.bucket('c')?.put('other', new Uint8Array(2 * MIB)));
    expect(again.file.size).toBe(size);
  });
});

describe('the order of writes', () => {
  const events = (work: (bucket: TxBucket) => void, options = {}) => {
    const file = faultyFile(memoryFile());
    const db = createBolt(file, options);
    db.update((tx) => tx.createBucket('b'));
    const before = file.events.length;
    db.update((tx) => work(tx.bucket('b') as TxBucket));
    return file.events.slice(before).map((event: FileEvent) => {
      if (event.kind === 'write') return event.offset < 8192 ? 'meta' : 'pages';
      return event.kind;
    });
  };
  const large = (bucket: TxBucket) => bucket.put('k', new Uint8Array(100_000));
  const small = (bucket: TxBucket) => bucket.put('k', 'v');
  const once = (names: string[]) => names.filter((name, i) => name !== names[i - 1]);

  test('the file is made longer and that synced, pages written, synced, the meta written, synced', () => {
    expect(once(events(large))).toEqual(['truncate', 'sync', 'pages', 'sync', 'meta', 'sync']);
    expect(once(events(large, { noFreelistSync: true }))).toEqual([
      'truncate',
      'sync',
      'pages',
      'sync',
      'meta',
      'sync',
    ]);
  });

  test('without growth', () => {
    expect(once(events(small))).toEqual(['pages', 'sync', 'meta', 'sync']);
  });

  test('noSync leaves out the syncs of pages and meta', () => {
    expect(once(events(small, { noSync: true }))).toEqual(['pages', 'meta']);
    expect(once(events(large, { noSync: true }))).toEqual(['truncate', 'sync', 'pages', 'meta']);
  });

  test('noGrowSync leaves the file to grow as it is written', () => {
    expect(once(events(large, { noGrowSync: true }))).toEqual(['pages', 'sync', 'meta', 'sync']);
    const database = newDb({ noGrowSync: true });
    for (let i = 0; i < 10; i++) database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 20, 1000, 20 * i));
    expect(database.file.size).toBeLessThanOrEqual(database.db.highWaterMark * 4096);
    expectHealthy(database);
    expect(openDb(database.file.bytes()).db.view((tx) => tx.bucket('b')?.get('k0199')?.length)).toBe(1000);
  });

  test('pages are written in the order of the file', () => {
    const file = faultyFile(memoryFile());
    const db = createBolt(file, { pageSize: 512 });
    db.update((tx) => fill(tx.createBucket('b'), 300, 100));
    db.update((tx) => {
      for (let i = 0; i < 300; i += 7) tx.bucket('b')?.put(`k${String(i).padStart(4, '0')}`, 'v');
    });
    const last = file.events.findLastIndex((event) => event.kind === 'write' && event.offset < 1024);
    const start = file.events.findLastIndex((event, i) => i < last && event.kind === 'write' && event.offset < 1024);
    const offsets = file.events
      .slice(start + 1, last)
      .flatMap((event) => (event.kind === 'write' ? [event.offset] : []));
    expect(offsets.length).toBeGreaterThan(1);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
  });
});

describe('maxSize', () => {
  test('a commit that would make the file longer fails, and nothing of it stays', () => {
    const database = newDb({ maxSize: 256 * 1024, noSync: true });
    let rounds = 0;
    const grow = () => database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 10, 1000, 10 * rounds));
    expect(() => {
      for (; rounds < 100; rounds++) grow();
    }).toThrow(code('BOLT_MAX_SIZE'));
    expect(rounds).toBeGreaterThan(5);
    expect(database.file.size).toBeLessThanOrEqual(256 * 1024);
    expect(Object.keys(contentOf(database)['b'] as object).length).toBe(10 * rounds);
    expectHealthy(database);
    // What fits into free pages can still be written.
    database.db.update((tx) => tx.bucket('b')?.delete('k0000'));
    database.db.update((tx) => tx.bucket('b')?.put('k0001', 'small'));
    expectHealthy(database);
  });

  test('a file that is longer already can be opened, read, and written to in its free pages', () => {
    const made = newDb();
    made.db.update((tx) => fill(tx.createBucket('b'), 200, 1000));
    made.db.update((tx) => {
      for (let i = 0; i < 150; i++) tx.bucket('b')?.delete(`k${String(i).padStart(4, '0')}`);
    });
    made.db.update(() => {});
    for (const initialMapSize of [0, 10 * GIB]) {
      const database = openDb(made.file.bytes(), { maxSize: 100_000, initialMapSize });
      expectSameBytes(database.file.bytes(), made.file.bytes());
      database.db.update((tx) => tx.bucket('b')?.put('new', new Uint8Array(5000)));
      expect(database.file.size).toBe(made.file.size);
      const large = new Uint8Array(2_000_000);
      expect(() => database.db.update((tx) => tx.bucket('b')?.put('large', large))).toThrow(code('BOLT_MAX_SIZE'));
      expect(database.file.size).toBe(made.file.size);
      expectHealthy(database);
    }
  });

  test('a large initial map alone does not make the file longer', () => {
    const database = newDb({ initialMapSize: GIB, maxSize: 64 * MIB });
    expect(database.file.size).toBe(16_384);
    database.db.update((tx) => tx.createBucket('b').put('k', 'v'));
    expect(database.file.size).toBeLessThanOrEqual(17 * MIB);
  });
});
