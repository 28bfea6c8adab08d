// Files byte for byte as bbolt 1.3 to 1.5 write them.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PageAllocator } from '../../src/bolt/page-allocator.ts';
import { createBolt } from '../../src/bolt/writable.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { branchFile, freshFile, widgetsFile } from '../support/golden-bolt.ts';

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

function branchDatabase(): Uint8Array {
  const file = memoryFile();
  const db = createBolt(file, { pageSize: 1024 });
  db.update((tx) => {
    const bucket = tx.createBucket('b');
    for (let i = 0; i < 20; i++) bucket.put(`k${String(i).padStart(2, '0')}`, 'x'.repeat(100));
  });
  db.close();
  return file.bytes();
}

describe('files as bbolt writes them', () => {
  it('a new file', () => {
    const file = memoryFile();
    createBolt(file).close();
    expect(md5(file.bytes())).toBe('f27af34fccaea0094c8ff67242abdd05');
    expect(file.bytes()).toEqual(freshFile());
  });

  it('the first transaction: a bucket, its sequence, a key', () => {
    const file = memoryFile();
    const db = createBolt(file);
    db.update((tx) => {
      const bucket = tx.createBucket('widgets');
      expect(bucket.nextSequence()).toBe(1n);
      bucket.put('foo', 'bar');
    });
    db.close();
    expect(file.bytes()).toEqual(widgetsFile());
    expect(md5(file.bytes())).toBe('6d25f48916ae2cb781ba91229ac1a71a');
  });

  it('a branch page over four leaves', () => {
    const bytes = branchDatabase();
    expect(bytes).toEqual(branchFile());
    expect(md5(bytes)).toBe('ef5eaf483ea73e5046a31f870fec9bb1');
    const bolt = new BoltEdit(bytes);
    expect([4, 5, 6, 7].map((page) => bolt.count(page))).toEqual([4, 4, 4, 8]);
    const elements = bolt.leafElements(bolt.at(4));
    expect(elements.map(({ element, position }) => position - element)).toEqual([0x40, 0x97, 0xee, 0x145]);
    expect(elements.map(({ keySize, valueSize }) => [keySize, valueSize])).toEqual(Array(4).fill([3, 100]));
  });
});

describe('free pages', () => {
  it('are taken by the lowest run that is long enough', () => {
    const allocator = new PageAllocator();
    for (const page of [3, 4, 5, 6, 7, 9, 12, 13, 18]) allocator.addFree(page);
    allocator.begin();
    const taken = [3, 1, 3, 2, 1].map((count) => allocator.take(count, 5n));
    expect(taken).toEqual([3, 6, undefined, 12, 7]);
    expect(allocator.freeCount).toBe(2);
    expect([1, 1, 1].map((count) => allocator.take(count, 5n))).toEqual([9, 18, undefined]);
  });
});
