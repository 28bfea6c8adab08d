// As writer-content.test.ts, with many more commits and another seed every time.
import { afterAll, describe, it } from 'vitest';
import { OurWriter } from '../support/our-writer.ts';
import { driverPark } from './drive-bolt.ts';
import { Tally } from './writer-bytes.ts';
import { compareContent } from './writer-content.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Math.floor(Date.now() / 1000));
const COMMITS = Number(process.env['ETCD_DATADIR_COMMITS'] ?? 20_000);

const park = driverPark();
afterAll(() => park.close());

describe.skipIf(!park.available)('bbolt and our writer', () => {
  it(`hold the same after each of ${COMMITS} commits`, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_COMMITS another number of commits)`);
    const [bbolt, ours, tally] = [park.start('content.db'), new OurWriter(), new Tally()];
    for (let n = 0; tally.commits < COMMITS; n++) {
      await compareContent(SEED + n, n % 10 === 0 ? 200 : 50, bbolt, ours, tally);
    }
    console.log(`files compared by content: ${tally}`);
  });
});
