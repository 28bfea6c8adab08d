// The 50 ways of damaging an etcd db that are kept in test/support: each must be found, by the right code, at the right page.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../../src/bolt/check.ts';
import { describeFinding, type Finding, type FindingCode } from '../../../src/findings.ts';
import type { CheckReport } from '../../../src/report.ts';
import { BoltEdit, LEAF } from '../../support/bolt-edit.ts';
import { type BoltRecipe, boltRecipes } from '../../support/bolt-recipes.ts';
import { readFixture } from '../../support/fixtures.ts';

const VERSIONS = ['3.4.23', '3.5.33', '3.6.14', '3.7.1'];
const VARIANTS = [0, 1, 2, 3, 4];

/** Where the finding that tells of the damage must be. */
type Where =
  | 'changed' // on a page whose bytes were changed
  | 'below' // on a page whose bytes were changed, or on a child of one: a wrong bound shows in the child
  | 'named' // on a page that a changed page names
  | 'file'; // in the file as a whole, or at the place where it ends

interface Expected {
  /** One of these is among the findings that follow from no other. Of several, any will do: it depends on the place. */
  readonly codes: readonly FindingCode[];
  readonly where: Where;
}

const on = (where: Where, ...codes: FindingCode[]): Expected => ({ codes, where });

/** What shows each kind of damage. Those not listed here are to be healthy. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  'bolt-leaf-zeroed': on('changed', 'BOLT_PAGE_ZEROED'),
  // Whatever lies in the second half first: keys (order, bounds), or an element array that says nothing any more.
  'bolt-leaf-half-zeroed': on(
    'changed',
    'BOLT_KEY_ORDER',
    'BOLT_KEY_BELOW_PARENT',
    'BOLT_KEY_EMPTY',
    'BOLT_ELEMENT_OVERLAP',
  ),
  'bolt-branch-zeroed': on('changed', 'BOLT_PAGE_ZEROED'),
  'bolt-root-zeroed': on('changed', 'BOLT_PAGE_ZEROED'),
  'bolt-truncated-half': on('file', 'BOLT_FILE_TRUNCATED'),
  'bolt-truncated-mid-page': on('file', 'BOLT_FILE_TRUNCATED'),
  'bolt-empty': on('file', 'BOLT_FILE_TOO_SMALL'),
  'bolt-one-page': on('file', 'BOLT_FILE_TOO_SMALL'),
  'bolt-meta-newer-checksum': on('changed', 'BOLT_META_NEWER_INVALID'),
  'bolt-meta-older-checksum': on('changed', 'BOLT_META_OLDER_INVALID'),
  'bolt-meta-both-checksum': on('changed', 'BOLT_META_BOTH_INVALID'),
  'bolt-meta-both-zeroed': on('changed', 'BOLT_META_BOTH_INVALID'),
  'bolt-meta-zero-first': on('changed', 'BOLT_META_NEWER_INVALID'),
  'bolt-meta-magic': on('changed', 'BOLT_META_BOTH_INVALID'),
  'bolt-meta-version': on('changed', 'BOLT_META_BOTH_INVALID'),
  'bolt-meta-root-beyond': on('changed', 'BOLT_ROOT_OUT_OF_RANGE'),
  // What names a page above the mark: a branch, a bucket, or the overflow of a page.
  'bolt-meta-hwm-low': on(
    'file',
    'BOLT_CHILD_OUT_OF_RANGE',
    'BOLT_BUCKET_ROOT_OUT_OF_RANGE',
    'BOLT_ROOT_OUT_OF_RANGE',
    'BOLT_OVERFLOW_OUT_OF_RANGE',
  ),
  'bolt-meta-page-size': on('changed', 'BOLT_PAGE_SIZE_WRONG'),
  'bolt-meta-older-tree': on('changed', 'BOLT_META_HEADER'),
  'bolt-pages-swapped': on('changed', 'BOLT_PAGE_ID'),
  'bolt-pages-swapped-ids-right': on('changed', 'BOLT_KEY_BELOW_PARENT', 'BOLT_KEY_ABOVE_PARENT'),
  'bolt-leaf-stale': on('changed', 'BOLT_KEY_BELOW_PARENT', 'BOLT_KEY_ABOVE_PARENT'),
  'bolt-page-claimed-twice': on('named', 'BOLT_PAGE_REFERENCED_TWICE'),
  'bolt-page-cycle': on('changed', 'BOLT_PAGE_CYCLE'),
  'bolt-child-is-meta': on('changed', 'BOLT_CHILD_OUT_OF_RANGE'),
  'bolt-child-beyond': on('changed', 'BOLT_CHILD_OUT_OF_RANGE'),
  'bolt-branch-key-order': on('changed', 'BOLT_KEY_ORDER'),
  'bolt-branch-key-wrong': on('below', 'BOLT_KEY_BELOW_PARENT', 'BOLT_KEY_ORDER'),
  'bolt-leaf-key-order': on('changed', 'BOLT_KEY_ORDER'),
  'bolt-leaf-count-high': on('changed', 'BOLT_PAGE_COUNT'),
  'bolt-leaf-count-zero': on('changed', 'BOLT_LEAF_EMPTY'),
  'bolt-leaf-position-out': on('changed', 'BOLT_ELEMENT_OUT_OF_PAGE'),
  'bolt-leaf-value-size-huge': on('changed', 'BOLT_ELEMENT_OUT_OF_PAGE'),
  'bolt-overflow-huge': on('changed', 'BOLT_OVERFLOW_OUT_OF_RANGE'),
  'bolt-overflow-one-more': on('changed', 'BOLT_OVERFLOW_TOO_LARGE', 'BOLT_OVERFLOW_OUT_OF_RANGE'),
  'bolt-page-type-unknown': on('changed', 'BOLT_PAGE_TYPE'),
  'bolt-page-type-branch': on('changed', 'BOLT_KEY_EMPTY', 'BOLT_ELEMENT_OUT_OF_PAGE', 'BOLT_ELEMENT_OVERLAP'),
  'bolt-page-id-wrong': on('changed', 'BOLT_PAGE_ID'),
  'bolt-freelist-double-entry': on('named', 'BOLT_FREELIST_DUPLICATE'),
  'bolt-freelist-claims-live-page': on('named', 'BOLT_FREE_PAGE_IN_USE'),
  'bolt-freelist-leak': on('file', 'BOLT_PAGE_UNREACHABLE'),
  'bolt-freelist-beyond-hwm': on('changed', 'BOLT_FREELIST_ID_OUT_OF_RANGE'),
  'bolt-freelist-unsorted': on('changed', 'BOLT_FREELIST_UNSORTED'),
  'bolt-freelist-is-leaf': on('named', 'BOLT_FREELIST_PAGE'),
};

const VERDICTS = {
  healthy: 'healthy',
  info: 'healthy',
  undetectable: 'healthy',
  repairable: 'repairable',
  corrupt: 'damaged',
};

const compare = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

/** The db without most of its preallocated tail of 16 MiB, which takes time and holds nothing. */
function busyDb(version: string): Uint8Array {
  const bytes = readFixture(`etcd/${version}/busy/m1`);
  const { highWaterMark, pageSize } = new BoltEdit(bytes.slice(0, 16384));
  return bytes.subarray(0, (highWaterMark + 4) * pageSize);
}

