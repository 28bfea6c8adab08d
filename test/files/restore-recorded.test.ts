/**
 * Every recorded restore that succeeded, through files: each case for one of the releases in turn, those about directories for all. All of
 * them: restore-recorded.long.test.ts.
 */
import { expect, test } from 'vitest';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { judgeMade, madeCases } from './restore-recorded.ts';

const all = madeCases();
const names = [...new Set(all.map(({ one }) => one.name))];

/** The release in turn, or the next one that has made it. */
const chosen = names.map((name, i) => {
  const made = all.filter(({ one }) => one.name === name);
  return made.find(({ one }) => one.minor === ETCD_MINORS[i % 4]) ?? made[0]!;
});
const more = all.filter(
  ({ one, label }) => /^(?:gold3-n2|wal-dir|from-cluster)$/.test(one.name) && !chosen.some((c) => c.label === label),
);

test('every name is there, and every release', () => {
  expect(chosen.map(({ one }) => one.name)).toEqual(names);
  expect(new Set(chosen.map(({ one }) => one.minor)).size).toBe(4);
});

test.each([...chosen, ...more])('$label', (made) => judgeMade(made, 'library'));

const COMMAND = ['gold1', 'gold3-n2', 'defaults', 'wal-dir', 'bump-1000', 'no-data-dir', 'name-quotes', 'white-space'];

test.each(chosen.filter(({ one }) => COMMAND.includes(one.name)))('the command: $label', (made) =>
  judgeMade(made, 'command'),
);
