// Copies of a database that is being written to.
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CopyJob } from '../../../src/bolt/copy.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { copyBolt, createBolt, openFileSource } from '../../../src/node.ts';
import { faultyFile } from '../../support/faulty.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { contentOf, expectHealthy, fill, newDb, openDb, pagesOf } from '../../support/writer-db.ts';

describe('a copy of a database', () => {
  test('has its state in both metas, its pages as they are, and ends at the last one', () => {
    const database = newDb();
    for (let i = 0; i < 5; i++) database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 50, 100, 10 * i));
    const target = memoryFile();
    drain(new CopyJob(database.file, target));
    const copy = { db: database.db, file: target };
    expect(contentOf(copy)).toEqual(contentOf(database));
    const pages = expectHealthy(copy);
    const { highWaterMark } = database.db;
    expect(target.size).toBe(highWaterMark * 4096);
    expect([pages.u64(pages.at(0, 64)), pages.u64(pages.at(1, 64))]).toEqual([6n, 5n]);
    const own = pagesOf(database).bytes.subarray(2 * 4096, highWaterMark * 4096);
    expect(Buffer.compare(pages.bytes.subarray(2 * 4096), own)).toBe(0);
  });

  test('can be written to, whatever the number of its transaction', () => {
    for (const commits of [3, 4]) {
      const database = newDb();
      for (let i = 0; i < commits; i++)
        database.db.update((tx) => fill(tx.createBucketIfNotExists('b'), 50, 100, 10 * i));
      const target = memoryFile();
      drain(new CopyJob(database.file, target));
      const copy = openDb(target.bytes());
      for (let i = 0; i < 4; i++) {
        copy.db.update((tx) => tx.bucket('b')?.put(`new${i}`, 'v'));
        expectHealthy(copy);
      }
      expect(copy.db.txid).toBe(BigInt(commits + 1 + 4));
    }
  });

  test('is of one piece when transactions are committed meanwhile', () => {
    const database = newDb({ pageSize: 512 });
    database.db.update((tx) => tx.createBucket('b').put('large', new Uint8Array(3_000_000)));
    const target = memoryFile();
    const job = new CopyJob(database.file, target);
    let expected = contentOf(database);
    for (let step = 0; !job.step(); step++) {
      if (step % 2 === 0 && step < 6) {
        database.db.update((tx) => fill(tx.bucket('b')!, 20, 100, 20 * step));
        expected = contentOf(database);
      }
    }
    expect(contentOf({ db: database.db, file: target })).toEqual(expected);
  });

  test('fails as a whole at each write that fails, and leaves nothing that could be taken for a database', () => {
    const database = newDb();
    database.db.update((tx) => tx.createBucket('b').put('large', new Uint8Array(3_000_000)));
    for (let failWriteAfter = 0; ; failWriteAfter++) {
      const target = memoryFile();
      try {
        drain(new CopyJob(database.file, faultyFile(target, { failWriteAfter })));
        expect(failWriteAfter).toBeGreaterThan(2);
        break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'IO_FAILED', systemCode: 'ENOSPC' });
        expect(
          target
            .bytes()
            .subarray(0, 8192)
            .every((byte) => byte === 0),
        ).toBe(true);
      }
    }
  });

  test('is of the file that was opened, though another one has taken its name', async () => {
    const directory = temporaryDirectory();
    const [path, other] = [join(directory, 'db'), join(directory, 'other')];
    for (const name of [path, other]) {
      using db = createBolt(name);
      db.update((tx) => tx.createBucket(name === path ? 'mine' : 'of another'));
    }
    const source = openFileSource(path);
    renameSync(other, path);
    const target = memoryFile();
    await copyBolt(source, target);
    source.close();
    const copy = openDb(target.bytes());
    expect(contentOf(copy)).toEqual({ mine: {} });
    expect(readFileSync(path).includes('of another')).toBe(true);
  });
});
