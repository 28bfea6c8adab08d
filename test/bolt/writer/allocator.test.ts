// Which pages may be taken, and when freed ones may be taken again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PageAllocator } from '../../../src/bolt/page-allocator.ts';
import { code } from '../../support/writer-db.ts';

const MARK = 10_000;

function withFree(...pages: readonly number[]): PageAllocator {
  const allocator = new PageAllocator();
  for (const page of pages) expect(allocator.addFree(page)).toBe(true);
  allocator.begin();
  return allocator;
}

const ids = (allocator: PageAllocator, mark = MARK) => [...allocator.ids(mark)];

describe('free pages', () => {
  test('of one number are added once', () => {
    const allocator = withFree(5);
    expect([allocator.addFree(5), allocator.freeCount]).toEqual([false, 1]);
  });

  test('none: nothing can be taken', () => {
    const allocator = withFree();
    expect([allocator.take(1, 2n), allocator.take(100, 2n)]).toEqual([undefined, undefined]);
  });

  test('are taken as runs of neighbours only', () => {
    const allocator = withFree(3, 5, 8, 9, 10, 20, 21, 22, 23);
    expect(allocator.take(4, 2n)).toBe(20);
    expect(allocator.take(4, 2n)).toBeUndefined();
    expect(allocator.take(2, 2n)).toBe(8);
    expect(allocator.take(2, 2n)).toBeUndefined();
    expect([1, 1, 1, 1].map((count) => allocator.take(count, 2n))).toEqual([3, 5, 10, undefined]);
  });

  test('across the pieces of the bitmap', () => {
    const piece = 1 << 16;
    const allocator = withFree(piece - 2, piece - 1, piece, piece + 1, 2 * piece - 1);
    expect(allocator.take(4, 2n)).toBe(piece - 2);
    expect(allocator.take(1, 2n)).toBe(2 * piece - 1);
  });

  test('any requests: the lowest run that is long enough, as a list of numbers gives it', () => {
    const requests = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 90 }), { maxLength: 60 }), requests, (pages, counts) => {
        const allocator = withFree(...pages);
        let list = [...pages].sort((a, b) => a - b);
        for (const count of counts) {
          const first = list.find((page, i) => list[i + count - 1] === page + count - 1);
          expect(allocator.take(count, 2n)).toBe(first);
          if (first !== undefined) list = list.filter((page) => page < first || page >= first + count);
          expect(allocator.freeCount).toBe(list.length);
        }
        expect(ids(allocator)).toEqual(list);
      }),
    );
  });
});

describe('freed pages', () => {
  test('are pending, with their overflow pages, and cannot be taken by the same transaction', () => {
    const allocator = withFree(3);
    allocator.free(12, 4, 5n, MARK);
    expect([allocator.freeCount, allocator.pendingCount, ids(allocator)]).toEqual([1, 4, [3, 12, 13, 14, 15]]);
    expect(allocator.take(4, 5n)).toBeUndefined();
    allocator.begin();
    expect([allocator.freeCount, allocator.pendingCount]).toEqual([5, 0]);
    expect(allocator.take(4, 6n)).toBe(12);
  });

  test('neighbours freed by several transactions become one run', () => {
    const allocator = withFree();
    allocator.free(20, 2, 10n, MARK);
    allocator.free(25, 3, 10n, MARK);
    allocator.begin();
    allocator.free(22, 3, 11n, MARK);
    allocator.begin();
    expect(allocator.take(8, 12n)).toBe(20);
  });

  test('free and pending ones are listed together, ascending, up to the high water mark', () => {
    const allocator = withFree(12, 39);
    allocator.free(28, 1, 100n, MARK);
    allocator.free(11, 1, 100n, MARK);
    allocator.free(3, 1, 101n, MARK);
    expect(ids(allocator)).toEqual([3, 11, 12, 28, 39]);
    expect(ids(allocator, 29)).toEqual([3, 11, 12, 28]);
  });

  test('twice, by one transaction or by two, is damage, and nothing is freed', () => {
    const allocator = withFree();
    allocator.free(12, 4, 100n, MARK);
    for (const [first, count] of [
      [12, 4],
      [15, 1],
      [10, 3],
    ] as const) {
      expect(() => allocator.free(first, count, 100n, MARK)).toThrow(code('BOLT_DAMAGED'));
      expect(() => allocator.free(first, count, 101n, MARK)).toThrow(code('BOLT_DAMAGED'));
    }
    expect(ids(allocator)).toEqual([12, 13, 14, 15]);
    allocator.free(10, 2, 101n, MARK);
    expect(allocator.pendingCount).toBe(6);
  });

  test('that are free already are damage', () => {
    const allocator = withFree(12);
    expect(() => allocator.free(12, 1, 5n, MARK)).toThrow(
      expect.objectContaining({ code: 'BOLT_DAMAGED', pageId: 12 }),
    );
    expect(() => allocator.free(10, 5, 5n, MARK)).toThrow(code('BOLT_DAMAGED'));
    expect(ids(allocator)).toEqual([12]);
  });

  test('the metas, and pages from the high water mark on, cannot be freed', () => {
    const allocator = withFree();
    for (const [first, count] of [
      [0, 1],
      [1, 1],
      [1, 5],
      [MARK, 1],
      [MARK - 1, 2],
    ] as const) {
      expect(() => allocator.free(first, count, 5n, MARK)).toThrow(code('BOLT_DAMAGED'));
    }
    allocator.free(MARK - 1, 1, 5n, MARK);
    expect(allocator.pendingCount).toBe(1);
  });
});

