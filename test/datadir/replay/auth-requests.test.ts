/**
 * Every request about users and roles: what makes it fail, what it writes, and whether the revision goes on.
 */
import { describe, expect, it } from 'vitest';
import { AuthState } from '../../../src/datadir/replay/auth-state.ts';
import { bcryptMatches } from '../../../src/datadir/replay/bcrypt.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { hex, openDb, toBytes, uint64 } from '../../support/backend-db.ts';

type Request = readonly [name: string, request?: Record<string, unknown>];

const ROOT = { username: 'root', authRevision: 1n };
const NOBODY = { username: '', authRevision: 0n };
const salt = (bytes: Uint8Array): void => void bytes.fill(7);
const HASH = `$2a$10$${'a'.repeat(53)}`;
const LATER: readonly EtcdMinor[] = ['3.5', '3.6', '3.7'];
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const addUser = (name: string, more: object = {}): Request => [
  'auth_user_add',
  { name, hashedPassword: Buffer.from(HASH).toString('base64'), options: {}, ...more },
];
const addRole = (name: string): Request => ['auth_role_add', { name }];
const grantRole = (user: string, role: string): Request => ['auth_user_grant_role', { user, role }];
const grant = (name: string, key: string, rangeEnd = '', permType = 0): Request => [
  'auth_role_grant_permission',
  { name, perm: { permType, key: toBytes(key), range_end: toBytes(rangeEnd) } },
];
const revoke = (role: string, key: string, rangeEnd = ''): Request => [
  'auth_role_revoke_permission',
  { role, key: toBytes(key), range_end: toBytes(rangeEnd) },
];
const ENABLED: readonly Request[] = [addUser('root'), addRole('root'), grantRole('root', 'root'), ['auth_enable', {}]];

/** A state after these requests, all of which did something. */
function changedBy(
  requests: readonly Request[],
  minor: EtcdMinor = '3.6',
  state = AuthState.load(undefined, salt),
): AuthState {
  for (const request of requests) expect([request[0], applied(state, request, minor)]).toEqual([request[0], 'changed']);
  return state;
}

/** What became of a request: its outcome, or why it failed. The revision must go on exactly if it changed something. */
function applied(state: AuthState, [name, request = {}]: Request, minor: EtcdMinor = '3.6', header = ROOT): string {
  const before = state.revision;
  const result = state.apply(name, request, header, minor);
  const advances = result.outcome === 'changed' && name !== 'auth_enable';
  expect(state.revision - before).toBe(advances ? 1n : 0n);
  return 'reason' in result ? result.reason : 'words' in result ? result.words : result.outcome;
}

/** What is written, by bucket: key and value, null where it goes. */
function written(state: AuthState): Record<string, Record<string, string | null>> {
  return Object.fromEntries(
    state
      .changes()
      .map(({ bucket, sorted }) => [
        bucket,
        Object.fromEntries(sorted.map(({ key, value }) => [text(key), value && Buffer.from(value).toString('hex')])),
      ]),
  );
}

const user = (state: AuthState, name: string): string | null | undefined => written(state)['authUsers']?.[name];
const role = (state: AuthState, name: string): string | null | undefined => written(state)['authRoles']?.[name];
const bytesHex = (value: string): string => Buffer.from(value).toString('hex');

describe('a db without users', () => {
  it('begins with revision 1, as a server does', () => {
    const state = AuthState.load(undefined);
    expect([state.enabled, state.revision]).toEqual([false, 1n]);
    expect(written(state)['auth']).toEqual({ authRevision: '0000000000000001' });
  });

  it('has its revision written once there is something in it', async () => {
    const { db } = await openDb({ auth: [['authRevision', uint64(5n)]] });
    const state = AuthState.load(db);
    expect(written(state)).toEqual({ auth: {}, authUsers: {}, authRoles: {} });
    changedBy([addRole('r')], '3.6', state);
    expect(written(state)['auth']).toEqual({ authRevision: '0000000000000006' });
  });
});

