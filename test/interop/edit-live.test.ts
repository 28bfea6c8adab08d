// Copies with something changed in the db, under the real programs that continuous integration has.
import { describe, test } from 'vitest';
import { findPeer } from '../support/peers.ts';
import { Choices } from '../support/writer-random.ts';
import { chosenRevisions, loaded, refusedRevisions, sameCompaction } from './compact-history-live.ts';
import { sameDefrag } from './defrag-live.ts';
import { refusedAlarms, writesAgain } from './disarm-live.ts';
import { CI_MINORS, liveEtcds } from './live-etcds.ts';
import { sameMigrations } from './migrate-live.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const etcds = liveEtcds(CI_MINORS);
if (etcds.length === 0) test.skip('changed copies', () => {});
const etcdutl = findPeer('etcdutl-3.6.14');

describe.each(etcds)('etcd $version', { timeout: 120_000 }, (etcd) => {
  test('history compacted, and defragmented', async () => {
    const load = await loaded(etcd, SEED, 200, true);
    const revisions = chosenRevisions(load, new Choices(SEED), 3);
    console.log(`seed ${SEED}, ${etcd.version}: ${load.history.current} revisions, compacted at ${revisions}`);
    for (const revision of revisions) await sameCompaction(load, revision);
    await refusedRevisions(load);
    console.log(`${etcd.version}: ${await sameDefrag(load, etcdutl === undefined ? [] : [etcdutl])}`);
  });

  test('an alarm taken back', () => writesAgain(etcd));
  test('alarms and history that others know of', () => refusedAlarms(etcd));
});

describe.skipIf(etcdutl === undefined)('storage version', { timeout: 120_000 }, () => {
  test.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])('data of %s, every target', async (version) => {
    await sameMigrations(`${version}/busy/m1`, [{ program: etcdutl!, minor: '3.6' }]);
  });

  test('data of 3.6, with an entry that needs it', async () => {
    await sameMigrations('3.6.14/busy/m1', [{ program: etcdutl!, minor: '3.6' }], { versionTest: '3.6.0' });
  });
});
