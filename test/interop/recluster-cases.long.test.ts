// Directories that are out of the ordinary, reclustered, under every release.
import { describe, test } from 'vitest';
import { liveEtcds } from './live-etcds.ts';
import {
  alone,
  learnerLeft,
  logElsewhere,
  neverCommitted,
  receivedDb,
  storedDirectory,
  tornTail,
  v2Keys,
  v2KeysOfThree,
} from './recluster-cases.ts';

const etcds = liveEtcds();
if (etcds.length === 0) test.skip('directories that are reclustered', () => {});

describe.each(etcds)('etcd $version', { timeout: 300_000 }, (etcd) => {
  test('a write that only the leader had', () => neverCommitted(etcd));
  test('a learner is left; one that was removed', () => learnerLeft(etcd));
  test('a member that was alone', () => alone(etcd));
  test('the log outside of the directory', () => logElsewhere(etcd));
  test.each(['cut', 'zeroed'] as const)('a torn tail, %s', (how) => tornTail(etcd, how));
  test('a db that was received waits', () => receivedDb(etcd));
  test('a log of several segments', () => storedDirectory(etcd, `${etcd.version}/segments/m1`));
  if (etcd.minor !== '3.4' && etcd.minor !== '3.5') return;
  test('keys of the v2 API', () => v2Keys(etcd));
  test('keys of the v2 API in a cluster of three', () => v2KeysOfThree(etcd));
});
