import { expect, test } from 'vitest';
import { openBolt } from '../../../src/bolt/open.ts';
import { copyPage } from '../../../src/bolt/surgery/copy-page.ts';
import { findKeyPaths } from '../../../src/bolt/surgery/find-key-paths.ts';
import { createBolt } from '../../../src/bolt/writable.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { boltFile, bucket, inlineBucket, leaf } from '../../support/bolt-pages.ts';

const number = (i: number): string => `${i}`.padStart(4, '0');

/** Buckets of 500 keys each, with an inline bucket in each. */
function database(...names: string[]): ReturnType<typeof memoryFile> {
  const file = memoryFile();
  const db = createBolt(file, { noSync: true });
  db.update((tx) => {
    for (const name of names) {
      const data = tx.createBucket(name);
      for (let i = 0; i < 500; i++) data.put(number(i), new Uint8Array(100));
      data.createBucket('0451A').put('foo', 'bar');
    }
  });
  return file;
}

const keysOf = (file: ReturnType<typeof memoryFile>, page: number): string[] => {
  const details = openBolt(file).page(page);
  return Array.from({ length: details.count }, (_, i) => new TextDecoder().decode(details.item(i).element.key));
};

test('the way to a key ends at the leaf that has it', () => {
  const file = database('data');
  const [way, ...others] = findKeyPaths(file, '0451');
  expect(others).toEqual([]);
  expect(way?.length).toBe(3);
  expect(way?.[0]).toBe(Number(openBolt(file).meta.root));
  expect(keysOf(file, way?.at(-1) as number)).toContain('0451');
  expect(findKeyPaths(file, 'nothing')).toEqual([]);
});

test('a key in several buckets is found in each, and the name of a bucket too', () => {
  const file = database('a', 'b');
  for (const key of ['0451', '0451A', 'foo']) {
    const ways = findKeyPaths(file, key);
    expect(ways.length).toBe(2);
    expect(new Set(ways.map((way) => way.at(-1))).size).toBe(2);
  }
  expect(findKeyPaths(file, 'a').length).toBe(1);
});

test('a key in an inline bucket lies on the page of that bucket', () => {
  const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(inlineBucket('i', leaf(['key', 'value']))) });
  expect(findKeyPaths(bytes, 'key')).toEqual([[2, 3]]);
});

test('a page that refers to itself through its ancestor is an error', () => {
  const file = database('data');
  const way = findKeyPaths(file, '0001')[0] as number[];
  copyPage(file, way.at(-2) as number, way.at(-1) as number);
  expect(() => findKeyPaths(file, '0001')).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
});

test('so are buckets that lie in each other', () => {
  const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(bucket('c', 2)) });
  expect(() => findKeyPaths(bytes, 'x')).toThrow('referenced more than once');
});

test('a file that is shorter than its database is refused', () => {
  const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf() }, { highWaterMark: 99 });
  expect(() => findKeyPaths(bytes, 'x')).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
});
