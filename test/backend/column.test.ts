import { describe, expect, it } from 'vitest';
import { Float64Column, Uint8Column, Uint32Column } from '../../src/backend/column.ts';

describe('column', () => {
  for (const [Column, largest, size] of [
    [Uint8Column, 255, 1],
    [Uint32Column, 2 ** 32 - 1, 4],
    [Float64Column, 2 ** 53 - 1, 8],
  ] as const) {
    describe(Column.name, () => {
      it('gives 0 for what was never set', () => {
        const column = new Column();
        expect(column.get(0)).toBe(0);
        expect(column.get(10_000_000)).toBe(0);
        expect(column.bytesUsed).toBe(0);
        column.set(70_000, 1);
        expect(column.get(3)).toBe(0);
        expect(column.get(69_999)).toBe(0);
        expect(column.get(70_001)).toBe(0);
      });

      it('keeps numbers up to its limit, over the borders of chunks', () => {
        const column = new Column();
        const ids = [0, 1, 65_535, 65_536, 131_071, 131_072, 1_000_000];
        for (const [i, id] of ids.entries()) column.set(id, largest - i);
        for (const [i, id] of ids.entries()) expect(column.get(id)).toBe(largest - i);
        column.set(65_536, 7);
        expect(column.get(65_536)).toBe(7);
        expect(column.get(65_535)).toBe(largest - 2);
      });

      it('takes the memory of chunks in use', () => {
        const column = new Column();
        for (let id = 0; id < 200_000; id++) column.set(id, id & 0x7f);
        expect(column.bytesUsed).toBe(4 * 65_536 * size);
      });
    });
  }
});
