// As writer-crash.test.ts, with longer sequences and, unless told otherwise, another seed each time.
import { describe, expect, it } from 'vitest';
import { PAGE_SIZES, simulateCrashes } from '../support/crash-simulation.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Date.now() % 1_000_000);
const POINTS = Number(process.env['ETCD_DATADIR_CRASH_POINTS'] ?? 100_000);

describe('crashes of long sequences', () => {
  it.each([...PAGE_SIZES, 8192])('pages of %i', { timeout: 600_000 + 60 * POINTS }, (pageSize) => {
    const points = POINTS / (PAGE_SIZES.length + 1);
    const result = simulateCrashes({ seed: SEED, pageSize, points, transactions: 60, goOnEvery: 200 });
    const counts = `${result.points} crash points of ${result.commits} commits in ${result.sequences} sequences`;
    console.log(`pages of ${pageSize}, seed ${SEED} (ETCD_DATADIR_SEED chooses another): ${counts}`);
    expect(result.problems).toEqual([]);
  });
});
