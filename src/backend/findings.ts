/**
 * Every finding about what etcd keeps in a db: code, severity, typed arguments, sentence, remedy and explanation.
 * docs/findings.md is made from this table; docs/backend-rules.md gives the reasons for the severities.
 */
import type { AnyFinding, FindingDefinition, FindingPlace, Severity } from '../finding-table.ts';

/** A record of bucket `key`: `revision` is `main_sub`, with `t` behind it for a tombstone. */
interface RecordArgs {
  revision: string;
  userKey: string;
}

/** The arguments of each code. Numbers read from damaged bytes are decimal text. */
export interface BackendFindingArgs {
  BACKEND_BUCKET_MISSING: { name: string };
  BACKEND_BUCKET_UNKNOWN: { name: string };
  BACKEND_KEY_UNKNOWN: Record<never, never>;
  BACKEND_REVISION_KEY: { reason: string };
  BACKEND_TOMBSTONE_MARK: { revision: string; mark: string };
  BACKEND_RECORD_UNREADABLE: { revision: string };
  BACKEND_RECORD_EMPTY: { revision: string };
  BACKEND_RECORD_ENCODING: RecordArgs;
  BACKEND_USER_KEY_EMPTY: { revision: string };
  BACKEND_MOD_REVISION: RecordArgs & { modRevision: string };
  BACKEND_CREATE_REVISION: RecordArgs & { createRevision: string; modRevision: string };
  BACKEND_VERSION: RecordArgs & { version: string; createRevision: string; modRevision: string };
  BACKEND_TOMBSTONE_FIELDS: RecordArgs;
  BACKEND_REVISION_TWICE: { revision: string };
  BACKEND_REVISION_GAP: { first: string; last: string; next: string };
  BACKEND_SUB_REVISION_GAP: { revision: string; expected: string };
  BACKEND_KEY_TWICE: RecordArgs;
  BACKEND_KEY_BEGINNING: RecordArgs & { createRevision: string; version: string };
  BACKEND_KEY_SIMILAR: RecordArgs & { other: string; otherRevision: string };
  BACKEND_VERSION_JUMP: RecordArgs & { version: string; previous: string; previousRevision: string };
  BACKEND_GENERATION: RecordArgs & { createRevision: string; version: string; previousRevision: string };
  BACKEND_TOMBSTONE_WITHOUT_KEY: RecordArgs;
  BACKEND_COMPACTION_LEFTOVER: { records: string; compact: string };
  BACKEND_META_UNREADABLE: { reason: string };
  BACKEND_CONSISTENT_INDEX: { value: string; shownBy: string };
  BACKEND_TERM_ZERO: Record<never, never>;
  BACKEND_COMPACT_ORDER: { finished: string; scheduled: string };
  BACKEND_COMPACT_UNSCHEDULED: { finished: string };
  BACKEND_COMPACT_PENDING: { finished: string; scheduled: string };
  BACKEND_COMPACT_BEYOND_LAST: { compact: string; last: string };
  BACKEND_CONF_STATE_DIFFERS: { confState: string; members: string };
  BACKEND_CLUSTER_UNREADABLE: { reason: string };
  BACKEND_CLUSTER_VERSION_NEWER: { version: string; target: string };
  BACKEND_STORAGE_VERSION_UNSUPPORTED: { version: string; target: string };
  BACKEND_STORAGE_VERSION_WITHOUT_TERM: { version: string };
  BACKEND_VERSIONS_DIFFER: { schema: string; version: string };
  BACKEND_DOWNGRADE_ENABLED: { targetVersion: string };
  BACKEND_LEASE_UNREADABLE: { reason: string };
  BACKEND_LEASE_ID: { id: string };
  BACKEND_LEASE_TTL: { id: string; ttl: string };
  BACKEND_LEASE_REMAINING: { id: string; ttl: string; remaining: string };
  BACKEND_LEASE_MISSING: { id: string; keys: string; userKey: string; revision: string };
  BACKEND_AUTH_UNREADABLE: { reason: string };
  BACKEND_AUTH_REVISION_MISSING: { value: string };
  BACKEND_AUTH_ROOT_MISSING: { reason: string };
  BACKEND_USER_UNREADABLE: { reason: string };
  BACKEND_ROLE_UNREADABLE: { reason: string };
  BACKEND_AUTH_NAME: { what: string; name: string };
  BACKEND_USER_ROLES_UNSORTED: { user: string };
  BACKEND_USER_ROLE_UNKNOWN: { user: string; role: string };
  BACKEND_MEMBER_UNREADABLE: { reason: string };
  BACKEND_MEMBER_ID: { id: string };
  BACKEND_MEMBER_KEY_FORM: { id: string };
  BACKEND_MEMBER_REMOVED: { id: string };
  BACKEND_MEMBER_PECULIAR: { id: string; reason: string };
  BACKEND_LEARNERS: { learners: string };
  BACKEND_ALARM_UNREADABLE: { reason: string };
  BACKEND_ALARM_CORRUPT: { memberId: string };
  BACKEND_ALARM: { type: string; memberId: string };
  BACKEND_TRAILER_WRONG: { stored: string; computed: string };
  BACKEND_TRAILER_CUT: { bytes: string };
  BACKEND_TRAILER_MISSING: Record<never, never>;
}

