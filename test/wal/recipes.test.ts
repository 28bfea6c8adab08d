// Every recipe for damage of a log: the verdict is the severity that real servers showed it to have, and the codes say what
// was done. Where only the db or the .snap files could show it, no more is said than is known.
import { describe, expect, test } from 'vitest';
import type { CheckReport } from '../../src/report.ts';
import { verdictOf } from '../../src/verdict.ts';
import { type CheckWalOptions, checkWal } from '../../src/wal/check.ts';
import { editableLog, type LogRecipe, segmentInputs } from '../support/edited-log.ts';
import { type LogFixture, logFixture } from '../support/log-fixtures.ts';
import { walRecipes } from '../support/wal-recipes.ts';

/** The codes of each recipe; of several in a row one is there in each variant. Nothing else is found. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  'wal-torn-tail-short': ['WAL_TORN_TAIL'],
  'wal-torn-tail-in-length': ['WAL_TORN_TAIL'],
  'wal-cut-at-record': [],
  'wal-torn-tail-zero-sector': ['WAL_TORN_TAIL'],
  'wal-torn-append-zero-sector': ['WAL_TORN_TAIL'],
  'wal-torn-append-hole': ['WAL_TORN_TAIL'],
  'wal-torn-append-short': ['WAL_TORN_TAIL'],
  'wal-tail-zeroed': [],
  'wal-garbage-behind-end': ['WAL_TAIL_NOT_ZERO'],
  'wal-garbage-right-behind-last': ['WAL_TORN_TAIL'],
  'wal-last-record-flip': ['WAL_RECORD_CRC'],
  'wal-middle-flip': ['WAL_RECORD_CRC'],
  'wal-middle-crc-field': ['WAL_RECORD_CRC'],
  // Depends on where in a record the sector begins.
  'wal-middle-sector-zeroed': ['WAL_RECORD_CRC|WAL_RECORD_UNPARSABLE'],
  'wal-middle-page-zeroed': ['WAL_RECORD_CRC|WAL_RECORD_UNPARSABLE|WAL_RECORDS_BEHIND_END'],
  'wal-padding-garbage': [],
  'wal-hole': ['WAL_RECORDS_BEHIND_END'],
  'wal-length-huge': ['WAL_RECORD_CUT'],
  'wal-length-too-long': ['WAL_RECORD_UNPARSABLE'],
  'wal-inner-length-long': ['WAL_RECORD_UNPARSABLE'],
  'wal-type-unknown': ['WAL_RECORD_TYPE', 'WAL_ENTRY_GAP'],
  'wal-entry-typed-state': ['WAL_STATE_BACK', 'WAL_ENTRY_GAP'],
  'wal-metadata-other-node': [],
  'wal-metadata-other-cluster': ['WAL_CLUSTER_ID'],
  'wal-metadata-missing': ['WAL_METADATA_MISSING'],
  'wal-two-metadata': ['WAL_METADATA_CONFLICT'],
  'wal-entry-gap': ['WAL_ENTRY_GAP'],
  'wal-entry-gap-before-snapshot': ['WAL_ENTRY_GAP'],
  'wal-entry-repeated': [],
  'wal-commit-beyond': ['WAL_COMMIT_BEYOND'],
  'wal-commit-back': ['WAL_STATE_BACK', 'WAL_SNAPSHOT_PENDING'],
  'wal-term-back': ['WAL_ENTRY_TERM_BACK'],
  'wal-entry-garbage': ['WAL_ENTRY_PAYLOAD'],
  'wal-snapshot-record-missing': [],
  'wal-snapshot-records-missing': [],
  'wal-snapshot-record-term': ['WAL_SNAPSHOT_TERM'],
  'wal-segment-missing-middle': ['WAL_SEGMENT_MISSING'],
  'wal-segment-missing-first': [],
  'wal-segment-only-last': [],
  'wal-segment-missing-last': [],
  'wal-segment-renumbered': ['WAL_SEQUENCE_GAP'],
  'wal-segment-index-name': ['WAL_SEGMENT_INDEX_NAME'],
  'wal-segment-crc-chain': ['WAL_CHAIN_BROKEN'],
  'wal-segment-crc-chain-middle': ['WAL_CHAIN_BROKEN'],
  'wal-segment-cut-middle': ['WAL_RECORD_CUT'],
  'wal-segment-cut-first': ['WAL_RECORD_CUT'],
  'wal-segment-empty-last': ['WAL_SEGMENT_EMPTY'],
  'wal-segment-empty-added': ['WAL_SEGMENT_EMPTY'],
  'wal-segment-zero-added': ['WAL_SEGMENT_EMPTY'],
  'wal-only-empty-file': ['WAL_SEGMENT_EMPTY'],
  'wal-only-zeros': ['WAL_SEGMENT_EMPTY'],
  'wal-stray-name': ['WAL_NAME_STRAY'],
  'wal-copied-segment': ['WAL_LEFTOVER'],
};
/** What is more serious once it is known how far the db has got. */
const LOSES_COMMITTED = new Set(['wal-torn-tail-zero-sector']);

