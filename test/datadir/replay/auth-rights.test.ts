/**
 * Which requests about keys a user may make, release by release.
 */
import { describe, expect, it } from 'vitest';
import { type AttachedKeys, AuthState } from '../../../src/datadir/replay/auth-state.ts';
import type { RequestHeader } from '../../../src/datadir/replay/request-header.ts';
import { headerOf } from '../../../src/datadir/replay/request-header.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { toBytes } from '../../support/backend-db.ts';

const LATER: readonly EtcdMinor[] = ['3.5', '3.6', '3.7'];
const DENIED = 'auth: permission denied';
const OLD = 'auth: revision in header is old';
const EMPTY = 'auth: user name is empty';
const READ = 0;
const WRITE = 1;
const BOTH = 2;

type Message = Record<string, unknown>;
const put = (key: string, more: Message = {}): Message => ({ key: toBytes(key), value: toBytes('v'), ...more });
const range = (key: string, end = '', more: Message = {}): Message => ({
  key: toBytes(key),
  range_end: toBytes(end),
  ...more,
});

/** Authentication on; user u with these permissions in two roles, so that rights have to be joined. */
function withRights(...permissions: readonly (readonly [type: number, key: string, end?: string])[]): AuthState {
  const state = AuthState.load(undefined, (salt) => void salt.fill(0));
  const apply = (name: string, request: Message): void =>
    expect(state.apply(name, request, { username: '', authRevision: 0n }, '3.6').outcome).toBe('changed');
  for (const name of ['root', 'u', 'np']) apply('auth_user_add', { name, options: { no_password: true } });
  for (const name of ['r0', 'r1']) apply('auth_role_add', { name });
  permissions.forEach(([permType, key, end = ''], i) => {
    const perm = { permType, key: toBytes(key), range_end: toBytes(end) };
    apply('auth_role_grant_permission', { name: `r${i % 2}`, perm });
  });
  apply('auth_user_grant_role', { user: 'root', role: 'root' });
  for (const role of ['r0', 'r1']) apply('auth_user_grant_role', { user: 'u', role });
  apply('auth_enable', {});
  return state;
}

const as = (state: AuthState, username: string, behind = 0n): RequestHeader => ({
  username,
  authRevision: state.revision - behind,
});
const noKeys: AttachedKeys = () => [];

describe('who asks', () => {
  const state = withRights([BOTH, 'a', 'm']);

  it('is in the header; one that is not there names nobody', () => {
    expect(headerOf({ header: { username: 'u', auth_revision: 7n } })).toEqual({ username: 'u', authRevision: 7n });
    expect(headerOf({ header: {} })).toEqual({ username: '', authRevision: 0n });
    expect(headerOf({})).toEqual({ username: '', authRevision: 0n });
  });

  it.each([
    ['with permission', as(state, 'u'), undefined],
    ['without a revision', { username: 'u', authRevision: 0n }, EMPTY],
    ['with an old revision', as(state, 'u', 1n), OLD],
    ['root with an old revision', as(state, 'root', 1n), OLD],
    ['with a revision to come', as(state, 'u', -1n), undefined],
    ['who is not there', as(state, 'x'), DENIED],
    ['without a role', as(state, 'np'), DENIED],
    ['root', as(state, 'root'), undefined],
  ] as const)('a user %s', (_, header, refused) => {
    expect(state.refusePut(header, put('b'), noKeys)).toBe(refused);
    expect(state.refuseDelete(header, range('b', 'c'))).toBe(refused);
    expect(state.refuseRange(header, range('b', 'c'))).toBe(refused);
    for (const minor of ETCD_MINORS) {
      expect(state.refuseTxn(header, { success: [{ request_put: put('b') }] }, minor, noKeys)).toBe(refused);
    }
  });

  it('nobody is asked for while authentication is off', () => {
    const off = AuthState.load(undefined);
    const nobody = headerOf({});
    const attached = (): Uint8Array[] => [toBytes('x')];
    expect(off.refusePut(nobody, put('b', { lease: 1n, prev_kv: true }), attached)).toBeUndefined();
    expect(off.refuseDelete(nobody, range('b', '\0'))).toBeUndefined();
    expect(off.refuseRange(nobody, range('b', '\0'))).toBeUndefined();
    expect(off.refuseTxn(nobody, { compare: [range('b')] }, '3.6', attached)).toBeUndefined();
    for (const minor of ETCD_MINORS) expect(off.refuseRevoke(nobody, attached(), minor)).toBeUndefined();
  });

  it('an empty transaction is permitted to everyone', () => {
    expect(state.refuseTxn(headerOf({}), {}, '3.6', noKeys)).toBeUndefined();
  });
});

