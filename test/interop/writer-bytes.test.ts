// The real bbolt 1.4.3 and our writer do the same transactions, of which bbolt can leave only one file: theirs and ours
// must be the same byte for byte after every step.
import { readFileSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { OurWriter } from '../support/our-writer.ts';
import type { Sequence } from '../support/writer-sequence.ts';
import { driverPark } from './drive-bolt.ts';
import { compareBytes, replayBytes, Tally } from './writer-bytes.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const COMMITS = Number(process.env['ETCD_DATADIR_COMMITS'] ?? 5000);
const PER_SEQUENCE = 50;

const park = driverPark();
afterAll(() => park.close());

describe.skipIf(!park.available)('bbolt and our writer', () => {
  const replayed = process.env['ETCD_DATADIR_REPLAY'];
  if (replayed !== undefined) {
    it(`leave the same files after ${replayed}`, { timeout: 600_000 }, async () => {
      const sequence = JSON.parse(readFileSync(replayed, 'utf8')) as Sequence;
      await replayBytes(sequence, [park.start('replay.db'), new OurWriter()], new Tally());
    });
    return;
  }

  it(`leave the same files after each of ${COMMITS} commits`, { timeout: 240_000 }, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_COMMITS another number of commits)`);
    const sides = [park.start('bytes.db'), new OurWriter()] as const;
    const tally = new Tally();
    for (let n = 0; n * PER_SEQUENCE < COMMITS; n++) await compareBytes(SEED * 100_000 + n, PER_SEQUENCE, sides, tally);
    console.log(`files compared byte for byte: ${tally}`);
  });
});
