import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CounterpartRow, readCounterparts } from './bbolt-tests.ts';

const page = readFileSync('docs/bbolt-tests.md', 'utf8');
const rows = readCounterparts(page);
const added = rows.filter(({ section }) => section.includes('1.5.0'));
const first = rows.filter((row) => !added.includes(row));
const count = (list: readonly CounterpartRow[]) => list.reduce((sum, { theirs }) => sum + theirs.length, 0);

/** Whether a file of tests has one, or a group, of that title. */
function hasTitle(source: string, title: string): boolean {
  return [`'`, '"', '`'].some((quote) => new RegExp(`\\(\\s*${quote}${escaped(title)}${quote}`).test(source));
}
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('docs/bbolt-tests.md', () => {
  test('every test of ours that it names is there', () => {
    const missing = rows.flatMap(({ ours }) =>
      ours.filter(({ file, title }) => {
        const path = `test/${file}.test.ts`;
        return !existsSync(path) || !hasTitle(readFileSync(path, 'utf8'), title);
      }),
    );
    expect(missing).toEqual([]);
  });

  test('every test of bbolt is there once, with one of ours or the reason why not', () => {
    for (const { theirs, ours, leftOut } of rows) {
      expect({ theirs, answered: ours.length > 0 !== (leftOut !== undefined) }).toEqual({ theirs, answered: true });
      for (const name of theirs) expect(name).toMatch(/^Test(_?[A-Z]|_freelist)\w*$/);
    }
    const names = rows.flatMap(({ section, theirs }) => theirs.map((name) => `${section} ${name}`));
    expect(new Set(names).size).toBe(names.length);
  });

  test('the numbers it gives are those of its tables', () => {
    const left = (list: readonly CounterpartRow[]) => count(list.filter(({ leftOut }) => leftOut !== undefined));
    expect(count(first)).toBe(265);
    expect(page).toContain(
      `bbolt 1.4.3 has 265 test functions: ${265 - left(first)} have a counterpart, ${left(first)} are left out.`,
    );
    expect(page).toContain(
      `bbolt 1.5.0 adds ${count(added)}: ${count(added) - left(added)} have one, ${left(added)} are left out.`,
    );
  });
});
