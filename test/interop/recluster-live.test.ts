// A quorum is lost: the directory of one member becomes a cluster of its own, under the real servers that continuous integration has.
import { describe, test } from 'vitest';
import { Choices } from '../support/writer-random.ts';
import { CI_MINORS, liveEtcds } from './live-etcds.ts';
import { compareWithForced, loseCluster, recoverQuorum } from './recluster-live.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const etcds = liveEtcds(CI_MINORS);
if (etcds.length === 0) test.skip('a lost quorum', () => {});

describe.each(etcds)('etcd $version', { timeout: 120_000 }, (etcd) => {
  test('three members killed under load', async () => {
    const choices = new Choices(SEED);
    const lost = await loseCluster(etcd, choices, { how: 'killed', flags: ['--snapshot-count=500'] });
    console.log(`${etcd.version}: ${await recoverQuorum(etcd, lost)}`);
    console.log(`${etcd.version}: ${await compareWithForced(etcd, lost, lost.best, choices, false)}`);
  });
});
