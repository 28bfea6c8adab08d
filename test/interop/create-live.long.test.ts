// More of what create-live.test.ts does: every release on every stored snapshot, all ways to begin, and the long ways between releases.
import { describe, test } from 'vitest';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { restartedFixtures } from '../support/after-restart-recordings.ts';
import { findEtcds, findPeer } from '../support/peers.ts';
import { bootstrap, learner, restoredCluster } from './create-live.ts';
import { bumpedRevision } from './create-live-bump.ts';
import { LAYOUTS, startLayout } from './create-live-layouts.ts';
import { restoredDirectory, restoredFixture, snapshotFixtures, unknownSchema } from './create-live-restore.ts';
import { healthProbed, upgradePath } from './create-live-upgrade.ts';

const etcds = (process.platform === 'linux' ? findEtcds() : [])
  .map(({ version, path }) => ({ version, program: path, minor: /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor }))
  .sort((a, b) => (a.version < b.version ? -1 : 1));
if (etcds.length === 0) test.skip('directories that were made here, under real servers', () => {});

/** One of each release, oldest first. */
const releases = ETCD_MINORS.flatMap((minor) => etcds.find((etcd) => etcd.minor === minor) ?? []);
const of = (minor: EtcdMinor) => releases.find((etcd) => etcd.minor === minor);
const [etcd34, etcd35, etcd36] = [of('3.4'), of('3.5'), of('3.6')];

/** The tool that restores for a release; that of 3.4 is another, whose directories only 3.4 and 3.5 start on. */
const ETCDUTL: Readonly<Record<EtcdMinor, string>> = {
  '3.4': 'etcdutl-3.5.33',
  '3.5': 'etcdutl-3.5.33',
  '3.6': 'etcdutl-3.6.14',
  '3.7': 'etcdutl-3.7.1',
};
/** For no particular release, or for the one that is then started. */
const MADE_FOR = ['any release', 'this release'] as const;

describe.each(etcds)('under etcd $version', (etcd) => {
  describe.each(MADE_FOR)('a new cluster made for %s', (madeFor) => {
    const etcdVersion = madeFor === 'any release' ? undefined : etcd.minor;
    test.each([1, 3] as const)('members: %i', (size) => bootstrap(etcd, size, { etcdVersion }));
    test.each(['minimal', 'any'] as const)('of a blank db: %s', (blank) => bootstrap(etcd, 3, { blank, etcdVersion }));
    test.each([true, false])('with a learner, whose id is the smallest: %s', (isFirst) =>
      learner(etcd, { isFirst, etcdVersion }),
    );
  });

  test('three members from one snapshot', () => restoredCluster(etcd, 'etcd/3.5.33/busy/snapshot'));

  test.each([1000n, 'auto'] as const)('the revision raised: %s', async (bump) => {
    for (const version of ['3.4.23', '3.5.33', '3.6.14', '3.7.1']) {
      await bumpedRevision(etcd, `etcd/${version}/busy/snapshot`, bump);
    }
  });

  test.each(LAYOUTS)('$name', (layout) => startLayout(etcd, layout));

  describe('the db of a member', () => {
    const dbs = ['3.4.23', '3.5.33', '3.6.14', '3.7.1'].map((version) => `etcd/${version}/busy/m1`);
    test.each(dbs)('%s', (db) => restoredFixture(etcd, db));
    test('of a later release', () => unknownSchema(etcd));
  });
});

test.skipIf(etcd35 === undefined || etcd36 === undefined)('three members of two releases', () =>
  restoredCluster(etcd35!, 'etcd/3.5.33/busy/snapshot', {
    programs: { n1: etcd35!.program, n2: etcd36!.program, n3: etcd35!.program },
  }),
);

describe.skipIf(etcd34 === undefined || etcd36 === undefined)('one release after another', () => {
  test('from 3.4 on', () => upgradePath(releases, 'etcd/3.4.23/busy/snapshot'));
  test.each(['3.4', '3.5'] as const)('from %s to 3.6, which is started twice before 3.7', (first) =>
    upgradePath(
      ([first, '3.6', '3.6', '3.7'] as const).flatMap((minor) => of(minor) ?? []),
      'etcd/3.4.23/busy/snapshot',
    ),
  );
  test('whose health somebody asked for', () => healthProbed(releases, 'etcd/3.4.23/busy/snapshot'));
});

describe.each(etcds)('restored for etcd $version', (etcd) => {
  const etcdutl = findPeer(ETCDUTL[etcd.minor]);

  test.each(snapshotFixtures())('%s', async (fixture) => {
    // Of a snapshot of 3.7 the tool of 3.6 makes a directory that 3.6 refuses.
    const theyCan = etcd.minor !== '3.6' || !fixture.startsWith('etcd/3.7.');
    await restoredFixture(etcd, fixture, theyCan ? etcdutl : undefined);
  });

  const directories = restartedFixtures().flatMap((fixture) =>
    fixture.dbFiles.map((db) => ({ name: `${fixture.name}/${db}`, fixture, db })),
  );
  test.each(directories)('$name, with its log', ({ fixture, db }) => restoredDirectory(etcd, fixture, db));
});