describe('enable and disable', () => {
  it('needs user root with role root', () => {
    const state = AuthState.load(undefined);
    expect(applied(state, ['auth_enable'])).toBe('auth: root user does not exist');
    changedBy([addUser('root')], '3.6', state);
    expect(applied(state, ['auth_enable'])).toBe('auth: root user does not have root role');
    changedBy([grantRole('root', 'root'), ['auth_enable']], '3.6', state);
    expect(state.enabled).toBe(true);
    expect(applied(state, ['auth_enable'])).toBe('nothing');
    expect(written(state)['auth']).toEqual({ authEnabled: '01', authRevision: '0000000000000003' });
  });

  it('disabling goes on to the next revision, and does nothing if it is off', () => {
    const state = changedBy(ENABLED);
    changedBy([['auth_disable']], '3.6', state);
    expect(written(state)['auth']).toEqual({ authEnabled: '00', authRevision: '0000000000000005' });
    expect(applied(state, ['auth_disable'])).toBe('nothing');
  });
});

describe('users', () => {
  it.each(LATER)('%s: a hash comes with the request', (minor) => {
    const state = changedBy([addUser('alice')], minor);
    expect(user(state, 'alice')).toBe(`0a05${bytesHex('alice')}123c${bytesHex(HASH)}2200`);
  });

  it('options are written even if they are not given', () => {
    expect(user(changedBy([addUser('np', { options: undefined })]), 'np')).toMatch(/2200$/);
    expect(user(changedBy([addUser('np', { options: { no_password: true } })]), 'np')).toBe('0a026e7022020801');
  });

  it.each(ETCD_MINORS)('%s: a password is hashed with a new salt, and only once', (minor) => {
    const state = changedBy([['auth_user_add', { name: 'bob', password: 'bobpw' }]], minor);
    const value = Buffer.from(user(state, 'bob') as string, 'hex').toString('latin1');
    const hash = /\$2a\$10\$.{53}/.exec(value)?.[0] ?? '';
    expect(bcryptMatches(toBytes('bobpw'), hash)).toBe(true);
    expect(value).not.toContain('bobpw');
    expect(user(state, 'bob')).toBe(bytesHexOf(value));
  });

  it('3.4 knows no hashes: it stores one of the password, be it empty', () => {
    const state = changedBy([addUser('alice')], '3.4');
    const value = Buffer.from(user(state, 'alice') as string, 'hex').toString('latin1');
    expect(bcryptMatches(new Uint8Array(0), /\$2a.{57}/.exec(value)?.[0] ?? '')).toBe(true);
  });

  it('neither a password nor a hash: none is stored from 3.5 on', () => {
    expect(user(changedBy([['auth_user_add', { name: 'x' }]]), 'x')).toBe('0a01782200');
  });

  it.each([
    ['a hash that is not base64', { hashedPassword: 'a*b=' }],
    ['a hash without padding', { hashedPassword: 'YWI' }],
    ['a password of more than 72 bytes', { hashedPassword: '', password: 'x'.repeat(73) }],
  ])('%s is refused from 3.5 on', (_, given) => {
    const refused = 'auth: authentication failed, password was given for no password user';
    for (const minor of LATER) expect(applied(AuthState.load(undefined), addUser('x', given), minor)).toBe(refused);
  });

  it('3.4 takes the first 72 bytes of a longer password', () => {
    const state = changedBy([['auth_user_add', { name: 'x', password: 'x'.repeat(80) }]], '3.4');
    const value = Buffer.from(user(state, 'x') as string, 'hex').toString('latin1');
    expect(bcryptMatches(toBytes('x'.repeat(72)), /\$2a.{57}/.exec(value)?.[0] ?? '')).toBe(true);
  });

  it.each(ETCD_MINORS)('%s: an empty name, and one that is there, are refused', (minor) => {
    const state = changedBy([addUser('a')], minor);
    expect(applied(state, addUser(''), minor)).toBe('auth: user name is empty');
    expect(applied(state, addUser('a'), minor)).toBe('auth: user already exists');
  });

  it('deleting', () => {
    const state = changedBy([...ENABLED, addUser('a')]);
    expect(applied(state, ['auth_user_delete', { name: 'b' }])).toBe('auth: user not found');
    expect(applied(state, ['auth_user_delete', { name: 'root' }])).toBe('auth: invalid auth management');
    changedBy([['auth_user_delete', { name: 'a' }]], '3.6', state);
    expect(user(state, 'a')).toBeNull();
    changedBy([['auth_disable'], ['auth_user_delete', { name: 'root' }]], '3.6', state);
    expect(user(state, 'root')).toBeNull();
  });

  it('changing a password keeps roles and options', () => {
    const state = changedBy([addUser('a'), addRole('r'), grantRole('a', 'r')]);
    const other = HASH.replaceAll('a', 'b');
    const change = (name: string): Request => [
      'auth_user_change_password',
      { name, hashedPassword: Buffer.from(other).toString('base64') },
    ];
    expect(applied(state, change('b'))).toBe('auth: user not found');
    changedBy([change('a')], '3.6', state);
    expect(user(state, 'a')).toBe(`0a0161123c${bytesHex(other)}1a01722200`);
  });

  it('a user without password has none after a change, but in 3.4', () => {
    const requests: Request[] = [
      addUser('np', { options: { no_password: true } }),
      ['auth_user_change_password', { name: 'np', password: 'pw' }],
    ];
    for (const minor of LATER) expect(user(changedBy(requests, minor), 'np')).toBe('0a026e7022020801');
    expect(user(changedBy(requests, '3.4'), 'np')).toMatch(/^0a026e70123c.{120}22020801$/);
  });

  it('only the last password of a user is hashed, and none if the user is gone', () => {
    let salts = 0;
    const state = AuthState.load(undefined, () => void salts++);
    const change = (password: string): Request => ['auth_user_change_password', { name: 'a', password }];
    changedBy([['auth_user_add', { name: 'a', password: '1' }], change('2'), change('3')], '3.6', state);
    changedBy(
      [
        ['auth_user_add', { name: 'b', password: '1' }],
        ['auth_user_delete', { name: 'b' }],
      ],
      '3.6',
      state,
    );
    expect(salts).toBe(0);
    written(state);
    written(state);
    expect(salts).toBe(1);
  });
});