describe('a put', () => {
  const state = withRights([WRITE, 'w', 'x'], [READ, 'r', 's'], [BOTH, 'b']);
  const refuse = (request: Message, keys = noKeys): string | undefined =>
    state.refusePut(as(state, 'u'), request, keys);

  it('needs the right to write', () => {
    expect(refuse(put('w1'))).toBeUndefined();
    expect(refuse(put('b'))).toBeUndefined();
    expect(refuse(put('r1'))).toBe(DENIED);
    expect(refuse(put('x'))).toBe(DENIED);
    expect(refuse(put('b1'))).toBe(DENIED);
  });

  it('that wants the old value needs the right to read', () => {
    expect(refuse(put('w1', { prev_kv: true }))).toBe(DENIED);
    expect(refuse(put('b', { prev_kv: true }))).toBeUndefined();
  });

  it('with a lease needs the right to write all keys of the lease', () => {
    const keys =
      (...names: string[]) =>
      (lease: bigint) =>
        lease === 5n ? names.map(toBytes) : [];
    expect(refuse(put('w1', { lease: 5n }), keys('w2', 'b'))).toBeUndefined();
    expect(refuse(put('w1', { lease: 5n }), keys('w2', 'r'))).toBe(DENIED);
    expect(refuse(put('w1', { lease: 6n }), keys('r'))).toBeUndefined();
    expect(refuse(put('w1'), keys('r'))).toBeUndefined();
  });
});

describe('a deletion', () => {
  const state = withRights([WRITE, 'a', 'c'], [WRITE, 'c', 'e'], [READ, 'a', 'b']);
  const refuse = (request: Message): string | undefined => state.refuseDelete(as(state, 'u'), request);

  it('needs the right to write all of the range, from whatever roles', () => {
    expect(refuse(range('b', 'd'))).toBeUndefined();
    expect(refuse(range('b', 'e\0'))).toBe(DENIED);
    expect(refuse(range('b', '\0'))).toBe(DENIED);
    expect(refuse(range('d'))).toBeUndefined();
  });

  it('that wants the old values needs the right to read too', () => {
    expect(refuse(range('a', 'b', { prev_kv: true }))).toBeUndefined();
    expect(refuse(range('a', 'c', { prev_kv: true }))).toBe(DENIED);
  });
});

describe('a transaction', () => {
  const state = withRights([WRITE, 'w', 'x'], [READ, 'r', 's']);
  const refuse = (txn: Message, minor: EtcdMinor, keys = noKeys): string | undefined =>
    state.refuseTxn(as(state, 'u'), txn, minor, keys);
  const nested = (txn: Message): Message => ({ success: [{ request_txn: txn }] });

  it.each(ETCD_MINORS)('%s: compares need the right to read, operations of both branches theirs', (minor) => {
    expect(refuse({ compare: [range('r1')] }, minor)).toBeUndefined();
    expect(refuse({ compare: [range('r', 's')] }, minor)).toBeUndefined();
    expect(refuse({ compare: [range('r1'), range('w1')] }, minor)).toBe(DENIED);
    for (const branch of ['success', 'failure']) {
      expect(refuse({ [branch]: [{ request_put: put('w1') }] }, minor)).toBeUndefined();
      expect(refuse({ [branch]: [{ request_put: put('w1') }, { request_put: put('r1') }] }, minor)).toBe(DENIED);
      expect(refuse({ [branch]: [{ request_range: range('r1') }] }, minor)).toBeUndefined();
      expect(refuse({ [branch]: [{ request_range: range('w1') }] }, minor)).toBe(DENIED);
      expect(refuse({ [branch]: [{ request_delete_range: range('w1', 'w2') }] }, minor)).toBeUndefined();
      const withOld = range('w1', 'w2', { prev_kv: true });
      expect(refuse({ [branch]: [{ request_delete_range: withOld }] }, minor)).toBe(DENIED);
      expect(refuse({ [branch]: [{}] }, minor)).toBeUndefined();
    }
  });

  it('3.4 does not look into transactions inside of it, later ones do at every depth', () => {
    const denied = [
      { success: [{ request_put: put('a') }] },
      { failure: [{ request_put: put('a') }] },
      { compare: [range('a')] },
    ];
    for (const txn of denied) {
      expect(refuse(nested(txn), '3.4')).toBeUndefined();
      expect(refuse(nested(nested(txn)), '3.4')).toBeUndefined();
      for (const minor of LATER) {
        expect(refuse(nested(txn), minor)).toBe(DENIED);
        expect(refuse({ failure: [{ request_txn: nested(txn) }] }, minor)).toBe(DENIED);
      }
    }
    for (const minor of LATER) expect(refuse(nested({ success: [{ request_put: put('w1') }] }), minor)).toBeUndefined();
  });

  it('3.4 looks neither at the lease nor at the old value of its puts', () => {
    const withOld = { success: [{ request_put: put('w1', { prev_kv: true }) }] };
    const withLease = { success: [{ request_put: put('w1', { lease: 5n }) }] };
    const keys = (): Uint8Array[] => [toBytes('a')];
    expect(refuse(withOld, '3.4')).toBeUndefined();
    expect(refuse(withLease, '3.4', keys)).toBeUndefined();
    for (const minor of LATER) {
      expect(refuse(withOld, minor)).toBe(DENIED);
      expect(refuse(withLease, minor, keys)).toBe(DENIED);
    }
  });
});

