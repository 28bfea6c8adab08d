// Sequences of transactions that bbolt 1.4.3 was recorded at: our writer has to leave the same file after every step.
import { describe, expect, it } from 'vitest';
import { OurWriter } from '../support/our-writer.ts';
import { listRecorded, readRecorded } from '../support/writer-recorded.ts';
import { markOf, notable, playStep } from '../support/writer-sequence.ts';

describe('recorded sequences', () => {
  it.each(listRecorded())('%s: the same file as bbolt leaves, after every step', async (name) => {
    const { pageSize, options, steps } = readRecorded(name);
    const ours = new OurWriter();
    await ours.create(pageSize, options);
    for (const [i, step] of steps.entries()) {
      const results = notable(await playStep(ours, step));
      expect(results, `${name}, step ${i}`).toEqual('results' in step ? step.results : undefined);
      expect(markOf(ours.bytes()), `${name}, step ${i}`).toEqual(step.file);
    }
    await ours.close();
  });
});