describe('roles of users', () => {
  it('are sorted by their bytes', () => {
    // U+FF5E comes before U+1F600 in UTF-8, behind it in UTF-16.
    const names = ['b', '\u{1f600}', 'a', '\uff5e'];
    const state = changedBy([addUser('u'), ...names.map(addRole), ...names.map((name) => grantRole('u', name))]);
    const roles = ['a', 'b', '\uff5e', '\u{1f600}'].map((name) => `1a${field(name)}`).join('');
    expect(user(state, 'u')).toBe(`0a0175123c${bytesHex(HASH)}${roles}2200`);
  });

  it('granting: user and role must be there, role root need not', () => {
    const state = changedBy([addUser('u'), addRole('r')]);
    expect(applied(state, grantRole('v', 'r'))).toBe('auth: user not found');
    expect(applied(state, grantRole('u', 's'))).toBe('auth: role not found');
    changedBy([grantRole('u', 'root'), grantRole('u', 'r')], '3.6', state);
    expect(applied(state, grantRole('u', 'r'))).toBe('nothing');
  });

  it('revoking', () => {
    const revokeRole = (name: string, role: string): Request => ['auth_user_revoke_role', { name, role }];
    const state = changedBy([...ENABLED, addUser('u'), addRole('r'), grantRole('u', 'r')]);
    expect(applied(state, revokeRole('v', 'r'))).toBe('auth: user not found');
    expect(applied(state, revokeRole('u', 'root'))).toBe('auth: role is not granted to the user');
    expect(applied(state, revokeRole('root', 'root'))).toBe('auth: invalid auth management');
    changedBy([revokeRole('u', 'r')], '3.6', state);
    expect(user(state, 'u')).toBe(`0a0175123c${bytesHex(HASH)}2200`);
    changedBy([['auth_disable'], revokeRole('root', 'root')], '3.6', state);
  });
});

