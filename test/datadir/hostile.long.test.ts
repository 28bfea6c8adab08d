// As hostile.test.ts, with many more directories.
import { fc } from '@fast-check/vitest';
import { test } from 'vitest';
import { judgeDir } from './hostile-judge.ts';
import { spoiled, spoiling } from './hostile-spoiled.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Date.now() % 1_000_000);
const DIRS = Number(process.env['ETCD_DATADIR_HOSTILE_DIRS'] ?? 3000);

test('directories that were spoiled are examined, explained, replayed and validated to an end', {
  timeout: 600_000 + 2000 * DIRS,
}, () => {
  console.log(`${DIRS} directories (ETCD_DATADIR_HOSTILE_DIRS), seed ${SEED} (ETCD_DATADIR_SEED chooses another)`);
  fc.assert(
    fc.property(spoiling, (each) => {
      judgeDir(spoiled(each));
    }),
    { seed: SEED, numRuns: DIRS },
  );
});
