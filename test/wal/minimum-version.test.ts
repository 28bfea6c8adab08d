import { describe, expect, test } from 'vitest';
import { decodeEntryPayload } from '../../src/proto/entry-payload.ts';
import { type DecodedMessage, encodeMessage } from '../../src/proto/messages.ts';
import { encodeConfChange, encodeConfChangeV2 } from '../../src/proto/raft.ts';
import { MinimumVersion } from '../../src/wal/minimum-version.ts';

function versionOf(...entries: { type?: number; data?: Uint8Array }[]): string | null {
  const minimum = new MinimumVersion();
  for (const entry of entries) minimum.add(decodeEntryPayload(entry));
  return minimum.result;
}

const internal = (request: DecodedMessage): { data: Uint8Array } => ({
  data: encodeMessage('etcdserverpb.InternalRaftRequest', { header: { ID: 7n }, ...request }),
});
const key = new Uint8Array([1]);

describe('the lowest version that knows', () => {
  test.each<[string, DecodedMessage, string]>([
    ['a put', { put: { key } }, '3.0'],
    ['a put that asks for the former value', { put: { key, prev_kv: true } }, '3.1'],
    ['a put that keeps the value', { put: { key, ignore_value: true } }, '3.2'],
    ['a put that keeps the lease', { put: { key, ignore_lease: true, prev_kv: true } }, '3.2'],
    ['a put of a user', { put: { key }, header: { ID: 7n, username: 'u', auth_revision: 3n } }, '3.1'],
    ['a range with a limit of revisions', { range: { key, min_mod_revision: 2n } }, '3.1'],
    ['a delete that asks for the former values', { delete_range: { key, prev_kv: true } }, '3.1'],
    ['an alarm of space', { alarm: { action: 1, alarm: 1 } }, '3.0'],
    ['an alarm of corruption', { alarm: { action: 1, alarm: 2 } }, '3.3'],
    ['a checkpoint of leases', { lease_checkpoint: { checkpoints: [] } }, '3.4'],
    ['a new user with options', { auth_user_add: { name: 'u', options: {} } }, '3.4'],
    ['a new user with a hash', { auth_user_add: { name: 'u', hashedPassword: 'h' } }, '3.5'],
    ['a new password as a hash', { auth_user_change_password: { name: 'u', hashedPassword: 'h' } }, '3.5'],
    ['a plain new user', { auth_user_add: { name: 'u', password: 'p' } }, '3.0'],
    ['a permission', { auth_role_grant_permission: { name: 'r', perm: { permType: 2 } } }, '3.0'],
    ['a question for the state of auth', { auth_status: {} }, '3.5'],
    ['a cluster version', { cluster_version_set: { ver: '3.6.0' } }, '3.5'],
    ['attributes of a member', { cluster_member_attr_set: { member_ID: 1n, member_attributes: {} } }, '3.5'],
    ['a downgrade', { downgrade_info_set: { enabled: true } }, '3.5'],
    ['a test of downgrades', { downgrade_version_test: {} }, '3.6'],
    ['a test of downgrades that names a lower version', { downgrade_version_test: { ver: '3.5.0' } }, '3.6'],
    ['a test of downgrades that names a higher version', { downgrade_version_test: { ver: '3.10.0' } }, '3.10'],
    ['a test of downgrades that names a patch', { downgrade_version_test: { ver: '3.7.1' } }, '3.7.1'],
    ['a test of downgrades that names no version', { downgrade_version_test: { ver: 'v3.9' } }, '3.6'],
    // Lists are not looked into.
    ['a transaction with a new put', { txn: { success: [{ request_put: { key, ignore_lease: true } }] } }, '3.0'],
  ])('%s', (_, request, version) => {
    expect(versionOf(internal(request))).toBe(version);
  });

  test('changes of members', () => {
    expect(versionOf({ type: 1, data: encodeConfChange({}, 'gogo') })).toBe('3.0');
    expect(versionOf({ type: 2, data: encodeConfChangeV2({ changes: [] }, 'gogo') })).toBe('3.4');
    expect(versionOf({ type: 1, data: new Uint8Array([0x0a]) })).toBeNull();
  });

  test('an empty entry', () => {
    expect(versionOf({})).toBe('3.0');
  });

  test('nothing, or what says nothing', () => {
    expect(versionOf()).toBeNull();
    const v2 = encodeMessage('etcdserverpb.Request', { ID: 1n, Method: 'PUT', Dir: false });
    expect(versionOf({ data: v2 })).toBeNull();
    const wrapped = encodeMessage('etcdserverpb.InternalRaftRequest', { v2: { Method: 'PUT' } });
    expect(versionOf({ data: wrapped })).toBe('3.0');
  });

  test('several entries: the highest of them', () => {
    expect(versionOf(internal({ alarm: { alarm: 2 } }), internal({ auth_status: {} }), {})).toBe('3.5');
  });
});
