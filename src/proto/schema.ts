// Made by scripts/generate-proto.js from proto/*.proto: do not edit.
/** A field of a message; the order is that of the .proto file. */
export interface FieldSchema {
  readonly number: number;
  readonly name: string;
  /** `bytes`, `string`, `bool`, `int64`, `uint64`, `uint32`, or the name of an enum or a message. */
  readonly type: string;
  readonly repeated?: true;
  readonly oneof?: string;
}

export type MessageName =
  | 'authpb.UserAddOptions'
  | 'authpb.User'
  | 'authpb.Permission'
  | 'authpb.Role'
  | 'etcdserverpb.Metadata'
  | 'etcdserverpb.Request'
  | 'etcdserverpb.RequestHeader'
  | 'etcdserverpb.InternalRaftRequest'
  | 'etcdserverpb.RangeRequest'
  | 'etcdserverpb.PutRequest'
  | 'etcdserverpb.DeleteRangeRequest'
  | 'etcdserverpb.RequestOp'
  | 'etcdserverpb.Compare'
  | 'etcdserverpb.TxnRequest'
  | 'etcdserverpb.CompactionRequest'
  | 'etcdserverpb.LeaseGrantRequest'
  | 'etcdserverpb.LeaseRevokeRequest'
  | 'etcdserverpb.LeaseCheckpoint'
  | 'etcdserverpb.LeaseCheckpointRequest'
  | 'etcdserverpb.AlarmRequest'
  | 'etcdserverpb.AlarmMember'
  | 'etcdserverpb.AuthEnableRequest'
  | 'etcdserverpb.AuthDisableRequest'
  | 'etcdserverpb.AuthStatusRequest'
  | 'etcdserverpb.InternalAuthenticateRequest'
  | 'etcdserverpb.AuthUserAddRequest'
  | 'etcdserverpb.AuthUserDeleteRequest'
  | 'etcdserverpb.AuthUserGetRequest'
  | 'etcdserverpb.AuthUserChangePasswordRequest'
  | 'etcdserverpb.AuthUserGrantRoleRequest'
  | 'etcdserverpb.AuthUserRevokeRoleRequest'
  | 'etcdserverpb.AuthUserListRequest'
  | 'etcdserverpb.AuthRoleListRequest'
  | 'etcdserverpb.AuthRoleAddRequest'
  | 'etcdserverpb.AuthRoleDeleteRequest'
  | 'etcdserverpb.AuthRoleGetRequest'
  | 'etcdserverpb.AuthRoleGrantPermissionRequest'
  | 'etcdserverpb.AuthRoleRevokePermissionRequest'
  | 'etcdserverpb.DowngradeVersionTestRequest'
  | 'membershippb.Attributes'
  | 'membershippb.ClusterVersionSetRequest'
  | 'membershippb.ClusterMemberAttrSetRequest'
  | 'membershippb.DowngradeInfoSetRequest'
  | 'leasepb.Lease'
  | 'mvccpb.KeyValue'
  | 'raftpb.Entry'
  | 'raftpb.HardState'
  | 'raftpb.ConfState'
  | 'raftpb.SnapshotMetadata'
  | 'raftpb.Snapshot'
  | 'raftpb.ConfChange'
  | 'raftpb.ConfChangeSingle'
  | 'raftpb.ConfChangeV2'
  | 'snappb.snapshot'
  | 'walpb.Record'
  | 'walpb.Snapshot';

