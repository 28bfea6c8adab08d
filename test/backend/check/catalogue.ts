/**
 * One small db for every code of `src/backend/findings.ts`: a healthy one in which a single thing is wrong.
 */

import type { CheckBackendOptions } from '../../../src/backend/check.ts';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { encodeMessage } from '../../../src/proto/messages.ts';
import type { Verdict } from '../../../src/verdict.ts';
import { hex, makeDb, type Pairs, put, toBytes, tombstone, uint64 } from '../../support/backend-db.ts';

type Buckets = Readonly<Record<string, Pairs>>;

/** A kind of damage. */
export interface CatalogueEntry {
  readonly code: string;
  readonly what: string;
  readonly verdict: Verdict;
  readonly options?: CheckBackendOptions;
  /** Part of the finding. */
  readonly found?: Record<string, unknown>;
  /** It follows from another finding. */
  readonly consequence?: boolean;
  make(): Promise<Uint8Array>;
}

const revision = (main: number, sub = 0): Uint8Array => encodeRevision({ main: BigInt(main), sub: BigInt(sub) });
const leaseOf = (fields: Record<string, bigint>): Uint8Array => encodeMessage('leasepb.Lease', fields);
const member = (id: number, more: string): Uint8Array =>
  toBytes(`{"id":${id},"peerURLs":["http://h${id}:2380"]${more}}`);
const alarm = (memberID: bigint, kind: number): Uint8Array =>
  encodeMessage('etcdserverpb.AlarmMember', { memberID, alarm: kind });
const user = (name: string, roles: readonly string[]): Uint8Array =>
  encodeMessage('authpb.User', { name: toBytes(name), password: toBytes('x'), roles });
const role = (name: string): Uint8Array => encodeMessage('authpb.Role', { name: toBytes(name), keyPermission: [] });

/** Revisions 2 to 9, compacted at 4, of a member that is alone. */
export const HEALTHY: Buckets = {
  key: [
    put(2, 0, { key: 'kept' }),
    put(4, 0, { key: 'old', createRevision: 3, version: 2 }),
    put(5, 0, { key: 'a', value: 'x'.repeat(300), lease: 7 }),
    put(6, 0, { key: 'a', createRevision: 5, version: 2 }),
    put(6, 1, { key: 'b' }),
    tombstone(7, 0, 'a'),
    put(8, 0, { key: 'old', createRevision: 3, version: 3, lease: 7 }),
    put(9, 0, { key: 'a' }),
  ],
  meta: [
    ['consistent_index', uint64(12n)],
    ['term', uint64(3n)],
    ['confState', '{"voters":[16],"auto_leave":false}'],
    ['storageVersion', '3.6.0'],
    ['scheduledCompactRev', revision(4)],
    ['finishedCompactRev', revision(4)],
  ],
  cluster: [['clusterVersion', '3.6.0']],
  members: [['10', member(16, ',"name":"m"')]],
  lease: [[uint64(7n), leaseOf({ ID: 7n, TTL: 60n })]],
  auth: [['authRevision', uint64(1n)]],
};

/** The healthy db with other pairs in some buckets: those with the same key are replaced, `undefined` removes. */
function changed(
  buckets: Record<string, readonly (readonly [string | Uint8Array, string | Uint8Array | undefined])[]>,
) {
  const all: Record<string, Pairs> = { ...HEALTHY };
  for (const [name, pairs] of Object.entries(buckets)) {
    const map = new Map((all[name] ?? []).map((pair) => [`${toBytes(pair[0])}`, pair]));
    for (const [key, value] of pairs) {
      if (value === undefined) map.delete(`${toBytes(key)}`);
      else map.set(`${toBytes(key)}`, [key, value]);
    }
    all[name] = [...map.values()];
  }
  return () => makeDb(all);
}

/** The db with other records in bucket `key`. */
const records = (...pairs: Parameters<typeof changed>[0][string][number][]) => changed({ key: pairs });
const meta = (name: string, value: string | Uint8Array | undefined) => changed({ meta: [[name, value]] });
const gone = (main: number, sub = 0): readonly [Uint8Array, undefined] => [revision(main, sub), undefined];

