/**
 * Changes of membership during a replay: which are valid, and what they write.
 */
import { describe, expect, it } from 'vitest';
import type { Applied } from '../../../src/datadir/replay/applied.ts';
import { MembershipState } from '../../../src/datadir/replay/membership.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import type { ConfChange } from '../../../src/proto/raft.ts';
import { openDb, toBytes } from '../../support/backend-db.ts';

const [ADD, REMOVE, UPDATE, LEARNER] = [0, 1, 2, 3];
const LATER: readonly EtcdMinor[] = ['3.5', '3.6', '3.7'];
const BIG = 15_988_450_232_409_269_246n;

const urls = (...ports: readonly number[]): string => JSON.stringify(ports.map((port) => `http://h:${port}`));
const context = (id: bigint | number, ports: readonly number[], more = ''): string =>
  `{"id":${id},"peerURLs":${urls(...ports)}${more}}`;
const change = (type: number, nodeId: bigint | number, text?: string): ConfChange => ({
  id: 1n,
  type,
  nodeId: BigInt(nodeId),
  context: text === undefined ? undefined : toBytes(text),
});
const add = (id: bigint | number, ...ports: number[]): ConfChange => change(ADD, id, context(id, ports));
const addLearner = (id: number, ...ports: number[]): ConfChange =>
  change(LEARNER, id, context(id, ports, ',"isLearner":true'));
const promote = (id: number): ConfChange => change(ADD, id, `{"id":${id},"peerURLs":null,"isPromote":true}`);

const outcome = (applied: Applied): string =>
  'reason' in applied ? applied.reason : 'words' in applied ? `panics: ${applied.words}` : applied.outcome;
const apply = (state: MembershipState, conf: ConfChange, minor: EtcdMinor = '3.6'): string =>
  outcome(state.applyConfChange(conf, minor));

function changedBy(changes: readonly ConfChange[], minor: EtcdMinor = '3.6'): MembershipState {
  const state = MembershipState.load(undefined);
  for (const each of changes) expect(apply(state, each, minor)).toBe('changed');
  return state;
}

/** What is written, by bucket: key and value, null where it goes. */
function written(state: MembershipState): Record<string, Record<string, string | null>> {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
  return Object.fromEntries(
    state
      .changes()
      .map(({ bucket, sorted }) => [
        bucket,
        Object.fromEntries(sorted.map(({ key, value }) => [text(key), value && text(value)])),
      ]),
  );
}

const member = (state: MembershipState, key: string): string | null | undefined => written(state)['members']?.[key];