/** Pages of which at least one byte differs, those that were added included. */
function changedPages(original: Uint8Array, damaged: Uint8Array, pageSize: number): number[] {
  const pages: number[] = [];
  for (let start = 0; start < damaged.length; start += pageSize) {
    const end = start + pageSize;
    if (compare(original.subarray(start, end), damaged.subarray(start, end)) !== 0) pages.push(start / pageSize);
  }
  return pages;
}

/**
 * Whether the leaves that were changed still keep every rule: elements as they were or as another healthy page has them
 * (both recipes in question leave whole elements), keys ascending and within the bounds that the branches give.
 */
function keepsAllRules(original: BoltEdit, damaged: Uint8Array, pages: readonly number[]): boolean {
  const edit = new BoltEdit(damaged);
  return pages.every((page) => {
    if (edit.flags(page) !== LEAF || edit.overflow(page) !== original.overflow(page)) return false;
    const elements = edit.leafElements(edit.at(page));
    const [low, high] = boundsOf(original, page);
    const inside = elements.every(
      ({ key, keySize }) => keySize > 0 && compare(key, low) >= 0 && (high === undefined || compare(key, high) < 0),
    );
    return inside && elements.every(({ key }, i) => i === 0 || compare(elements[i - 1]!.key, key) < 0);
  });
}

