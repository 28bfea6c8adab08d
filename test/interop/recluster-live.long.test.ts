// A quorum is lost: the directory of each member becomes a cluster of its own, under every release.
import { describe, test } from 'vitest';
import { Choices } from '../support/writer-random.ts';
import { liveEtcds } from './live-etcds.ts';
import { compareWithForced, type Loss, loseCluster, recoverQuorum } from './recluster-live.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const etcds = liveEtcds();
if (etcds.length === 0) test.skip('a lost quorum', () => {});

/** Little gets into the db, and the tail is long; or snapshots are made all the time. */
const LOSSES: readonly Loss[] = [
  { how: 'killed', flags: ['--backend-batch-interval=1h', '--backend-batch-limit=1000000'] },
  { how: 'killed', flags: ['--snapshot-count=100'] },
  { how: 'stopped', flags: ['--snapshot-count=500'] },
];

describe.each(etcds)('etcd $version', { timeout: 300_000 }, (etcd) => {
  test.each(LOSSES)('three members $how, $flags.0', async (loss) => {
    const choices = new Choices(SEED);
    const lost = await loseCluster(etcd, choices, { ...loss, loadMs: 2500 });
    console.log(`seed ${SEED}, ${etcd.version}: ${await recoverQuorum(etcd, lost)}`);
    for (const place of lost.places) {
      console.log(`${etcd.version}: ${await compareWithForced(etcd, lost, place, choices, loss.how === 'stopped')}`);
    }
  });
});