export type BackendFindingCode = keyof BackendFindingArgs;

/** A finding about etcd's content of a db: a union on `code`, which tells the arguments. */
export type BackendFinding = {
  [Code in BackendFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<BackendFindingArgs[Code]>;
  };
}[BackendFindingCode];

// The few remedies that most findings share.
const RESTORE =
  'do not let etcd write to this file; restore the member from a snapshot, or remove it from the cluster and add it again so that it is sent the data; keep a copy of the file for salvage';
const NOTHING = 'nothing needs to be done';
const OTHER_VERSION =
  'start it with a release of etcd that is not older than the data, or name the right one (--etcd-version)';

// What etcd makes of it.
const SILENT = 'starts and serves what is there';
const DIES = 'does not start: an undecodable value is fatal in all releases';
const DIES_3_6 = '3.6 and later panic at start; 3.4 and 3.5 start and serve what they make of it';

const at = ({ page, offset }: AnyFinding): string => (page === undefined ? `byte ${offset}` : `page ${page}`);
const record = (finding: AnyFinding): string =>
  `${at(finding)}: record ${finding.args['revision']} of key ${finding.args['userKey']}`;
const stored = (finding: AnyFinding): string => `${at(finding)}: key ${finding.key}`;
const because = (finding: AnyFinding): string => `${stored(finding)} cannot be read: ${finding.args['reason']}`;

