/**
 * Members, leases, users, roles, alarms and meta values of every stored db against what the real servers and `etcd-dump-db`
 * say of it.
 */
import { describe, expect, test } from 'vitest';
import { readAlarms } from '../../../src/backend/alarms.ts';
import { readAuth } from '../../../src/backend/auth.ts';
import { readCluster } from '../../../src/backend/cluster.ts';
import { leaseReportJob } from '../../../src/backend/lease-report.ts';
import { readLeases } from '../../../src/backend/leases.ts';
import { type Member, readMembers } from '../../../src/backend/members.ts';
import { type BackendMeta, readMeta } from '../../../src/backend/meta.ts';
import { drain } from '../../../src/io/job.ts';
import { type JsonObject, parseJson } from '../../../src/json/parse.ts';
import { etcdRecordings } from '../../support/etcd-recordings.ts';

const recordings = etcdRecordings();
const dbs = recordings.flatMap((recording) =>
  recording.dbFiles
    .filter((dbFile) => recording.has(`${dbFile}/dump-db-hash.txt`))
    .map((dbFile) => ({ name: `${recording.name}/${dbFile}`, recording, dbFile })),
);
const asked = recordings.flatMap((recording) =>
  recording.answered.map((answers) => ({ name: `${recording.name}/${answers.dbFile}`, recording, ...answers })),
);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const list = (answer: JsonObject, name: string): JsonObject[] => (answer.get(name) ?? []) as unknown as JsonObject[];

/** A member as the JSON of `member list` and of the bucket have it: the latter with `id` for `ID`. */
function memberOf(json: JsonObject): Partial<Member> {
  return {
    id: (json.get('ID') ?? json.get('id')) as bigint,
    name: (json.get('name') ?? '') as string,
    peerUrls: (json.get('peerURLs') ?? []) as string[],
    clientUrls: (json.get('clientURLs') ?? []) as string[],
    isLearner: json.get('isLearner') === true,
  };
}

const byId = (a: Partial<Member>, b: Partial<Member>): number => Number((a.id as bigint) - (b.id as bigint));

