/**
 * The `.snap` file that a new cluster begins with, as etcd's `snapshot restore` writes it: the members, without their names, which they
 * publish when they start.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { NewCluster } from '../../membership/new-cluster.ts';
import { encodeV2Store } from '../../snap/encode-v2-store.ts';
import type { SnapContent } from '../../snap/writer.ts';
import { FIRST_TERM, firstConfState, firstIndex } from './first-log.ts';

export function firstSnap(cluster: NewCluster, etcdVersion: EtcdMinor): SnapContent {
  const members = cluster.members.map(({ id, peerUrls, isLearner }) => ({ id, peerURLs: peerUrls, isLearner }));
  return {
    index: firstIndex(cluster),
    term: FIRST_TERM,
    confState: firstConfState(cluster),
    data: encodeV2Store({ members }, etcdVersion),
  };
}
