// Copies with something changed in the db, under every release.
import { describe, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { findPeer } from '../support/peers.ts';
import { Choices } from '../support/writer-random.ts';
import { chosenRevisions, loaded, refusedRevisions, sameCompaction } from './compact-history-live.ts';
import { sameDefrag } from './defrag-live.ts';
import { refusedAlarms, writesAgain } from './disarm-live.ts';
import { liveEtcds } from './live-etcds.ts';
import { type MigratingTool, sameMigrations, sameStarts } from './migrate-live.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const etcds = liveEtcds();
if (etcds.length === 0) test.skip('changed copies', () => {});
const etcdutls = ['3.5.33', '3.6.14', '3.7.1'].flatMap((version) => findPeer(`etcdutl-${version}`) ?? []);
const migrating = ['3.6.14', '3.7.1'].flatMap((version): MigratingTool[] => {
  const program = findPeer(`etcdutl-${version}`);
  return program === undefined ? [] : [{ program, minor: version.slice(0, 3) as EtcdMinor }];
});
const VERSIONS = ['3.4.23', '3.5.33', '3.6.14', '3.7.1'];

describe.each(etcds)('etcd $version', { timeout: 600_000 }, (etcd) => {
  test.each([false, true])('history compacted; before that too: %s', async (compacted) => {
    const load = await loaded(etcd, SEED, 500, compacted);
    const revisions = chosenRevisions(load, new Choices(SEED), 10);
    console.log(`seed ${SEED}, ${etcd.version}: ${load.history.current} revisions, compacted at ${revisions}`);
    for (const revision of revisions) await sameCompaction(load, revision);
    await refusedRevisions(load);
  });

  test('defragmented', async () => {
    const load = await loaded(etcd, SEED, 1500, true);
    console.log(`${etcd.version}: ${await sameDefrag(load, etcdutls)}`);
  });

  test('an alarm taken back', () => writesAgain(etcd));
  test('alarms and history that others know of', () => refusedAlarms(etcd));
});

describe.skipIf(migrating.length === 0)('storage version', { timeout: 600_000 }, () => {
  test.each(VERSIONS)('data of %s, every target', async (version) => {
    console.log((await sameMigrations(`${version}/busy/m1`, migrating)).join('\n'));
  });

  test.each(['3.6.14', '3.7.1'])('data of %s, with an entry that needs 3.6', async (version) => {
    console.log((await sameMigrations(`${version}/busy/m1`, migrating, { versionTest: '3.6.0' })).join('\n'));
  });

  test.each([
    ['3.5.33', '3.6'],
    ['3.6.14', '3.5'],
    ['3.6.14', '3.7'],
    ['3.7.1', '3.6'],
    ['3.7.1', '3.5'],
  ] as const)('data of %s brought to %s, under every release', async (version, target) => {
    console.log((await sameStarts(`${version}/busy/m1`, target, etcds)).join('\n'));
  });
});