/** The keys between which the keys of a leaf of bucket `key` must lie. */
function boundsOf(edit: BoltEdit, leaf: number): [low: Uint8Array, high: Uint8Array | undefined] {
  const firstKeys = edit.leaves('key').map((page) => ({ page, key: edit.leafElements(edit.at(page))[0]!.key }));
  const i = firstKeys.findIndex(({ page }) => page === leaf);
  return [firstKeys[i]!.key, firstKeys[i + 1]?.key];
}

function matches(finding: Finding, { codes, where }: Expected, changed: readonly number[], edit: BoltEdit): boolean {
  if (!codes.includes(finding.code)) return false;
  const { page } = finding;
  if (where === 'file') return true;
  if (page === undefined) return false;
  if (where === 'changed') return changed.includes(page);
  if (where === 'below') return finding.path?.some((above) => changed.includes(above)) === true;
  // A page that a changed page names: a child of a branch, or what the metas or the freelist there name.
  const named = changed.flatMap((from) => numbersOn(edit, from));
  return named.includes(page);
}

/** Every u64 on a page, at multiples of 8: all page numbers of metas, freelists and branches lie so. */
function numbersOn(edit: BoltEdit, page: number): number[] {
  const numbers: number[] = [];
  for (let at = edit.at(page); at + 8 <= Math.min(edit.at(page + 1), edit.bytes.length); at += 8) {
    numbers.push(Number(edit.u64(at)));
  }
  return numbers;
}

const wordsOf = (report: CheckReport): string[] =>
  report.findings.map(
    (f) => `${f.severity} ${f.code}${f.causedBy ? ' (consequence)' : ''}: ${describeFinding(f).message}`,
  );

function examine(recipe: BoltRecipe, version: string, variant: number): void {
  const original = busyDb(version);
  const damaged = recipe.apply(original, variant, { snapshot: readFixture(`etcd/${version}/busy/snapshot`) });
  const report = checkBolt(damaged);
  const healthy = new BoltEdit(original);
  const changed = changedPages(original, damaged, healthy.pageSize);
  const label = `${version} variant ${variant}: ${recipe.what}\n${wordsOf(report).slice(0, 10).join('\n')}`;

  const onlyContent = recipe.name === 'bolt-leaf-half-zeroed' || recipe.name === 'bolt-leaf-stale';
  if (onlyContent && keepsAllRules(healthy, damaged, changed)) {
    expect(report.verdict, label).toBe('healthy');
    return;
  }
  expect(report.verdict, label).toBe(VERDICTS[recipe.severity]);
  const expected = EXPECTED[recipe.name];
  if (expected === undefined) {
    expect(VERDICTS[recipe.severity], `${recipe.name} has no expectation`).toBe('healthy');
    return;
  }
  const edit = damaged.length < 2 * healthy.pageSize ? healthy : new BoltEdit(damaged);
  const roots = report.findings.filter((finding) => finding.causedBy === undefined);
  expect(roots.filter((finding) => matches(finding, expected, changed, edit)).length, label).toBeGreaterThan(0);
  // Everything else that is wrong is named as a consequence of it.
  const others = roots.filter((finding) => finding.severity === 'corrupt' && !expected.codes.includes(finding.code));
  expect(others, label).toEqual([]);
}

describe.each(VERSIONS)('busy db of etcd %s', (version) => {
  test.each(boltRecipes.map((recipe) => [recipe.name, recipe] as const))('%s', (_name, recipe) => {
    for (const variant of VARIANTS) examine(recipe, version, variant);
  });
});

test('every recipe that breaks something has an expectation, and no other', () => {
  const breaking = boltRecipes.filter(({ severity }) => VERDICTS[severity] !== 'healthy' || severity === 'info');
  expect(Object.keys(EXPECTED).sort()).toEqual(breaking.map(({ name }) => name).sort());
});
