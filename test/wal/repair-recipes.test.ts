/**
 * Every recipe that damages a log: what is mended without loss, what is refused, and what is left after a loss was accepted.
 */
import { describe, expect, test } from 'vitest';
import { checkWal } from '../../src/wal/check.ts';
import { planRepair } from '../../src/wal/repair-plan.ts';
import type { WalFiles } from '../../src/wal/segment-input.ts';
import { type EditedLog, editableLog, type LogRecipe, segmentInputs } from '../support/edited-log.ts';
import { type LogFixture, logFixture, logFixtures } from '../support/log-fixtures.ts';
import { walRecipes } from '../support/wal-recipes.ts';
import { entriesAbove, expectSound, plannedFiles } from './repair-log.ts';

/** Nothing is damaged that could be left out; etcd starts. */
const REMAINS = [
  'wal-entry-typed-state',
  'wal-entry-gap-before-snapshot',
  'wal-commit-back',
  'wal-term-back',
  'wal-snapshot-record-term',
];
/** Seen in no log by itself. */
const INVISIBLE = ['wal-metadata-other-node', 'wal-snapshot-records-missing'];
/** Only the head of a segment is wrong. */
const HEAD = ['wal-segment-crc-chain'];
/** There is nothing to begin with, or it is wrong from the beginning. */
const HOPELESS = ['wal-only-empty-file', 'wal-only-zeros', 'wal-metadata-missing', 'wal-metadata-other-cluster'];

function expectedOutcome({ name, severity }: LogRecipe): 'nothing' | 'repair' | 'refused' {
  if (REMAINS.includes(name) || INVISIBLE.includes(name)) return 'nothing';
  if (HEAD.includes(name)) return 'repair';
  if (severity === 'corrupt') return 'refused';
  return severity === 'repairable' ? 'repair' : 'nothing';
}

function filesOf(log: EditedLog): WalFiles {
  return { segments: segmentInputs(log), others: [...log.segments.keys()].filter((name) => !name.endsWith('.wal')) };
}

/** The fixture with less of the zeros at its end, which take time to look through. */
function shortened(fixture: LogFixture): LogFixture {
  const walFiles = fixture.walFiles.map(({ bytes, size, ...file }) => ({
    ...file,
    bytes,
    size: Math.min(size, bytes.length + 16384),
  }));
  return { ...fixture, walFiles };
}

function expectRepaired(recipe: LogRecipe, variant: number, fixture: LogFixture): void {
  const { consistentIndex } = fixture;
  const healthy = filesOf(editableLog(fixture));
  const files = filesOf(recipe.apply(editableLog(fixture), variant));
  const plan = planRepair(files, { keepIndex: consistentIndex });
  expectSound(plan);
  expect(plan.outcome).toBe(expectedOutcome(recipe));
  if (plan.outcome === 'nothing') expect(plan.remaining.length > 0).toBe(REMAINS.includes(recipe.name));
  if (plan.outcome === 'repair') {
    const made = plannedFiles(plan, files);
    const { verdict, wal } = checkWal(made, { mustReach: consistentIndex });
    expect(verdict).toBe('healthy');
    expect(Number(wal?.commit)).toBeGreaterThanOrEqual(Number(plan.before.wal?.commit));
    // Nothing of what was ever there is missing.
    const from = BigInt(wal?.snapshot?.index ?? 0);
    expect(entriesAbove(made, from)).toEqual(entriesAbove(healthy, from));
    expect(plan.losses).toEqual([]);
  }
  if (plan.outcome === 'refused') expectLoss(recipe, files, fixture);
}

function expectLoss(recipe: LogRecipe, files: WalFiles, { consistentIndex }: LogFixture): void {
  const plan = planRepair(files, { keepIndex: consistentIndex, acceptLoss: true });
  expectSound(plan);
  if (HOPELESS.includes(recipe.name)) {
    expect(plan.outcome).toBe('refused');
    expect(plan.reasons.map(({ code }) => code)).toEqual([expect.stringMatching(/^(?:NOTHING_LEFT|NOT_MENDABLE)$/)]);
    return;
  }
  expect(plan.outcome).toBe('repair');
  expect(plan.losses.length).toBeGreaterThan(0);
  const made = plannedFiles(plan, files);
  expect(checkWal(made).verdict).toBe('healthy');
  const all = new Set(entriesAbove(files, 0n));
  // The log was not read beyond its damage, and the copy ends no later.
  expect(entriesAbove(made, 0n).filter((entry) => !all.has(entry))).toEqual([]);
}

const versions = [...new Set(logFixtures().map(({ version }) => version))];
const busy = walRecipes.filter(({ base }) => base === 'busy');
const large = walRecipes.filter(({ base }) => base === 'segments');

describe.each(versions)('the log of one segment of etcd %s', (version) => {
  const fixture = shortened(logFixture(`${version}/busy/m1`));
  test.each(busy)('$name', (recipe) => {
    for (const variant of [0, 1]) expectRepaired(recipe, variant, fixture);
  });
});

describe('the log of three segments', { timeout: 30_000 }, () => {
  test.each(large)('$name', (recipe) => expectRepaired(recipe, 0, logFixture('3.6.14/segments/m1')));
});

describe('what would be lost', () => {
  const fixture = shortened(logFixture('3.6.14/busy/m1'));
  const refusal = (name: string, keepIndex = fixture.consistentIndex): string[] => {
    const recipe = walRecipes.find((each) => each.name === name)!;
    const { outcome, reasons } = planRepair(filesOf(recipe.apply(editableLog(fixture), 1)), { keepIndex });
    expect(outcome).toBe('refused');
    return reasons.map(({ code }) => code);
  };

  test('a tail that looks torn, below what the db has applied', () => {
    expect(refusal('wal-torn-tail-zero-sector')).toEqual(['DAMAGE', 'APPLIED']);
  });

  test('a well-formed log that is shorter than what the db has applied', () => {
    expect(refusal('wal-tail-zeroed')).toEqual(['APPLIED']);
  });

  test('good records behind damage', () => {
    expect(refusal('wal-middle-flip', 0n)).toEqual(['DAMAGE', 'RECORDS', 'COMMITTED']);
  });

  test('the index to keep decides: without it the same tail is cut off', () => {
    const recipe = walRecipes.find(({ name }) => name === 'wal-torn-tail-zero-sector')!;
    const { outcome, losses } = planRepair(filesOf(recipe.apply(editableLog(fixture), 0)));
    expect({ outcome, losses }).toEqual({ outcome: 'repair', losses: [] });
  });
});
