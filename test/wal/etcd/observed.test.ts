// The simulated start against real servers: what etcd 3.4, 3.5, 3.6 and 3.7 did with damaged logs, in their own words
// (fixtures/damaged-log-observed.json).
//
// A row `timeout` counts as started: the server read the log and ran, but answered no client. Why is not in the log: its db is
// ahead of a log that lost its end, so that it applies nothing until the log has grown that far, or the log names another
// member than the one that the others know.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import type { SnapshotId } from '../../../src/wal/etcd/parse-record.ts';
import { type StartOutcome, simulateStart } from '../../../src/wal/etcd/start.ts';
import { type EditedLog, editableLog, segmentInputs } from '../../support/edited-log.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { logFixture } from '../../support/log-fixtures.ts';
import { leftoverRecipes, snapRecipes } from '../../support/snap-recipes.ts';
import { bytesIn, numberIn, referenceCrc } from '../../support/wal-edit.ts';
import { walRecipes } from '../../support/wal-recipes.ts';
import { steadyWords } from './answers.ts';

interface Row {
  readonly outcome: 'started' | 'exited' | 'timeout' | 'started, then died';
  readonly words?: readonly string[];
  readonly filesAdded?: readonly string[];
}

const OBSERVED = JSON.parse(readFileSync(join(FIXTURES, 'damaged-log-observed.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, Row>>>
>;

const minorOf = (version: string): EtcdMinor => version.replace(/\.\d+$/, '') as EtcdMinor;

/** What the .snap files hold that can be read. */
function snapFiles(log: EditedLog): SnapshotId[] {
  return [...log.snaps].flatMap(([name, bytes]) => {
    if (!name.endsWith('.snap')) return [];
    try {
      const data = bytesIn(bytes, 2);
      if (data.length === 0 || numberIn(bytes, 1) !== BigInt(referenceCrc(data))) return [];
      const metadata = bytesIn(data, 2);
      return [{ index: numberIn(metadata, 2), term: numberIn(metadata, 3) }];
    } catch {
      return [];
    }
  });
}

/** A row in the simulation's terms: whether it started, and what it said of the log. */
function summary({ outcome, words = [], filesAdded = [] }: Row): object {
  const said = words.map((line) => steadyWords(line.replace(/^\w+: |^[A-Z] \| (\w+: )?/, '')));
  const hasStarted = outcome === 'started' || outcome === 'timeout';
  return { hasStarted, said, wasCut: filesAdded.some((path) => path.endsWith('.wal.broken')) };
}

function expectAsObserved(start: StartOutcome, row: Row): void {
  const { hasStarted, said, wasCut } = summary(row) as { hasStarted: boolean; said: string[]; wasCut: boolean };
  expect(start.outcome === 'starts' || start.outcome === 'repairs', start.words).toBe(hasStarted);
  expect(start.cut !== undefined).toBe(wasCut);
  expect(start.outcome === 'repairs').toBe(hasStarted && said.some((line) => line.startsWith('repaired WAL')));
  if (start.words !== '')
    expect(said.map((line) => line.replace(/ \[recovered\]$/, ''))).toContain(steadyWords(start.words));
}

describe.each(Object.keys(OBSERVED))('a start of %s', (version) => {
  const recipes = [...walRecipes, ...snapRecipes, ...leftoverRecipes].filter(
    ({ name }) => OBSERVED[version]?.[name] !== undefined,
  );
  it.each(recipes.map((recipe) => [recipe.name, recipe] as const))('after %s', (name, recipe) => {
    const fixture = logFixture(`${version}/${recipe.base}/m1`);
    const log = recipe.apply(editableLog(fixture), 0);
    const { consistentIndex } = fixture;
    const start = simulateStart(segmentInputs(log), minorOf(version), { snapFiles: snapFiles(log), consistentIndex });
    expectAsObserved(start, OBSERVED[version]![name]!);
  });

  it.each(['busy', 'segments'] as const)('without damage: %s', (scenario) => {
    const fixture = logFixture(`${version}/${scenario}/m1`);
    const log = editableLog(fixture);
    const start = simulateStart(segmentInputs(log), minorOf(version), { snapFiles: snapFiles(log) });
    expect(start).toMatchObject({ outcome: 'starts', words: '' });
    expect(start.lastIndex).toBeGreaterThanOrEqual(fixture.consistentIndex ?? 0n);
  });
});
