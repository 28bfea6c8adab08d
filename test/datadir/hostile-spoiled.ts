/**
 * Directories that were spoiled at random, for the tests that judge them.
 */
import { fc } from '@fast-check/vitest';
import type { DirContent } from '../support/data-dir-fixtures.ts';
import { change, changed, fault, withFaults } from './hostile-changes.ts';
import { loneDir, otherDir } from './hostile-dirs.ts';
import type { Opened } from './hostile-judge.ts';

/** As they were before. */
export const BASES: readonly DirContent[] = [await loneDir(), await loneDir('3.5.0'), await otherDir()];

/** What is done to which. */
export const spoiling = fc.record({
  base: fc.nat(BASES.length - 1),
  changes: fc.array(change, { maxLength: 3 }),
  faults: fc.array(fault, { maxLength: 2 }),
});

export type Spoiling = typeof spoiling extends fc.Arbitrary<infer Value> ? Value : never;

/** The directory that comes of it. */
export function spoiled({ base, changes, faults }: Spoiling): Opened {
  let content = BASES[base] as DirContent;
  const foreign = BASES[base === 2 ? 0 : 2] as DirContent;
  for (const each of changes) content = changed(content, each, foreign);
  return () => withFaults(content, faults);
}
