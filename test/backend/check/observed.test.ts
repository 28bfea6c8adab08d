// What real servers and tools did with the same damage (variant 0): where they all fail, we do not say "healthy"; where one of them
// serves the same data, we say "corrupt" for reasons that docs/backend-rules.md gives only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backendRecipes } from '../../support/backend-recipes.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { checkDamaged } from './damaged.ts';

/** One run of a server of that version, and of its tools. */
interface Observed {
  readonly outcome?: 'started' | 'exited' | 'timeout' | 'started, then died';
  /** Whether the server gave the answers that it gives of the fixture without damage. */
  readonly sameAsHealthy?: boolean;
  readonly words?: string;
  readonly restore?: { readonly exit: number; readonly words?: string };
}

const observed = JSON.parse(readFileSync(join(FIXTURES, 'damaged-backend-observed.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, Observed>>>
>;
const page = readFileSync(new URL('../../../docs/backend-rules.md', import.meta.url), 'utf8');
const reasons = page.slice(page.indexOf('## Where etcd starts')).split('\n## ')[0]!;

describe.each(Object.keys(observed))('etcd %s', (version) => {
  const rows = observed[version]!;
  const seen = backendRecipes.filter(({ name }) => rows[name] !== undefined);

  test('every recipe that is meant for it was observed', () => {
    const meant = backendRecipes.filter(({ since = '3.4' }) => version.slice(0, 3) >= since);
    expect(Object.keys(rows).sort()).toEqual([...meant.map(({ name }) => name), 'none-auth', 'none-busy'].sort());
    expect(rows['none-busy']).toMatchObject({ outcome: 'started', sameAsHealthy: true });
  });

  test.each(seen.map((recipe) => [recipe.name, recipe] as const))('%s', (name, recipe) => {
    const { outcome, sameAsHealthy, restore } = rows[name]!;
    const { report } = checkDamaged(recipe, version, 0);
    const words = report.findings.map(({ code, severity }) => `${severity} ${code}`).join('\n');
    const fails = Object.values(observed).every((each) => (each[name]?.outcome ?? 'exited') !== 'started');
    if (recipe.needs === 'db' && fails) expect(report.verdict, words).not.toBe('healthy');
    if (recipe.needs === 'snapshot' && restore!.exit !== 0) expect(report.verdict, words).not.toBe('healthy');
    if (outcome === 'started' && sameAsHealthy === true && report.verdict === 'damaged') {
      const [worst] = report.findings;
      expect(reasons, words).toContain(`\`${worst!.code}\``);
    }
  });
});