describe('the revocation of a lease', () => {
  const state = withRights([WRITE, 'w', 'x']);

  it.each(ETCD_MINORS)('%s: needs the right to write its keys; without keys everyone may', (minor) => {
    expect(state.refuseRevoke(as(state, 'u'), [toBytes('w1'), toBytes('w2')], minor)).toBeUndefined();
    expect(state.refuseRevoke(as(state, 'u'), [toBytes('w1'), toBytes('a')], minor)).toBe(DENIED);
    expect(state.refuseRevoke(as(state, 'u', 1n), [toBytes('w1')], minor)).toBe(OLD);
    expect(state.refuseRevoke(headerOf({}), [toBytes('w1')], minor)).toBe(EMPTY);
    expect(state.refuseRevoke(headerOf({}), [], minor)).toBeUndefined();
  });

  it('root with an old revision is refused by 3.4 only', () => {
    expect(state.refuseRevoke(as(state, 'root', 1n), [toBytes('a')], '3.4')).toBe(OLD);
    for (const minor of LATER) expect(state.refuseRevoke(as(state, 'root', 1n), [toBytes('a')], minor)).toBeUndefined();
  });
});

describe('rights change with the requests', () => {
  const change = (state: AuthState, name: string, request: Message): void =>
    expect(state.apply(name, request, as(state, 'root'), '3.6').outcome).toBe('changed') as undefined;
  const mayWrite = (state: AuthState): boolean => state.refusePut(as(state, 'u'), put('w1'), noKeys) === undefined;

  it.each([
    ['auth_role_revoke_permission', { role: 'r0', key: toBytes('w'), range_end: toBytes('x') }],
    ['auth_user_revoke_role', { name: 'u', role: 'r0' }],
    ['auth_role_delete', { role: 'r0' }],
    ['auth_user_delete', { name: 'u' }],
  ] as const)('%s takes them', (name, request) => {
    const state = withRights([WRITE, 'w', 'x']);
    expect(mayWrite(state)).toBe(true);
    change(state, name, request);
    expect(mayWrite(state)).toBe(false);
  });

  it('a new type of the same permission, and a number that is none', () => {
    const state = withRights([WRITE, 'w', 'x']);
    const perm = { key: toBytes('w'), range_end: toBytes('x') };
    expect(mayWrite(state)).toBe(true);
    change(state, 'auth_role_grant_permission', { name: 'r0', perm });
    expect(mayWrite(state)).toBe(false);
    change(state, 'auth_role_grant_permission', { name: 'r0', perm: { ...perm, permType: BOTH } });
    expect(mayWrite(state)).toBe(true);
    change(state, 'auth_role_grant_permission', { name: 'r0', perm: { ...perm, permType: 9 } });
    expect(mayWrite(state)).toBe(false);
  });

  it('every change makes older headers old', () => {
    const state = withRights([WRITE, 'w', 'x']);
    const header = as(state, 'u');
    change(state, 'auth_role_add', { name: 'another' });
    expect(state.refusePut(header, put('w1'), noKeys)).toBe(OLD);
  });
});
