// The real bbolt 1.4.3 and our writer do the same transactions of every kind, with readers open: the same answers, the same
// content, free pages that are those not reached; each goes on with the file of the other, and the check of each finds
// nothing in the file of the other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OurWriter } from '../support/our-writer.ts';
import { bboltCheck } from './bbolt-check.ts';
import { PEERS } from './bbolt-compare.ts';
import { driverPark } from './drive-bolt.ts';
import { Tally } from './writer-bytes.ts';
import { compareContent } from './writer-content.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const COMMITS = Number(process.env['ETCD_DATADIR_COMMITS'] ?? 2000);
const PER_SEQUENCE = 50;

const park = driverPark();
afterAll(() => park.close());

describe.skipIf(!park.available)('bbolt and our writer', () => {
  it(`hold the same after each of ${COMMITS} commits`, { timeout: 240_000 }, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_COMMITS another number of commits)`);
    const bbolt = park.start('content.db');
    const ours = new OurWriter();
    const tally = new Tally();
    const answers: string[] = [];
    for (let n = 0; n * PER_SEQUENCE < COMMITS; n++) {
      await compareContent(SEED * 100_000 + n, PER_SEQUENCE, bbolt, ours, tally);
      // The command itself, on what each has left.
      const own = join(park.folder, 'ours.db');
      writeFileSync(own, ours.bytes());
      for (const file of [own, bbolt.path]) {
        for (const [version, path] of PEERS) answers.push(`${version} ${(await bboltCheck(path, file)).kind}`);
      }
    }
    console.log(`files compared by content: ${tally}; bbolt check said ok ${answers.length} times`);
    expect(answers.filter((answer) => !answer.endsWith(' ok'))).toEqual([]);
  });
});
