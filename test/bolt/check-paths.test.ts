// Leaves that are just as bbolt writes them are passed by a fast loop; all others are examined thoroughly. With the fast
// loop taken out, every report must be the same.
import { describe, expect, test, vi } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import type { CheckReport } from '../../src/report.ts';
import { BoltEdit, boundaryValues, LEAF } from '../support/bolt-edit.ts';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { seededRandom } from '../support/faulty.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { catalogue } from './damage/catalogue.ts';

const { state, NOT_PLAIN } = vi.hoisted(() => ({ state: { thorough: false, passed: 0 }, NOT_PLAIN: -1 }));

vi.mock('../../src/bolt/verify-leaf.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/bolt/verify-leaf.ts')>();
  const verifyLeaf: typeof original.verifyLeaf = (...args) => {
    if (state.thorough) return NOT_PLAIN;
    const overflow = original.verifyLeaf(...args);
    if (overflow >= 0) state.passed++;
    return overflow;
  };
  return { ...original, verifyLeaf };
});

/** The report without what tells the two ways apart. */
function reportOf(bytes: Uint8Array, thorough: boolean): Omit<CheckReport, 'elapsedMs' | 'bytesRead'> {
  state.thorough = thorough;
  const { elapsedMs: _, bytesRead: __, ...report } = checkBolt(bytes);
  return report;
}

function expectSame(bytes: Uint8Array, what: string): void {
  const thorough = reportOf(bytes, true);
  const fast = reportOf(bytes, false);
  if (JSON.stringify(fast) !== JSON.stringify(thorough)) expect(fast, what).toEqual(thorough);
}

describe('the fast way and the thorough one agree', () => {
  test('about healthy files', () => {
    state.passed = 0;
    for (const fixture of listDbFixtures()) {
      const bytes = readFixture(fixture);
      if (bytes.length < 4 << 20) expectSame(bytes, fixture.name);
    }
    expect(state.passed).toBeGreaterThan(1000);
  }, 60_000);

  test('about every file of the catalogue', () => {
    for (const { make, what } of catalogue) {
      const { input } = make();
      if (input instanceof Uint8Array) expectSame(input, what);
    }
  });

  test('about etcd files with every recipe of damage', () => {
    const file = readFixture('etcd/3.4.23/busy/m1');
    const snapshot = readFixture('etcd/3.4.23/busy/snapshot');
    for (const recipe of boltRecipes) expectSame(recipe.apply(file, 1, { snapshot }), recipe.name);
  });

  test('about leaves with any field at any edge', () => {
    const file = readFixture('bolt/small-512-stored');
    const healthy = new BoltEdit(file);
    for (const field of healthy.fields()) {
      if (!field.structure.startsWith('leaf')) continue;
      for (const value of boundaryValues(field.size, healthy.getField(field), BigInt(field.page))) {
        const edit = new BoltEdit(file);
        edit.setField(field, value);
        expectSame(edit.bytes, `${field.structure} ${field.field} of page ${field.page}: ${value}`);
      }
    }
  });

  test('about leaves with any byte changed', () => {
    for (const name of ['bolt/small-512-none', 'bolt/shapes-1024-stored', 'bolt/shapes-512-none']) {
      const file = readFixture(name);
      const healthy = new BoltEdit(file);
      const leaves = healthy.treePages().filter((page) => healthy.flags(page) === LEAF);
      const random = seededRandom(1);
      const damaged = file.slice();
      for (let i = 0; i < 1000; i++) {
        const page = leaves[Math.floor(random() * leaves.length)]!;
        const { length } = healthy.span(page);
        // More often near the start, where the elements are.
        const at = healthy.at(page, Math.floor(random() ** 3 * length));
        damaged[at] = Math.floor(random() * 256);
        expectSame(damaged, `${name}: byte ${at} of page ${page} is ${damaged[at]}`);
        damaged[at] = file[at]!;
      }
    }
  }, 60_000);
});
