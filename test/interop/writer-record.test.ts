// The recorded sequences of fixtures/bolt-writer, done again by the real bbolt: what is stored is what it leaves.
// ETCD_DATADIR_RECORD=1 writes them anew.
import { afterAll, describe, expect, it } from 'vitest';
import { edgeSequences } from '../support/writer-edge-sequences.ts';
import { listRecorded, readRecorded, storeRecorded } from '../support/writer-recorded.ts';
import { recordSequence, type Sequence } from '../support/writer-sequence.ts';
import { driverPark } from './drive-bolt.ts';
import { compareBytes, Tally } from './writer-bytes.ts';

const park = driverPark();
afterAll(() => park.close());

const RANDOM_SEEDS = [1, 2, 3, 4, 6, 7, 8, 10];
const RANDOM_COMMITS = 25;

describe.skipIf(!park.available)('recorded sequences', () => {
  if (process.env['ETCD_DATADIR_RECORD'] === '1') {
    it('are written anew', { timeout: 300_000 }, async () => {
      const driver = park.start('record.db');
      for (const sequence of edgeSequences) storeRecorded(await recordSequence(sequence, driver));
      // Two of them, so that a sequence of which bbolt could leave several files would show.
      const pair = [park.start('a.db'), park.start('b.db')] as const;
      for (const seed of RANDOM_SEEDS) {
        const made: Sequence = await compareBytes(seed, RANDOM_COMMITS, pair, new Tally());
        storeRecorded(await recordSequence({ ...made, name: `random-${seed}` }, driver));
      }
    });
  }

  it('are what bbolt leaves', { timeout: 120_000 }, async () => {
    const driver = park.start('again.db');
    for (const name of listRecorded()) {
      const stored = readRecorded(name);
      expect(await recordSequence(stored, driver), name).toEqual(stored);
    }
  });

  it('hold all that are written by hand', () => {
    const known = listRecorded();
    expect(edgeSequences.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});
