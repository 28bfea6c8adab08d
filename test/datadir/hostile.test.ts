// Any bytes in, an answer out: directories whose files, names and types were spoiled at random, and which cannot be read without errors.
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { DirContent } from '../support/data-dir-fixtures.ts';
import { change, changed, fault, withFaults } from './hostile-changes.ts';
import { loneDir, otherDir } from './hostile-dirs.ts';
import { judgeDir } from './hostile-judge.ts';

const BASES: readonly DirContent[] = [await loneDir(), await loneDir('3.5.0'), await otherDir()];
const spoiled = fc.record({
  base: fc.nat(BASES.length - 1),
  changes: fc.array(change, { maxLength: 3 }),
  faults: fc.array(fault, { maxLength: 2 }),
});

describe('a directory', () => {
  test('as it was made is healthy, by every examination', () => {
    for (const content of BASES) expect(judgeDir(() => withFaults(content, [])).verdict).toBe('healthy');
  });

  test.prop([spoiled], { numRuns: 40 })(
    'that was spoiled is examined, explained, replayed and validated to an end',
    ({ base, changes, faults }) => {
      let content = BASES[base] as DirContent;
      const foreign = BASES[base === 2 ? 0 : 2] as DirContent;
      for (const each of changes) content = changed(content, each, foreign);
      judgeDir(() => withFaults(content, faults));
    },
    60_000,
  );
});
