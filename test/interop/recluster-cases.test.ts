// Directories that are out of the ordinary, reclustered, under the real servers that continuous integration has.
import { describe, test } from 'vitest';
import { CI_MINORS, liveEtcds } from './live-etcds.ts';
import { learnerLeft, neverCommitted, receivedDb, tornTail, v2Keys } from './recluster-cases.ts';

const etcds = liveEtcds(CI_MINORS);
if (etcds.length === 0) test.skip('directories that are reclustered', () => {});

describe.each(etcds)('etcd $version', { timeout: 120_000 }, (etcd) => {
  test('a write that only the leader had', () => neverCommitted(etcd));
  test('a learner is left; one that was removed', () => learnerLeft(etcd));
  test('a torn tail', () => tornTail(etcd, 'cut'));
  test('a db that was received waits', () => receivedDb(etcd));
  if (etcd.minor === '3.4') test('keys of the v2 API', () => v2Keys(etcd));
});
