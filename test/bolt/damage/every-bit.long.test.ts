// Each bit of the small files alone: what should always be found is, and what is not found does no harm to a reader.
import { expect, test } from 'vitest';
import { readFixture } from '../../support/fixtures.ts';
import { byteClasses } from './byte-classes.ts';
import { EXPECTATIONS } from './expectations.ts';
import { judge } from './judge.ts';
import { readEverything } from './read-everything.ts';

test.each(['bolt/small-512-stored', 'bolt/small-512-none'])('%s', (name) => {
  const original = readFixture(name);
  const classes = byteClasses(original);
  const damaged = original.slice();
  for (let at = 0; at < original.length; at++) {
    const { found, why } = EXPECTATIONS[classes[at]!]!;
    for (let bit = 0; bit < 8; bit++) {
      damaged[at] = original[at]! ^ (1 << bit);
      const { outcome } = judge(damaged);
      const what = `bit ${bit} of byte ${at} (${classes[at]})`;
      if (found === 'all' && why === undefined) expect(outcome, what).toBe('found');
      if (found === 'noted') expect(outcome, what).toBe('noted');
      if (outcome === 'found') continue;
      expect(readEverything(damaged), what).toMatchObject({ faults: [], errors: [] });
    }
    damaged[at] = original[at]!;
  }
});
