/**
 * Users, roles and permissions: records as etcd writes them, every way in which one can be wrong, and no hash of a password
 * in anything that comes out.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseRole, parseUser, readAuth } from '../../src/backend/auth.ts';
import { encodeMessage } from '../../src/proto/messages.ts';
import { hex, openDb, toBytes, uint64 } from '../support/backend-db.ts';

const HASH = `$2a$10$${'a1B2c3D4e5F6g7H8'.repeat(4).slice(0, 53)}`;

/** Everything in it as one text, bytes included. */
function everything(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'bigint' ? `${each}` : each instanceof Uint8Array ? Buffer.from(each).toString('latin1') : each,
  );
}

describe('a user', () => {
  test('as a server writes it; the hash of the password does not come out', () => {
    const value = Buffer.concat([hex('0a04726f6f74 123c'), toBytes(HASH), hex('1a04726f6f74 2200')]);
    const user = parseUser(toBytes('root'), value);
    expect(user).toEqual({ name: 'root', roles: ['root'], noPassword: false, hasPassword: true, canonical: true });
    expect(everything(user)).not.toContain('$2a$');
  });

  test('without a password, by choice', () => {
    const user = { name: 'np', roles: [], noPassword: true, hasPassword: false, canonical: true };
    expect(parseUser(toBytes('np'), hex('0a026e70 22020801'))).toEqual(user);
  });

  test('roles keep their order, unknown fields are passed over', () => {
    const value = hex('0a0175 1a0162 1a0161 1a0161 4a03010203');
    expect(parseUser(toBytes('u'), value)).toMatchObject({ roles: ['b', 'a', 'a'], hasPassword: false });
  });

  test('under another name than its own', () => {
    expect(parseUser(toBytes('v'), hex('0a0175'))).toMatchObject({ name: 'u', canonical: false });
    expect(parseUser(toBytes('v'), hex(''))).toMatchObject({ name: '', canonical: false });
  });

  test.each(['0a', '0a05', '0a0175 123c24', '0a0175 1a01ff', '0a0175 22010a', 'ff'])('value %s is none', (value) => {
    expect(parseUser(toBytes('u'), hex(value))).toEqual({ problem: expect.stringMatching(/^it is no authpb\.User: /) });
  });

  test('why a value is none says nothing of what is in it', () => {
    const value = encodeMessage('authpb.User', { name: toBytes('u'), password: toBytes(HASH), roles: [] });
    for (let length = 0; length < value.length; length++) {
      expect(everything(parseUser(toBytes('u'), value.subarray(0, length)))).not.toContain('$2a');
    }
  });
});

describe('a role', () => {
  test.each([
    ['0a0172 1205 0802 12016b', [['readwrite', 'k', '', 'key']]],
    [
      '0a0172 1208 1202702f 1a027030 1208 0801 12017a 1a0100',
      [
        ['read', 'p/', 'p0', 'prefix'],
        ['write', 'z', '\0', 'from-key'],
      ],
    ],
    ['0a0172 1208 0802 120100 1a0100', [['readwrite', '\0', '\0', 'all']]],
    ['0a0172 1205 0802 1a0100', [['readwrite', '', '\0', 'all']]],
    ['0a0172 1206 120161 1a0163', [['read', 'a', 'c', 'range']]],
    ['0a0172 1206 120163 1a0161', [['read', 'c', 'a', 'range']]],
    ['0a0172 1204 0807 1200', [['7', '', '', 'key']]],
    ['0a0172 1200', [['read', '', '', 'key']]],
    ['0a0172', []],
  ] as const)('%s', (value, expected) => {
    const role = parseRole(toBytes('r'), hex(value));
    if ('problem' in role) throw new Error(role.problem);
    const text = new TextDecoder();
    expect(role).toMatchObject({ name: 'r', canonical: true });
    const permissions = role.permissions.map((each) => [
      each.type,
      text.decode(each.key),
      text.decode(each.rangeEnd),
      each.scope,
    ]);
    expect(permissions).toEqual(expected);
  });

  test.each([
    ['61ff', '62', 'prefix'],
    ['61ffff', '62', 'prefix'],
    ['ff', '00', 'from-key'],
    ['61ff', '61ff00', 'range'],
  ])('keys from %s to %s: %s', (key, rangeEnd, scope) => {
    const value = encodeMessage('authpb.Role', { keyPermission: [{ key: hex(key), range_end: hex(rangeEnd) }] });
    expect(parseRole(toBytes(''), value)).toMatchObject({ permissions: [{ scope }], canonical: true });
  });

  test.each(['0a', '1205', '0a0172 1205 0802', '12020a'])('value %s is none', (value) => {
    expect(parseRole(toBytes('r'), hex(value))).toEqual({ problem: expect.stringMatching(/^it is no authpb\.Role: /) });
  });
});