describe.each(ETCD_MINORS)('%s: changes', (minor) => {
  it('adding writes the record as it was given', () => {
    const state = changedBy([add(BIG, 1, 2), addLearner(5, 3)], minor);
    expect(written(state)).toEqual({
      members: {
        '5': '{"id":5,"peerURLs":["http://h:3"],"isLearner":true}',
        dde262c6a3c423fe: '{"id":15988450232409269246,"peerURLs":["http://h:1","http://h:2"]}',
      },
      members_removed: {},
    });
    expect(state.members.map(({ id }) => id)).toEqual([5n, BIG]);
  });

  it('of a bootstrap the name is there already; no URLs are null', () => {
    const state = changedBy([change(ADD, 3, '{"name":"m\\u0026m","peerURLs":null,"id":3,"clientURLs":["u"]}')], minor);
    expect(member(state, '3')).toBe('{"id":3,"peerURLs":null,"name":"m\\u0026m","clientURLs":["u"]}');
  });

  it('promoting leaves everything else', () => {
    const state = changedBy([addLearner(5, 3)], minor);
    expect(outcome(state.applyAttributes(attributes(5, 'm5', 'c'), minor))).toBe('changed');
    expect(apply(state, promote(5), minor)).toBe('changed');
    expect(member(state, '5')).toBe('{"id":5,"peerURLs":["http://h:3"],"name":"m5","clientURLs":["c"]}');
    expect(apply(state, promote(5), minor)).toBe('membership: can only promote a learner member');
    expect(apply(state, promote(6), minor)).toBe('membership: ID not found');
  });

  it('removing is for ever', () => {
    const state = changedBy([add(3, 1), add(4, 2), change(REMOVE, 3)], minor);
    expect(written(state)).toEqual({
      members: { '3': null, '4': '{"id":4,"peerURLs":["http://h:2"]}' },
      members_removed: { '3': 'removed' },
    });
    expect([...state.removed]).toEqual([3n]);
    expect(apply(state, add(3, 9), minor)).toBe('membership: ID removed');
    expect(apply(state, change(REMOVE, 3), minor)).toBe('membership: ID removed');
    expect(apply(state, change(REMOVE, 9), minor)).toBe('membership: ID not found');
  });

  it('updating replaces the URLs', () => {
    const state = changedBy([add(3, 1), add(4, 2)], minor);
    expect(outcome(state.applyAttributes(attributes(3, 'm3', 'c'), minor))).toBe('changed');
    expect(apply(state, change(UPDATE, 3, context(3, [1, 7])), minor)).toBe('changed');
    expect(member(state, '3')).toBe('{"id":3,"peerURLs":["http://h:1","http://h:7"],"name":"m3","clientURLs":["c"]}');
    expect(apply(state, change(UPDATE, 3, context(3, [2])), minor)).toBe('membership: peerURL exists');
    expect(apply(state, change(UPDATE, 9, context(9, [8])), minor)).toBe('membership: ID not found');
  });

  it('an id and a URL belong to one member', () => {
    const state = changedBy([add(3, 1), add(4, 2)], minor);
    expect(apply(state, add(3, 5), minor)).toBe('membership: ID exists');
    expect(apply(state, add(5, 9, 2), minor)).toBe('membership: peerURL exists');
    expect(Object.keys(written(state)['members'] ?? {})).toEqual(['3', '4']);
  });

  it('there is one learner at most', () => {
    const state = changedBy([add(3, 1), addLearner(4, 2)], minor);
    expect(apply(state, addLearner(5, 3), minor)).toBe('membership: too many learner members in cluster');
    expect(apply(state, add(6, 4), minor)).toBe('changed');
    expect(apply(state, promote(4), minor)).toBe('changed');
    expect(apply(state, addLearner(5, 3), minor)).toBe('changed');
  });

  it('etcd ends at contexts that are none, or of another member, and at types that do not exist', () => {
    const state = changedBy([add(3, 1)], minor);
    const panics = /^panics: /;
    expect(apply(state, change(ADD, 5), minor)).toMatch(/confChangeContext/);
    expect(apply(state, change(ADD, 5, '{"id":"5"}'), minor)).toMatch(panics);
    expect(apply(state, change(ADD, 5, context(6, [9])), minor)).toMatch(/(different|equal to) member ID/);
    expect(apply(state, change(UPDATE, 3, '['), minor)).toMatch(/member/);
    expect(apply(state, change(UPDATE, 3, context(4, [9])), minor)).toMatch(/(different|equal to) member ID/);
    expect(apply(state, change(9, 3), minor)).toMatch(/ConfChange type/);
    // What is not valid is not looked at any further.
    expect(apply(state, change(ADD, 3, context(6, [9])), minor)).toBe('membership: ID exists');
    expect(apply(state, change(UPDATE, 9), minor)).toBe('membership: ID not found');
  });
});

describe('differences', () => {
  it('3.4 makes a learner whose URLs are updated one that votes', () => {
    const changes = [addLearner(5, 3), change(UPDATE, 5, context(5, [4]))];
    expect(member(changedBy(changes, '3.4'), '5')).toBe('{"id":5,"peerURLs":["http://h:4"]}');
    for (const minor of LATER) {
      expect(member(changedBy(changes, minor), '5')).toBe('{"id":5,"peerURLs":["http://h:4"],"isLearner":true}');
    }
  });

  it('a learner that is added as a voter counts as a learner in 3.4 and 3.5 only', () => {
    for (const minor of ETCD_MINORS) {
      const state = changedBy([addLearner(4, 2)], minor);
      const second = change(ADD, 5, context(5, [3], ',"isLearner":true'));
      const isRefused = minor === '3.4' || minor === '3.5';
      expect(apply(state, second, minor)).toBe(
        isRefused ? 'membership: too many learner members in cluster' : 'changed',
      );
    }
  });
});

const attributes = (id: bigint | number, name: string, ...clientUrls: string[]): Record<string, unknown> => ({
  member_ID: BigInt(id),
  member_attributes: { name, client_urls: clientUrls },
});