describe('roles', () => {
  it('adding', () => {
    const state = changedBy([addRole('r')]);
    expect(role(state, 'r')).toBe('0a0172');
    expect(applied(state, addRole('r'))).toBe('auth: role already exists');
    expect(applied(state, addRole(''))).toBe('auth: role name is empty');
  });

  it('deleting takes it from every user', () => {
    const state = changedBy([...ENABLED, addUser('u'), addUser('v'), addRole('r'), addRole('s')]);
    changedBy([grantRole('u', 'r'), grantRole('u', 's'), grantRole('v', 's')], '3.6', state);
    expect(applied(state, ['auth_role_delete', { role: 'x' }])).toBe('auth: role not found');
    expect(applied(state, ['auth_role_delete', { role: 'root' }])).toBe('auth: invalid auth management');
    changedBy([['auth_role_delete', { role: 's' }]], '3.6', state);
    expect(role(state, 's')).toBeNull();
    expect(user(state, 'u')).toBe(`0a0175123c${bytesHex(HASH)}1a01722200`);
    expect(user(state, 'v')).toBe(`0a0176123c${bytesHex(HASH)}2200`);
    changedBy([['auth_disable'], ['auth_role_delete', { role: 'root' }]], '3.6', state);
    expect(user(state, 'root')).not.toContain(bytesHex('root').repeat(2));
  });

  it('permissions are sorted by key, and written as etcd does', () => {
    const state = changedBy([addRole('r'), grant('r', 'z', '\0', 1), grant('r', 'p/', 'p0')]);
    expect(role(state, 'r')).toBe('0a0172 1208 1202702f 1a027030 1208 0801 12017a 1a0100'.replaceAll(' ', ''));
    expect(role(changedBy([addRole('r'), grant('r', 'k', '', 2)]), 'r')).toBe(
      '0a017212050802 12016b'.replaceAll(' ', ''),
    );
  });

  it('a permission for the same keys gets the new type', () => {
    const state = changedBy([addRole('r'), grant('r', 'k', '', 2), grant('r', 'k', '', 1)]);
    expect(role(state, 'r')).toBe('0a0172 1205 0801 12016b'.replaceAll(' ', ''));
  });

  it('only the first of several for a key is looked at', () => {
    const state = changedBy([addRole('r'), grant('r', 'k', 'l'), grant('r', 'k', 'm'), grant('r', 'k', 'm', 1)]);
    const first = '1206 12016b 1a016c';
    expect(role(state, 'r')).toBe(`0a0172 ${first} 1206 12016b 1a016d 1208 0801 12016b 1a016d`.replaceAll(' ', ''));
    changedBy([grant('r', 'k', 'l', 2)], '3.6', state);
    expect(role(state, 'r')).toContain('120808021201 6b1a016c'.replaceAll(' ', ''));
  });

  it.each(LATER)('%s: a range without keys is refused', (minor) => {
    const state = changedBy([addRole('r')], minor);
    for (const [key, end] of [
      ['', ''],
      ['', '\0'],
      ['c', 'a'],
      ['c', 'c'],
    ] as const) {
      expect(applied(state, grant('r', key, end), minor)).toBe('auth: invalid auth management');
    }
    expect(applied(state, ['auth_role_grant_permission', { name: 'r' }], minor)).toBe('auth: permission not given');
    // That comes before the question whether there is such a role.
    expect(applied(state, grant('x', 'c', 'a'), minor)).toBe('auth: invalid auth management');
    expect(applied(state, grant('x', 'a', 'c'), minor)).toBe('auth: role not found');
  });

  it('3.4 stores a range without keys, and ends where none is given', () => {
    const state = changedBy([addRole('r'), grant('r', 'c', 'a'), grant('r', '', '\0')], '3.4');
    expect(role(state, 'r')).toBe('0a0172 1203 1a0100 1206 120163 1a0161'.replaceAll(' ', ''));
    expect(applied(state, grant('x', 'c', 'a'), '3.4')).toBe('auth: role not found');
    expect(applied(state, ['auth_role_grant_permission', { name: 'x' }], '3.4')).toBe('auth: role not found');
    expect(applied(state, ['auth_role_grant_permission', { name: 'r' }], '3.4')).toMatch(/nil pointer/);
  });

  it('revoking needs the same key and the same end', () => {
    const state = changedBy([addRole('r'), grant('r', 'a', 'c'), grant('r', 'a')]);
    expect(applied(state, revoke('x', 'a'))).toBe('auth: role not found');
    expect(applied(state, revoke('r', 'a', 'b'))).toBe('auth: permission is not granted to the role');
    changedBy([revoke('r', 'a', 'c')], '3.6', state);
    expect(role(state, 'r')).toBe('0a0172 1203 120161'.replaceAll(' ', ''));
  });
});