export const backendFindings: Readonly<Record<BackendFindingCode, FindingDefinition>> = {
  BACKEND_BUCKET_MISSING: {
    severity: 'corrupt',
    message: ({ args }) => `there is no bucket ${args['name']}, though the server that made this db got past making it`,
    remedy: RESTORE,
    meaning:
      'A server makes all ten buckets before it serves anyone, and never removes one. Without `key` no key is there, without `meta` nobody knows how far the db has got. Any other missing bucket is as bad if there is an unknown one beside it, which may be the same under a damaged name.',
    milder: {
      severity: 'repairable',
      when: 'the bucket is neither `key` nor `meta` and no unknown bucket is there: etcd makes it anew, empty',
      remedy: 'compare leases, users, roles, members or alarms with another member; etcd makes the bucket anew',
    },
    peer: 'makes it anew, empty, and serves without what was in it; `etcdutl snapshot status` of 3.6 and later crashes without `meta`',
  },
  BACKEND_BUCKET_UNKNOWN: {
    severity: 'info',
    message: ({ args }) => `bucket ${args['name']} is none of those that etcd 3.4 to 3.7 make`,
    remedy: NOTHING,
    meaning: 'Unknown buckets are kept by etcd, count in its hash of the whole db, and are never looked at.',
    peer: SILENT,
  },
  BACKEND_KEY_UNKNOWN: {
    severity: 'info',
    message: (f) => `${stored(f)} is none of the keys that etcd 3.4 to 3.7 know there`,
    remedy: NOTHING,
    meaning:
      'Buckets `meta`, `cluster` and `auth` hold values under fixed names. A name that is not known was written by another program or a newer release, or is damaged; then the value of the right name is missing.',
    peer: SILENT,
  },
  BACKEND_REVISION_KEY: {
    severity: 'corrupt',
    message: (f) => `${stored(f)} is not a revision: ${f.args['reason']}`,
    remedy: RESTORE,
    meaning:
      'Keys of bucket `key` are 17 bytes: main revision, `_`, sub revision; those of tombstones have a `t` behind them. Main revisions begin at 1.',
    peer: '3.6 and later panic at start; 3.4 and 3.5 read another revision out of it',
  },
  BACKEND_TOMBSTONE_MARK: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: revision key ${f.args['revision']} has an 18th byte that is ${f.args['mark']}, not 't'`,
    remedy: RESTORE,
    meaning: 'The mark of a deletion is damaged: the key is alive again, with an empty value.',
    peer: 'starts and takes it for a put: a deleted key is back',
  },
  BACKEND_RECORD_UNREADABLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the value of record ${f.args['revision']} is not a key-value message`,
    remedy: RESTORE,
    meaning: 'Which key changed at this revision, and to what, cannot be told any more.',
    peer: DIES,
  },
  BACKEND_RECORD_EMPTY: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: record ${f.args['revision']} has no bytes and is no record of a revision bump`,
    remedy: RESTORE,
    meaning:
      'The only empty record that is ever written is that of `snapshot restore --bump-revision`, at sub revision 0, together with a compaction at that revision.',
    peer: 'starts with one more key, whose name is empty',
  },
  BACKEND_RECORD_ENCODING: {
    severity: 'corrupt',
    message: (f) => `${record(f)} has fields that no release of etcd writes`,
    remedy: RESTORE,
    meaning:
      'The message has unknown fields, or a field twice, or in another form than etcd writes: bytes of it were changed, and a field may be lost.',
    peer: SILENT,
  },
  BACKEND_USER_KEY_EMPTY: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: record ${f.args['revision']} has an empty key`,
    remedy: RESTORE,
    meaning: 'No client can write an empty key.',
    peer: SILENT,
  },
  BACKEND_MOD_REVISION: {
    severity: 'corrupt',
    message: (f) => `${record(f)} says that its revision is ${f.args['modRevision']}`,
    remedy: RESTORE,
    meaning:
      'The revision that a put has stored is always the main revision of its key in the bucket: one of the two is damaged.',
    peer: 'starts and answers with the wrong revision',
  },
  BACKEND_CREATE_REVISION: {
    severity: 'corrupt',
    message: (f) =>
      `${record(f)} was created at revision ${f.args['createRevision']} and changed at ${f.args['modRevision']}`,
    remedy: RESTORE,
    meaning: 'A key is created at revision 1 or later, and not after it was changed.',
    peer: SILENT,
  },
  BACKEND_VERSION: {
    severity: 'corrupt',
    message: (f) =>
      `${record(f)} has version ${f.args['version']}, created at revision ${f.args['createRevision']}, changed at ${f.args['modRevision']}`,
    remedy: RESTORE,
    meaning:
      'The version is 1 exactly where a key was created, and grows by one with each change: there cannot be more versions than revisions.',
    peer: SILENT,
  },
  BACKEND_TOMBSTONE_FIELDS: {
    severity: 'corrupt',
    message: (f) => `${record(f)} is a tombstone with more than a key in it`,
    remedy: RESTORE,
    meaning: 'A tombstone holds the key that was deleted and nothing else: a put has become one.',
    peer: 'starts and takes the key for deleted',
  },
  BACKEND_REVISION_TWICE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: revision ${f.args['revision']} is there as a put and as a tombstone`,
    remedy: RESTORE,
    meaning: 'A revision is one change of one key.',
    peer: SILENT,
  },
  BACKEND_REVISION_GAP: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: revisions ${f.args['first']} to ${f.args['last']} are missing before revision ${f.args['next']}`,
    remedy: RESTORE,
    meaning:
      'Above the compacted revision every revision has a record: each is made by a change. Records are lost, or a revision is damaged.',
    peer: SILENT,
  },
  BACKEND_SUB_REVISION_GAP: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: record ${f.args['revision']} follows where sub revision ${f.args['expected']} should be`,
    remedy: RESTORE,
    meaning:
      'The changes of one transaction are numbered 0, 1, 2 and so on. Records are lost, or a revision is damaged.',
    peer: SILENT,
  },
  BACKEND_KEY_TWICE: {
    severity: 'corrupt',
    message: (f) => `${record(f)} is its second one within a revision`,
    remedy: RESTORE,
    meaning:
      'A transaction changes a key once; only a put and then a deletion, from nested transactions, can share a revision.',
    peer: SILENT,
  },
  BACKEND_KEY_BEGINNING: {
    severity: 'corrupt',
    message: (f) =>
      `${record(f)} is version ${f.args['version']} of a key created at revision ${f.args['createRevision']}, and nothing is there of it before`,
    remedy: RESTORE,
    meaning:
      'Of every key that was there at the compacted revision one record is kept. A key whose first record is not its first version has lost the ones before, or its name is damaged.',
    peer: SILENT,
  },
  BACKEND_KEY_SIMILAR: {
    severity: 'corrupt',
    message: (f) =>
      `${record(f)} fits to record ${f.args['otherRevision']} of key ${f.args['other']}: one of these names is damaged`,
    remedy: RESTORE,
    meaning:
      'A record continues or deletes a key that is not there, and exactly one key that differs from it in a single bit would fit.',
    peer: 'starts with one key too many',
  },
  BACKEND_VERSION_JUMP: {
    severity: 'corrupt',
    message: (f) =>
      `${record(f)} has version ${f.args['version']}; the one before it, at ${f.args['previousRevision']}, has ${f.args['previous']}`,
    remedy: RESTORE,
    meaning: 'Above the compacted revision each put of a key has the next version. Records of it are lost, or damaged.',
    peer: SILENT,
  },
  BACKEND_GENERATION: {
    severity: 'corrupt',
    message: (f) =>
      `${record(f)} was created at revision ${f.args['createRevision']} (version ${f.args['version']}), which does not fit its record at ${f.args['previousRevision']}`,
    remedy: RESTORE,
    meaning:
      'The revision of creation stays the same until a key is deleted, and is then that of the next put. A deletion is lost, or a record is damaged.',
    peer: SILENT,
  },
  BACKEND_TOMBSTONE_WITHOUT_KEY: {
    severity: 'corrupt',
    message: (f) => `${record(f)} deletes a key that is not there`,
    remedy: RESTORE,
    meaning:
      'Deleting what is not there makes no record. Above the compacted revision, the put before it is lost, or the key of the tombstone is damaged and another one is alive that should not be.',
    peer: 'ignores it (3.5 and later with a warning)',
  },
  BACKEND_COMPACTION_LEFTOVER: {
    severity: 'info',
    message: ({ args }) =>
      `records that compaction at revision ${args['compact']} should have removed are still there: ${args['records']}`,
    remedy: 'nothing needs to be done; the next compaction removes them',
    meaning: 'At and below the finished compaction only the newest record of each live key is needed.',
    peer: SILENT,
  },
  BACKEND_META_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning:
      'Bucket `meta` says how far the db has got in the log, and what was compacted. A value of the wrong form makes servers panic or go by a wrong number.',
    milder: {
      severity: 'repairable',
      when: 'it is `storageVersion`, which a server sets right within seconds, or `confState`, which no server reads',
      remedy: 'start etcd: it writes the value anew',
    },
    peer: DIES_3_6,
  },
  BACKEND_CONSISTENT_INDEX: {
    severity: 'corrupt',
    message: ({ args }) => `the consistent index is ${args['value']}, though ${args['shownBy']}`,
    remedy: RESTORE,
    meaning:
      'With every write the index of its log entry is stored. Without it a server applies entries again that are in the db already, or does not start; what else was in bucket `meta` may be lost too.',
    peer: 'does not start if there is a raft snapshot; else it applies the log once more',
  },
  BACKEND_TERM_ZERO: {
    severity: 'repairable',
    message: (f) => `${stored(f)} is 0, which is never written`,
    remedy: 'start etcd: its first commit sets the term right',
    meaning: 'The term of the last applied log entry is at least 1.',
    peer: 'starts with the same data',
  },
  BACKEND_COMPACT_ORDER: {
    severity: 'corrupt',
    message: ({ args }) =>
      `compaction has finished at revision ${args['finished']}, but was scheduled up to ${args['scheduled']} only`,
    remedy: RESTORE,
    meaning:
      'A compaction is scheduled before it begins, so the finished revision is never above the scheduled one. Readers are refused revisions below it, and the current revision may jump to it.',
    peer: 'starts; the current revision may be a wrong one',
  },
  BACKEND_COMPACT_UNSCHEDULED: {
    severity: 'info',
    message: ({ args }) => `compaction has finished at revision ${args['finished']}, and none is stored as scheduled`,
    remedy: NOTHING,
    meaning: 'A server stores both; the scheduled revision was lost or removed.',
    peer: SILENT,
  },
  BACKEND_COMPACT_PENDING: {
    severity: 'info',
    message: ({ args }) =>
      `compaction up to revision ${args['scheduled']} was scheduled and has not finished (${args['finished']})`,
    remedy: 'nothing needs to be done; a server resumes it when it starts',
    meaning: 'Left behind by a server that was stopped meanwhile, by a copy of a running one, and by a revision bump.',
    peer: 'resumes it at start',
  },
  BACKEND_COMPACT_BEYOND_LAST: {
    severity: 'info',
    message: ({ args }) => `compaction at revision ${args['compact']} is above the last record, ${args['last']}`,
    remedy: NOTHING,
    meaning: 'So it is when the newest changes were deletions that compaction has removed already.',
    peer: 'takes the compacted revision for the current one (3.4.32 and 3.5.14 on)',
  },
  BACKEND_CONF_STATE_DIFFERS: {
    severity: 'info',
    message: ({ args }) => `confState names members ${args['confState']}, bucket members has ${args['members']}`,
    remedy: NOTHING,
    meaning: 'A restored db keeps the old configuration there until members change. No server reads it.',
    peer: 'never reads it',
  },
  BACKEND_CLUSTER_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'The version that the members have agreed on, or the state of a downgrade, is damaged.',
    peer: DIES_3_6,
  },
  BACKEND_CLUSTER_VERSION_NEWER: {
    severity: 'refuse',
    message: ({ args }) => `the cluster version is ${args['version']}: etcd ${args['target']} is too old for it`,
    remedy: OTHER_VERSION,
    meaning: 'A server does not start in a cluster whose version is above its own.',
    peer: '3.6 and later panic ("invalid downgrade"); 3.4 and 3.5 go by the version in the log, which is the same one in a whole directory',
  },
  BACKEND_STORAGE_VERSION_UNSUPPORTED: {
    severity: 'refuse',
    message: ({ args }) => `the storage version is ${args['version']}, which etcd ${args['target']} does not support`,
    remedy: OTHER_VERSION,
    meaning: 'From 3.6 on, the schema of the db has a version; a server refuses one that it does not know.',
    peer: '3.6 and later refuse to start; 3.4.23 and 3.5 ignore it',
  },
  BACKEND_STORAGE_VERSION_WITHOUT_TERM: {
    severity: 'info',
    message: ({ args }) => `the storage version is ${args['version']}, but no term is stored`,
    remedy: NOTHING,
    meaning: 'Releases that write a storage version also write the term; the next commit adds it.',
    peer: SILENT,
  },
  BACKEND_VERSIONS_DIFFER: {
    severity: 'info',
    message: ({ args }) => `the cluster version is ${args['version']}, the schema of the db that of ${args['schema']}`,
    remedy: NOTHING,
    meaning: 'During an upgrade or downgrade, and for some seconds after it, the two differ.',
    peer: 'brings the storage version in line with the cluster version',
  },
  BACKEND_DOWNGRADE_ENABLED: {
    severity: 'info',
    message: ({ args }) => `a downgrade to ${args['targetVersion']} is under way`,
    remedy: 'finish the downgrade, or cancel it with `etcdctl downgrade cancel`',
    meaning: 'Servers of other versions than the target do not join while it is enabled.',
    peer: '3.5 does not restart unless it is the target',
  },
  BACKEND_LEASE_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'The value of a lease is not a lease message.',
    peer: 'does not start: all releases panic',
  },
  BACKEND_LEASE_ID: {
    severity: 'corrupt',
    message: (f) => `${stored(f)} holds the lease ${f.args['id']}`,
    remedy: RESTORE,
    meaning:
      'A lease is stored under its own id, 8 bytes. Under another one it can be revoked, but its record stays, and the lease is back after each restart.',
    peer: SILENT,
  },
  BACKEND_LEASE_TTL: {
    severity: 'corrupt',
    message: (f) => `${stored(f)}: the lease was granted for ${f.args['ttl']} seconds`,
    remedy: RESTORE,
    meaning: 'A lease is granted for 1 to 9,000,000,000 seconds.',
    peer: 'starts; too short a time is made the shortest it takes',
  },
  BACKEND_LEASE_REMAINING: {
    severity: 'info',
    message: (f) => `${stored(f)}: of ${f.args['ttl']} seconds ${f.args['remaining']} are said to remain`,
    remedy: NOTHING,
    meaning: 'A checkpoint stores how much of a lease is left, which is never more than was granted.',
    peer: SILENT,
  },
  BACKEND_LEASE_MISSING: {
    severity: 'repairable',
    message: (f) => {
      const others = Number(f.args['keys']) > 1 ? ` (of ${f.args['keys']} keys)` : '';
      return `${at(f)}: key ${f.args['userKey']} has lease ${f.args['id']}, which is not there${others}`;
    },
    remedy: 'put these keys anew, with a lease or without; as they are they never expire',
    meaning:
      'A lease and its keys go in one transaction, so a live key whose lease is missing shows that the lease was lost.',
    peer: 'logs an error; the keys stay for ever',
  },
  BACKEND_AUTH_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'Whether authentication is on, or the count of its changes, is damaged.',
    peer: 'panics on a revision that is too short; takes authentication for disabled',
  },
  BACKEND_AUTH_REVISION_MISSING: {
    severity: 'info',
    message: ({ args }) => `the auth revision is ${args['value']}; a server stores 1 before there are users`,
    remedy: NOTHING,
    meaning: 'The count of changes of users and roles begins at 1.',
    peer: 'takes it for 0, and counts on from there',
  },
  BACKEND_AUTH_ROOT_MISSING: {
    severity: 'corrupt',
    message: ({ args }) => `authentication is enabled, but ${args['reason']}`,
    remedy: RESTORE,
    meaning:
      'Enabling authentication needs a user `root` with the role `root`, and neither can be removed as long as it is enabled: users were lost.',
    peer: 'starts; nobody can administer it',
  },
  BACKEND_USER_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'The value of a user is not a user message.',
    peer: 'does not start: all releases panic',
  },
  BACKEND_ROLE_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'The value of a role is not a role message.',
    peer: '3.4 panics at start, later releases when they look at the role',
  },
  BACKEND_AUTH_NAME: {
    severity: 'corrupt',
    message: (f) => `${stored(f)} holds the ${f.args['what']} ${f.args['name']}`,
    remedy: RESTORE,
    meaning: 'Users and roles are stored under their own names.',
    peer: SILENT,
  },
  BACKEND_USER_ROLES_UNSORTED: {
    severity: 'info',
    message: (f) => `${stored(f)}: the roles of the user are not in order, or one is there twice`,
    remedy: NOTHING,
    meaning: 'etcd keeps the roles of a user sorted, and searches them so.',
    peer: 'may not find one of the roles',
  },
  BACKEND_USER_ROLE_UNKNOWN: {
    severity: 'info',
    message: (f) => `${stored(f)}: the user has the role ${f.args['role']}, which is not there`,
    remedy: NOTHING,
    meaning: 'Roles that are not there give no permission. Role `root` needs no record.',
    peer: 'ignores the role',
  },
  BACKEND_MEMBER_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'A member, or a removed one, cannot be read: its id or its JSON is damaged.',
    peer: DIES_3_6,
  },
  BACKEND_MEMBER_ID: {
    severity: 'corrupt',
    message: (f) => `${stored(f)} holds the member ${f.args['id']}`,
    remedy: RESTORE,
    meaning: 'A member is stored under its own id in hexadecimal digits: key or value is damaged.',
    peer: '3.6 and later panic ("member unknown"); 3.4 and 3.5 do not go by this bucket',
  },
  BACKEND_MEMBER_KEY_FORM: {
    severity: 'info',
    message: (f) => `${stored(f)} is not how etcd writes the id ${f.args['id']}`,
    remedy: NOTHING,
    meaning:
      'Ids are written in lower case, without zeros in front; under another spelling a record cannot be removed.',
    peer: SILENT,
  },
  BACKEND_MEMBER_REMOVED: {
    severity: 'corrupt',
    message: (f) => `${stored(f)} is a member, and is also among those that were removed`,
    remedy: RESTORE,
    meaning: 'A member that was removed can never come back under the same id.',
    milder: {
      severity: 'info',
      when: 'the data are of 3.4 or 3.5, whose servers do not go by these buckets, and whose restore leaves old members there',
      remedy: NOTHING,
    },
    peer: '3.6 and later take the member for removed',
  },
  BACKEND_MEMBER_PECULIAR: {
    severity: 'info',
    message: (f) => `${stored(f)}: ${f.args['reason']}`,
    remedy: 'compare with `etcdctl member list` of the running cluster',
    meaning: 'A member usually has at least one peer URL, and neither its URLs nor its name are those of another.',
    peer: SILENT,
  },
  BACKEND_LEARNERS: {
    severity: 'info',
    message: ({ args }) => `there are ${args['learners']} learners; servers take one unless told otherwise`,
    remedy: 'start 3.6 and later with a `--max-learners` that is high enough, or promote or remove learners',
    meaning: 'The number of members without a vote is limited, by default to one.',
    peer: '3.6 and later refuse to start with more than their limit',
  },
  BACKEND_ALARM_UNREADABLE: {
    severity: 'corrupt',
    message: because,
    remedy: RESTORE,
    meaning: 'The key of an alarm is not an alarm message.',
    peer: 'does not start',
  },
  BACKEND_ALARM_CORRUPT: {
    severity: 'corrupt',
    message: ({ args }) =>
      args['memberId'] === '0'
        ? 'an alarm says that data of the cluster are corrupt, of no one knows which member'
        : `an alarm says that the data of member ${args['memberId']} are corrupt`,
    remedy: RESTORE,
    meaning: 'The servers compared their hashes, and found that their data differ.',
    milder: {
      severity: 'info',
      when: 'it is about another member, or about one that is not known: alarms survive a restore with the old ids',
      remedy: 'find out about the member named; `etcdctl alarm disarm` removes the alarm once that is settled',
    },
    peer: 'does not take writes, nor ranges, as long as the alarm is there',
  },
  BACKEND_ALARM: {
    severity: 'info',
    message: ({ args }) => `the alarm ${args['type']} of member ${args['memberId']} is not disarmed`,
    remedy: 'free space (compact, defragment) or raise the quota, then `etcdctl alarm disarm`',
    meaning: 'An alarm that was raised and not disarmed; it survives restarts, and a restore with the old ids.',
    peer: 'does not take writes that need space as long as a NOSPACE alarm is there',
  },
  BACKEND_TRAILER_WRONG: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the sha256 behind the last page is ${args['stored']}; that of the bytes before it is ${args['computed']}`,
    remedy:
      'take another snapshot; if there is none, find out what changed the file before restoring it with --skip-hash-check (`etcdutl hashkv` changes the files it looks at)',
    meaning:
      'A snapshot file ends with the sha256 of everything before it. Some byte of it was changed after it was taken; where, no other check can tell.',
    peer: '`snapshot restore` refuses the file; `snapshot status` does not look',
  },
  BACKEND_TRAILER_CUT: {
    severity: 'corrupt',
    message: ({ args }) => `${args['bytes']} bytes follow the last page: neither none nor the 32 of a sha256`,
    remedy: 'copy the snapshot file again; if there is no other, restore it with --skip-hash-check',
    meaning:
      'The end of a snapshot file was cut off, or something was appended to it: what it lost or got cannot be told.',
    peer: '`snapshot restore` refuses the file; `snapshot status` does not look',
  },
  BACKEND_TRAILER_MISSING: {
    severity: 'repairable',
    message: () => 'no sha256 follows the last page, as it does in snapshot files',
    remedy: 'restore it with --skip-hash-check',
    meaning:
      'The caller says that this is a snapshot file, but the 32 bytes behind the pages are missing. All data is there; that nothing was changed cannot be proven. A db has none, and nothing is said of it.',
    peer: '`snapshot restore` refuses the file unless told to skip the hash',
  },
};
