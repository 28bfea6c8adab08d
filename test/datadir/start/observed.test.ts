// What is said of a start against what real servers did: every way of damage, on data of every version, with the server of that
// version (fixtures/damaged-*-observed.json).
//
// Where a start hangs on chance (pages that a server may or may not come by) it must not be called certain; then nothing else is
// asked. Which recipes these are is listed, so that certainty is not given up unnoticed.
import { describe, expect, it } from 'vitest';
import { DataDirCheckJob } from '../../../src/datadir/check-dir.ts';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import { type DirStart, mends, startsOf } from '../../../src/datadir/start/start.ts';
import { drain } from '../../../src/io/job.ts';
import type { Level } from '../../../src/report.ts';
import { dataDirFixture, type MemoryDir } from '../../support/data-dir-fixtures.ts';
import {
  DIR_VERSIONS,
  type DirRecipe,
  damagedDataDir,
  dirRecipes,
  isMeantFor,
} from '../../support/data-dir-recipes.ts';
import { type ObservedStart, observedStarts } from '../../support/observed-starts.ts';
import { steadyWords } from '../../wal/etcd/answers.ts';

/** What a server was seen to be, or is said to be: up for clients, up but not writing, not up, or ended. */
type Seen = 'serves' | 'takes no writes' | 'serves nobody' | 'ended' | 'died later';

function seen({ outcome, put = 'visible' }: ObservedStart): Seen {
  switch (outcome) {
    case 'started':
      return put.startsWith('no answer') ? 'takes no writes' : 'serves';
    case 'exited':
      return 'ended';
    case 'timeout':
      return 'serves nobody';
    case 'started, then died':
      return 'died later';
  }
}

function said({ outcome, serves }: DirStart): Seen {
  if (outcome === 'refuses' || outcome === 'panics') return 'ended';
  if (outcome === 'hangs') return serves === 'reads' ? 'takes no writes' : 'serves nobody';
  return 'serves';
}

/** Paths in the words of a server are from the data directory on already. */
const plain = (words: string): string =>
  steadyWords(words.replace(/^\w+: |^[A-Z] \| (etcdserver: |etcdmain: |wal: )?/, ''));

/** Not a matter of the directory: the member whose log it is ran beside it. */
const OTHER_CAUSE: ReadonlySet<string> = new Set(['dir-wal-other-member']);

function startOn(files: MemoryDir, version: string, level: Level): DirStart {
  const minor = version.replace(/\.\d+$/, '');
  using dir = openDataDir(files);
  const report = drain(new DataDirCheckJob(dir, { level }));
  return startsOf(report).find((start) => start.version === minor) as DirStart;
}

function expectAsSeen(start: DirStart, row: ObservedStart): void {
  expect(said(start), `${start.words} ${start.causes}`).toBe(seen(row));
  if (row.exit !== undefined) expect(start.outcome).toBe(row.exit === 2 ? 'panics' : 'refuses');
  if (start.words !== '') {
    expect(row.words.map(plain).join('\n')).toContain(steadyWords(start.words).trim());
  }
  const added = row.filesAdded ?? [];
  expect(start.renames.map((name) => `member/snap/${name}.broken`).sort()).toEqual(
    added.filter((path) => path.endsWith('.snap.broken')).sort(),
  );
  expect(start.cut !== null).toBe(added.some((path) => path.endsWith('.wal.broken')));
}

/**
 * Recipes whose outcome is chance, or cannot be told from the findings, for one release at least: pages that a server may come by or
 * not, a freelist that is used when something is written, words that depend on the very bytes.
 */
const UNCERTAIN = new RegExp(
  '^(?:bolt-(?:leaf|branch|root|page|pages|child|overflow|truncated|freelist|meta-root|meta-hwm|meta-page-size)-?.*|' +
    'backend-(?:cluster-version-newer|compact-rev-separator|lease-bucket-emptied|member-id-mismatch|members-emptied|revision-key-short|revision-order))$',
);

/** Nothing in these bytes contradicts anything: zeros within values only. */
const NOT_SEEN: ReadonlySet<string> = new Set(['3.6.14 bolt-leaf-half-zeroed']);

describe.each(DIR_VERSIONS)('a start of %s', (version) => {
  const rows = observedStarts()[version] ?? {};
  const recipes = dirRecipes.filter(
    (recipe) => isMeantFor(recipe, version) && rows[recipe.name] !== undefined && !OTHER_CAUSE.has(recipe.name),
  );

  it.each(recipes.map((recipe): [string, DirRecipe] => [recipe.name, recipe]))('after %s', (name, recipe) => {
    // What is in the records matters to damage of the db alone.
    const level = recipe.area === 'bolt' || recipe.area === 'backend' ? 'deep' : 'full';
    const start = startOn(damagedDataDir(recipe, version), version, level);
    const row = rows[name]!;
    if (!start.certain) {
      expect(name).toMatch(UNCERTAIN);
      return;
    }
    expectAsSeen(start, row);
    const isUnseen = recipe.severity === 'undetectable' || NOT_SEEN.has(`${version} ${name}`);
    if (row.sameAsHealthy === false && seen(row) === 'serves' && recipe.severity !== 'healthy') {
      expect(start.lossless).toBe(isUnseen);
    }
    if (recipe.severity === 'healthy' || recipe.severity === 'info') expect(mends(start)).toBe(true);
  });

  it.each(['busy', 'fresh', 'segments', 'cluster'])('without damage: %s', (scenario) => {
    const start = startOn(dataDirFixture(`${version}/${scenario}/m1`), version, 'deep');
    expect(start).toMatchObject({ outcome: 'starts', certain: true, lossless: true, renames: [], cut: null });
  });
});