describe('who may change users and roles', () => {
  const requests: readonly Request[] = [
    ['auth_enable'],
    ['auth_disable'],
    addUser('x'),
    ['auth_user_delete', { name: 'u' }],
    ['auth_user_change_password', { name: 'u' }],
    grantRole('u', 'root'),
    ['auth_user_revoke_role', { name: 'u', role: 'r' }],
    addRole('x'),
    ['auth_role_delete', { role: 'r' }],
    grant('r', 'a'),
    revoke('r', 'a'),
    ['auth_user_list'],
    ['auth_role_list'],
    ['auth_status'],
  ];
  const state = changedBy([...ENABLED, addUser('u'), addRole('r'), grantRole('u', 'r')]);

  it.each(requests.map((request) => [request[0], request] as const))('%s: only root', (_, request) => {
    const as = (username: string): string => applied(state, request, '3.6', { username, authRevision: 100n });
    expect(applied(state, request, '3.6', NOBODY)).toBe('auth: user name is empty');
    expect(as('nobody')).toBe('auth: user not found');
    expect(as('u')).toBe('auth: permission denied');
  });

  it('whatever the revision in the header is', () => {
    const own = changedBy(ENABLED);
    expect(applied(own, addUser('x'), '3.6', { username: 'root', authRevision: 0n })).toBe('changed');
  });

  it('everyone while authentication is off', () => {
    expect(applied(AuthState.load(undefined), addUser('x'), '3.6', NOBODY)).toBe('changed');
  });

  it.each(['authenticate', 'auth_user_get', 'auth_role_get', 'auth_status', 'auth_user_list', 'auth_role_list'])(
    '%s changes nothing',
    (name) => {
      const own = changedBy(ENABLED);
      const before = written(own);
      expect(applied(own, [name, { name: 'root', role: 'root' }])).toBe('nothing');
      expect(written(own)).toEqual(before);
    },
  );
});

describe('records of other writers', () => {
  it('options that were never there stay away, and unreadable records are passed over', async () => {
    const { db } = await openDb({
      auth: [['authRevision', uint64(5n)]],
      authUsers: [
        ['old', hex('0a036f6c64')],
        ['bad', hex('ff')],
      ],
      authRoles: [['bad', hex('ff')]],
    });
    const state = AuthState.load(db);
    changedBy([grantRole('old', 'root')], '3.6', state);
    expect(user(state, 'old')).toBe('0a036f6c641a04726f6f74');
    expect(applied(state, grantRole('bad', 'root'))).toBe('auth: user not found');
  });

  it('a list of roles that is not sorted is searched by halves', async () => {
    const { db } = await openDb({ authUsers: [['u', hex('0a0175 1a017a 1a04726f6f74')]] });
    const state = AuthState.load(db);
    expect(applied(state, grantRole('u', 'root'))).toBe('changed');
    expect(user(state, 'u')).toBe('0a0175 1a04726f6f74 1a04726f6f74 1a017a'.replaceAll(' ', ''));
  });
});

function field(value: string): string {
  const bytes = Buffer.from(value);
  return `${bytes.length.toString(16).padStart(2, '0')}${bytes.toString('hex')}`;
}

function bytesHexOf(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('hex');
}