describe('auth of a db', () => {
  test('of a new cluster', async () => {
    const { db } = await openDb({ auth: [['authRevision', uint64(1n)]] });
    expect(readAuth(db)).toEqual({
      enabled: false,
      revision: 1n,
      users: [],
      roles: [],
      unreadable: expect.objectContaining({ count: 0 }),
    });
  });

  test('without its buckets', async () => {
    expect(readAuth((await openDb({}, { bare: true })).db)).toMatchObject({ enabled: false, revision: null });
  });

  test.each([
    ['01', true, 0],
    ['00', false, 0],
    ['02', false, 1],
    ['', false, 1],
    ['0101', false, 1],
  ])('authEnabled %s', async (value, enabled, bad) => {
    const found = readAuth((await openDb({ auth: [['authEnabled', hex(value)]] })).db);
    expect(found).toMatchObject({ enabled, unreadable: { count: bad } });
  });

  test.each(['', '01', '000000000000000001'])('authRevision %s counts as absent, and is told', async (value) => {
    const found = readAuth((await openDb({ auth: [['authRevision', hex(value)]] })).db);
    expect(found).toMatchObject({ revision: null, unreadable: { count: 1, listed: [{ bucket: 'auth' }] } });
  });

  test('bad records are passed over and told', async () => {
    const { db } = await openDb({
      authUsers: [
        ['a', hex('0a0161')],
        ['b', hex('0a')],
      ],
      authRoles: [
        ['r', hex('0a0172')],
        ['s', hex('12')],
      ],
    });
    const { users, roles, unreadable } = readAuth(db);
    expect([users.map(({ name }) => name), roles.map(({ name }) => name)]).toEqual([['a'], ['r']]);
    expect(unreadable.listed.map(({ bucket, key }) => [bucket, key])).toEqual([
      ['authUsers', toBytes('b')],
      ['authRoles', toBytes('s')],
    ]);
  });

  const name = fc.string({ minLength: 1, unit: 'grapheme' });
  const bytes = fc.uint8Array({ maxLength: 6 });
  const user = fc.record({ name, roles: fc.array(name), noPassword: fc.boolean(), hasPassword: fc.boolean() });
  const permission = fc.record({ permType: fc.integer({ min: 0, max: 2 }), key: bytes, range_end: bytes });
  property.prop(
    [
      fc.uniqueArray(user, { selector: (each) => each.name, maxLength: 6 }),
      fc.uniqueArray(fc.record({ name, permissions: fc.array(permission, { maxLength: 4 }) }), {
        selector: (each) => each.name,
        maxLength: 6,
      }),
    ],
    { numRuns: 40 },
  )('what is written is read back, but for hashes', async (wantedUsers, wantedRoles) => {
    const { db } = await openDb({
      authUsers: wantedUsers.map(({ name, roles, noPassword, hasPassword }) => [
        name,
        encodeMessage('authpb.User', {
          name: toBytes(name),
          roles,
          options: { no_password: noPassword },
          ...(hasPassword ? { password: toBytes(HASH) } : {}),
        }),
      ]),
      authRoles: wantedRoles.map(({ name, permissions }) => [
        name,
        encodeMessage('authpb.Role', { name: toBytes(name), keyPermission: permissions }),
      ]),
    });
    const found = readAuth(db);
    const byName = (a: { name: string }, b: { name: string }) => Buffer.compare(toBytes(a.name), toBytes(b.name));
    expect(found.unreadable.count).toBe(0);
    expect(found.users).toEqual(wantedUsers.map((each) => ({ ...each, canonical: true })).sort(byName));
    const stored = [...wantedRoles].sort(byName);
    expect(found.roles.map(({ name }) => name)).toEqual(stored.map(({ name }) => name));
    expect(
      found.roles.map(({ permissions }) => permissions.map(({ type, key, rangeEnd }) => [type, key, rangeEnd])),
    ).toEqual(
      stored.map(({ permissions }) =>
        permissions.map((each) => [['read', 'write', 'readwrite'][each.permType], each.key, each.range_end]),
      ),
    );
    expect(everything(found)).not.toContain(HASH);
  });

  property.prop([fc.uint8Array(), fc.uint8Array()])('any bytes give a user, a role, or a reason', (key, value) => {
    for (const parsed of [parseUser(key, value), parseRole(key, value)]) {
      expect('problem' in parsed ? parsed.problem : 'fine').toMatch(/^it is no |^fine$/);
    }
  });
});
