// Files of every kind, whole and damaged, opened for writing: operations and commits succeed or throw one of our errors,
// a whole file stays whole, and what a transaction did not touch stays as it was.
//
// ETCD_DATADIR_HOSTILE_FILES sets how many randomly damaged files are tried, ETCD_DATADIR_SEED which.
import { afterAll, describe, expect, it } from 'vitest';
import { DamageMaker } from '../interop/damage.ts';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { HostileTally, trimmed } from '../support/hostile-writing.ts';
import { catalogue } from './damage/catalogue.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const FILES = Number(process.env['ETCD_DATADIR_HOSTILE_FILES'] ?? 2000);

const tally = new HostileTally();
afterAll(() => console.log(`\nhostile files, seed ${SEED}: ${tally}\n`));
const write = (name: string, bytes: Uint8Array, seed: number, scripts?: number): void => {
  expect(tally.write({ name, bytes, seed, scripts })).toEqual([]);
};

describe('written to', () => {
  const fixtures = listDbFixtures().filter(
    ({ kind, name }) => kind !== 'etcd' && !/bigfree|free-ids-65|1048576/.test(name),
  );
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', { timeout: 120_000 }, (name, fixture) => {
    write(name, trimmed(readFixture(fixture)), SEED);
  });

  it.each(catalogue.map((one) => [`${one.code}: ${one.what}`, one] as const))(
    '%s',
    { timeout: 120_000 },
    (name, one) => {
      const { input } = one.make();
      if (input instanceof Uint8Array) write(name, input, SEED);
    },
  );

  it.each(boltRecipes.map((recipe) => [recipe.name, recipe] as const))('%s', { timeout: 240_000 }, (name, recipe) => {
    const bytes = trimmed(readFixture('etcd/3.6.14/busy/m1'));
    write(name, recipe.apply(bytes, 0, { snapshot: readFixture('etcd/3.6.14/busy/snapshot') }), SEED);
  });

  it.each<[string, number]>([
    ['bolt/small-512-stored', 0.4],
    ['bolt/small-512-none', 0.4],
    ['bolt/shapes-512-stored', 0.1],
    ['bolt/mixed-1024', 0.1],
  ])('%s with random damage', { timeout: 60_000 + 200 * FILES }, (name, share) => {
    const maker = new DamageMaker(trimmed(readFixture(name)));
    for (let i = 0; i < FILES * share; i++) {
      const seed = SEED * 1_000_000 + i;
      const { bytes, what } = maker.make(seed);
      write(`${name}: ${what}`, bytes, seed, 2);
    }
  });
});
