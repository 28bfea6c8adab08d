// Many random sequences of calls, done by the real wal packages of etcd and here: the same bytes after every call.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { randomSequence } from '../support/wal-writer-random.ts';
import { ourOutcome } from '../support/wal-writer-sequence.ts';
import { DRIVEN_MINORS, walDriverPark } from './wal-driver.ts';
import { realOutcome } from './wal-writer.ts';

const SEQUENCES = 500;

const park = walDriverPark();
afterAll(() => park.close());

describe.each(DRIVEN_MINORS)('etcd %s', (minor) => {
  test.skipIf(!park.available(minor))(`and here write the same bytes: ${SEQUENCES} random sequences`, async () => {
    const driver = park.start(minor);
    const first = Number(process.env['ETCD_DATADIR_SEED'] ?? 1000);
    for (let seed = first; seed < first + SEQUENCES; seed++) {
      const sequence = randomSequence(seed, 60);
      const real = await realOutcome(driver, sequence, join(park.folder, minor, 'random'));
      expect(ourOutcome(sequence, minor), sequence.name).toEqual(real);
    }
  });
});
