/**
 * Which entries a change of members becomes, and what is refused.
 */
import { describe, expect, test } from 'vitest';
import {
  additionChange,
  type Membership,
  type PlannedChange,
  reclusterChanges,
  removalChange,
  updateChange,
} from '../../../src/datadir/member-change/planned-change.ts';
import type { MemberRecord } from '../../../src/datadir/replay/member-record.ts';

const SELF = 0x10n;
const record = (id: bigint, isLearner = false): MemberRecord => ({
  id,
  name: `m${id}`,
  peerUrls: [`http://m${id}:2380`],
  clientUrls: [],
  isLearner,
});

/** Members by their ids; those of the db are the same, if nothing else is said. */
function membership(
  voters: readonly bigint[],
  learners: readonly bigint[] = [],
  more: Partial<Membership> = {},
): Membership {
  return {
    self: SELF,
    configuration: { voters: new Set(voters), learners: new Set(learners) },
    members: [...voters.map((id) => record(id)), ...learners.map((id) => record(id, true))],
    removed: new Set(),
    ...more,
  };
}

const TYPES = ['add', 'remove', 'update', 'add-learner'];
const texts = (changes: readonly PlannedChange[]): string[] =>
  changes.map(({ change: { type, nodeId, context } }) =>
    [TYPES[type as number], (nodeId as bigint).toString(16), context && Buffer.from(context).toString()]
      .filter(Boolean)
      .join(' '),
  );

describe('recluster', () => {
  test('removes all others, by ascending id, learners among them', () => {
    expect(texts(reclusterChanges(membership([0x30n, SELF, 0x20n], [0x5n])))).toEqual([
      'remove 5',
      'remove 20',
      'remove 30',
    ]);
  });

  test('has nothing to do for one that is alone', () => {
    expect(reclusterChanges(membership([SELF]))).toEqual([]);
  });

  test('lets a learner vote first: nobody else would', () => {
    expect(texts(reclusterChanges(membership([0x20n], [SELF])))).toEqual([
      'add 10 {"id":16,"peerURLs":null,"isPromote":true}',
      'remove 20',
    ]);
  });

  test('adds a member that is missing, as --force-new-cluster does', () => {
    expect(texts(reclusterChanges(membership([0x20n])))).toEqual([
      'add 10 {"id":16,"peerURLs":["http://localhost:2380"]}',
      'remove 20',
    ]);
  });

  test('does not take back one that was removed', () => {
    const gone = membership([0x20n], [], { removed: new Set([SELF]) });
    expect(() => reclusterChanges(gone)).toThrow(
      expect.objectContaining({
        code: 'EDIT_REFUSED',
        message: expect.stringContaining('restore makes a new cluster'),
      }),
    );
    // Whoever takes part was not removed, whatever a bucket says.
    expect(reclusterChanges(membership([SELF], [], { removed: new Set([SELF]) }))).toEqual([]);
  });
});

describe('add', () => {
  const URL = ['http://10.0.0.1:2380'];
  const at = { learner: true, unixSeconds: 1_700_000_000n };

  test('the id is that of etcdctl member add at the same second', () => {
    const { id, ...planned } = additionChange(membership([SELF]), URL, at);
    expect(id.toString(16)).toBe('20887cfd5ab65081');
    expect(texts([planned])).toEqual([
      `add-learner 20887cfd5ab65081 {"id":${id},"peerURLs":["http://10.0.0.1:2380"],"isLearner":true}`,
    ]);
    expect(planned.words).toBe('20887cfd5ab65081 at http://10.0.0.1:2380 is added as learner');
  });

  test('a voter has no mark of a learner', () => {
    const { id, ...planned } = additionChange(membership([SELF]), URL, { ...at, learner: false });
    expect(texts([planned])).toEqual([`add 20887cfd5ab65081 {"id":${id},"peerURLs":["http://10.0.0.1:2380"]}`]);
  });

  test('refuses URLs in use, a second learner, and an id that is there', () => {
    const refused = (of: Membership, urls = URL, options = at) => {
      const words = expect.objectContaining({ code: 'EDIT_REFUSED' });
      expect(() => additionChange(of, urls, options)).toThrow(words);
    };
    refused(membership([SELF]), ['http://a:1', 'http://m16:2380']);
    refused(membership([SELF], [0x20n]));
    refused(membership([SELF, 0x20887cfd5ab65081n]), URL, { ...at, learner: false });
    // Added and removed within the same second; what comes back never takes part.
    refused(membership([SELF], [], { removed: new Set([0x20887cfd5ab65081n]) }));
    const voter = additionChange(membership([SELF], [0x20n]), URL, { ...at, learner: false });
    expect(voter.change.type).toBe(0);
  });
});

describe('remove and update', () => {
  test('a member of the log that the db does not know can be removed', () => {
    expect(texts([removalChange(membership([SELF], [], { members: [record(SELF), record(0x20n)] }), 0x20n)])).toEqual([
      'remove 20',
    ]);
    expect(texts([removalChange(membership([SELF], [0x20n], { members: [record(SELF)] }), 0x20n)])).toEqual([
      'remove 20',
    ]);
  });

  test('one that was removed, one that never was, and oneself are refused', () => {
    const of = membership([SELF], [], { removed: new Set([0x20n]) });
    for (const [id, words] of [
      [0x20n, 'membership: ID removed: 20 was removed already'],
      [0x30n, 'membership: ID not found: there is no member 30'],
      [SELF, '10 is the member whose directory this is'],
    ] as const) {
      expect(() => removalChange(of, id)).toThrow(words);
    }
    expect(() => updateChange(of, 0x20n, ['http://a:1'])).toThrow('membership: ID removed');
    expect(() => updateChange(of, 0x30n, ['http://a:1'])).toThrow('membership: ID not found');
  });

  test('an update keeps who learns, and may keep its own URLs', () => {
    const of = membership([SELF], [0x20n]);
    expect(texts([updateChange(of, 0x20n, ['http://a:1', 'http://b:2'])])).toEqual([
      'update 20 {"id":32,"peerURLs":["http://a:1","http://b:2"],"isLearner":true}',
    ]);
    expect(texts([updateChange(of, SELF, ['http://m16:2380'])])).toEqual([
      'update 10 {"id":16,"peerURLs":["http://m16:2380"]}',
    ]);
    expect(() => updateChange(of, SELF, ['http://m32:2380'])).toThrow(
      'membership: peerURL exists: http://m32:2380 is that of 20',
    );
  });
});
