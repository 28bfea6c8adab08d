// The table of docs/detection.md about damaged data directories: what is damaged, what is said of it and from which level on, what to do,
// and what the real servers did. UPDATE_DOCS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Level } from '../../../src/report.ts';
import { DIR_VERSIONS, type DirRecipe, dirRecipes } from '../../support/data-dir-recipes.ts';
import { type ObservedStart, observedStarts } from '../../support/observed-starts.ts';
import { CATALOGUE, expectedRecommendation, expectedVerdict } from './catalogue.ts';
import { checkRecipe } from './judge.ts';

const DOCUMENT = new URL('../../../docs/detection.md', import.meta.url);
const LEVELS: readonly Level[] = ['sanity', 'full', 'deep'];
/** The release for which the level is measured. It knows everything that damage can be done to. */
const MEASURED = '3.7.1';

/** The first level that has the verdict; empty for what is healthy. */
function firstLevel(recipe: DirRecipe): Level | '' {
  const verdict = expectedVerdict(recipe.name);
  if (verdict === 'healthy') return '';
  const level = LEVELS.find((each) => checkRecipe(recipe, MEASURED, 0, { level: each }).verdict === verdict);
  if (level === undefined) throw new Error(`${recipe.name} is ${verdict} at no level`);
  return level;
}

/** A text for each release, those with the same text together. */
function byRelease(text: (version: string, minor: string) => string | undefined): string {
  const groups = new Map<string, string[]>();
  for (const version of DIR_VERSIONS) {
    const minor = version.slice(0, 3);
    const found = text(version, minor);
    if (found !== undefined) groups.set(found, [...(groups.get(found) ?? []), minor]);
  }
  const [only] = groups.keys();
  if (groups.size === 1) return only!;
  return [...groups].map(([found, minors]) => `${minors.join(', ')}: ${found}`).join('; ');
}

function inWords({ outcome, put, sameAsHealthy }: ObservedStart): string {
  if (outcome === 'exited') return 'does not start';
  if (outcome === 'timeout') return 'never serves';
  if (outcome === 'started, then died') return 'starts, then dies';
  if (put !== 'visible') return 'starts, applies no put';
  return sameAsHealthy === false ? 'starts, other data' : 'starts';
}

function whatToDo(name: string): string {
  return byRelease((_, minor) => {
    const [without, withBackup] = [false, true].map((usable) => expectedRecommendation(name, minor, usable));
    return without === withBackup ? without! : `${withBackup}; without a backup ${without}`;
  });
}

const coded = (text: string): string => `\`${text}\``;

function row(recipe: DirRecipe): string {
  const { name, what } = recipe;
  const { codes, noted } = CATALOGUE[name]!;
  const shown = [...codes.filter((code) => !code.endsWith('?')), ...noted].map((code) =>
    code.split('|').map(coded).join(' or '),
  );
  const observed = observedStarts();
  const cells = [
    `${coded(name)}: ${what.replace(/[|*<]/g, '\\$&')}`,
    expectedVerdict(name),
    shown.join(', '),
    firstLevel(recipe),
    whatToDo(name),
    byRelease((version) => {
      const seen = observed[version]![name];
      return seen && inWords(seen);
    }),
  ];
  return `| ${cells.join(' | ')} |`;
}

test('docs/detection.md has the table', { timeout: 120_000 }, () => {
  const head =
    '| damage | verdict | codes | from level | recommendation | etcd |\n| --- | --- | --- | --- | --- | --- |';
  const text = [head, ...dirRecipes.map(row)].join('\n');
  const document = readFileSync(DOCUMENT, 'utf8');
  const start = '<!-- generated: directories -->\n';
  const from = document.indexOf(start) + start.length;
  const to = document.indexOf('\n<!-- end of directories -->');
  expect(from).toBeGreaterThanOrEqual(start.length);
  if (process.env['UPDATE_DOCS'] !== undefined) {
    writeFileSync(DOCUMENT, document.slice(0, from) + text + document.slice(to));
  } else expect(document.slice(from, to), 'UPDATE_DOCS=1 writes it anew').toBe(text);
});

test('what is not found has its reason on the page', () => {
  const page = readFileSync(DOCUMENT, 'utf8');
  const reasons = page.slice(page.indexOf('## What cannot be found in a data directory')).split('\n## ')[0]!;
  const silent = dirRecipes.filter(
    ({ name, severity }) => !['healthy', 'info'].includes(severity) && expectedVerdict(name) === 'healthy',
  );
  expect(silent.length).toBeGreaterThan(0);
  for (const { name } of silent) {
    expect(CATALOGUE[name]!.reason, name).toBeDefined();
    expect(reasons, name).toContain(`\`${name}\``);
  }
});
