// What the real bbolt did with the damaged files was written down when it was tried; this needs no bbolt.
import { expect, test } from 'vitest';
import { checkBolt } from '../../../src/bolt/check.ts';
import { boltRecipes } from '../../support/bolt-recipes.ts';
import { observedDamage, readFixture } from '../../support/fixtures.ts';

test('wherever bbolt check was seen to report errors, the file is not called healthy', () => {
  let compared = 0;
  for (const [version, recipes] of Object.entries(observedDamage())) {
    const original = readFixture(`etcd/${version}/busy/m1`);
    const snapshot = readFixture(`etcd/${version}/busy/snapshot`);
    for (const { name, apply } of boltRecipes) {
      const answers = Object.values(recipes[name] ?? {});
      if (!answers.some(({ exit }) => exit === 1)) continue;
      compared++;
      expect(checkBolt(apply(original, 0, { snapshot })).verdict, `${version} ${name}`).not.toBe('healthy');
    }
  }
  expect(compared).toBeGreaterThan(20);
});