describe.each(dbs)('etcd-dump-db of $name', ({ recording, dbFile }) => {
  // Opened anew by each test: all files together would take more than a gigabyte.
  const open = () => recording.open(dbFile).db;

  test('members', () => {
    const { members, removed, unreadable } = readMembers(open());
    const expected = recording.dumpLines(dbFile, 'members').map((line) => {
      const [, key, value] = /^key="([0-9a-f]+)", value=(".*")$/.exec(line) as unknown as [string, string, string];
      const json = parseJson(JSON.parse(value) as string) as JsonObject;
      return { ...memberOf(json), key, keyId: BigInt(`0x${key}`), canonical: true };
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(members).toEqual(expected.sort(byId));
    expect(removed.map((id) => `key="${id.toString(16)}", value="removed"`)).toEqual(
      recording.dumpLines(dbFile, 'members_removed'),
    );
    expect(unreadable.count).toBe(0);
  });

  test('cluster', () => {
    const { version, downgrade, unreadable } = readCluster(open());
    expect([`key="clusterVersion", value="${version}"`]).toEqual(recording.dumpLines(dbFile, 'cluster'));
    expect(downgrade).toBeNull();
    expect(unreadable.count).toBe(0);
  });

  test('leases', () => {
    const { leases, unreadable } = readLeases(open());
    const lines = leases.map(
      ({ id, ttl, remainingTtl }) =>
        `lease ID=${id.toString(16).padStart(16, '0')}, TTL=${ttl}s, remaining TTL=${remainingTtl ?? 0}s`,
    );
    expect(lines).toEqual(recording.dumpLines(dbFile, 'lease'));
    expect(leases.every(({ canonical }) => canonical)).toBe(true);
    expect(unreadable.count).toBe(0);
  });

  test('users and roles', () => {
    const { enabled, revision, users, roles, unreadable } = readAuth(open());
    const values = [
      ...(enabled ? ['key="authEnabled", value=[1]'] : []),
      ...(revision === null ? [] : [`key="authRevision", value=${revision}`]),
    ];
    expect(values).toEqual(recording.dumpLines(dbFile, 'auth'));
    const userLines = users.map(({ name, roles: granted, noPassword }) => {
      const options = noPassword ? 'no_password:true' : '';
      return `user="${name}", roles=[${granted.map((role) => `"${role}"`).join(' ')}], option=${options}`;
    });
    expect(userLines).toEqual(recording.dumpLines(dbFile, 'authUsers').map((line) => line.trimEnd()));
    expect(users.every(({ canonical, hasPassword, noPassword }) => canonical && hasPassword !== noPassword)).toBe(true);
    expect(roles.map(({ name }) => name)).toEqual(
      recording.dumpLines(dbFile, 'authRoles').map((line) => /^role="([^"]*)"/.exec(line)?.[1]),
    );
    expect(unreadable.count).toBe(0);
  });

  test('alarms', () => {
    const { alarms, unreadable } = readAlarms(open());
    expect(alarms).toHaveLength(recording.dumpLines(dbFile, 'alarm').length);
    expect(unreadable.count).toBe(0);
  });

  test('meta', () => {
    const meta = readMeta(open());
    expect(metaLines(meta)).toEqual(recording.dumpLines(dbFile, 'meta'));
    expect(meta.unreadable.size).toBe(0);
  });
});

test.each(recordings.filter((recording) => recording.has('killed/dump-db-meta.txt')))(
  'etcd-dump-db of $name/killed: meta',
  (recording) => {
    const meta = readMeta(recording.open('killed').db);
    expect(metaLines(meta)).toEqual(recording.dumpLines('killed', 'meta'));
    expect(meta.consistentIndex).not.toBeNull();
  },
);

function metaLines(meta: BackendMeta): string[] {
  const { confState, consistentIndex, finishedCompact, scheduledCompact, storageVersion, term } = meta;
  const lines: string[] = [];
  if (confState !== null) {
    const { voters, learners, autoLeave } = confState;
    const fields = [`"voters":[${voters}]`];
    if (learners.length > 0) fields.push(`"learners":[${learners}]`);
    fields.push(`"auto_leave":${autoLeave}`);
    lines.push(`key="confState", value=${JSON.stringify(`{${fields.join(',')}}`)}`);
  }
  if (consistentIndex !== null) lines.push(`key="consistent_index", value=${consistentIndex}`);
  if (finishedCompact !== null) lines.push(`key="finishedCompactRev", value={${finishedCompact} 0}`);
  if (scheduledCompact !== null) lines.push(`key="scheduledCompactRev", value={${scheduledCompact} 0}`);
  if (storageVersion !== null) lines.push(`key="storageVersion", value="${storageVersion}"`);
  if (term !== null) lines.push(`key="term", value=${term}`);
  return lines;
}

describe.each(asked)('the server of $name', ({ recording, folder, dbFile }) => {
  const open = () => recording.open(dbFile).db;
  const restored = recording.scenario === 'restored';

  test('members', () => {
    const expected = list(recording.object(`${folder}/members.json`), 'members').map(memberOf);
    const { members } = readMembers(open());
    if (restored && recording.minor === '3.4') {
      // The restore of 3.4 leaves the members of the old cluster in the bucket, and goes by the log.
      expect(members.map(({ id }) => id)).not.toEqual(expected.map(({ id }) => id));
      return;
    }
    const found = members.map(({ key: _key, keyId: _keyId, canonical: _canonical, ...member }) => member);
    // A restored member publishes its client URLs when it starts.
    expect(found).toEqual(restored ? expected.map((member) => ({ ...member, clientUrls: [] })) : expected);
  });

  test('leases', () => {
    const ids = list(recording.object(`${folder}/leases.json`), 'leases').map((lease) => lease.get('id') as bigint);
    const { leases, missing } = drain(leaseReportJob(recording.open(dbFile)));
    expect(leases.map(({ id }) => id)).toEqual(ids.sort((a, b) => Number(a - b)));
    for (const { id, ttl, keys } of leases) {
      const lease = recording.object(`${folder}/lease-${id.toString(16).padStart(16, '0')}.json`);
      expect(lease.get('id')).toBe(id);
      expect(lease.get('granted-ttl')).toBe(ttl);
      // The server gives them in no order, and `null` if there are none.
      const expected = (lease.get('keys') ?? []) as readonly string[];
      expect([...keys].map(base64).sort()).toEqual([...expected].sort());
    }
    expect(missing).toEqual([]);
  });

  test('alarms', () => {
    const expected = list(recording.object(`${folder}/alarms.json`), 'alarms').map((alarm) => ({
      memberId: alarm.get('memberID'),
      type: alarm.get('alarm') === 1n ? 'NOSPACE' : 'CORRUPT',
    }));
    expect(readAlarms(open()).alarms).toEqual(expected);
    expect(expected).toHaveLength(recording.scenario === 'alarm' ? 1 : 0);
  });
});

test.each(asked.filter(({ recording }) => recording.scenario === 'auth'))(
  'the server of $name: users and roles',
  ({ recording, folder, dbFile }) => {
    const { enabled, users, roles } = readAuth(recording.open(dbFile).db);
    expect(enabled).toBe(true);
    expect(users.map(({ name }) => name)).toEqual(recording.object(`${folder}/users.json`).get('users'));
    expect(roles.map(({ name }) => name)).toEqual(recording.object(`${folder}/roles.json`).get('roles'));
    for (const { name, roles: granted } of users) {
      expect(granted).toEqual(recording.object(`${folder}/user-${name}.json`).get('roles') ?? []);
    }
    for (const { name, permissions } of roles) {
      const expected = list(recording.object(`${folder}/role-${name}.json`), 'perm').map((permission) => ({
        type: ['read', 'write', 'readwrite'][Number(permission.get('permType') ?? 0n)],
        key: permission.get('key') ?? '',
        rangeEnd: permission.get('range_end') ?? '',
      }));
      const found = permissions.map(({ type, key, rangeEnd }) => ({
        type,
        key: base64(key),
        rangeEnd: base64(rangeEnd),
      }));
      // Role root may do everything without a permission that says so; 3.5 and later answer as if there were one.
      expect(found).toEqual(name === 'root' ? [] : expected);
    }
  },
);
