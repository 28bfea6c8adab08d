// The real `bbolt check`, 1.4.3 and 1.5.0, and our check on the same files, healthy and damaged.
import { availableParallelism } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { type DbFixture, listDbFixtures, readFixture } from '../support/fixtures.ts';
import { Tally } from './bbolt-check.ts';
import { type Case, compareAll, damagedCases, PEERS, storedFirst, trimmed } from './bbolt-compare.ts';

const DAMAGED_FILES = 300;
const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const TIMEOUT = 240_000;

describe.skipIf(PEERS.length === 0)('bbolt check', () => {
  const summaries: string[] = [];
  afterAll(() => console.log(summaries.join('')));

  async function compare(title: string, cases: Iterable<Case>): Promise<void> {
    const tally = new Tally(title);
    const wrong = await compareAll(cases, tally, availableParallelism());
    summaries.push(`${tally}`);
    expect(wrong).toEqual([]);
  }

  it('agrees about the fixtures', { timeout: TIMEOUT }, async () => {
    // Without the largest; and new files of less than 4096 bytes are healthy, but bbolt cannot open them again.
    const isSmall = ({ name }: DbFixture) => !/bigfree|free-ids-65|shapes-1048576|fresh-(512|1000)$/.test(name);
    // Of what etcd wrote the snapshots, which have no preallocated end, and everything of one version.
    const chosen = listDbFixtures().filter(
      (fixture) =>
        isSmall(fixture) && (fixture.kind !== 'etcd' || /snapshot|3\.6\.14\/(crash|underload)/.test(fixture.name)),
    );
    await compare(
      'fixtures',
      chosen.map((fixture) => ({ name: fixture.name, bytes: () => readFixture(fixture) })),
    );
  });

  it.each([
    ['corrupt', boltRecipes.filter(({ severity }) => severity === 'corrupt')],
    ['other', boltRecipes.filter(({ severity }) => severity !== 'corrupt')],
  ])('agrees about the recipes of damage: %s', { timeout: TIMEOUT }, async (severity, recipes) => {
    const cases: Case[] = [];
    for (const version of ['3.4.23', '3.5.33', '3.6.14', '3.7.1']) {
      const plain = () => trimmed(readFixture(`etcd/${version}/busy/m1`));
      const context = () => ({ snapshot: readFixture(`etcd/${version}/busy/snapshot`) });
      for (const [i, recipe] of recipes.entries()) {
        const name = `${recipe.name} on etcd ${version}`;
        const variant = version === '3.6.14' ? 0 : 1 + i;
        cases.push({ name, bytes: () => recipe.apply(plain(), variant, context()) });
        // With a stored freelist bbolt lists what it finds in place of a panic at once.
        cases.push({ name: `${name}, stored`, bytes: () => recipe.apply(storedFirst(plain()), variant, context()) });
      }
    }
    const count = `${recipes.length} recipes (${severity})`;
    await compare(`${count} on files of 4 versions of etcd, freelist stored and not stored`, cases);
  });

  it('agrees about random damage', { timeout: TIMEOUT }, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another)`);
    await compare(`${DAMAGED_FILES} randomly damaged files, seed ${SEED}`, damagedCases(SEED, DAMAGED_FILES));
  });
});
