/**
 * Checks a directory with a kind of damage, and holds the report against the catalogue.
 */
import { expect } from 'vitest';
import { createNodeSha256 } from '../../../src/checksum/node-sha256.ts';
import { type CheckDirOptions, DataDirCheckJob } from '../../../src/datadir/check-dir.ts';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import { startsOf } from '../../../src/datadir/start/start.ts';
import { type Recommendation, recommend } from '../../../src/datadir/validation/recommendation.ts';
import type { AnyFinding } from '../../../src/finding-table.ts';
import { describeFinding } from '../../../src/findings.ts';
import { drain } from '../../../src/io/job.ts';
import type { CheckReport } from '../../../src/report.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { DB_PATH, type DirContent } from '../../support/data-dir-fixtures.ts';
import { type DirRecipe, damagedDataDir, recipeBase } from '../../support/data-dir-recipes.ts';
import { fieldsOf } from '../../support/wal-edit.ts';
import { CATALOGUE, expectedRecommendation, expectedVerdict } from './catalogue.ts';

/** The value in a `mvccpb.KeyValue`. */
const VALUE_FIELD = 5;

/** Checks a damaged directory, deep if nothing else is said. */
export function checkRecipe(
  recipe: DirRecipe,
  version: string,
  variant: number,
  options: CheckDirOptions = {},
): CheckReport {
  using dir = openDataDir(damagedDataDir(recipe, version, variant));
  return drain(new DataDirCheckJob(dir, { level: 'deep', sha256: createNodeSha256, ...options }));
}

/** The findings in words, for messages of tests. */
export const wordsOf = ({ path, findings }: CheckReport): string =>
  [
    path,
    ...(findings as readonly AnyFinding[]).map(
      (finding) =>
        `${finding.severity} ${finding.code} (${finding.causedBy?.code ?? 'cause'}) ${finding.file}: ${describeFinding(finding as never).message}`,
    ),
  ].join('\n');

/** What to do with the directory: `usableBase` says whether there are backups to restore from. */
function recommendationFor(report: CheckReport, minor: string, usableBase: boolean): Recommendation {
  const start = startsOf(report).find(({ version }) => version === minor)!;
  const { counts, dataDir } = report;
  return recommend({
    counts,
    inUse: dataDir?.inUse ?? false,
    missing: dataDir?.layout === 'missing',
    mendedByEtcd: (start.outcome === 'starts' || start.outcome === 'repairs') && start.lossless,
    usableBase,
    multiNode: false,
    othersReachable: undefined,
  });
}

/** Codes above info that follow from no other finding, each once. */
function causes({ findings }: CheckReport): string[] {
  const above = (findings as readonly AnyFinding[]).filter(
    ({ severity, causedBy }) => severity !== 'info' && causedBy === undefined,
  );
  return [...new Set(above.map(({ code }) => code))];
}

/** Whether a code is that of the catalogue, or one of those that `BACKEND_*` stands for. */
const isOf = (code: string, listed: string): boolean =>
  listed.endsWith('*') ? code.startsWith(listed.slice(0, -1)) : code === listed;

/** The codes are those of the catalogue. */
function expectCodes(name: string, report: CheckReport): void {
  const { codes, noted } = CATALOGUE[name]!;
  const found = causes(report);
  const required = codes.filter((code) => !code.endsWith('?'));
  const allowed = codes.flatMap((code) => code.replace('?', '').split('|'));
  const missing = required.filter((code) => !code.split('|').some((each) => found.some((one) => isOf(one, each))));
  const unexpected = found.filter((code) => !allowed.some((each) => isOf(code, each)));
  expect({ missing, unexpected }, wordsOf(report)).toEqual({ missing: [], unexpected: [] });
  const infos = report.findings.filter(({ severity }) => severity === 'info').map(({ code }) => code as string);
  expect(
    noted.filter((code) => !infos.includes(code)),
    wordsOf(report),
  ).toEqual([]);
}

/** Whether nothing but user values was changed: whatever the recipe did in other places, here no rule can see it. */
function changesOnlyValues(recipe: DirRecipe, version: string, variant: number): boolean {
  const dbOf = ({ files }: DirContent): Uint8Array | undefined => files.get(DB_PATH)?.bytes;
  const base = recipeBase(version, recipe.base);
  const before = dbOf(base)!;
  const after = dbOf(recipe.apply(base, variant, version));
  if (after?.length !== before.length) return false;
  const free = new Uint8Array(before.length);
  for (const { position, keySize, value } of new BoltEdit(before).entries('key')) {
    const field = fieldsOf(value).find(({ number }) => number === VALUE_FIELD);
    if (field === undefined) continue;
    const start = position + keySize + field.at;
    free.fill(1, start, start + (field.value as Uint8Array).length);
  }
  const changed = before.findIndex((byte, at) => byte !== after[at] && free[at] === 0);
  return changed === -1 && Buffer.compare(before, after) !== 0;
}

/** Codes, verdict and recommendations are those of the catalogue. */
export function expectAsCatalogued(recipe: DirRecipe, version: string, variant: number, report: CheckReport): void {
  const { name } = recipe;
  const minor = version.slice(0, 3);
  if (recipe.area === 'bolt' && changesOnlyValues(recipe, version, variant)) {
    expect(report.verdict, wordsOf(report)).toBe('healthy');
    return;
  }
  expect(report.verdict, wordsOf(report)).toBe(expectedVerdict(name));
  expectCodes(name, report);
  for (const usableBase of [false, true]) {
    const what = `${usableBase ? 'with' : 'without'} a backup, ${wordsOf(report)}`;
    expect(recommendationFor(report, minor, usableBase), what).toBe(expectedRecommendation(name, minor, usableBase));
  }
}
