// The writer on real files, by path.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBolt, createBolt, openBolt } from '../../../src/node.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { code, expectSameBytes, fill, newDb, numbered } from '../../support/writer-db.ts';

describe('a database on disk', () => {
  test('is made, closed, opened again and goes on', () => {
    const path = join(temporaryDirectory(), 'db');
    for (let i = 0; i < 5; i++) {
      using db = i === 0 ? createBolt(path) : openBolt(path, { readOnly: false });
      expect(db.path).toBe(path);
      db.update((tx) => fill(tx.createBucketIfNotExists('b'), 100, 100, 100 * i));
      expect(db.view((tx) => tx.bucket('b')?.get(numbered(100 * i))?.length)).toBe(100);
    }
    expect(openBolt(path).requireBucket('b').stats().keyN).toBe(500);
    expect(checkBolt(path)).toMatchObject({ verdict: 'healthy', findings: [] });
  });

  test('has the same bytes as one in memory', () => {
    const path = join(temporaryDirectory(), 'db');
    const onDisk = createBolt(path, { pageSize: 1024 });
    const inMemory = newDb({ pageSize: 1024 });
    for (const db of [onDisk, inMemory.db]) {
      for (let i = 0; i < 20; i++) {
        db.update((tx) => {
          const bucket = tx.createBucketIfNotExists('b');
          fill(bucket, 30, 50 + i, 20 * i);
          for (let k = 0; k < 10; k++) bucket.delete(numbered(20 * i - k));
          bucket.createBucketIfNotExists('inner').nextSequence();
        });
      }
    }
    onDisk.close();
    expectSameBytes(readFileSync(path), inMemory.file.bytes());
  });

  test('is locked until it is closed, and readers need no lock', () => {
    const path = join(temporaryDirectory(), 'db');
    const db = createBolt(path);
    db.update((tx) => tx.createBucket('b'));
    expect(() => openBolt(path, { readOnly: false })).toThrow(code('FILE_LOCKED'));
    using reader = openBolt(path);
    expect(reader.bucket('b')).toBeDefined();
    db.close();
    openBolt(path, { readOnly: false }).close();
  });

  test('a reader of another handle sees the commit it opened at, as long as its pages are there', () => {
    const path = join(temporaryDirectory(), 'db');
    using db = createBolt(path);
    db.update((tx) => tx.createBucket('b').put('k', 'old'));
    using reader = openBolt(path);
    expect(reader.hasChanged()).toBe(false);
    db.update((tx) => tx.bucket('b')?.put('k', 'new'));
    expect(reader.get('b', 'k')).toEqual(new TextEncoder().encode('old'));
    expect(reader.hasChanged()).toBe(true);
  });

  test('that is not there is not made by opening it; one that is there not by making it', () => {
    const path = join(temporaryDirectory(), 'db');
    expect(() => openBolt(path, { readOnly: false })).toThrow(code('NOT_FOUND'));
    expect(() => openBolt(path)).toThrow(code('NOT_FOUND'));
    expect(existsSync(path)).toBe(false);
    createBolt(path).close();
    const { size } = statSync(path);
    expect(() => createBolt(path)).toThrow(code('TARGET_EXISTS'));
    expect(statSync(path).size).toBe(size);
  });

  test('one of many that are open at once', () => {
    const directory = temporaryDirectory();
    const databases = Array.from({ length: 50 }, (_, i) => createBolt(join(directory, `${i}`), { noSync: true }));
    for (let round = 0; round < 3; round++) {
      for (const [i, db] of databases.entries()) {
        db.update((tx) => tx.createBucketIfNotExists(`bucket ${i}`).put(`key ${round}`, `${i}`));
      }
    }
    for (const [i, db] of databases.entries()) {
      const bucket = db.reader().requireBucket(`bucket ${i}`);
      expect([bucket.stats().keyN, db.txid]).toEqual([3, 4n]);
      db.close();
    }
    expect(databases.every((_, i) => checkBolt(join(directory, `${i}`)).verdict === 'healthy')).toBe(true);
  });
});
