// As surgery.test.ts, with every file that is there and both versions of bbolt that have these commands.
import { afterAll, describe, expect, test } from 'vitest';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { compareSurgery, isKnownDifference, surgeryFolder } from './surgery-compare.ts';

const fixtures = listDbFixtures().filter(({ kind }) => kind !== 'surgery');
const TIMEOUT = 600_000;

describe.each(['1.4.3', '1.5.0'])('surgery beside bbolt %s', (version) => {
  const bbolt = findPeer(`bbolt-${version}`);
  const { folder, remove } = surgeryFolder();
  afterAll(remove);

  test.skipIf(bbolt === undefined).each(fixtures.map((fixture) => ({ name: fixture.name, fixture })))(
    '$name',
    { timeout: TIMEOUT },
    ({ fixture }) => {
      const limit = fixture.kind === 'bolt' ? Number.POSITIVE_INFINITY : 12;
      const compared = compareSurgery(bbolt as string, readFixture(fixture), folder, limit);
      expect(compared.filter((each) => !isKnownDifference(each))).toEqual([]);
    },
  );
});
