// As writer-bytes.test.ts, with many more commits and another seed every time.
import { afterAll, describe, it } from 'vitest';
import { OurWriter } from '../support/our-writer.ts';
import { driverPark } from './drive-bolt.ts';
import { compareBytes, Tally } from './writer-bytes.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Math.floor(Date.now() / 1000));
const COMMITS = Number(process.env['ETCD_DATADIR_COMMITS'] ?? 60_000);

const park = driverPark();
afterAll(() => park.close());

describe.skipIf(!park.available)('bbolt and our writer', () => {
  it(`leave the same files after each of ${COMMITS} commits`, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_COMMITS another number of commits)`);
    const sides = [park.start('bytes.db'), new OurWriter()] as const;
    const tally = new Tally();
    for (let n = 0; tally.commits < COMMITS; n++) await compareBytes(SEED + n, n % 10 === 0 ? 300 : 60, sides, tally);
    console.log(`files compared byte for byte: ${tally}`);
  });
});
