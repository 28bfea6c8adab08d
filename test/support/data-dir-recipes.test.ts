/**
 * Recipes on whole directories: each was seen with the real servers, each changes something, and none of them changes its base.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DirContent, StoredFile } from './data-dir-fixtures.ts';
import { DIR_VERSIONS, dirRecipes, isMeantFor, recipeBase } from './data-dir-recipes.ts';
import { observedStarts } from './observed-starts.ts';

function same(a: StoredFile, b: StoredFile | undefined): boolean {
  if (a === b) return true;
  if (a.size !== b?.size) return false;
  if (a.bytes.length === b.bytes.length) return Buffer.compare(a.bytes, b.bytes) === 0;
  return Buffer.compare(withoutZeros(a.bytes), withoutZeros(b.bytes)) === 0;
}

/** Zeros at the end do not count, however many of them are stored. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

function isSame(a: DirContent, b: DirContent): boolean {
  const equalFiles =
    a.files.size === b.files.size && [...a.files].every(([path, file]) => same(file, b.files.get(path)));
  return equalFiles && [...a.folders].sort().join() === [...b.folders].sort().join();
}

function digest({ files }: DirContent): string {
  const hash = createHash('sha256');
  for (const [path, { bytes }] of files) hash.update(path).update(bytes);
  return hash.digest('hex');
}

/** A server of 3.4 that stops leaves no room at the end of its db. */
const NOTHING_TO_CUT = ['bolt-truncated-at-hwm'];

test('160 recipes, each with a name of its own', () => {
  expect(dirRecipes).toHaveLength(160);
  expect(new Set(dirRecipes.map(({ name }) => name)).size).toBe(160);
});

describe.each(DIR_VERSIONS)('etcd %s', (version) => {
  const rows = observedStarts()[version]!;
  const meant = dirRecipes.filter((recipe) => isMeantFor(recipe, version));

  test('a server was started on each, and on each base without damage', () => {
    const bases = [...new Set(meant.map(({ base }) => `none-${base}`))];
    expect(Object.keys(rows).sort()).toEqual([...meant.map(({ name }) => name), ...bases].sort());
    for (const base of bases) expect(rows[base], base).toMatchObject({ outcome: 'started' });
  });

  test('each changes its directory, and leaves the base alone', () => {
    const bases = new Map([...new Set(meant.map(({ base }) => base))].map((base) => [base, recipeBase(version, base)]));
    const before = [...bases.values()].map(digest);
    const unchanged = meant.filter((recipe) => {
      const base = bases.get(recipe.base)!;
      return isSame(recipe.apply(base, 0, version), base);
    });
    expect(unchanged.map(({ name }) => name)).toEqual(version === '3.4.23' ? NOTHING_TO_CUT : []);
    expect([...bases.values()].map(digest)).toEqual(before);
  });
});
