// Any bytes in, an answer out: what makes directories and copies, given spoiled ones.
import { fc, test } from '@fast-check/vitest';
import { afterAll, expect } from 'vitest';
import { change, changed } from '../datadir/hostile-changes.ts';
import { BASES } from '../datadir/hostile-spoiled.ts';
import { judgeCluster, judgeSpoiled, OPERATIONS, type Tally } from './create-hostile.ts';

const tally: Tally = new Map();
/** Each try writes and reads whole directories: a machine with other work to do takes its time. */
const TIMEOUT_MS = 120_000;
const spoiling = fc.record({ base: fc.nat(BASES.length - 1), changes: fc.array(change, { maxLength: 2 }) });
const some = fc.uniqueArray(fc.constantFrom(...OPERATIONS), { minLength: 1, maxLength: 1 });
type Spoiling = typeof spoiling extends fc.Arbitrary<infer Value> ? Value : never;

const spoiled = ({ base, changes }: Spoiling) =>
  changes.reduce((content, each) => changed(content, each, BASES[base === 2 ? 0 : 2]!), BASES[base]!);

test.prop([spoiling, some], { numRuns: 40 })(
  'spoiled directories',
  (what, names) => judgeSpoiled(spoiled(what), tally, names),
  TIMEOUT_MS,
);

test.prop([spoiling], { numRuns: 5 })('all members of a spoiled db', (what) => judgeCluster(spoiled(what)));

test('directories that are not spoiled', async () => {
  for (const content of BASES) await judgeSpoiled(content, tally);
});

// Otherwise nothing was tried.
afterAll(() => expect([...tally.keys()].some((end) => end.endsWith(': done'))).toBe(true));