describe.each(ETCD_MINORS)('%s: attributes', (minor) => {
  it('name and URLs are replaced', () => {
    const state = changedBy([addLearner(10, 1)], minor);
    expect(outcome(state.applyAttributes(attributes(10, 'm', 'c1', 'c2'), minor))).toBe('changed');
    expect(member(state, 'a')).toBe(
      '{"id":10,"peerURLs":["http://h:1"],"isLearner":true,"name":"m","clientURLs":["c1","c2"]}',
    );
    expect(outcome(state.applyAttributes({ member_ID: 10n, member_attributes: {} }, minor))).toBe('changed');
    expect(member(state, 'a')).toBe('{"id":10,"peerURLs":["http://h:1"],"isLearner":true}');
  });

  it('of a removed member they change nothing; of an unknown one etcd ends', () => {
    const state = changedBy([add(3, 1), change(REMOVE, 3)], minor);
    const before = written(state);
    expect(outcome(state.applyAttributes(attributes(3, 'm'), minor))).toBe('nothing');
    expect(written(state)).toEqual(before);
    expect(outcome(state.applyAttributes(attributes(255, 'm'), minor))).toMatch(/^panics: .*unknown.*ff/);
    expect(outcome(state.applyAttributes({ member_ID: 3n }, minor))).toMatch(/nil pointer/);
  });
});

describe.each(['3.4', '3.5', '3.6'] as const)('%s: attributes by a v2 request', (minor) => {
  const request = (path: string, value: string, more: object = {}): Record<string, unknown> => ({
    Method: 'PUT',
    Path: path,
    Val: value,
    ...more,
  });

  it('does the same', () => {
    const state = changedBy([add(10, 1)], minor);
    const set = request('/0/members/a/attributes', '{"name":"m","clientURLs":["c"]}');
    expect(outcome(state.applyV2(set, minor))).toBe('changed');
    expect(member(state, 'a')).toBe('{"id":10,"peerURLs":["http://h:1"],"name":"m","clientURLs":["c"]}');
    expect(outcome(state.applyV2(request('/0/members/b/attributes', '{}'), minor))).toMatch(/^panics: .*unknown.*b/);
    expect(outcome(state.applyV2(request('/0/members/a/attributes', '{"name":1}'), minor))).toMatch(/unmarshal/);
    expect(outcome(state.applyV2(request('/0/members/a/attributes/x', '{}'), minor))).toMatch(/^panics: .*parse/);
  });

  it('others change nothing', () => {
    const state = changedBy([add(10, 1)], minor);
    const before = written(state);
    const path = '/0/members/a/attributes';
    for (const other of [
      request('/1/a', 'x'),
      request('/0/version', '3.5.0'),
      request('/0/members/a/raftAttributes', '{"peerURLs":[]}'),
      { Method: 'QGET' },
      { Method: 'DELETE', Path: path },
      {},
    ]) {
      expect(outcome(state.applyV2(other, minor))).toBe('nothing');
    }
    expect(written(state)).toEqual(before);
  });

  it.each([
    ['PrevExist', false],
    ['PrevIndex', 4n],
    ['PrevValue', 'x'],
  ] as const)('with condition %s', (field, value) => {
    const state = changedBy([add(10, 1)], minor);
    const set = request('/0/members/a/attributes', '{"name":"m"}', { [field]: value });
    // 3.6 has no v2 store any more that it could go to.
    expect(outcome(state.applyV2(set, minor))).toBe(minor === '3.6' ? 'changed' : 'nothing');
  });
});

describe('members of a db', () => {
  it('count, in whatever form their records are', async () => {
    const { db } = await openDb({
      members: [
        ['a', '{"peerURLS":["http://h:1"],"ISLEARNER":true,"other":1}'],
        ['b', 'null'],
        ['xyz', '{}'],
      ],
      members_removed: [['c', '']],
    });
    const state = MembershipState.load(db);
    expect(state.members).toEqual([{ id: 10n, name: '', peerUrls: ['http://h:1'], clientUrls: [], isLearner: true }]);
    expect(apply(state, add(12, 5))).toBe('membership: ID removed');
    expect(apply(state, add(13, 1))).toBe('membership: peerURL exists');
    expect(apply(state, promote(10))).toBe('changed');
    expect(member(state, 'a')).toBe('{"id":10,"peerURLs":["http://h:1"]}');
  });
});