function check(recipe: LogRecipe, fixture: LogFixture, variant: number, options: CheckWalOptions = {}): CheckReport {
  const log = recipe.apply(editableLog(fixture), variant);
  const others = [...log.segments.keys()].filter((name) => !name.endsWith('.wal'));
  return checkWal({ segments: segmentInputs(log), others }, options);
}

const RANK = ['healthy', 'info', 'repairable', 'corrupt'];
const worst = ({ findings }: CheckReport): number =>
  findings.reduce((most, { severity }) => Math.max(most, RANK.indexOf(severity)), 0);

function expectCodes(report: CheckReport, recipe: LogRecipe): void {
  const expected = CODES[recipe.name]!;
  const found = [...new Set(report.findings.map(({ code }) => code as string))];
  expect(found, recipe.name).toHaveLength(expected.length);
  for (const codes of expected)
    expect(
      found.some((code) => codes.split('|').includes(code)),
      `${recipe.name}: ${found}`,
    ).toBe(true);
}

function judge(recipe: LogRecipe, fixture: LogFixture, variant: number): void {
  const report = check(recipe, fixture, variant);
  expectCodes(report, recipe);
  const what = `${recipe.name}, variant ${variant}`;
  if (recipe.needs === 'wal') {
    const counts = recipe.severity === 'healthy' ? {} : { [recipe.severity]: 1 };
    expect(report.verdict, what).toBe(verdictOf(counts));
    return;
  }
  expect(worst(report), what).toBeLessThanOrEqual(RANK.indexOf(recipe.severity));
  expect(report.notExamined.join('\n')).toMatch(/db beside the log.*\.snap files/s);
  const told = check(recipe, fixture, variant, { mustReach: fixture.consistentIndex });
  expect(told.notExamined.join('\n')).not.toMatch(/db beside the log/);
  if (LOSES_COMMITTED.has(recipe.name)) {
    expect(told.findings.map(({ code }) => code)).toEqual(['WAL_TAIL_LOSES_COMMITTED']);
    expect(told.verdict).toBe('damaged');
  } else expect(told.verdict).toBe(report.verdict);
}

test('every recipe has its codes', () => {
  expect(Object.keys(CODES).sort()).toEqual(walRecipes.map(({ name }) => name).sort());
});

// Two releases with all variants, the others with one: gogo and google encoding, v2 requests and none.
describe.each([
  ['3.4.23', [2]],
  ['3.5.33', [0, 1, 2, 3]],
  ['3.6.14', [1]],
  ['3.7.1', [0, 1, 2, 3]],
] as const)('a log of %s', (version, variants) => {
  const fixture = logFixture(`${version}/busy/m1`);
  test.each(walRecipes.filter(({ base }) => base === 'busy').map((recipe) => [recipe.name, recipe] as const))(
    'after %s',
    (_, recipe) => {
      for (const variant of variants) judge(recipe, fixture, variant);
    },
  );
});

describe('a log of three segments', () => {
  const fixture = logFixture('3.6.14/segments/m1');
  test.each(walRecipes.filter(({ base }) => base === 'segments').map((recipe) => [recipe.name, recipe] as const))(
    'after %s',
    (_, recipe) => {
      for (const variant of [0, 1]) judge(recipe, fixture, variant);
    },
  );
});
