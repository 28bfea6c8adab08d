// The recorded sequences of fixtures/wal-writer, done again by the real wal packages: what is stored is what they leave.
// ETCD_DATADIR_RECORD=1 writes them anew.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { edgeSequences } from '../support/wal-writer-edges.ts';
import { randomSequence } from '../support/wal-writer-random.ts';
import { listRecorded, type Marks, marksOf, readRecorded, storeRecorded } from '../support/wal-writer-recorded.ts';
import type { Sequence } from '../support/wal-writer-sequence.ts';
import { DRIVEN_MINORS, type WalDriver, walDriverPark } from './wal-driver.ts';
import { realOutcome } from './wal-writer.ts';

const park = walDriverPark();
afterAll(() => park.close());

const RANDOM_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

async function record(sequence: Sequence, drivers: readonly WalDriver[]): Promise<Record<string, Marks>> {
  const marks: Record<string, Marks> = {};
  for (const driver of drivers) {
    const outcome = await realOutcome(driver, sequence, join(park.folder, driver.minor, 'log'));
    marks[driver.minor] = marksOf(outcome);
  }
  return marks;
}

describe.skipIf(!DRIVEN_MINORS.every((minor) => park.available(minor)))('recorded sequences', () => {
  if (process.env['ETCD_DATADIR_RECORD'] === '1') {
    test('are written anew', { timeout: 300_000 }, async () => {
      const drivers = DRIVEN_MINORS.map((minor) => park.start(minor));
      const random = RANDOM_SEEDS.map((seed) => randomSequence(seed));
      for (const sequence of [...edgeSequences(), ...random]) {
        storeRecorded({ sequence, marks: await record(sequence, drivers) });
      }
    });
  }

  test('are what etcd leaves', { timeout: 120_000 }, async () => {
    const drivers = DRIVEN_MINORS.map((minor) => park.start(minor));
    for (const name of listRecorded()) {
      const { sequence, marks } = readRecorded(name);
      expect(await record(sequence, drivers), name).toEqual(marks);
    }
  });

  test('hold all that are written by hand', () => {
    const known = listRecorded();
    expect(edgeSequences().filter(({ name }) => !known.includes(name))).toEqual([]);
  });
});
