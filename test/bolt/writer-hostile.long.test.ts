// As writer-hostile.test.ts, with random damage to many more files and, unless told otherwise, another seed each time.
import { describe, expect, it } from 'vitest';
import { DamageMaker } from '../interop/damage.ts';
import { readFixture } from '../support/fixtures.ts';
import { HostileTally, trimmed } from '../support/hostile-writing.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Date.now() % 1_000_000);
const FILES = Number(process.env['ETCD_DATADIR_HOSTILE_FILES'] ?? 40_000);

describe('written to, with random damage', () => {
  it.each<[string, number]>([
    ['bolt/small-512-stored', 0.4],
    ['bolt/small-512-none', 0.4],
    ['bolt/shapes-512-none', 0.05],
    ['bolt/shapes-1024-stored', 0.05],
    ['bolt/edges-1024', 0.05],
    ['bolt/nested-4096', 0.05],
  ])('%s', { timeout: 600_000 + 200 * FILES }, (name, share) => {
    const maker = new DamageMaker(trimmed(readFixture(name)));
    const tally = new HostileTally();
    for (let i = 0; i < FILES * share; i++) {
      const seed = SEED * 1000 + i;
      const { bytes, what } = maker.make(seed);
      expect(tally.write({ name: `${name}: ${what}`, bytes, seed, scripts: 3 })).toEqual([]);
    }
    console.log(`${name}, seed ${SEED} (ETCD_DATADIR_SEED chooses another): ${tally}`);
  });
});
