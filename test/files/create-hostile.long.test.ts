// As create-hostile.test.ts, for longer.
import { fc, test } from '@fast-check/vitest';
import { change, changed } from '../datadir/hostile-changes.ts';
import { BASES } from '../datadir/hostile-spoiled.ts';
import { judgeSpoiled } from './create-hostile.ts';

const spoiling = fc.record({ base: fc.nat(BASES.length - 1), changes: fc.array(change, { maxLength: 4 }) });

test.prop([spoiling], { numRuns: 300 })('spoiled directories', ({ base, changes }) =>
  judgeSpoiled(
    changes.reduce((content, each) => changed(content, each, BASES[base === 2 ? 0 : 2]!), BASES[base]!),
    new Map(),
  ),
);
