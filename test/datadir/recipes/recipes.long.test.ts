// Every kind of damage in four places each, on data directories of every release: codes, verdict and recommendation.
import { describe, test } from 'vitest';
import { DIR_VERSIONS, dirRecipes, isMeantFor } from '../../support/data-dir-recipes.ts';
import { checkRecipe, expectAsCatalogued } from './judge.ts';

const VARIANTS = [0, 1, 2, 3];

describe.each(DIR_VERSIONS)('etcd %s', (version) => {
  const meant = dirRecipes.filter((recipe) => isMeantFor(recipe, version));
  test.each(meant.map((recipe) => [recipe.name, recipe] as const))('%s', (_, recipe) => {
    for (const variant of VARIANTS) expectAsCatalogued(recipe, version, variant, checkRecipe(recipe, version, variant));
  });
});
