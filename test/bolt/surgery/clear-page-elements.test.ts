// Removing elements of a page. Pages are built here, and by real databases of the writer where the shape matters.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../../src/bolt/check.ts';
import { openBolt } from '../../../src/bolt/open.ts';
import { clearPage, clearPageElements } from '../../../src/bolt/surgery/clear-page-elements.ts';
import { createBolt } from '../../../src/bolt/writable.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, leaf } from '../../support/bolt-pages.ts';

const text = new TextDecoder();

/** A database with one bucket `data`, as bbolt's own tests have it, and pages of 4096 bytes. */
function database(entries: readonly (readonly [key: string, size: number])[]): Uint8Array {
  const file = memoryFile();
  const db = createBolt(file, { noSync: true });
  db.update((tx) => {
    const data = tx.createBucket('data');
    for (const [key, size] of entries) data.put(key, new Uint8Array(size).fill(key.charCodeAt(3)));
  });
  db.close();
  return file.bytes();
}

/** Keys and values (or children) of a page as `bolt page` would show them. */
function elements(bytes: Uint8Array, page: number): string[] {
  const details = openBolt(bytes).page(page);
  return Array.from({ length: details.count }, (_, i) => {
    const { element, child } = details.item(i);
    const value = element.value() ?? new Uint8Array(0);
    return `${text.decode(element.key)} ${child ?? `${value.length} ${value[0]}`}`;
  });
}

const COUNT = 2000;
const large = database(Array.from({ length: COUNT }, (_, i): [string, number] => [`${i}`.padStart(5, '0'), 10]));

function findPage(bytes: Uint8Array, type: 'leaf' | 'branch', wanted: (count: number, overflow: number) => boolean) {
  const bolt = new BoltEdit(bytes);
  const flags = type === 'leaf' ? 2 : 1;
  const page = bolt.treePages().find((id) => bolt.flags(id) === flags && wanted(bolt.count(id), bolt.overflow(id)));
  if (page === undefined) throw new Error(`no ${type} page`);
  return { page, count: bolt.count(page), overflow: bolt.overflow(page) };
}

