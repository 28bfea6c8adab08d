// Members changed offline, under the real servers that continuous integration has.
import { describe, test } from 'vitest';
import { CI_MINORS, liveEtcds } from './live-etcds.ts';
import { learnerJoins, sameAsRunning } from './member-edit-live.ts';

const etcds = liveEtcds(CI_MINORS);
if (etcds.length === 0) test.skip('members changed offline', () => {});

// With a 3.4 on a busy machine it hung once in a dozen runs, where is not known: then once more, with another server.
describe.each(etcds)('etcd $version', { timeout: 90_000, retry: 2 }, (etcd) => {
  test('changes as with a running server', () => sameAsRunning(etcd, { everyStep: false }));
  test('a learner that was added offline joins', () => learnerJoins(etcd));
});
