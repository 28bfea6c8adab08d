// As the random part of bbolt-check.test.ts, with many more files and another seed every time.
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Tally } from './bbolt-check.ts';
import { compareAll, damagedCases, PEERS } from './bbolt-compare.ts';

const FILES = Number(process.env['ETCD_DATADIR_FILES'] ?? 6000);
const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Math.floor(Date.now() / 1000));

describe.skipIf(PEERS.length === 0)('bbolt check', () => {
  it(`agrees about ${FILES} randomly damaged files`, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_FILES another number of files)`);
    const tally = new Tally(`${FILES} randomly damaged files, seed ${SEED}`);
    const wrong = await compareAll(damagedCases(SEED, FILES), tally, availableParallelism());
    console.log(`${tally}`);
    expect(wrong).toEqual([]);
  });
});
