/**
 * The version of the cluster and a downgrade during a replay.
 */
import { describe, expect, it } from 'vitest';
import type { Applied } from '../../../src/datadir/replay/applied.ts';
import { ClusterState } from '../../../src/datadir/replay/cluster-state.ts';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { openDb } from '../../support/backend-db.ts';
import { fixtureDb } from '../../support/replay-auth.ts';

const outcome = (applied: Applied): string =>
  'reason' in applied ? applied.reason : 'words' in applied ? `panics: ${applied.words}` : applied.outcome;

const written = (state: ClusterState): Record<string, string> =>
  Object.fromEntries(
    state.changes().flatMap(({ bucket, sorted }) => {
      expect(bucket).toBe('cluster');
      return sorted.map(({ key, value }) => [Buffer.from(key).toString(), Buffer.from(value ?? []).toString()]);
    }),
  );

describe('the version', () => {
  it.each(ETCD_MINORS)('%s: is written as text', (minor) => {
    const state = ClusterState.load(undefined);
    expect(state.version).toBeNull();
    expect(outcome(state.applyVersion({ ver: '3.0.0' }, minor))).toBe('changed');
    expect(outcome(state.applyVersion({ ver: `${minor}.0` }, minor))).toBe('changed');
    expect(state.version).toBe(`${minor}.0`);
    expect(written(state)).toEqual({ clusterVersion: `${minor}.0` });
  });

  it('is written without zeros in front', () => {
    const state = ClusterState.load(undefined);
    state.applyVersion({ ver: '03.06.0-rc.0' }, '3.6');
    expect(written(state)).toEqual({ clusterVersion: '3.6.0-rc.0' });
  });

  it('etcd ends at one that is none', () => {
    const state = ClusterState.load(undefined);
    expect(outcome(state.applyVersion({}, '3.6'))).toMatch(/^panics: .*dotted-tri/);
    expect(outcome(state.applyVersion({ ver: '3.6' }, '3.6'))).toBe('panics: 3.6 is not in dotted-tri format');
    expect(outcome(state.applyVersion({ ver: 'a.b.c' }, '3.6'))).toMatch(/^panics: /);
    expect(written(state)).toEqual({});
  });

  it('etcd ends at one that is newer than itself', () => {
    const state = ClusterState.load(undefined);
    expect(outcome(state.applyVersion({ ver: '3.5.0' }, '3.4'))).toBe('panics: cluster cannot be downgraded');
    const words = 'panics: invalid downgrade; server version is lower than determined cluster version';
    expect(outcome(state.applyVersion({ ver: '3.6.0' }, '3.5'))).toBe(words);
    expect(outcome(state.applyVersion({ ver: '3.8.0' }, '3.7'))).toBe(words);
    expect(outcome(state.applyVersion({ ver: '4.0.0' }, '3.7'))).toBe(words);
    expect(state.version).toBeNull();
  });

  it.each(['3.4', '3.5', '3.6'] as const)('%s: by a v2 request', (minor) => {
    const state = ClusterState.load(undefined);
    const put = { Method: 'PUT', Path: '/0/version', Val: `${minor}.0` };
    expect(outcome(state.applyV2(put, minor))).toBe('changed');
    expect(written(state)).toEqual({ clusterVersion: `${minor}.0` });
    expect(outcome(state.applyV2({ ...put, Val: 'x' }, minor))).toMatch(/^panics: /);
    for (const other of [{ Path: '/0/version/x' }, { Path: '/0/members/a/attributes' }, { Method: 'POST' }]) {
      expect(outcome(state.applyV2({ ...put, ...other }, minor))).toBe('nothing');
    }
  });

  it('of a db is known', () => {
    expect(ClusterState.load(fixtureDb('3.5.33/fresh/m1')).version).toBe('3.5.0');
  });
});

describe('a downgrade', () => {
  it('is written as JSON, and so is its end', () => {
    const state = ClusterState.load(undefined);
    expect(outcome(state.applyDowngrade({ enabled: true, ver: '3.5.0' }))).toBe('changed');
    expect(written(state)).toEqual({ downgrade: '{"target-version":"3.5.0","enabled":true}' });
    expect(outcome(state.applyDowngrade({ ver: '3.5.0' }))).toBe('changed');
    expect(written(state)).toEqual({ downgrade: '{"target-version":"","enabled":false}' });
  });

  it('3.5 goes on with a new version only if the downgrade leads to it', async () => {
    const words = 'panics: invalid downgrade; server version is not allowed to join when downgrade is enabled';
    const { db } = await openDb({ cluster: [['downgrade', '{"target-version":"3.4.0","enabled":true}']] });
    const state = ClusterState.load(db);
    expect(outcome(state.applyVersion({ ver: '3.4.0' }, '3.5'))).toBe(words);
    expect(outcome(state.applyVersion({ ver: '3.4.0' }, '3.6'))).toBe('changed');
    state.applyDowngrade({ enabled: true, ver: '3.5.0' });
    expect(outcome(state.applyVersion({ ver: '3.6.0' }, '3.5'))).toBe('changed');
    state.applyDowngrade({});
    expect(outcome(state.applyVersion({ ver: '3.5.0' }, '3.5'))).toBe('changed');
  });
});
