// Surgery beside the real bbolt 1.5.0, live: the same bytes come out, and where not it is one of the differences that the
// help of the commands names. All operations on all files are in surgery.long.test.ts.
import { afterAll, describe, expect, test } from 'vitest';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { compareSurgery, isKnownDifference, surgeryFolder } from './surgery-compare.ts';

const bbolt = findPeer('bbolt-1.5.0');
const all = listDbFixtures();
const bolt = all.filter(({ kind }) => kind === 'bolt');
const etcd = all.filter(({ name }) => /^etcd\/[\d.]+\/(?:busy\/m1|k8s\/snapshot)$/.test(name));
const TIMEOUT = 120_000;

describe.skipIf(bbolt === undefined)('surgery beside bbolt 1.5.0', () => {
  const { folder, remove } = surgeryFolder();
  afterAll(remove);

  test.each([...bolt, ...etcd].map((fixture, turn) => ({ name: fixture.name, fixture, turn })))(
    '$name',
    { timeout: TIMEOUT },
    ({ fixture, turn }) => {
      const compared = compareSurgery(bbolt as string, readFixture(fixture), folder, 6, turn);
      expect(compared.filter((each) => !isKnownDifference(each))).toEqual([]);
    },
  );
});