/** Only these buckets. */
function bare(names: readonly string[], more: Buckets = {}) {
  const buckets = Object.fromEntries(names.map((name) => [name, HEALTHY[name] ?? []]));
  return () => makeDb({ ...buckets, ...more }, { bare: true });
}
const ALL = [
  'alarm',
  'auth',
  'authRoles',
  'authUsers',
  'cluster',
  'key',
  'lease',
  'members',
  'members_removed',
  'meta',
];
const without = (name: string): string[] => ALL.filter((each) => each !== name);

async function withTail(tail: Uint8Array): Promise<Uint8Array> {
  const db = await makeDb(HEALTHY);
  return Uint8Array.from([...db, ...tail]);
}

const AUTH_ON: Parameters<typeof changed>[0] = {
  auth: [['authEnabled', hex('01')]],
  authUsers: [['root', user('root', ['root'])]],
};

export const catalogue: readonly CatalogueEntry[] = [
  { code: 'BACKEND_BUCKET_MISSING', what: 'no bucket key', verdict: 'damaged', make: bare(without('key')) },
  { code: 'BACKEND_BUCKET_MISSING', what: 'no bucket meta', verdict: 'damaged', make: bare(without('meta')) },
  {
    code: 'BACKEND_BUCKET_MISSING',
    what: 'key without meta',
    verdict: 'damaged',
    make: bare(['key', 'lease', 'auth']),
  },
  {
    code: 'BACKEND_BUCKET_MISSING',
    what: 'no bucket authUsers',
    verdict: 'repairable',
    make: bare(without('authUsers')),
  },
  {
    code: 'BACKEND_BUCKET_MISSING',
    what: 'no bucket authUsers, and one with another name',
    verdict: 'damaged',
    make: bare(without('authUsers'), { authUserz: [] }),
  },
  {
    code: 'BACKEND_BUCKET_UNKNOWN',
    what: 'one more bucket',
    verdict: 'healthy',
    found: { args: { name: '"test"' } },
    make: changed({ test: [['a', 'b']] }),
  },
  {
    code: 'BACKEND_KEY_UNKNOWN',
    what: 'an unknown value in meta',
    verdict: 'healthy',
    found: { key: '"later"', bucket: ['"meta"'] },
    make: meta('later', '1'),
  },
  { code: 'BACKEND_KEY_UNKNOWN', what: 'in cluster', verdict: 'healthy', make: changed({ cluster: [['x', '']] }) },
  { code: 'BACKEND_KEY_UNKNOWN', what: 'in auth', verdict: 'healthy', make: changed({ auth: [['x', '']] }) },
  { code: 'BACKEND_REVISION_KEY', what: 'a short key', verdict: 'damaged', make: records([hex('00ff'), 'x']) },
  {
    code: 'BACKEND_REVISION_KEY',
    what: 'a negative revision',
    verdict: 'damaged',
    make: records([hex('ff00000000000001 5f 0000000000000000'), 'x']),
  },
  { code: 'BACKEND_REVISION_KEY', what: 'revision 0', verdict: 'damaged', make: records(put(0, 0, { key: 'a' })) },
  {
    code: 'BACKEND_TOMBSTONE_MARK',
    what: 'another mark',
    verdict: 'damaged',
    found: { args: { revision: '7_0', mark: '0x73' } },
    make: records(
      [encodeRevision({ main: 7n, sub: 0n }, true), undefined],
      [hex('0000000000000007 5f 0000000000000000 73'), hex('0a0161')],
    ),
  },
  {
    code: 'BACKEND_RECORD_UNREADABLE',
    what: 'no message',
    verdict: 'damaged',
    found: { args: { revision: '6_1' } },
    make: records([revision(6, 1), hex('ffff')]),
  },
  {
    code: 'BACKEND_RECORD_EMPTY',
    what: 'no bytes, above the compacted revision',
    verdict: 'damaged',
    make: records([revision(6, 1), '']),
  },
  {
    code: 'BACKEND_RECORD_ENCODING',
    what: 'the tag of the value is one of an unknown field',
    verdict: 'damaged',
    found: { args: { revision: '9_0', userKey: '"a"' } },
    make: records([revision(9), hex('0a0161 1009 1809 2001 3a0178')]),
  },
  {
    code: 'BACKEND_USER_KEY_EMPTY',
    what: 'an empty key',
    verdict: 'damaged',
    make: records(put(6, 1, { key: '', value: 'x' })),
  },
  {
    code: 'BACKEND_MOD_REVISION',
    what: 'another revision',
    verdict: 'damaged',
    found: { args: { revision: '6_1', userKey: '"b"', modRevision: '7' } },
    make: records(put(6, 1, { key: 'b', modRevision: 7 })),
  },
  {
    code: 'BACKEND_MOD_REVISION',
    what: 'numbers that look equal when rounded',
    verdict: 'damaged',
    make: records(put(2n ** 60n, 0, { key: 'b', modRevision: 2n ** 60n + 1n, createRevision: 2n ** 60n })),
  },
  {
    code: 'BACKEND_CREATE_REVISION',
    what: 'created later',
    verdict: 'damaged',
    make: records(put(6, 1, { key: 'b', createRevision: 7 })),
  },
  {
    code: 'BACKEND_VERSION',
    what: 'version 1 of a key created before',
    verdict: 'damaged',
    make: records(put(6, 1, { key: 'b', createRevision: 5, version: 1 })),
  },
  {
    code: 'BACKEND_VERSION',
    what: 'more versions than revisions',
    verdict: 'damaged',
    make: records(put(4, 0, { key: 'old', createRevision: 3, version: 3 })),
  },
  {
    code: 'BACKEND_TOMBSTONE_FIELDS',
    what: 'a tombstone with a value',
    verdict: 'damaged',
    make: records([encodeRevision({ main: 7n, sub: 0n }, true), hex('0a0161 2a0178')]),
  },
  {
    code: 'BACKEND_REVISION_TWICE',
    what: 'a put and a tombstone',
    verdict: 'damaged',
    found: { args: { revision: '6_1' } },
    make: records(tombstone(6, 1, 'b')),
  },
  {
    code: 'BACKEND_REVISION_GAP',
    what: 'no revision 7',
    verdict: 'damaged',
    found: { args: { first: '7', last: '7', next: '8' } },
    make: records([encodeRevision({ main: 7n, sub: 0n }, true), undefined]),
  },
  {
    code: 'BACKEND_REVISION_GAP',
    what: 'the first one behind the compacted',
    verdict: 'damaged',
    found: { args: { first: '5', last: '5', next: '6' } },
    make: records(gone(5)),
  },
  {
    code: 'BACKEND_SUB_REVISION_GAP',
    what: 'no sub revision 0',
    verdict: 'damaged',
    found: { args: { revision: '6_1', expected: '0' } },
    make: records(gone(6)),
  },
  {
    code: 'BACKEND_SUB_REVISION_GAP',
    what: 'no sub revision 2',
    verdict: 'damaged',
    make: records(put(6, 3, { key: 'c' })),
  },
  {
    code: 'BACKEND_KEY_TWICE',
    what: 'two puts of a key in a revision',
    verdict: 'damaged',
    make: records(put(6, 2, { key: 'b' })),
  },
  {
    code: 'BACKEND_KEY_BEGINNING',
    what: 'version 2 of a key that is not there',
    verdict: 'damaged',
    found: { args: { revision: '6_1', userKey: '"b"', createRevision: '4', version: '2' } },
    make: records(put(6, 1, { key: 'b', createRevision: 4, version: 2 })),
  },
  {
    code: 'BACKEND_KEY_SIMILAR',
    what: 'a key that is deleted under another name',
    verdict: 'damaged',
    consequence: true,
    found: { args: { revision: '2_0', userKey: '"kept"', other: '"iept"', otherRevision: '10_0t' } },
    make: records(tombstone(10, 0, 'iept')),
  },
  {
    code: 'BACKEND_VERSION_JUMP',
    what: 'a version left out',
    verdict: 'damaged',
    found: { args: { userKey: '"old"', version: '4', previous: '2', previousRevision: '4', revision: '8_0' } },
    make: records(put(8, 0, { key: 'old', createRevision: 3, version: 4 })),
  },
  {
    code: 'BACKEND_GENERATION',
    what: 'created anew without a deletion',
    verdict: 'damaged',
    make: records(put(8, 0, { key: 'b' })),
  },
  {
    code: 'BACKEND_TOMBSTONE_WITHOUT_KEY',
    what: 'a deletion of nothing',
    verdict: 'damaged',
    make: records(tombstone(10, 0, 'nothing')),
  },
  {
    code: 'BACKEND_COMPACTION_LEFTOVER',
    what: 'an older record',
    verdict: 'healthy',
    found: { args: { records: '2', compact: '4' } },
    make: records(put(3, 0, { key: 'old' }), tombstone(3, 1, 'x')),
  },
  {
    code: 'BACKEND_META_UNREADABLE',
    what: 'an index of 7 bytes',
    verdict: 'damaged',
    found: { key: '"consistent_index"' },
    make: meta('consistent_index', hex('00000000000001')),
  },
  { code: 'BACKEND_META_UNREADABLE', what: 'a term of 9 bytes', verdict: 'damaged', make: meta('term', 'nine bytes') },
  {
    code: 'BACKEND_META_UNREADABLE',
    what: 'a compaction at a sub revision',
    verdict: 'damaged',
    make: meta('scheduledCompactRev', revision(4, 1)),
  },
  {
    code: 'BACKEND_META_UNREADABLE',
    what: 'a compaction of 18 bytes',
    verdict: 'damaged',
    make: meta('scheduledCompactRev', encodeRevision({ main: 4n, sub: 0n }, true)),
  },
  {
    code: 'BACKEND_META_UNREADABLE',
    what: 'confState',
    verdict: 'repairable',
    make: meta('confState', '{"voters":1}'),
  },
  {
    code: 'BACKEND_META_UNREADABLE',
    what: 'storageVersion',
    verdict: 'repairable',
    make: meta('storageVersion', '3.6'),
  },
  {
    code: 'BACKEND_CONSISTENT_INDEX',
    what: 'none',
    verdict: 'damaged',
    found: { args: { value: 'missing', shownBy: 'there are records' } },
    make: meta('consistent_index', undefined),
  },
  {
    code: 'BACKEND_CONSISTENT_INDEX',
    what: 'none in an empty cluster of 3.5',
    verdict: 'damaged',
    make: () => makeDb({ cluster: [['clusterVersion', '3.5.0']] }),
  },
  { code: 'BACKEND_CONSISTENT_INDEX', what: '0', verdict: 'damaged', make: meta('consistent_index', uint64(0n)) },
  { code: 'BACKEND_TERM_ZERO', what: 'term 0', verdict: 'repairable', make: meta('term', uint64(0n)) },
  {
    code: 'BACKEND_COMPACT_ORDER',
    what: 'finished above scheduled',
    verdict: 'damaged',
    make: meta('finishedCompactRev', revision(5)),
  },
  {
    code: 'BACKEND_COMPACT_UNSCHEDULED',
    what: 'finished without scheduled',
    verdict: 'healthy',
    make: meta('scheduledCompactRev', undefined),
  },
  {
    code: 'BACKEND_COMPACT_PENDING',
    what: 'scheduled above finished',
    verdict: 'healthy',
    make: meta('scheduledCompactRev', revision(6)),
  },
  {
    code: 'BACKEND_COMPACT_PENDING',
    what: 'scheduled for the first time',
    verdict: 'healthy',
    make: meta('finishedCompactRev', undefined),
  },
  {
    code: 'BACKEND_COMPACT_BEYOND_LAST',
    what: 'compacted behind the last record',
    verdict: 'healthy',
    make: meta('scheduledCompactRev', revision(11)),
  },
  {
    code: 'BACKEND_CONF_STATE_DIFFERS',
    what: 'other voters',
    verdict: 'healthy',
    make: meta('confState', '{"voters":[17,18,19,20,21,22,23,24,25,26]}'),
  },
  {
    code: 'BACKEND_CLUSTER_UNREADABLE',
    what: 'no version',
    verdict: 'damaged',
    make: changed({ cluster: [['clusterVersion', '3.x']] }),
  },
  {
    code: 'BACKEND_CLUSTER_UNREADABLE',
    what: 'a downgrade that is no JSON',
    verdict: 'damaged',
    make: changed({ cluster: [['downgrade', '{']] }),
  },
  {
    code: 'BACKEND_CLUSTER_VERSION_NEWER',
    what: 'the target is older',
    verdict: 'refused',
    options: { etcdVersion: '3.5' },
    found: { args: { version: '3.6.0', target: '3.5' } },
    make: changed({}),
  },
  {
    code: 'BACKEND_STORAGE_VERSION_UNSUPPORTED',
    what: 'a newer schema',
    verdict: 'refused',
    make: meta('storageVersion', '3.7.0'),
  },
  {
    code: 'BACKEND_STORAGE_VERSION_UNSUPPORTED',
    what: 'another major version',
    verdict: 'refused',
    make: meta('storageVersion', '4.0.0'),
  },
  {
    code: 'BACKEND_STORAGE_VERSION_UNSUPPORTED',
    what: 'a schema without a way to that of the target',
    verdict: 'refused',
    make: meta('storageVersion', '3.4.0'),
  },
  {
    code: 'BACKEND_STORAGE_VERSION_WITHOUT_TERM',
    what: 'no term',
    verdict: 'healthy',
    make: meta('term', undefined),
  },
  {
    code: 'BACKEND_VERSIONS_DIFFER',
    what: 'a higher cluster version',
    verdict: 'healthy',
    make: changed({ cluster: [['clusterVersion', '3.7.0']] }),
  },
  {
    code: 'BACKEND_DOWNGRADE_ENABLED',
    what: 'a downgrade',
    verdict: 'healthy',
    make: changed({ cluster: [['downgrade', '{"target-version":"3.5.0","enabled":true}']] }),
  },
  {
    code: 'BACKEND_LEASE_UNREADABLE',
    what: 'no message',
    verdict: 'damaged',
    found: { key: '0x0000000000000008' },
    make: changed({ lease: [[uint64(8n), hex('ff')]] }),
  },
  {
    code: 'BACKEND_LEASE_ID',
    what: 'another id',
    verdict: 'damaged',
    make: changed({ lease: [[uint64(8n), leaseOf({ ID: 9n, TTL: 60n })]] }),
  },
  {
    code: 'BACKEND_LEASE_TTL',
    what: 'no time to live',
    verdict: 'damaged',
    make: changed({ lease: [[uint64(8n), leaseOf({ ID: 8n })]] }),
  },
  {
    code: 'BACKEND_LEASE_REMAINING',
    what: 'more than there was',
    verdict: 'healthy',
    make: changed({ lease: [[uint64(8n), leaseOf({ ID: 8n, TTL: 5n, RemainingTTL: 6n })]] }),
  },
  {
    code: 'BACKEND_LEASE_MISSING',
    what: 'a live key without its lease',
    verdict: 'repairable',
    found: { args: { id: '0000000000000007', keys: '1', userKey: '"old"', revision: '8_0' } },
    make: changed({ lease: [[uint64(7n), undefined]] }),
  },
  {
    code: 'BACKEND_AUTH_UNREADABLE',
    what: 'neither on nor off',
    verdict: 'damaged',
    make: changed({ auth: [['authEnabled', hex('02')]] }),
  },
  {
    code: 'BACKEND_AUTH_REVISION_MISSING',
    what: 'users without a revision',
    verdict: 'healthy',
    make: changed({ ...AUTH_ON, auth: [['authRevision', undefined]] }),
  },
  {
    code: 'BACKEND_AUTH_ROOT_MISSING',
    what: 'no user root',
    verdict: 'damaged',
    make: changed({ auth: [['authEnabled', hex('01')]] }),
  },
  {
    code: 'BACKEND_AUTH_ROOT_MISSING',
    what: 'a user root without the role',
    verdict: 'damaged',
    make: changed({ ...AUTH_ON, authUsers: [['root', user('root', [])]] }),
  },
  {
    code: 'BACKEND_USER_UNREADABLE',
    what: 'no message',
    verdict: 'damaged',
    make: changed({ ...AUTH_ON, authUsers: [['root', hex('ff')]] }),
  },
  {
    code: 'BACKEND_ROLE_UNREADABLE',
    what: 'no message',
    verdict: 'damaged',
    make: changed({ authRoles: [['r', hex('ff')]] }),
  },
  {
    code: 'BACKEND_AUTH_NAME',
    what: 'a user under another name',
    verdict: 'damaged',
    make: changed({ authUsers: [['u', user('v', [])]] }),
  },
  {
    code: 'BACKEND_AUTH_NAME',
    what: 'a role under another name',
    verdict: 'damaged',
    make: changed({ authRoles: [['r', role('s')]] }),
  },
  {
    code: 'BACKEND_USER_ROLES_UNSORTED',
    what: 'roles out of order',
    verdict: 'healthy',
    make: changed({
      authUsers: [['u', user('u', ['s', 'r'])]],
      authRoles: ['r', 's'].map((name) => [name, role(name)]),
    }),
  },
  {
    code: 'BACKEND_USER_ROLE_UNKNOWN',
    what: 'a role that is not there',
    verdict: 'healthy',
    make: changed({ authUsers: [['u', user('u', ['r'])]] }),
  },
  {
    code: 'BACKEND_MEMBER_UNREADABLE',
    what: 'no JSON',
    verdict: 'damaged',
    make: changed({ members: [['11', '{']] }),
  },
  {
    code: 'BACKEND_MEMBER_UNREADABLE',
    what: 'a removed one whose key is no number',
    verdict: 'damaged',
    make: changed({ members_removed: [['xyz', 'removed']] }),
  },
  {
    code: 'BACKEND_MEMBER_ID',
    what: 'another id',
    verdict: 'damaged',
    found: { key: '"12"', args: { id: '11' } },
    make: changed({ members: [['12', member(17, '')]] }),
  },
  {
    code: 'BACKEND_MEMBER_KEY_FORM',
    what: 'a zero in front',
    verdict: 'healthy',
    make: changed({ members: [['011', member(17, '')]] }),
  },
  {
    code: 'BACKEND_MEMBER_REMOVED',
    what: 'a member that was removed',
    verdict: 'damaged',
    make: changed({ members_removed: [['10', 'removed']] }),
  },
  {
    code: 'BACKEND_MEMBER_REMOVED',
    what: 'the same in data of 3.5',
    verdict: 'healthy',
    make: changed({
      members_removed: [['10', 'removed']],
      meta: [['storageVersion', undefined]],
      cluster: [['clusterVersion', '3.5.0']],
    }),
  },
  {
    code: 'BACKEND_MEMBER_PECULIAR',
    what: 'no URL',
    verdict: 'healthy',
    make: changed({ members: [['11', '{"id":17,"peerURLs":null}']] }),
  },
  {
    code: 'BACKEND_MEMBER_PECULIAR',
    what: 'the URL and the name of another',
    verdict: 'healthy',
    make: changed({ members: [['11', '{"id":17,"peerURLs":["http://h16:2380"],"name":"m"}']] }),
  },
  {
    code: 'BACKEND_LEARNERS',
    what: 'two learners',
    verdict: 'healthy',
    make: changed({ members: [17, 18].map((id) => [id.toString(16), member(id, ',"isLearner":true')] as const) }),
  },
  {
    code: 'BACKEND_ALARM_UNREADABLE',
    what: 'no message',
    verdict: 'damaged',
    make: changed({ alarm: [[hex('ff'), '']] }),
  },
  {
    code: 'BACKEND_ALARM_CORRUPT',
    what: 'of nobody knows whom',
    verdict: 'damaged',
    make: changed({ alarm: [[alarm(0n, 2), '']] }),
  },
  {
    code: 'BACKEND_ALARM_CORRUPT',
    what: 'of the only member',
    verdict: 'damaged',
    make: changed({ alarm: [[alarm(16n, 2), '']] }),
  },
  {
    code: 'BACKEND_ALARM_CORRUPT',
    what: 'of another member',
    verdict: 'healthy',
    make: changed({ alarm: [[alarm(17n, 2), '']] }),
  },
  {
    code: 'BACKEND_ALARM_CORRUPT',
    what: 'of the member that the caller names',
    verdict: 'damaged',
    options: { memberId: 17n },
    make: changed({ alarm: [[alarm(17n, 2), '']] }),
  },
  {
    code: 'BACKEND_ALARM',
    what: 'no space',
    verdict: 'healthy',
    make: changed({ alarm: [[alarm(16n, 1), '']] }),
  },
  {
    code: 'BACKEND_TRAILER_WRONG',
    what: 'another sha256',
    verdict: 'damaged',
    make: () => withTail(new Uint8Array(32).fill(7)),
  },
  {
    code: 'BACKEND_TRAILER_CUT',
    what: 'half a sha256',
    verdict: 'damaged',
    found: { args: { bytes: '16' } },
    make: () => withTail(new Uint8Array(16).fill(7)),
  },
  {
    code: 'BACKEND_TRAILER_MISSING',
    what: 'no sha256',
    verdict: 'repairable',
    options: { snapshot: true },
    make: changed({}),
  },
];
