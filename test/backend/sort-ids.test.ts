/**
 * Sorting ids by numbers and by values, in steps.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { ValueSort } from '../../src/backend/sort-by-value.ts';
import { IdSort } from '../../src/backend/sort-ids.ts';
import { drain, type Job } from '../../src/io/job.ts';

describe('sorting ids', () => {
  test.prop([fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 40 }), fc.boolean()])(
    'by number: those with the same one stay as they were',
    (numbers, descending) => {
      const ids = Uint32Array.from(numbers, (_, id) => id).reverse();
      const expected = [...ids].sort((a, b) => (numbers[a]! - numbers[b]!) * (descending ? -1 : 1));
      expect([...drain(new IdSort(ids, (id) => numbers[id]!, descending))]).toEqual(expected);
    },
  );

  test.prop([fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 40 }), fc.boolean()])(
    'by value: those with the same one stay as they were',
    (values, descending) => {
      const ids = Uint32Array.from(values, (_, id) => id);
      const expected = [...ids].sort((a, b) => Buffer.compare(values[a]!, values[b]!) * (descending ? -1 : 1));
      expect([...drain(new ValueSort(ids, (at) => values[at]!, { maxBytes: 1000, descending }))]).toEqual(expected);
    },
  );

  test('many are sorted in many steps', () => {
    const numbers = Float64Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 1009);
    const ids = Uint32Array.from(numbers, (_, id) => id);
    const expected = Uint32Array.from(ids).sort((a, b) => numbers[a]! - numbers[b]! || a - b);
    const job: Job<Uint32Array> = new IdSort(ids, (id) => numbers[id]!, false);
    let steps = 1;
    for (let done = job.progress.done; !job.step(); steps++) {
      expect(job.progress.done).toBeGreaterThan(done);
      expect(job.progress.done).toBeLessThanOrEqual(job.progress.total);
      expect(() => job.result).toThrow('not sorted yet');
      done = job.progress.done;
    }
    expect(steps).toBeGreaterThan(20);
    expect(Buffer.compare(Buffer.from(job.result.buffer), Buffer.from(expected.buffer))).toBe(0);
  });

  test('values that are longer together than the file are damage', () => {
    const job = new ValueSort(Uint32Array.of(0, 1), (at) => new Uint8Array(600 + at), {
      maxBytes: 1000,
      descending: false,
    });
    expect(() => drain(job)).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
  });
});
