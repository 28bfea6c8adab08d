import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PageBitmap } from '../../src/bolt/page-bitmap.ts';

const PIECE = 1 << 16;
const set = (bitmap: PageBitmap, end = 4 * PIECE): number[] => {
  const pages: number[] = [];
  for (let page = bitmap.next(true, 0, end); page < end; page = bitmap.next(true, page + 1, end)) pages.push(page);
  return pages;
};

describe('a bitmap of pages', () => {
  test('adds and removes, and says whether that changed anything', () => {
    const bitmap = new PageBitmap();
    expect([bitmap.remove(7), bitmap.add(7), bitmap.add(7), bitmap.has(7), bitmap.count]).toEqual([
      false,
      true,
      false,
      true,
      1,
    ]);
    expect([bitmap.remove(7), bitmap.remove(7), bitmap.has(7), bitmap.count]).toEqual([true, false, false, 0]);
  });

  test('the last bit of a word and of a piece', () => {
    const bitmap = new PageBitmap();
    for (const page of [31, 32, PIECE - 1, PIECE]) bitmap.add(page);
    expect(set(bitmap)).toEqual([31, 32, PIECE - 1, PIECE]);
    bitmap.remove(31);
    bitmap.remove(PIECE - 1);
    expect(set(bitmap)).toEqual([32, PIECE]);
  });

  test('removing from a whole piece set at once leaves the other pieces, of this and of other bitmaps', () => {
    const bitmap = new PageBitmap();
    const other = new PageBitmap();
    expect([bitmap.addRun(0, 3 * PIECE), other.addRun(0, PIECE)]).toEqual([3 * PIECE, PIECE]);
    expect([bitmap.remove(PIECE + 5), bitmap.remove(PIECE + 5), bitmap.count]).toEqual([true, false, 3 * PIECE - 1]);
    expect(bitmap.next(false, 0, 3 * PIECE)).toBe(PIECE + 5);
    expect(bitmap.next(false, PIECE + 6, 3 * PIECE)).toBe(3 * PIECE);
    expect(other.next(false, 0, PIECE)).toBe(PIECE);
    expect(bitmap.add(PIECE + 5)).toBe(true);
    expect(bitmap.next(false, 0, 3 * PIECE)).toBe(3 * PIECE);
  });

  test('any steps: as a set of numbers', () => {
    const page = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: PIECE - 40, max: PIECE + 40 }));
    const step = fc.tuple(fc.constantFrom('add', 'remove', 'run', 'next', 'gap'), page, page);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const bitmap = new PageBitmap();
        const model = new Set<number>();
        for (const [kind, a, b] of steps) {
          const from = Math.min(a, b);
          const end = Math.min(Math.max(a, b), from + 100);
          const find = (wanted: boolean) => {
            let at = from;
            while (at < end && model.has(at) !== wanted) at++;
            return at;
          };
          if (kind === 'add') expect(bitmap.add(a)).toBe(!model.has(a) && model.add(a).has(a));
          else if (kind === 'remove') expect(bitmap.remove(a)).toBe(model.delete(a));
          else if (kind === 'next') expect(bitmap.next(true, from, end)).toBe(find(true));
          else if (kind === 'gap') expect(bitmap.next(false, from, end)).toBe(find(false));
          else {
            const stop = find(true);
            expect(bitmap.addRun(from, end)).toBe(stop);
            for (let at = from; at < stop; at++) model.add(at);
          }
          expect(bitmap.count).toBe(model.size);
        }
        expect(set(bitmap, 2 * PIECE)).toEqual([...model].sort((x, y) => x - y));
      }),
      { numRuns: 60 },
    );
  });
});
