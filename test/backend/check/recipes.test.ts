// Every recipe for damage of what etcd keeps in a db: the verdict is what is true of it, and the finding names what was changed,
// by bucket, key and page.
import { describe, expect, test } from 'vitest';
import { keyText } from '../../../src/bolt/key-text.ts';
import type { AnyFinding } from '../../../src/finding-table.ts';
import { describeFinding } from '../../../src/findings.ts';
import { parseKeyValue } from '../../../src/proto/mvcc.ts';
import type { CheckReport } from '../../../src/report.ts';
import { verdictOf } from '../../../src/verdict.ts';
import { type BackendRecipe, backendRecipes } from '../../support/backend-recipes.ts';
import { checkDamaged } from './damaged.ts';

/** The codes of each recipe above info; of several in a row one is there in each variant. Other codes of etcd's are consequences. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  'backend-consistent-index-behind': [],
  'backend-consistent-index-a-little-behind': [],
  'backend-consistent-index-ahead': [],
  // The one of those that the db shows by itself.
  'backend-consistent-index-zero': ['BACKEND_CONSISTENT_INDEX'],
  'backend-term-zero': ['BACKEND_TERM_ZERO'],
  'backend-compact-finished-future': ['BACKEND_COMPACT_ORDER'],
  'backend-compact-scheduled-ahead': [],
  'backend-compact-rev-separator': ['BACKEND_META_UNREADABLE'],
  'backend-storage-version-garbage': ['BACKEND_META_UNREADABLE'],
  'backend-storage-version-newer': ['BACKEND_STORAGE_VERSION_UNSUPPORTED'],
  'backend-cluster-version-garbage': ['BACKEND_CLUSTER_UNREADABLE'],
  'backend-cluster-version-newer': ['BACKEND_CLUSTER_VERSION_NEWER'],
  'backend-cluster-version-two-older': [],
  'backend-revision-key-separator': ['BACKEND_REVISION_KEY'],
  'backend-revision-key-short': ['BACKEND_REVISION_KEY'],
  'backend-tombstone-mark': ['BACKEND_TOMBSTONE_MARK'],
  'backend-put-made-tombstone': ['BACKEND_RECORD_UNREADABLE'],
  'backend-revision-order': ['BOLT_KEY_ORDER|BOLT_KEY_ABOVE_PARENT', 'BACKEND_MOD_REVISION'],
  'backend-revision-jump-last': ['BACKEND_MOD_REVISION'],
  'backend-record-garbage': ['BACKEND_RECORD_UNREADABLE'],
  'backend-record-mod-revision': ['BACKEND_MOD_REVISION'],
  'backend-record-key-changed': ['BACKEND_KEY_BEGINNING|BACKEND_TOMBSTONE_WITHOUT_KEY'],
  'backend-lease-garbage': ['BACKEND_LEASE_UNREADABLE'],
  'backend-lease-id-mismatch': ['BACKEND_LEASE_ID'],
  // Inline buckets that end before the value they lie in show that something is gone.
  'backend-lease-bucket-emptied': ['BOLT_INLINE_PAGE'],
  'backend-member-json-broken': ['BACKEND_MEMBER_UNREADABLE'],
  'backend-member-id-mismatch': ['BACKEND_MEMBER_ID'],
  'backend-members-emptied': ['BOLT_INLINE_PAGE'],
  'backend-bucket-key-renamed': ['BACKEND_BUCKET_MISSING'],
  'backend-bucket-meta-emptied': ['BOLT_INLINE_PAGE'],
  'backend-auth-user-garbage': ['BACKEND_USER_UNREADABLE'],
  'backend-auth-role-garbage': ['BACKEND_ROLE_UNREADABLE'],
  'backend-auth-revision-short': ['BACKEND_AUTH_UNREADABLE'],
  'snapshot-trailer-wrong': ['BACKEND_TRAILER_WRONG'],
  'snapshot-trailer-missing': ['BACKEND_TRAILER_MISSING'],
  'snapshot-trailer-cut': ['BACKEND_TRAILER_CUT'],
  'snapshot-body-flip': ['BACKEND_TRAILER_WRONG'],
  'snapshot-truncated': ['BOLT_FILE_TRUNCATED'],
  'snapshot-appended': ['BACKEND_TRAILER_WRONG'],
  'snapshot-empty': ['BOLT_FILE_TOO_SMALL'],
};
const VARIANTS = [0, 1, 2, 3];
const PAGE = 4096;

const wordsOf = ({ findings }: CheckReport): string =>
  (findings as readonly AnyFinding[])
    .map((f) => `${f.severity} ${f.code} (${f.causedBy?.code}): ${describeFinding(f as never).message}`)
    .join('\n');

/** The verdict that the db alone allows. */
function expectedVerdict({ name, severity, needs }: BackendRecipe): string {
  if (needs === 'dir' && CODES[name]!.length === 0) return 'healthy';
  return verdictOf(severity === 'healthy' ? {} : { [severity]: 1 });
}

function judge(recipe: BackendRecipe, version: string, variant: number): void {
  const { damaged, report } = checkDamaged(recipe, version, variant);
  const words = `${recipe.name}, variant ${variant}:\n${wordsOf(report)}`;
  expect(report.verdict, words).toBe(expectedVerdict(recipe));
  const above = (report.findings as readonly AnyFinding[]).filter(({ severity }) => severity !== 'info');
  const causes = above.filter(({ causedBy }) => causedBy === undefined);
  const codes = [...new Set(causes.map(({ code }) => code))];
  const expected = CODES[recipe.name]!;
  for (const code of expected)
    expect(
      codes.some((found) => code.split('|').includes(found)),
      words,
    ).toBe(true);
  // A bit of a page can be one of a record, and the first key of a leaf is known to its parent.
  const own = (code: string): boolean => code.startsWith('BACKEND_');
  if (recipe.name !== 'snapshot-body-flip') expect(codes.filter(own).length, words).toBe(expected.filter(own).length);
  if (damaged.element === undefined || expected.length === 0) return;
  const { element, position, keySize } = damaged.element;
  const place = { page: Math.floor(element / PAGE), offset: position };
  const size = keySize + ({ 'backend-revision-key-short': -1, 'backend-put-made-tombstone': 1 }[recipe.name] ?? 0);
  const key = keyText(damaged.bytes.subarray(position, position + size));
  // The damage of a name shows in another record of the right one; the damaged record is named besides.
  const named = above.find((finding) => finding.code === 'BACKEND_KEY_SIMILAR' && finding.offset === position);
  const found = named ?? causes.find(({ code }) => own(code));
  expect(found, words).toMatchObject({ ...place, key });
  const { userKey } = found!.args;
  if (userKey !== undefined) {
    const stored = parseKeyValue(
      damaged.bytes.slice(position + keySize, position + keySize + damaged.element.valueSize),
    );
    expect(userKey).toBe(keyText(stored.key));
  }
}

test('every recipe has its codes', () => {
  expect(Object.keys(CODES).sort()).toEqual(backendRecipes.map(({ name }) => name).sort());
});

describe.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])('recipes for etcd %s', (version) => {
  const meant = backendRecipes.filter(({ since = '3.4' }) => version.slice(0, 3) >= since);
  test.each(meant.map((recipe) => [recipe.name, recipe] as const))('%s', (_name, recipe) => {
    for (const variant of VARIANTS) judge(recipe, version, variant);
  });
});
