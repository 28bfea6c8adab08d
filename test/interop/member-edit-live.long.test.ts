// Members changed offline, under every release.
import { describe, test } from 'vitest';
import { liveEtcds } from './live-etcds.ts';
import { learnerJoins, refusedAmongThree, sameAsRunning } from './member-edit-live.ts';

const etcds = liveEtcds();
if (etcds.length === 0) test.skip('members changed offline', () => {});

describe.each(etcds)('etcd $version', { timeout: 300_000 }, (etcd) => {
  test('changes as with a running server', () => sameAsRunning(etcd, { everyStep: true }));
  test('a learner that was added offline joins', () => learnerJoins(etcd));
  test('refused for one of three', () => refusedAmongThree(etcd));
});