describe.each(['leaf', 'branch'] as const)('a range of a %s page', (type) => {
  const { page, count } = findPage(large, type, (n) => n > 10);

  test.each([
    ['in the middle', 4, 8],
    ['up to the end', 4, -1],
    ['all', 0, -1],
    ['all, by the count', 0, count],
    ['the first ones', 0, 7],
    ['up to the count', 4, count],
    ['the first one', 0, 1],
    ['one in the middle', 6, 7],
    ['the last one', count - 1, count],
  ])('%s', (_, from, to) => {
    const file = memoryFile(large);
    const result = clearPageElements(file, page, from, to);
    const end = to === -1 ? count : to;
    expect(result).toMatchObject({
      page,
      type,
      fromIndex: from,
      toIndex: end,
      countBefore: count,
      count: count - (end - from),
      abandonsPages: type === 'branch',
      freelistStored: true,
    });
    const kept = elements(large, page).filter((_element, i) => i < from || i >= end);
    expect(elements(file.bytes(), page)).toEqual(kept);
    // Nothing else has changed.
    const bytes = file.bytes();
    bytes.set(large.subarray(page * 4096, (page + 1) * 4096), page * 4096);
    expect(Buffer.compare(bytes, large)).toBe(0);
  });

  test.each([
    ['[-1, 4)', -1, 4, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['[-2, 5)', -2, 5, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['[3, 3)', 3, 3, 'USAGE'],
    ['[5, 3)', 5, 3, 'USAGE'],
    ['[3, -2)', 3, -2, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['[3, 1000000)', 3, 1_000_000, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['[count, -1)', count, -1, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['[1.5, 3)', 1.5, 3, 'BOLT_PAGE_OUT_OF_RANGE'],
  ])('that cannot be is refused: %s', (_, from, to, code) => {
    const file = memoryFile(large);
    expect(() => clearPageElements(file, page, from, to)).toThrow(expect.objectContaining({ code }));
    expect(Buffer.compare(file.bytes(), large)).toBe(0);
  });
});

describe('overflow pages that are no longer needed', () => {
  test.each([
    ['a big element at the end', [500, 500, 500, 2600], 3, 4, 0],
    ['a big element at the begin', [2600, 500, 500, 500], 0, 1, 0],
    ['a big element in the middle', [500, 2600, 500, 500], 1, 2, 0],
    ['a small element at the end', [500, 500, 3100, 100], 3, 4, 1],
    ['a small element at the begin', [100, 500, 3100, 500], 0, 1, 1],
    ['a small element in the middle', [500, 100, 3100, 500], 1, 2, 1],
    ['a small element at the end of a long page', [500, 500, 4096 * 5, 100], 3, 4, 5],
    ['a small element at the begin of a long page', [100, 500, 4096 * 6, 500], 0, 1, 6],
    ['a small element in the middle of a long page', [500, 100, 4096 * 4, 500], 1, 2, 4],
    ['a huge element at the end', [500, 500, 500, 4096 * 5], 3, 4, 0],
    ['a huge element at the begin', [4096 * 5, 500, 500, 500], 0, 1, 0],
    ['a huge element in the middle', [500, 4096 * 5, 500, 500], 1, 2, 0],
  ])('%s', (_, sizes, from, to, expected) => {
    const bytes = database(sizes.map((size, i) => [`000${i}`, size] as const));
    const { page, overflow } = findPage(bytes, 'leaf', (_count, pages) => pages > 0);
    const file = memoryFile(bytes);
    const result = clearPageElements(file, page, from, to);
    expect(result).toMatchObject({
      overflowBefore: overflow,
      overflow: expected,
      abandonsPages: expected !== overflow,
    });
    const kept = elements(bytes, page).filter((_element, i) => i < from || i >= to);
    expect(elements(file.bytes(), page)).toEqual(kept);
  });

  // bbolt computes the room that is needed as if what stays were moved to the front, but leaves it where it is: with three
  // elements gone, 48 bytes fewer than the data reaches, and so the overflow page was cut off that the last value ends in.
  test('the page keeps what the data that stays reaches into', () => {
    const items = [
      ['a', 'x'.repeat(400)],
      ['b', 'y'.repeat(50)],
      ['c', 'z'.repeat(10)],
      ['d', 'z'.repeat(10)],
      ['e', 'z'.repeat(10)],
    ] as const;
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(...items) }, { pageSize: 512 });
    expect(new BoltEdit(bytes).overflow(3)).toBe(1);
    const file = memoryFile(bytes);
    // 16 + 2 × 16 + 401 + 51 = 500 bytes would do, the value of b ends at 548.
    expect(clearPageElements(file, 3, 2, -1)).toMatchObject({ overflow: 1, abandonsPages: false });
    expect(text.decode(openBolt(file).get('b', 'b'))).toBe('y'.repeat(50));
  });
});

describe('clearPage', () => {
  test('leaves an empty page, and the bytes behind its header as they were', () => {
    const { page } = findPage(large, 'leaf', (n) => n > 10);
    const file = memoryFile(large);
    expect(clearPage(file, page)).toMatchObject({ count: 0, overflow: 0, abandonsPages: false });
    const after = new BoltEdit(file.bytes());
    expect(after.count(page)).toBe(0);
    expect(after.span(page).slice(16)).toEqual(new BoltEdit(large).span(page).slice(16));
  });

  test('the children of a cleared branch page are unreachable', () => {
    const { page, count } = findPage(large, 'branch', (n) => n > 10);
    const file = memoryFile(large);
    expect(clearPage(file, page)).toMatchObject({ abandonsPages: true });
    const unreachable = checkBolt(file).findings.filter(({ code }) => code === 'BOLT_PAGE_UNREACHABLE');
    expect(unreachable[0]?.args).toMatchObject({ pages: `${count}` });
  });

  test('does nothing to an empty page, whatever the range', () => {
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf() });
    const file = memoryFile(bytes);
    expect(clearPage(file, 3)).toMatchObject({ countBefore: 0, count: 0, abandonsPages: false });
    expect(clearPageElements(file, 3, 7, 9)).toMatchObject({ count: 0 });
    expect(file.bytes()).toEqual(bytes);
  });

  test.each([
    ['a page that is not in the file', 99, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['a freelist', 4, 'BOLT_INCOMPATIBLE_VALUE'],
    ['a meta page', 1, 'USAGE'],
    ['no page number', Number.NaN, 'USAGE'],
    ['the middle of another page', 6, 'BOLT_DAMAGED'],
  ])('refuses %s', (_, page, code) => {
    const bytes = boltFile(
      { 2: leaf(bucket('b', 3)), 3: branch(['a', 5]), 4: freelist(), 5: leaf(['a', 'x'.repeat(700)]) },
      { freelist: 4 },
    );
    const file = memoryFile(bytes);
    expect(() => clearPage(file, page)).toThrow(expect.objectContaining({ code }));
    expect(file.bytes()).toEqual(bytes);
  });
});

describe('a damaged page', () => {
  const source = (): BoltEdit =>
    new BoltEdit(
      boltFile(
        { 2: leaf(bucket('b', 3)), 3: leaf(['a', '1'], ['b', '2'], ['c', '3'], ['d', '4']) },
        { highWaterMark: 4 },
      ),
    );
  const at = 3 * 512;

  test.each([
    ['a position outside the page', 4, 0xffff],
    ['a key size outside the page', 8, 0xffff_ffff],
    ['a key of no bytes', 8, 0],
    ['a value size outside the page', 12, 0xffff],
    ['a position in the element array', 4, 0],
  ])('%s: the element can be cleared, but not kept', (_, field, value) => {
    const bolt = source();
    bolt.setU32(at + 16 + 16 + field, value); // element 1
    const file = memoryFile(bolt.bytes);
    expect(() => clearPageElements(file, 3, 2, 3)).toThrow(
      expect.objectContaining({
        code: 'BOLT_DAMAGED',
        message: expect.stringContaining('element 1, which is to stay'),
      }),
    );
    expect(() => clearPageElements(file, 3, 2, -1)).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
    expect(file.bytes()).toEqual(bolt.bytes);
    clearPageElements(file, 3, 1, 2);
    expect(elements(file.bytes(), 3)).toEqual(['a 1 49', 'c 1 51', 'd 1 52']);
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test.each([
    ['more elements than fit', 10, 2, 0xfffe],
    ['more overflow pages than the file has', 12, 4, 0xffff_ffff],
  ])('with %s can be cleared as a whole, but not in part', (_, field, size, value) => {
    const bolt = source();
    if (size === 2) bolt.setU16(at + field, value);
    else bolt.setU32(at + field, value);
    const file = memoryFile(bolt.bytes);
    expect(() => clearPageElements(file, 3, 0, 1)).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
    expect(clearPage(file, 3)).toMatchObject({ count: 0, overflow: 0 });
    expect(new BoltEdit(file.bytes()).overflow(3)).toBe(0);
  });

  test('data in another order is not mixed up', () => {
    const bolt = source();
    // The data of b and d change places, so that d lies before b: positions count from each element.
    const start = at + 16 + 4 * 16;
    bolt.bytes.set([0x64, 0x34], start + 2);
    bolt.bytes.set([0x62, 0x32], start + 6);
    bolt.setU32(at + 16 + 16 + 4, start + 6 - (at + 32));
    bolt.setU32(at + 16 + 48 + 4, start + 2 - (at + 64));
    const file = memoryFile(bolt.bytes);
    expect(elements(bolt.bytes, 3)).toEqual(['a 1 49', 'b 1 50', 'c 1 51', 'd 1 52']);
    clearPageElements(file, 3, 0, 1);
    expect(elements(file.bytes(), 3)).toEqual(['b 1 50', 'c 1 51', 'd 1 52']);
    expect(checkBolt(file).verdict).toBe('healthy');
  });

  test('a branch that refers to itself keeps the element, unless that one is cleared', () => {
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['b', 3], ['c', 5]), 4: leaf(), 5: leaf() });
    const file = memoryFile(bytes);
    clearPageElements(file, 3, 0, 1);
    expect(elements(file.bytes(), 3)).toEqual(['b 3', 'c 5']);
    clearPageElements(file, 3, 0, 1);
    expect(elements(file.bytes(), 3)).toEqual(['c 5']);
  });
});

test('a value of many megabytes is moved in pieces', () => {
  const bytes = database([
    ['0001', 1000],
    ['0002', 9 << 20],
    ['0003', 1000],
  ]);
  const { page } = findPage(bytes, 'leaf', (_, overflow) => overflow > 0);
  const file = memoryFile(bytes);
  clearPageElements(file, page, 0, 1);
  const value = openBolt(file).get('data', '0002') as Uint8Array;
  expect(value.length).toBe(9 << 20);
  expect(value.every((byte) => byte === 0x32)).toBe(true);
  expect(openBolt(file).get('data', '0003')?.length).toBe(1000);
});
