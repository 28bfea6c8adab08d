import { describe, expect, test } from 'vitest';
import { copyPage, moveBytes } from '../../../src/bolt/surgery/copy-page.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, leaf } from '../../support/bolt-pages.ts';
import { branchFile } from '../../support/golden-bolt.ts';

/** Pages 4–6 are one leaf with two overflow pages. */
const file = (): Uint8Array =>
  boltFile(
    {
      2: leaf(bucket('b', 3)),
      3: branch(['a', 4], ['k', 7]),
      4: leaf(['a', 'x'.repeat(1100)]),
      7: leaf(['k', 'v']),
      8: freelist(),
      9: leaf(['old', 'page']),
    },
    { freelist: 8, highWaterMark: 9 },
  );

describe('copyPage', () => {
  test('the copy is the page with the number of its place', () => {
    const source = branchFile();
    const copy = memoryFile(source);
    const result = copyPage(copy, 4, 2);
    expect(result).toMatchObject({ from: 4, to: 2, type: 'leaf', pages: 1, freelistStored: true });
    const after = new BoltEdit(copy.bytes());
    const before = new BoltEdit(source);
    expect(after.u64(after.at(2))).toBe(2n);
    expect(after.span(2).slice(8)).toEqual(before.span(4).slice(8));
    expect(after.span(4)).toEqual(before.span(4));
    expect(after.bytes.slice(3 * 1024)).toEqual(before.bytes.slice(3 * 1024));
  });

  test('overflow pages come along and overwrite what lies behind', () => {
    const copy = memoryFile(file());
    expect(copyPage(copy, 4, 7)).toMatchObject({ pages: 3 });
    const after = new BoltEdit(copy.bytes());
    expect(after.overflow(7)).toBe(2);
    expect(after.span(7).slice(8)).toEqual(new BoltEdit(file()).span(4).slice(8));
  });

  test.each([
    [4, 5],
    [4, 6],
    [4, 3],
    [4, 2],
  ])('from page %i to %i, where the two overlap', (from, to) => {
    const source = new BoltEdit(file());
    const copy = memoryFile(file());
    copyPage(copy, from, to);
    const after = new BoltEdit(copy.bytes());
    expect(after.bytes.slice(after.at(to) + 8, after.at(to + 3))).toEqual(source.span(from).slice(8));
    expect(after.u64(after.at(to))).toBe(BigInt(to));
  });

  test('a page behind the high water mark can be copied from and to', () => {
    const copy = memoryFile(file());
    expect(copyPage(copy, 9, 7).type).toBe('leaf');
    expect(copyPage(copy, 3, 9).type).toBe('branch');
  });

  test('one meta over the other', () => {
    const copy = memoryFile(file());
    copyPage(copy, 0, 1);
    expect(new BoltEdit(copy.bytes()).u64(512 + 64)).toBe(0n);
  });

  test.each([
    ['from page 10, which is not in the file', 10, 2, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['to page 10, which is not in the file', 3, 10, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['where the overflow pages would leave the file', 4, 8, 'BOLT_PAGE_OUT_OF_RANGE'],
    ['from the middle of another page', 5, 7, 'BOLT_DAMAGED'],
    ['a leaf over a meta', 7, 0, 'BOLT_INCOMPATIBLE_VALUE'],
    ['to itself', 7, 7, 'USAGE'],
    ['to no page', 7, -1, 'USAGE'],
    ['from no page', 1.5, 7, 'USAGE'],
  ])('is refused: %s', (_, from, to, code) => {
    const copy = memoryFile(file());
    expect(() => copyPage(copy, from, to)).toThrow(expect.objectContaining({ code }));
    expect(copy.bytes()).toEqual(file());
  });

  test('a page that claims more overflow pages than the file has is refused', () => {
    const bolt = new BoltEdit(file());
    bolt.setU32(bolt.at(7, 12), 0xffff_ffff);
    expect(() => copyPage(memoryFile(bolt.bytes), 7, 2)).toThrow('claims 4294967295 overflow pages');
  });

  test('without a valid meta the page size can be told, or is what the metas seem to say', () => {
    const bolt = new BoltEdit(file());
    for (const page of [0, 1]) bolt.flip(bolt.at(page, 72), 1);
    expect(copyPage(memoryFile(bolt.bytes), 3, 7)).toMatchObject({ pages: 1, freelistStored: false });
    bolt.bytes.fill(0, 0, 1024);
    expect(() => copyPage(memoryFile(bolt.bytes), 3, 7)).toThrow(expect.objectContaining({ code: 'BOLT_NO_META' }));
    expect(copyPage(memoryFile(bolt.bytes), 3, 7, { pageSize: 512 })).toMatchObject({ type: 'branch' });
  });
});

test('bytes are moved as if all were read first, whatever the pieces', () => {
  const length = 3 * 1024 * 1024 + 17;
  const source = Uint8Array.from({ length }, (_, i) => (i * 2654435761) >>> 24);
  for (const [from, to] of [
    [0, 1000],
    [1000, 0],
    [0, 1 << 20],
    [1 << 20, 0],
  ] as const) {
    const moved = memoryFile(source);
    const count = length - Math.max(from, to);
    moveBytes(moved, from, to, count);
    const expected = source.slice();
    expected.copyWithin(to, from, from + count);
    expect(Buffer.compare(moved.bytes(), expected)).toBe(0);
  }
});
