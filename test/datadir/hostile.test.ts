// Any bytes in, an answer out: directories whose files, names and types were spoiled at random, and which cannot be read without errors.
import { test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { withFaults } from './hostile-changes.ts';
import { judgeDir } from './hostile-judge.ts';
import { BASES, type Spoiling, spoiled, spoiling } from './hostile-spoiled.ts';

/** Progress went back when the replay for the revision check ended at a log without a beginning. */
const WITHOUT_BEGINNING: Spoiling = {
  base: 0,
  changes: [
    { kind: 'rename', file: 57, name: 'member/snap/ffffffffffffffff-0000000000000000.snap' },
    { kind: 'swap', file: 0, other: 28 },
  ],
  faults: [],
};

describe('a directory', () => {
  test('as it was made is healthy, by every examination', () => {
    for (const content of BASES) expect(judgeDir(() => withFaults(content, [])).verdict).toBe('healthy');
  });

  test.prop([spoiling], { numRuns: 40, examples: [[WITHOUT_BEGINNING]] })(
    'that was spoiled is examined, explained, replayed and validated to an end',
    (each) => {
      judgeDir(spoiled(each));
    },
    60_000,
  );
});