export const MESSAGES: Readonly<Record<MessageName, readonly FieldSchema[]>> = {
  'authpb.UserAddOptions': [
    { number: 1, name: 'no_password', type: 'bool' },
  ],
  'authpb.User': [
    { number: 1, name: 'name', type: 'bytes' },
    { number: 2, name: 'password', type: 'bytes' },
    { number: 3, name: 'roles', type: 'string', repeated: true },
    { number: 4, name: 'options', type: 'authpb.UserAddOptions' },
  ],
  'authpb.Permission': [
    { number: 1, name: 'permType', type: 'authpb.Permission.Type' },
    { number: 2, name: 'key', type: 'bytes' },
    { number: 3, name: 'range_end', type: 'bytes' },
  ],
  'authpb.Role': [
    { number: 1, name: 'name', type: 'bytes' },
    { number: 2, name: 'keyPermission', type: 'authpb.Permission', repeated: true },
  ],
  'etcdserverpb.Metadata': [
    { number: 1, name: 'NodeID', type: 'uint64' },
    { number: 2, name: 'ClusterID', type: 'uint64' },
  ],
  'etcdserverpb.Request': [
    { number: 1, name: 'ID', type: 'uint64' },
    { number: 2, name: 'Method', type: 'string' },
    { number: 3, name: 'Path', type: 'string' },
    { number: 4, name: 'Val', type: 'string' },
    { number: 5, name: 'Dir', type: 'bool' },
    { number: 6, name: 'PrevValue', type: 'string' },
    { number: 7, name: 'PrevIndex', type: 'uint64' },
    { number: 8, name: 'PrevExist', type: 'bool' },
    { number: 9, name: 'Expiration', type: 'int64' },
    { number: 10, name: 'Wait', type: 'bool' },
    { number: 11, name: 'Since', type: 'uint64' },
    { number: 12, name: 'Recursive', type: 'bool' },
    { number: 13, name: 'Sorted', type: 'bool' },
    { number: 14, name: 'Quorum', type: 'bool' },
    { number: 15, name: 'Time', type: 'int64' },
    { number: 16, name: 'Stream', type: 'bool' },
    { number: 17, name: 'Refresh', type: 'bool' },
  ],
  'etcdserverpb.RequestHeader': [
    { number: 1, name: 'ID', type: 'uint64' },
    { number: 2, name: 'username', type: 'string' },
    { number: 3, name: 'auth_revision', type: 'uint64' },
  ],
  'etcdserverpb.InternalRaftRequest': [
    { number: 100, name: 'header', type: 'etcdserverpb.RequestHeader' },
    { number: 1, name: 'ID', type: 'uint64' },
    { number: 2, name: 'v2', type: 'etcdserverpb.Request' },
    { number: 3, name: 'range', type: 'etcdserverpb.RangeRequest' },
    { number: 4, name: 'put', type: 'etcdserverpb.PutRequest' },
    { number: 5, name: 'delete_range', type: 'etcdserverpb.DeleteRangeRequest' },
    { number: 6, name: 'txn', type: 'etcdserverpb.TxnRequest' },
    { number: 7, name: 'compaction', type: 'etcdserverpb.CompactionRequest' },
    { number: 8, name: 'lease_grant', type: 'etcdserverpb.LeaseGrantRequest' },
    { number: 9, name: 'lease_revoke', type: 'etcdserverpb.LeaseRevokeRequest' },
    { number: 10, name: 'alarm', type: 'etcdserverpb.AlarmRequest' },
    { number: 11, name: 'lease_checkpoint', type: 'etcdserverpb.LeaseCheckpointRequest' },
    { number: 1000, name: 'auth_enable', type: 'etcdserverpb.AuthEnableRequest' },
    { number: 1011, name: 'auth_disable', type: 'etcdserverpb.AuthDisableRequest' },
    { number: 1012, name: 'authenticate', type: 'etcdserverpb.InternalAuthenticateRequest' },
    { number: 1013, name: 'auth_status', type: 'etcdserverpb.AuthStatusRequest' },
    { number: 1100, name: 'auth_user_add', type: 'etcdserverpb.AuthUserAddRequest' },
    { number: 1101, name: 'auth_user_delete', type: 'etcdserverpb.AuthUserDeleteRequest' },
    { number: 1102, name: 'auth_user_get', type: 'etcdserverpb.AuthUserGetRequest' },
    { number: 1103, name: 'auth_user_change_password', type: 'etcdserverpb.AuthUserChangePasswordRequest' },
    { number: 1104, name: 'auth_user_grant_role', type: 'etcdserverpb.AuthUserGrantRoleRequest' },
    { number: 1105, name: 'auth_user_revoke_role', type: 'etcdserverpb.AuthUserRevokeRoleRequest' },
    { number: 1106, name: 'auth_user_list', type: 'etcdserverpb.AuthUserListRequest' },
    { number: 1107, name: 'auth_role_list', type: 'etcdserverpb.AuthRoleListRequest' },
    { number: 1200, name: 'auth_role_add', type: 'etcdserverpb.AuthRoleAddRequest' },
    { number: 1201, name: 'auth_role_delete', type: 'etcdserverpb.AuthRoleDeleteRequest' },
    { number: 1202, name: 'auth_role_get', type: 'etcdserverpb.AuthRoleGetRequest' },
    { number: 1203, name: 'auth_role_grant_permission', type: 'etcdserverpb.AuthRoleGrantPermissionRequest' },
    { number: 1204, name: 'auth_role_revoke_permission', type: 'etcdserverpb.AuthRoleRevokePermissionRequest' },
    { number: 1300, name: 'cluster_version_set', type: 'membershippb.ClusterVersionSetRequest' },
    { number: 1301, name: 'cluster_member_attr_set', type: 'membershippb.ClusterMemberAttrSetRequest' },
    { number: 1302, name: 'downgrade_info_set', type: 'membershippb.DowngradeInfoSetRequest' },
    { number: 9900, name: 'downgrade_version_test', type: 'etcdserverpb.DowngradeVersionTestRequest' },
  ],
  'etcdserverpb.RangeRequest': [
    { number: 1, name: 'key', type: 'bytes' },
    { number: 2, name: 'range_end', type: 'bytes' },
    { number: 3, name: 'limit', type: 'int64' },
    { number: 4, name: 'revision', type: 'int64' },
    { number: 5, name: 'sort_order', type: 'etcdserverpb.RangeRequest.SortOrder' },
    { number: 6, name: 'sort_target', type: 'etcdserverpb.RangeRequest.SortTarget' },
    { number: 7, name: 'serializable', type: 'bool' },
    { number: 8, name: 'keys_only', type: 'bool' },
    { number: 9, name: 'count_only', type: 'bool' },
    { number: 10, name: 'min_mod_revision', type: 'int64' },
    { number: 11, name: 'max_mod_revision', type: 'int64' },
    { number: 12, name: 'min_create_revision', type: 'int64' },
    { number: 13, name: 'max_create_revision', type: 'int64' },
  ],
  'etcdserverpb.PutRequest': [
    { number: 1, name: 'key', type: 'bytes' },
    { number: 2, name: 'value', type: 'bytes' },
    { number: 3, name: 'lease', type: 'int64' },
    { number: 4, name: 'prev_kv', type: 'bool' },
    { number: 5, name: 'ignore_value', type: 'bool' },
    { number: 6, name: 'ignore_lease', type: 'bool' },
  ],
  'etcdserverpb.DeleteRangeRequest': [
    { number: 1, name: 'key', type: 'bytes' },
    { number: 2, name: 'range_end', type: 'bytes' },
    { number: 3, name: 'prev_kv', type: 'bool' },
  ],
  'etcdserverpb.RequestOp': [
    { number: 1, name: 'request_range', type: 'etcdserverpb.RangeRequest', oneof: 'request' },
    { number: 2, name: 'request_put', type: 'etcdserverpb.PutRequest', oneof: 'request' },
    { number: 3, name: 'request_delete_range', type: 'etcdserverpb.DeleteRangeRequest', oneof: 'request' },
    { number: 4, name: 'request_txn', type: 'etcdserverpb.TxnRequest', oneof: 'request' },
  ],
  'etcdserverpb.Compare': [
    { number: 1, name: 'result', type: 'etcdserverpb.Compare.CompareResult' },
    { number: 2, name: 'target', type: 'etcdserverpb.Compare.CompareTarget' },
    { number: 3, name: 'key', type: 'bytes' },
    { number: 4, name: 'version', type: 'int64', oneof: 'target_union' },
    { number: 5, name: 'create_revision', type: 'int64', oneof: 'target_union' },
    { number: 6, name: 'mod_revision', type: 'int64', oneof: 'target_union' },
    { number: 7, name: 'value', type: 'bytes', oneof: 'target_union' },
    { number: 8, name: 'lease', type: 'int64', oneof: 'target_union' },
    { number: 64, name: 'range_end', type: 'bytes' },
  ],
  'etcdserverpb.TxnRequest': [
    { number: 1, name: 'compare', type: 'etcdserverpb.Compare', repeated: true },
    { number: 2, name: 'success', type: 'etcdserverpb.RequestOp', repeated: true },
    { number: 3, name: 'failure', type: 'etcdserverpb.RequestOp', repeated: true },
  ],
  'etcdserverpb.CompactionRequest': [
    { number: 1, name: 'revision', type: 'int64' },
    { number: 2, name: 'physical', type: 'bool' },
  ],
  'etcdserverpb.LeaseGrantRequest': [
    { number: 1, name: 'TTL', type: 'int64' },
    { number: 2, name: 'ID', type: 'int64' },
  ],
  'etcdserverpb.LeaseRevokeRequest': [
    { number: 1, name: 'ID', type: 'int64' },
  ],
  'etcdserverpb.LeaseCheckpoint': [
    { number: 1, name: 'ID', type: 'int64' },
    { number: 2, name: 'remaining_TTL', type: 'int64' },
  ],
  'etcdserverpb.LeaseCheckpointRequest': [
    { number: 1, name: 'checkpoints', type: 'etcdserverpb.LeaseCheckpoint', repeated: true },
  ],
  'etcdserverpb.AlarmRequest': [
    { number: 1, name: 'action', type: 'etcdserverpb.AlarmRequest.AlarmAction' },
    { number: 2, name: 'memberID', type: 'uint64' },
    { number: 3, name: 'alarm', type: 'etcdserverpb.AlarmType' },
  ],
  'etcdserverpb.AlarmMember': [
    { number: 1, name: 'memberID', type: 'uint64' },
    { number: 2, name: 'alarm', type: 'etcdserverpb.AlarmType' },
  ],
  'etcdserverpb.AuthEnableRequest': [],
  'etcdserverpb.AuthDisableRequest': [],
  'etcdserverpb.AuthStatusRequest': [],
  'etcdserverpb.InternalAuthenticateRequest': [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'password', type: 'string' },
    { number: 3, name: 'simple_token', type: 'string' },
  ],
  'etcdserverpb.AuthUserAddRequest': [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'password', type: 'string' },
    { number: 3, name: 'options', type: 'authpb.UserAddOptions' },
    { number: 4, name: 'hashedPassword', type: 'string' },
  ],
  'etcdserverpb.AuthUserDeleteRequest': [
    { number: 1, name: 'name', type: 'string' },
  ],
  'etcdserverpb.AuthUserGetRequest': [
    { number: 1, name: 'name', type: 'string' },
  ],
  'etcdserverpb.AuthUserChangePasswordRequest': [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'password', type: 'string' },
    { number: 3, name: 'hashedPassword', type: 'string' },
  ],
  'etcdserverpb.AuthUserGrantRoleRequest': [
    { number: 1, name: 'user', type: 'string' },
    { number: 2, name: 'role', type: 'string' },
  ],
  'etcdserverpb.AuthUserRevokeRoleRequest': [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'role', type: 'string' },
  ],
  'etcdserverpb.AuthUserListRequest': [],
  'etcdserverpb.AuthRoleListRequest': [],
  'etcdserverpb.AuthRoleAddRequest': [
    { number: 1, name: 'name', type: 'string' },
  ],
  'etcdserverpb.AuthRoleDeleteRequest': [
    { number: 1, name: 'role', type: 'string' },
  ],
  'etcdserverpb.AuthRoleGetRequest': [
    { number: 1, name: 'role', type: 'string' },
  ],
  'etcdserverpb.AuthRoleGrantPermissionRequest': [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'perm', type: 'authpb.Permission' },
  ],
  'etcdserverpb.AuthRoleRevokePermissionRequest': [
    { number: 1, name: 'role', type: 'string' },
    { number: 2, name: 'key', type: 'bytes' },
    { number: 3, name: 'range_end', type: 'bytes' },
  ],
  'etcdserverpb.DowngradeVersionTestRequest': [
    { number: 1, name: 'ver', type: 'string' },
  ],
  'membershippb.Attributes': [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'client_urls', type: 'string', repeated: true },
  ],
  'membershippb.ClusterVersionSetRequest': [
    { number: 1, name: 'ver', type: 'string' },
  ],
  'membershippb.ClusterMemberAttrSetRequest': [
    { number: 1, name: 'member_ID', type: 'uint64' },
    { number: 2, name: 'member_attributes', type: 'membershippb.Attributes' },
  ],
  'membershippb.DowngradeInfoSetRequest': [
    { number: 1, name: 'enabled', type: 'bool' },
    { number: 2, name: 'ver', type: 'string' },
  ],
  'leasepb.Lease': [
    { number: 1, name: 'ID', type: 'int64' },
    { number: 2, name: 'TTL', type: 'int64' },
    { number: 3, name: 'RemainingTTL', type: 'int64' },
  ],
  'mvccpb.KeyValue': [
    { number: 1, name: 'key', type: 'bytes' },
    { number: 2, name: 'create_revision', type: 'int64' },
    { number: 3, name: 'mod_revision', type: 'int64' },
    { number: 4, name: 'version', type: 'int64' },
    { number: 5, name: 'value', type: 'bytes' },
    { number: 6, name: 'lease', type: 'int64' },
  ],
  'raftpb.Entry': [
    { number: 1, name: 'Type', type: 'raftpb.EntryType' },
    { number: 2, name: 'Term', type: 'uint64' },
    { number: 3, name: 'Index', type: 'uint64' },
    { number: 4, name: 'Data', type: 'bytes' },
  ],
  'raftpb.HardState': [
    { number: 1, name: 'term', type: 'uint64' },
    { number: 2, name: 'vote', type: 'uint64' },
    { number: 3, name: 'commit', type: 'uint64' },
  ],
  'raftpb.ConfState': [
    { number: 1, name: 'voters', type: 'uint64', repeated: true },
    { number: 2, name: 'learners', type: 'uint64', repeated: true },
    { number: 3, name: 'voters_outgoing', type: 'uint64', repeated: true },
    { number: 4, name: 'learners_next', type: 'uint64', repeated: true },
    { number: 5, name: 'auto_leave', type: 'bool' },
  ],
  'raftpb.SnapshotMetadata': [
    { number: 1, name: 'conf_state', type: 'raftpb.ConfState' },
    { number: 2, name: 'index', type: 'uint64' },
    { number: 3, name: 'term', type: 'uint64' },
  ],
  'raftpb.Snapshot': [
    { number: 1, name: 'data', type: 'bytes' },
    { number: 2, name: 'metadata', type: 'raftpb.SnapshotMetadata' },
  ],
  'raftpb.ConfChange': [
    { number: 1, name: 'id', type: 'uint64' },
    { number: 2, name: 'type', type: 'raftpb.ConfChangeType' },
    { number: 3, name: 'node_id', type: 'uint64' },
    { number: 4, name: 'context', type: 'bytes' },
  ],
  'raftpb.ConfChangeSingle': [
    { number: 1, name: 'type', type: 'raftpb.ConfChangeType' },
    { number: 2, name: 'node_id', type: 'uint64' },
  ],
  'raftpb.ConfChangeV2': [
    { number: 1, name: 'transition', type: 'raftpb.ConfChangeTransition' },
    { number: 2, name: 'changes', type: 'raftpb.ConfChangeSingle', repeated: true },
    { number: 3, name: 'context', type: 'bytes' },
  ],
  'snappb.snapshot': [
    { number: 1, name: 'crc', type: 'uint32' },
    { number: 2, name: 'data', type: 'bytes' },
  ],
  'walpb.Record': [
    { number: 1, name: 'type', type: 'int64' },
    { number: 2, name: 'crc', type: 'uint32' },
    { number: 3, name: 'data', type: 'bytes' },
  ],
  'walpb.Snapshot': [
    { number: 1, name: 'index', type: 'uint64' },
    { number: 2, name: 'term', type: 'uint64' },
    { number: 3, name: 'conf_state', type: 'raftpb.ConfState' },
  ],
};

