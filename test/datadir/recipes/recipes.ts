/**
 * The tests of every kind of damage on the directories of one release; a test file of its own for each, so that they run side by side.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CheckReport } from '../../../src/report.ts';
import { openDirFixture } from '../../support/data-dir-fixtures.ts';
import { type DirVersion, dirRecipes, isMeantFor } from '../../support/data-dir-recipes.ts';
import { observedStarts } from '../../support/observed-starts.ts';
import { CATALOGUE } from './catalogue.ts';
import { checkRecipe, expectAsCatalogued, wordsOf } from './judge.ts';

const page = readFileSync(new URL('../../../docs/detection.md', import.meta.url), 'utf8');
/** Damage that some etcd starts on, and why it is called damage all the same. */
const documented = page.slice(page.indexOf('## Where etcd starts')).split('\n## ')[0]!;

/** Tests all recipes, variant 0. */
export function testRecipes(version: DirVersion): void {
  const rows = observedStarts()[version]!;
  const meant = dirRecipes.filter((recipe) => isMeantFor(recipe, version));
  const reports = new Map<string, CheckReport>();

  test('every recipe is in the catalogue', () => {
    expect(Object.keys(CATALOGUE)).toEqual(dirRecipes.map(({ name }) => name));
  });

  describe('code, verdict and recommendation', () => {
    test.each(meant.map((recipe) => [recipe.name, recipe] as const))('%s', (name, recipe) => {
      const report = checkRecipe(recipe, version, 0);
      reports.set(name, report);
      expectAsCatalogued(recipe, version, 0, report);
    });
  });

  test('a log that is not of the member that is meant is refused', () => {
    const { nodeId } = openDirFixture(`${version}/cluster/m1`).wal.state.metadata!;
    for (const recipe of dirRecipes.filter(({ base }) => base === 'cluster')) {
      const report = checkRecipe(recipe, version, 0, { memberId: nodeId });
      const isOther = recipe.name === 'dir-wal-other-member';
      expect(report.verdict, wordsOf(report)).toBe(isOther ? 'refused' : 'healthy');
    }
  });

  describe('as the real server did', () => {
    test.each(meant.map(({ name }) => name))('%s', (name) => {
      const report = reports.get(name)!;
      const { outcome, put, sameAsHealthy } = rows[name]!;
      const serves = outcome === 'started' && put === 'visible';
      // The server was told which member it is; see above.
      if (!serves && name !== 'dir-wal-other-member') expect(report.verdict, wordsOf(report)).not.toBe('healthy');
      if (serves && sameAsHealthy === true && report.verdict === 'damaged') {
        expect(documented, wordsOf(report)).toContain(`\`${name}\``);
      }
    });
  });
}
