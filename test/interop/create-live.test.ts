// Directories that were made here, under the real servers that continuous integration has: Debian's 3.4, and one that was built. They are
// started by the command lines that came with them. create-live.long.test.ts does more of it, with all releases.
import { describe, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { restartedFixtures } from '../support/after-restart-recordings.ts';
import { findEtcds } from '../support/peers.ts';
import { bootstrap, learner, restoredCluster } from './create-live.ts';
import { bumpedRevision } from './create-live-bump.ts';
import { restoredDirectory, restoredFixture, snapshotFixtures } from './create-live-restore.ts';
import { healthProbed, upgradePath } from './create-live-upgrade.ts';

/** Of these; where others are there too, the long tests are for them. */
const MINORS: readonly EtcdMinor[] = ['3.4', '3.6'];
const SCENARIOS = ['busy', 'auth', 'alarm', 'k8s', 'upgraded'];

const found = process.platform === 'linux' ? findEtcds() : [];
const etcds = MINORS.flatMap((minor) =>
  found
    .filter(({ version }) => version.startsWith(`${minor}.`))
    .slice(0, 1)
    .map(({ version, path }) => ({ version, program: path, minor })),
);
for (const minor of MINORS) {
  if (!etcds.some((etcd) => etcd.minor === minor)) test.skip(`directories made here under etcd ${minor}`, () => {});
}

describe.each(etcds)('under etcd $version', { timeout: 120_000 }, (etcd) => {
  const { minor } = etcd;
  const ofThisRelease = snapshotFixtures().filter((name) => name.startsWith(`etcd/${minor}.`));
  const busy = ofThisRelease.find((name) => name.endsWith('/busy/snapshot'))!;

  test('a new member alone, of a blank db with two buckets', () =>
    bootstrap(etcd, 1, { blank: 'minimal', etcdVersion: minor }));
  test('three new members, for any release', () => bootstrap(etcd, 3, { blank: 'any' }));
  test('three new members, one of them a learner', () => learner(etcd, { isFirst: true, etcdVersion: minor }));
  test('three members from one snapshot', () => restoredCluster(etcd, busy));

  test.each(ofThisRelease.filter((name) => SCENARIOS.includes(name.split('/')[2]!)))('%s', (name) =>
    restoredFixture(etcd, name),
  );
  test('the db of a member', () => restoredFixture(etcd, busy.replace('snapshot', 'm1')));
  const tails = restartedFixtures().filter((fixture) => fixture.minor === minor);
  test.each(tails)('$name, with its log', (fixture) => restoredDirectory(etcd, fixture, 'm1'));
  test('the revision raised', () => bumpedRevision(etcd, busy, 1000n));
});

describe.skipIf(etcds.length < MINORS.length)('3.6 after 3.4', { timeout: 120_000 }, () => {
  test('on a directory that was made for 3.4', () => upgradePath(etcds, 'etcd/3.4.23/busy/snapshot'));
  test('whose health somebody asked for', () => healthProbed(etcds, 'etcd/3.4.23/busy/snapshot'));
});
