/**
 * Alarms during a replay: how they are raised and disarmed, and which requests fail because of them.
 */
import { describe, expect, it } from 'vitest';
import { AlarmState } from '../../../src/datadir/replay/alarm-state.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { hex, openDb } from '../../support/backend-db.ts';
import { fixtureDb } from '../../support/replay-auth.ts';

const [GET, ACTIVATE, DEACTIVATE] = [0, 1, 2];
const [NONE, NOSPACE, CORRUPT] = [0, 1, 2];
const MEMBER = 7_234_835_788_977_491_870n;
const LATER: readonly EtcdMinor[] = ['3.5', '3.6', '3.7'];
const NO_SPACE_WORDS = 'etcdserver: no space';
const CORRUPT_WORDS = 'etcdserver: corrupt cluster';

const change = (state: AlarmState, action: number, alarm: number, memberID = MEMBER): string =>
  state.apply({ action, alarm, memberID }).outcome;

function raised(...alarms: readonly number[]): AlarmState {
  const state = AlarmState.load(undefined);
  for (const alarm of alarms) expect(change(state, ACTIVATE, alarm)).toBe('changed');
  return state;
}

const written = (state: AlarmState): unknown =>
  state.changes().flatMap(({ bucket, sorted }) => {
    expect(bucket).toBe('alarm');
    return sorted.map(({ key, value }) => [Buffer.from(key).toString('hex'), value === null ? null : value.length]);
  });

describe('raising and disarming', () => {
  it('the message is the key, and the value is empty', () => {
    expect(written(raised(NOSPACE))).toEqual([['089e9fa5d2979ad3b3641001', 0]]);
    const state = AlarmState.load(undefined);
    expect(state.apply({ action: ACTIVATE, alarm: CORRUPT }).outcome).toBe('changed');
    expect(written(state)).toEqual([['1002', 0]]);
  });

  it('one that is there, or none, is not raised', () => {
    const state = raised(NOSPACE);
    expect(change(state, ACTIVATE, NOSPACE)).toBe('nothing');
    expect(change(state, ACTIVATE, NONE)).toBe('nothing');
    expect(change(state, ACTIVATE, NOSPACE, 5n)).toBe('changed');
    expect(written(state)).toHaveLength(2);
  });

  it('one that is not there is not disarmed', () => {
    const state = raised(NOSPACE);
    expect(change(state, DEACTIVATE, CORRUPT)).toBe('nothing');
    expect(change(state, DEACTIVATE, NOSPACE, 5n)).toBe('nothing');
    expect(change(state, DEACTIVATE, NOSPACE)).toBe('changed');
    expect(change(state, DEACTIVATE, NOSPACE)).toBe('nothing');
    expect(written(state)).toEqual([['089e9fa5d2979ad3b3641001', null]]);
  });

  it('asking changes nothing, nor does an action that does not exist', () => {
    const state = AlarmState.load(undefined);
    expect(change(state, GET, NOSPACE)).toBe('nothing');
    expect(change(state, 7, NOSPACE)).toBe('nothing');
    expect(state.apply({}).outcome).toBe('nothing');
    expect(written(state)).toEqual([]);
  });

  it('each type counts as long as any member has it', () => {
    const state = raised(NOSPACE, CORRUPT);
    change(state, ACTIVATE, NOSPACE, 5n);
    expect([state.noSpace, state.corrupt]).toEqual([true, true]);
    change(state, DEACTIVATE, NOSPACE);
    change(state, DEACTIVATE, CORRUPT);
    expect([state.noSpace, state.corrupt]).toEqual([true, false]);
    change(state, DEACTIVATE, NOSPACE, 5n);
    expect([state.noSpace, state.corrupt]).toEqual([false, false]);
  });

  it('alarms of the db count, and are disarmed', async () => {
    const { db } = await openDb({
      alarm: [
        [hex('08051001'), ''],
        [hex('ff'), ''],
      ],
    });
    const state = AlarmState.load(db);
    expect([state.noSpace, state.corrupt]).toEqual([true, false]);
    expect(written(state)).toEqual([]);
    expect(change(state, DEACTIVATE, NOSPACE, 5n)).toBe('changed');
    expect(state.noSpace).toBe(false);
    expect(written(state)).toEqual([['08051001', null]]);
  });

  it.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])('%s: the alarm that a server has stored', (version) => {
    expect(AlarmState.load(fixtureDb(`${version}/alarm/m1`)).noSpace).toBe(true);
  });
});

describe('what fails', () => {
  const put = { request_put: {} };
  const range = { request_range: {} };
  const all = ['put', 'range', 'delete_range', 'txn', 'compaction', 'lease_grant', 'lease_revoke'];
  const never = ['lease_checkpoint', 'alarm', 'auth_user_add', 'cluster_version_set', 'authenticate'];
  const refuse = (state: AlarmState, name: string, request = {}, minor: EtcdMinor = '3.6'): string | undefined =>
    state.refuse(name, request, minor);

  it('nothing without an alarm, or with one that does not exist', () => {
    for (const name of [...all, ...never]) {
      expect(refuse(raised(), name, { success: [put] })).toBeUndefined();
      expect(refuse(raised(9), name, { success: [put] })).toBeUndefined();
    }
  });

  it('without space: what makes something', () => {
    const state = raised(NOSPACE);
    for (const name of ['put', 'lease_grant']) expect(refuse(state, name)).toBe(NO_SPACE_WORDS);
    for (const name of ['range', 'delete_range', 'compaction', 'lease_revoke', ...never]) {
      expect(refuse(state, name)).toBeUndefined();
    }
  });

  it.each(ETCD_MINORS)('%s, without space: transactions with a put in either branch', (minor) => {
    const state = raised(NOSPACE);
    const txn = (request: object): string | undefined => refuse(state, 'txn', request, minor);
    expect(txn({})).toBeUndefined();
    expect(txn({ success: [range, { request_delete_range: {} }], failure: [range] })).toBeUndefined();
    expect(txn({ success: [range, put], failure: [] })).toBe(NO_SPACE_WORDS);
    expect(txn({ success: [], failure: [put] })).toBe(NO_SPACE_WORDS);
  });

  it('without space: 3.4 does not look into transactions inside of it, later ones do at every depth', () => {
    const state = raised(NOSPACE);
    const nested = { success: [range, { request_txn: { failure: [{ request_txn: { success: [put] } }] } }] };
    expect(refuse(state, 'txn', nested, '3.4')).toBeUndefined();
    expect(refuse(state, 'txn', { failure: [...nested.success, put] }, '3.4')).toBe(NO_SPACE_WORDS);
    for (const minor of LATER) expect(refuse(state, 'txn', nested, minor)).toBe(NO_SPACE_WORDS);
    for (const minor of LATER) {
      expect(refuse(state, 'txn', { success: [{ request_txn: { success: [range] } }] }, minor)).toBeUndefined();
    }
  });

  it.each(ETCD_MINORS)('%s: with corrupt data everything that touches keys and leases', (minor) => {
    for (const state of [raised(CORRUPT), raised(CORRUPT, NOSPACE)]) {
      for (const name of all) expect(refuse(state, name, {}, minor)).toBe(CORRUPT_WORDS);
      for (const name of never) expect(refuse(state, name, {}, minor)).toBeUndefined();
    }
  });
});