describe('rollback', () => {
  test('gives back what was taken and takes back what was freed', () => {
    const allocator = withFree(3, 4, 5, 9);
    expect([allocator.take(2, 6n), allocator.take(1, 6n)]).toEqual([3, 5]);
    allocator.free(20, 2, 6n, MARK);
    allocator.rollback(6n);
    expect([allocator.freeCount, allocator.pendingCount, ids(allocator)]).toEqual([4, 0, [3, 4, 5, 9]]);
    allocator.begin();
    expect([allocator.freeCount, allocator.take(3, 6n)]).toEqual([4, 3]);
    allocator.free(20, 2, 6n, MARK);
    expect(allocator.pendingCount).toBe(2);
  });

  test('leaves what earlier transactions freed', () => {
    const allocator = withFree();
    allocator.addReader(4n);
    allocator.free(20, 1, 5n, MARK);
    allocator.begin();
    allocator.free(30, 1, 6n, MARK);
    allocator.rollback(6n);
    expect([allocator.pendingCount, ids(allocator)]).toEqual([1, [20]]);
    allocator.rollback(6n);
    expect(ids(allocator)).toEqual([20]);
  });

  test('forgets who took a page: what is taken again counts from then', () => {
    const allocator = withFree(20);
    allocator.addReader(4n);
    expect(allocator.take(1, 5n)).toBe(20);
    allocator.rollback(5n);
    // Taken by 6 for good, seen by a reader at 6, freed by 7: the reader still has it.
    allocator.begin();
    expect(allocator.take(1, 6n)).toBe(20);
    allocator.addReader(6n);
    allocator.begin();
    allocator.free(20, 1, 7n, MARK);
    allocator.begin();
    expect([allocator.freeCount, allocator.pendingCount]).toEqual([0, 1]);
  });

  test('remembers who took a page that the transaction had freed', () => {
    const allocator = withFree(20);
    allocator.addReader(4n);
    allocator.take(1, 5n);
    allocator.begin();
    allocator.free(20, 1, 6n, MARK);
    allocator.rollback(6n);
    allocator.begin();
    allocator.free(20, 1, 6n, MARK);
    // Taken by 5 and freed by 6: the reader at 4 has never seen it.
    allocator.begin();
    expect([allocator.freeCount, allocator.pendingCount]).toEqual([1, 0]);
  });
});

describe('readers', () => {
  /**
   * Plays transactions 1 to 8, with readers that come after the commits given and stay. A page is taken by one of them,
   * from the free pages or behind the high water mark, and freed by another. Whether it is free in the end.
   */
  function released(readers: readonly number[], taken: number, freed: number, fromFree: boolean): boolean {
    const allocator = new PageAllocator();
    if (fromFree) allocator.addFree(50);
    for (let txid = 1; txid <= 8; txid++) {
      allocator.begin();
      if (txid === taken && fromFree) expect(allocator.take(1, BigInt(txid))).toBe(50);
      if (txid === freed) allocator.free(50, 1, BigInt(txid), MARK);
      if (readers.includes(txid)) allocator.addReader(BigInt(txid));
    }
    allocator.begin();
    expect(allocator.freeCount + allocator.pendingCount).toBe(1);
    return allocator.freeCount === 1;
  }

  test('every constellation: a page is free when no reader can have it, as far as bbolt looks', () => {
    let freed = 0;
    for (let mask = 0; mask < 1 << 6; mask++) {
      const readers = [1, 2, 3, 4, 5, 6].filter((txid) => mask & (1 << (txid - 1)));
      for (let take = 1; take <= 6; take++) {
        for (let free = take + 1; free <= 7; free++) {
          const before = readers.length === 0 || free < Math.min(...readers);
          // Between two neighbouring readers, or after the last one.
          const inGap = readers.some(
            (reader, i) => reader < take && free < (readers[i + 1] ?? Number.POSITIVE_INFINITY),
          );
          const place = { readers, take, free };
          expect({ ...place, free: released(readers, take, free, true) }).toEqual({ ...place, free: before || inGap });
          expect({ ...place, free: released(readers, take, free, false) }).toEqual({ ...place, free: before });
          // What matters: no reader from the taking on and before the freeing loses it.
          if (before || inGap) expect(readers.some((reader) => reader >= take && reader < free)).toBe(false);
          freed += before || inGap ? 1 : 0;
        }
      }
    }
    expect(freed).toBeGreaterThan(100);
  });

  test('several at one state: the last to end gives the pages free', () => {
    const allocator = withFree();
    for (let i = 0; i < 3; i++) allocator.addReader(4n);
    allocator.free(20, 1, 5n, MARK);
    for (let i = 0; i < 3; i++) {
      allocator.begin();
      expect(allocator.freeCount).toBe(0);
      allocator.removeReader(4n);
    }
    allocator.begin();
    expect(allocator.freeCount).toBe(1);
  });

  test('that end in any order', () => {
    const allocator = withFree();
    for (const txid of [1n, 2n, 3n]) {
      allocator.addReader(txid);
      allocator.begin();
      allocator.free(Number(20n + txid), 1, txid + 1n, MARK);
    }
    const free = () => {
      allocator.begin();
      return allocator.freeCount;
    };
    expect(free()).toBe(0);
    allocator.removeReader(2n);
    expect(free()).toBe(0);
    allocator.removeReader(1n);
    expect(free()).toBe(1); // what 2 freed; what 3 freed is kept for the reader at 3, though it does not have it
    allocator.removeReader(3n);
    expect(free()).toBe(3);
    allocator.removeReader(3n);
    expect(free()).toBe(3);
  });
});
