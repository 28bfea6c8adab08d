/**
 * Which of the requests that an entry may hold is the one that is applied. A server writes one; where there are more, the first in this
 * order counts.
 */
import { compareMinors, type EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';

/** The fields of an InternalRaftRequest in the order in which etcd looks for them. */
const ORDER = [
  'cluster_version_set',
  'cluster_member_attr_set',
  'downgrade_info_set',
  'downgrade_version_test',
  'range',
  'put',
  'delete_range',
  'txn',
  'compaction',
  'lease_grant',
  'lease_revoke',
  'lease_checkpoint',
  'alarm',
  'authenticate',
  'auth_enable',
  'auth_disable',
  'auth_status',
  'auth_user_add',
  'auth_user_delete',
  'auth_user_change_password',
  'auth_user_grant_role',
  'auth_user_get',
  'auth_user_revoke_role',
  'auth_role_add',
  'auth_role_grant_permission',
  'auth_role_get',
  'auth_role_revoke_permission',
  'auth_role_delete',
  'auth_user_list',
  'auth_role_list',
] as const;

/** The name of a request. */
type RequestName = (typeof ORDER)[number];

/** Requests that older releases do not know. */
const SINCE: Partial<Record<RequestName, EtcdMinor>> = {
  cluster_version_set: '3.5',
  cluster_member_attr_set: '3.5',
  downgrade_info_set: '3.5',
  downgrade_version_test: '3.6',
  auth_status: '3.5',
};

/** An entry with one of these is passed over, since nobody waits for the answer. */
const ONLY_ANSWERS: readonly RequestName[] = ['range', 'auth_user_get', 'auth_role_get'];

/** The request that counts; null: nothing is done at all; undefined: there is none that the release knows. */
export function requestNameOf(message: DecodedMessage, minor: EtcdMinor): RequestName | null | undefined {
  if (ONLY_ANSWERS.some((name) => message[name] !== undefined)) return null;
  return ORDER.find((name) => {
    const since = SINCE[name];
    return message[name] !== undefined && (since === undefined || compareMinors(minor, since) >= 0);
  });
}
