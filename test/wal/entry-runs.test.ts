// Which entries survive, against a plain list.
import { describe, expect, test } from 'vitest';
import { EntryRuns } from '../../src/wal/entry-runs.ts';
import { seededRandom } from '../support/faulty.ts';

const add = (runs: EntryRuns, ...entries: [index: number, term: number, segment?: number][]): EntryRuns => {
  for (const [i, [index, term, segment = 0]] of entries.entries()) runs.add(segment, 100 * i, index, term);
  return runs;
};

describe('runs', () => {
  test('of nothing', () => {
    const runs = new EntryRuns();
    expect([runs.firstIndex, runs.lastIndex, runs.entries, runs.overwritten]).toEqual([0, 0, 0, 0]);
    expect(runs.termAt(1)).toBe(undefined);
  });

  test('consecutive entries of one term and segment are one', () => {
    const runs = add(new EntryRuns(), [5, 1], [6, 1], [7, 1], [8, 2], [9, 2, 1], [10, 2, 1]);
    expect(runs.runs).toEqual([
      { segment: 0, offset: 0, firstIndex: 5, count: 3, term: 1 },
      { segment: 0, offset: 300, firstIndex: 8, count: 1, term: 2 },
      { segment: 1, offset: 400, firstIndex: 9, count: 2, term: 2 },
    ]);
    expect([runs.firstIndex, runs.lastIndex, runs.entries]).toEqual([5, 10, 6]);
    expect([4, 5, 7, 8, 10, 11].map((index) => runs.termAt(index))).toEqual([undefined, 1, 1, 2, 2, undefined]);
  });

  test('an index that comes again takes all that followed away', () => {
    const runs = add(new EntryRuns(), [1, 1], [2, 1], [3, 1], [4, 1], [2, 2]);
    expect(runs.runs.map(({ firstIndex, count, term }) => [firstIndex, count, term])).toEqual([
      [1, 1, 1],
      [2, 1, 2],
    ]);
    expect([runs.entries, runs.overwritten, runs.lastIndex]).toEqual([2, 3, 2]);
  });

  test('the same index again and again', () => {
    const runs = add(new EntryRuns(), [1, 1], [1, 1], [1, 1]);
    expect([runs.entries, runs.overwritten]).toEqual([1, 2]);
    expect(runs.runs[0]?.offset).toBe(200);
  });

  test('over several segments, down to the first', () => {
    const runs = add(new EntryRuns(), [1, 1, 0], [2, 1, 1], [3, 1, 2], [1, 4, 3]);
    expect(runs.runs).toEqual([{ segment: 3, offset: 300, firstIndex: 1, count: 1, term: 4 }]);
    expect(runs.overwritten).toBe(3);
  });

  test('a gap stays a gap', () => {
    const runs = add(new EntryRuns(), [1, 1], [2, 1], [72, 3]);
    expect(runs.entries).toBe(3);
    expect([runs.termAt(2), runs.termAt(3), runs.termAt(71), runs.termAt(72)]).toEqual([1, undefined, undefined, 3]);
  });

  test('too many are not kept, and that is told', () => {
    const runs = new EntryRuns();
    for (let i = 1; i <= (1 << 20) + 5; i++) runs.add(0, i, i, i % 2);
    expect(runs.full).toBe(true);
    expect(runs.runs).toHaveLength(1 << 20);
  });

  test.each([1, 2, 3, 4, 5])('any order of entries, seed %d', (seed) => {
    const random = seededRandom(seed);
    const runs = new EntryRuns();
    const list: { index: number; term: number }[] = [];
    let gone = 0;
    for (let i = 0; i < 500; i++) {
      const last = list.at(-1)?.index ?? 0;
      const index = random() < 0.8 ? last + 1 : 1 + Math.floor(random() * (last + 3));
      const term = Math.floor(random() * 3);
      while ((list.at(-1)?.index ?? 0) >= index) {
        list.pop();
        gone++;
      }
      list.push({ index, term });
      runs.add(Math.floor(i / 100), i, index, term);
    }
    const told = runs.runs.flatMap(({ firstIndex, count, term }) =>
      Array.from({ length: count }, (_, i) => ({ index: firstIndex + i, term })),
    );
    expect(told).toEqual(list);
    expect([runs.entries, runs.overwritten]).toEqual([list.length, gone]);
    for (const { index, term } of list) expect(runs.termAt(index)).toBe(term);
  });
});
