// docs/validation.md names for each point asked of a validator where it is and which test shows it: both have to be there.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${ROOT}docs/validation.md`, 'utf8');
const rows = [...page.matchAll(/^\| (V\d\d) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = '', , where = '', shown = '']) => ({
    id,
    where,
    shown,
  }),
);

test('every point from V01 to V37 has a row', () => {
  const ids = Array.from({ length: 37 }, (_, at) => `V${`${at + 1}`.padStart(2, '0')}`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

describe.each(rows)('$id', ({ where, shown }) => {
  test('is where the page says', () => {
    const files = [...where.matchAll(/`(src\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files.length > 0 || where.startsWith('not done')).toBe(true);
    expect(files.filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
  });

  test('is shown by a test of that name', () => {
    const [, file = '', name = ''] = /^`([^`]+)`(?:: (.+))?$/.exec(shown) ?? [];
    expect(file).toMatch(/^test\//);
    expect(readFileSync(`${ROOT}${file}`, 'utf8')).toContain(name);
  });
});

describe('the tables of the page', () => {
  test('have every status, action and recommendation', async () => {
    const { REFERENCE_STATUSES } = await import('../../../src/datadir/validation/reference-status.ts');
    for (const [name, { number }] of Object.entries(REFERENCE_STATUSES)) {
      expect(page).toContain(`| ${number ?? '–'} | \`${name}\` |`);
    }
  });
});
