/**
 * Which request of an entry is applied, in which order it is asked for alarms and permissions, what has no effect, and what a release
 * panics at.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../../src/errors.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { type DecodedMessage, encodeMessage } from '../../../src/proto/messages.ts';
import { encodeConfChange } from '../../../src/proto/raft.ts';
import { makeDb, put as record, uint64 } from '../../support/backend-db.ts';
import { goldenDb } from '../../support/golden-db.ts';
import { bytesOf } from '../../support/plain-mvcc.ts';
import { deletion, entryOf, grant, put, putOf, type RawEntry, Run, rangeOf, replay, revoke } from './engine-run.ts';

const outcomesOf = (entry: RawEntry, more = {}): Record<EtcdMinor, string | undefined> =>
  Object.fromEntries(ETCD_MINORS.map((minor) => [minor, new Run([entry], { minor, ...more }).outcomes[0]])) as never;

describe('which request', () => {
  test('of several the first in the order of etcd', () => {
    const both = {
      ...put('a', '1'),
      ...deletion('b'),
      alarm: { action: 1, memberID: 1n, alarm: 1 },
      compaction: { revision: 1n },
    };
    const run = replay([both, { compaction: { revision: 1n }, ...grant(5n, 60n) }]);
    expect(run.records).toEqual(['2.0 put a=1 create 2 version 1']);
    expect(run.parts.keyspace.compactRevision).toBe(1n);
    expect(run.parts.leases.count).toBe(0);
    expect(run.parts.alarms.noSpace).toBe(false);
  });

  test('requests of the server itself come before all others', () => {
    const request = { ...put('a', '1'), cluster_version_set: { ver: '3.5.0' } };
    const outcomes = ETCD_MINORS.map((minor) => replay([request], { minor }).parts.cluster.version);
    // 3.4 does not know it.
    expect(outcomes).toEqual([null, '3.5.0', '3.5.0', '3.5.0']);
    expect(replay([request], { minor: '3.4' }).records).toHaveLength(1);
  });

  test.each(['range', 'auth_user_get', 'auth_role_get'])(
    '%s is passed over, with all that stands beside it',
    (name) => {
      expect(outcomesOf(entryOf({ [name]: {}, ...put('a', '1'), cluster_version_set: { ver: '3.5.0' } }))).toEqual({
        '3.4': 'nothing',
        '3.5': 'nothing',
        '3.6': 'nothing',
        '3.7': 'nothing',
      });
    },
  );

  test.each(['authenticate', 'auth_user_list', 'auth_role_list'])('%s changes nothing', (name) => {
    for (const minor of ETCD_MINORS) expect(replay([{ [name]: {} }], { minor }).outcomes).toEqual(['nothing']);
  });

  test('an entry of a new leader changes nothing', () => {
    expect(Object.values(outcomesOf({ data: new Uint8Array() }))).toEqual(Array(4).fill('nothing'));
  });
});

describe('a request that the release does not know', () => {
  const OLD = 'panic: not implemented';
  const NEW = 'panic: not implemented apply';

  test('none at all', () => {
    expect(outcomesOf(entryOf({}))).toEqual({ '3.4': OLD, '3.5': NEW, '3.6': NEW, '3.7': NEW });
    expect(outcomesOf({ data: Uint8Array.of(0x08, 1, 0xfa, 0xff, 0x07, 0) })).toEqual({
      '3.4': OLD,
      '3.5': NEW,
      '3.6': NEW,
      '3.7': NEW,
    });
  });

  test('auth_status, and what servers ask of themselves: 3.4', () => {
    const requests: readonly DecodedMessage[] = [
      { auth_status: {} },
      { cluster_version_set: { ver: '3.4.0' } },
      { downgrade_info_set: {} },
    ];
    for (const request of requests) {
      const { '3.4': old, ...others } = outcomesOf(entryOf(request));
      expect(old).toBe(OLD);
      expect(Object.values(others)).toEqual(Array(3).fill('auth_status' in request ? 'nothing' : 'changed'));
    }
  });

  test('downgrade_version_test: 3.4 and 3.5; ignored later', () => {
    expect(outcomesOf(entryOf({ downgrade_version_test: { ver: '3.6.0' } }))).toEqual({
      '3.4': OLD,
      '3.5': NEW,
      '3.6': 'nothing',
      '3.7': 'nothing',
    });
  });

  test('without id and header', () => {
    const data = encodeMessage('etcdserverpb.InternalRaftRequest', put('a', '1'));
    expect(outcomesOf({ data })).toEqual({
      '3.4': 'panic: runtime error: invalid memory address or nil pointer dereference',
      '3.5': 'panic: runtime error: invalid memory address or nil pointer dereference',
      '3.6': 'panic: applyEntryNormal, could not find a header',
      '3.7': 'panic: Apply, could not find a header',
    });
  });
});

describe('a request of the v2 API', () => {
  const v2 = (Method: string, Path: string, Val = '', more: DecodedMessage = {}): RawEntry => ({
    data: encodeMessage('etcdserverpb.Request', {
      ID: 9n,
      Method,
      Path,
      Val,
      Dir: false,
      PrevValue: '',
      PrevIndex: 0n,
      ...more,
    }),
  });
  const MEMBER = '64674cd17a494f9e';
  const attributes = JSON.stringify({ name: 'renamed', clientURLs: ['http://127.0.0.1:1'] });
  const UNMARSHAL = expect.stringMatching(/^panic: unmarshal should never fail \(proto: cannot parse/);
  const notAllowed = (method: string) =>
    `panic: detected disallowed v2 WAL for stage --v2-deprecation=write-only {"method":"${method}"}`;

  test('that sets attributes of a member reaches the db', async () => {
    const db = await goldenDb();
    const entry = v2('PUT', `/0/members/${MEMBER}/attributes`, attributes);
    expect(outcomesOf(entry, { db })).toEqual({
      '3.4': 'changed',
      '3.5': 'changed',
      '3.6': 'changed',
      '3.7': UNMARSHAL,
    });
    const { membership } = new Run([entry], { db, minor: '3.5' }).parts;
    expect(membership.members).toEqual([
      expect.objectContaining({ name: 'renamed', clientUrls: ['http://127.0.0.1:1'] }),
    ]);
  });

  test('that sets the version too', () => {
    const entry = v2('PUT', '/0/version', '3.4.0');
    expect(outcomesOf(entry)).toEqual({ '3.4': 'changed', '3.5': 'changed', '3.6': 'changed', '3.7': UNMARSHAL });
    expect(new Run([entry], { minor: '3.6' }).parts.cluster.version).toBe('3.4.0');
  });

  test('that does anything else concerns the v2 store only; 3.6 panics, and 3.7 at all of them', () => {
    for (const [method, path] of [
      ['PUT', '/1/key'],
      ['DELETE', '/0/version'],
      ['SYNC', '/'],
    ] as const) {
      const outcomes = outcomesOf(v2(method, path, 'x'));
      expect(outcomes).toEqual({ '3.4': 'nothing', '3.5': 'nothing', '3.6': notAllowed(method), '3.7': UNMARSHAL });
    }
  });

  test('with a condition is one of the v2 store, but not for 3.6', () => {
    const entry = v2('PUT', '/0/version', '3.4.0', { PrevExist: true });
    expect(outcomesOf(entry)).toMatchObject({ '3.4': 'nothing', '3.5': 'nothing', '3.6': 'changed' });
  });

  test('of a probe of health, whose bytes 3.7 takes for a read', () => {
    expect(outcomesOf(v2('QGET', ''))).toEqual({
      '3.4': 'nothing',
      '3.5': 'nothing',
      '3.6': notAllowed('QGET'),
      '3.7': 'nothing',
    });
  });

  test('that is one of the v3 API as well is not applied as either to 3.7', () => {
    // Fields 1 and 5 are those of a v2 request, field 7 is a compaction.
    const data = Uint8Array.of(0x08, 1, 0x28, 0, 0x3a, 2, 0x08, 1);
    expect(() => new Run([{ data }], { minor: '3.7' })).toThrow(expect.objectContaining({ code: 'REPLAY_REFUSED' }));
  });

  test('wrapped into one of the v3 API', () => {
    const request = { ID: 9n, Method: 'PUT', Path: '/0/version', Val: '3.4.0' };
    expect(outcomesOf(entryOf({ v2: request }))).toMatchObject({
      '3.4': 'changed',
      '3.6': 'changed',
      '3.7': 'panic: not implemented apply',
    });
    expect(outcomesOf(entryOf({ v2: { ...request, Method: 'QGET' } }))).toMatchObject({
      '3.5': 'nothing',
      '3.6': notAllowed('QGET'),
    });
  });
});

describe('what is no request', () => {
  test('bytes that are no message', () => {
    expect(outcomesOf({ data: Uint8Array.of(0x08, 1, 0x22, 0x7f) })).toEqual({
      '3.4': 'panic: unmarshal should never fail (unexpected EOF)',
      '3.5': 'panic: unmarshal should never fail (unexpected EOF)',
      '3.6': 'panic: unmarshal should never fail (unexpected EOF)',
      '3.7': 'panic: unmarshal should never fail (proto: cannot parse invalid wire-format data)',
    });
  });

  test('a user name that is no text: 3.7 panics, older ones would go on, which this library cannot', () => {
    const data = Uint8Array.of(0xa2, 0x06, 0x05, 0x08, 0x01, 0x12, 0x01, 0xff, 0x22, 0x03, 0x0a, 0x01, 0x61);
    expect(new Run([{ data }], { minor: '3.7' }).outcomes).toEqual([
      'panic: unmarshal should never fail (string field contains invalid UTF-8)',
    ]);
    for (const minor of ['3.4', '3.5', '3.6'] as const) {
      expect(() => new Run([{ data }], { minor })).toThrow(expect.objectContaining({ code: 'REPLAY_REFUSED' }));
    }
  });

  test('a field of another type: an error up to 3.6, unknown to 3.7', () => {
    // Field 4, the put, as a number; field 7, a compaction at 1.
    const data = Uint8Array.of(0x08, 1, 0x20, 1, 0x3a, 2, 0x08, 1);
    const outcomes = outcomesOf({ data });
    expect(outcomes['3.7']).toBe('changed');
    for (const minor of ['3.4', '3.5', '3.6'] as const)
      expect(outcomes[minor]).toMatch(/^panic: unmarshal should never fail \(proto: /);
  });

  test('a change of several members, and unknown types of entries', () => {
    const later = 'panic: unknown entry type; must be either EntryNormal or EntryConfChange';
    for (const [type, name] of [
      [2, 'EntryConfChangeV2'],
      [7, '7'],
    ] as const) {
      const outcomes = outcomesOf({ type, data: new Uint8Array() });
      expect(outcomes['3.4']).toBe('panic: entry type should be either EntryNormal or EntryConfChange');
      for (const minor of ['3.5', '3.6', '3.7'] as const) expect(outcomes[minor]).toBe(`${later} {"type":"${name}"}`);
    }
  });

  test('a change of members that is none', () => {
    const outcomes = outcomesOf({ type: 1, data: Uint8Array.of(0x08) });
    expect(outcomes['3.5']).toBe('panic: unmarshal should never fail (unexpected EOF)');
    expect(outcomes['3.7']).toMatch(/^panic: unmarshal should never fail \(proto: cannot parse/);
  });
});

test('changes of members go to the members', () => {
  const context = bytesOf(JSON.stringify({ id: 5, peerURLs: ['http://127.0.0.1:2380'], name: 'm' }));
  const run = new Run([{ type: 1, data: encodeConfChange({ id: 1n, type: 0, nodeId: 5n, context }, 'gogo') }], {});
  expect(run.outcomes).toEqual(['changed']);
  expect(run.parts.membership.members.map(({ id }) => id)).toEqual([5n]);
});

describe('before the request', () => {
  const alarm = (type: number, action = 1) => ({ alarm: { action, memberID: 1n, alarm: type } });
  const NO_SPACE = 'etcdserver: no space';
  const CORRUPT = 'etcdserver: corrupt cluster';
  const auth = [
    ['authEnabled', Uint8Array.of(1)],
    ['authRevision', uint64(5n)],
  ] as const;
  const as = (username: string, request: DecodedMessage, auth_revision = 5n) => ({
    header: { ID: 1n, username, auth_revision },
    ...request,
  });
  const user = (name: string, ...roles: readonly string[]) =>
    [name, encodeMessage('authpb.User', { name: bytesOf(name), roles })] as const;
  const role = (name: string, type: number, key: string, end: string) => {
    const permission = { permType: type, key: bytesOf(key), range_end: bytesOf(end) };
    return [name, encodeMessage('authpb.Role', { name: bytesOf(name), keyPermission: [permission] })] as const;
  };
  const db = makeDb({
    auth,
    authUsers: [user('root', 'root'), user('w', 'w')],
    authRoles: [['root', encodeMessage('authpb.Role', { name: bytesOf('root') })], role('w', 1, 'w', 'x')],
    key: [record(2, 0, { key: 'w1', lease: 5 }), record(3, 0, { key: 'secret', lease: 6 })],
    lease: [5n, 6n].map((id) => [uint64(id), encodeMessage('leasepb.Lease', { ID: id, TTL: 60n })] as const),
  });
  const DENIED = 'auth: permission denied';

  test('no space: puts, also in transactions, and leases fail, until it is disarmed', () => {
    const putting = { txn: { failure: [{ request_put: putOf('a', '1') }] } };
    const run = replay([alarm(1), put('a', '1'), putting, grant(5n, 60n), deletion('a'), alarm(1, 2), put('a', '1')]);
    expect(run.outcomes).toEqual(['changed', NO_SPACE, NO_SPACE, NO_SPACE, 'nothing', 'changed', 'changed']);
  });

  test('corrupt: everything that concerns keys and leases fails', () => {
    const requests = [
      put('a', '1'),
      deletion('a'),
      { txn: {} },
      { compaction: { revision: 1n } },
      grant(5n, 60n),
      revoke(5n),
    ];
    const run = replay([alarm(2), ...requests, { auth_role_add: { name: 'r' } }]);
    expect(run.outcomes).toEqual(['changed', ...requests.map(() => CORRUPT), 'changed']);
  });

  test('alarms are asked before permissions, and permissions before the request', async () => {
    const run = replay([as('w', put('a', '1', { lease: 99n })), alarm(1), as('w', put('a', '1', { lease: 99n }))], {
      db: await db,
    });
    expect(run.outcomes).toEqual([DENIED, 'changed', NO_SPACE]);
  });

  test('who may not, does nothing', async () => {
    const run = replay(
      [
        as('w', put('w2', '1')),
        as('w', put('w3', '1', { prev_kv: true })),
        as('w', put('v', '1')),
        as('w', put('w2', '2'), 4n),
        put('w2', '3'),
        as('w', deletion('w', 'x')),
        as('w', deletion('v', 'x')),
        as('root', deletion('w9')),
      ],
      { db: await db },
    );
    expect(run.records).toEqual(['4.0 put w2=1 create 4 version 1', '5.0 delete w1', '5.1 delete w2']);
    expect(run.outcomes.map((outcome) => outcome.replace(/^auth: /, ''))).toEqual([
      'changed',
      'permission denied',
      'permission denied',
      'revision in header is old',
      'user name is empty',
      'changed',
      'permission denied',
      'nothing',
    ]);
  });

  test('the keys that a lease has already count: of puts with it, and of its end', async () => {
    const run = replay(
      [
        as('w', put('w2', '1', { lease: 5n })),
        as('w', put('w2', '1', { lease: 6n })),
        as('w', revoke(6n)),
        as('w', revoke(5n)),
        as('root', revoke(6n)),
      ],
      { db: await db },
    );
    expect(run.outcomes).toEqual(['changed', DENIED, DENIED, 'changed', 'changed']);
    expect(run.records.slice(1)).toEqual(['5.0 delete w1', '5.1 delete w2', '6.0 delete secret']);
  });

  test('reads of a transaction that its user may not make: dropped up to 3.6, which is counted', async () => {
    const request = { txn: { success: [{ request_put: putOf('w2', '1') }, { request_range: rangeOf('w2') }] } };
    for (const minor of ETCD_MINORS) {
      const run = replay([as('w', request)], { minor, db: await db });
      expect(run.outcomes).toEqual([minor === '3.7' ? DENIED : 'changed']);
      expect(run.applier.dependsOnRanges).toBe(minor === '3.7' ? 0 : 1);
    }
  });
});

describe('hostile bytes', () => {
  const anyBytes = fc.uint8Array({ maxLength: 60 });
  const around = fc.oneof(
    anyBytes,
    // Something that looks like a request.
    fc
      .tuple(fc.constantFrom(0x22, 0x2a, 0x32, 0x3a, 0x42, 0x4a, 0x52, 0x5a), anyBytes)
      .map(([tag, inner]) => Uint8Array.of(0x08, 1, tag, inner.length, ...inner)),
  );

  property.prop(
    [
      fc.array(fc.record({ type: fc.constantFrom(0, 0, 0, 0, 1, 2, 3), data: around }), { maxLength: 8 }),
      fc.constantFrom(...ETCD_MINORS),
    ],
    {
      numRuns: 300,
    },
  )('give an outcome, or an error of ours', (entries, minor) => {
    try {
      const run = new Run(entries, { minor });
      expect(run.outcomes).toHaveLength(entries.length);
    } catch (error) {
      if (!isDatadirError(error, 'REPLAY_REFUSED')) throw error;
    }
  });
});