/** The names of the values of every enum. */
export const ENUMS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'authpb.Permission.Type': {
    0: 'READ',
    1: 'WRITE',
    2: 'READWRITE',
  },
  'etcdserverpb.RangeRequest.SortOrder': {
    0: 'NONE',
    1: 'ASCEND',
    2: 'DESCEND',
  },
  'etcdserverpb.RangeRequest.SortTarget': {
    0: 'KEY',
    1: 'VERSION',
    2: 'CREATE',
    3: 'MOD',
    4: 'VALUE',
  },
  'etcdserverpb.Compare.CompareResult': {
    0: 'EQUAL',
    1: 'GREATER',
    2: 'LESS',
    3: 'NOT_EQUAL',
  },
  'etcdserverpb.Compare.CompareTarget': {
    0: 'VERSION',
    1: 'CREATE',
    2: 'MOD',
    3: 'VALUE',
    4: 'LEASE',
  },
  'etcdserverpb.AlarmType': {
    0: 'NONE',
    1: 'NOSPACE',
    2: 'CORRUPT',
  },
  'etcdserverpb.AlarmRequest.AlarmAction': {
    0: 'GET',
    1: 'ACTIVATE',
    2: 'DEACTIVATE',
  },
  'raftpb.EntryType': {
    0: 'EntryNormal',
    1: 'EntryConfChange',
    2: 'EntryConfChangeV2',
  },
  'raftpb.ConfChangeType': {
    0: 'ConfChangeAddNode',
    1: 'ConfChangeRemoveNode',
    2: 'ConfChangeUpdateNode',
    3: 'ConfChangeAddLearnerNode',
  },
  'raftpb.ConfChangeTransition': {
    0: 'ConfChangeTransitionAuto',
    1: 'ConfChangeTransitionJointImplicit',
    2: 'ConfChangeTransitionJointExplicit',
  },
};
