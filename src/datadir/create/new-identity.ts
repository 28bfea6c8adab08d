/**
 * What makes a db that of a new cluster: its members in place of the old ones, and the position behind their entries in the log.
 *
 * As `snapshot restore` of 3.5 and later does it, for every release: that of 3.4 leaves the old members, whom 3.6 and later then go by.
 */
import { META } from '../../backend/format.ts';
import type { NewCluster } from '../../membership/new-cluster.ts';
import { encodeMemberRecord, memberKey } from '../replay/member-record.ts';
import type { DbChanges } from '../rewrite/db-changes.ts';
import { uint64 } from '../rewrite/meta-values.ts';
import { FIRST_TERM, firstIndex } from './first-log.ts';

const encoder = new TextEncoder();

/** Adds to the changes of a db. */
export function changeIdentity(changes: DbChanges, cluster: NewCluster): void {
  const members = changes.bucket('members');
  members.clear();
  changes.bucket('members_removed').clear();
  for (const member of cluster.members) {
    members.put(memberKey(member.id), encodeMemberRecord({ ...member, clientUrls: [] }));
  }
  const meta = changes.bucket('meta');
  meta.put(encoder.encode(META.consistentIndex), uint64(firstIndex(cluster)));
  meta.put(encoder.encode(META.term), uint64(FIRST_TERM));
}
