// Who takes part in raft, change by change, as etcd lets them through.
import { expect, test } from 'vitest';
import { Configuration } from '../../src/wal/configuration.ts';

const [ADD, REMOVE, UPDATE, ADD_LEARNER] = [0, 1, 2, 3];
const START = { voters: [1n, 2n], learners: [3n] };

function after(...changes: readonly (readonly [type: number, id: bigint])[]) {
  const configuration = new Configuration(START);
  for (const [type, id] of changes) configuration.change(type, id);
  const { voters, learners, removed } = configuration;
  return { voters: [...voters], learners: [...learners], removed: [...removed] };
}

test.each<[string, readonly (readonly [number, bigint])[], Partial<ReturnType<typeof after>>]>([
  ['a voter comes', [[ADD, 4n]], { voters: [1n, 2n, 4n] }],
  ['a learner comes', [[ADD_LEARNER, 4n]], { learners: [3n, 4n] }],
  ['a learner becomes a voter', [[ADD, 3n]], { voters: [1n, 2n, 3n], learners: [] }],
  ['a voter goes', [[REMOVE, 2n]], { voters: [1n], removed: [2n] }],
  ['a learner goes', [[REMOVE, 3n]], { learners: [], removed: [3n] }],
  ['new URLs change nothing', [[UPDATE, 2n]], {}],
  ['a voter is no learner because somebody asks for it', [[ADD_LEARNER, 2n]], {}],
  [
    'whoever was removed does not come back',
    [
      [REMOVE, 2n],
      [ADD, 2n],
      [ADD_LEARNER, 2n],
    ],
    { voters: [1n], removed: [2n] },
  ],
  ['nobody is no member', [[ADD, 0n]], {}],
])('%s', (_name, changes, expected) => {
  expect(after(...changes)).toEqual({ ...START, removed: [], ...expected });
});

test('a copy goes its own way', () => {
  const configuration = new Configuration(START);
  configuration.change(REMOVE, 2n);
  const copy = configuration.clone();
  copy.change(REMOVE, 3n);
  copy.change(ADD, 2n);
  expect([...copy.removed]).toEqual([2n, 3n]);
  expect([...copy.voters]).toEqual([1n]);
  expect([...configuration.learners]).toEqual([3n]);
});

test('a lone voter decides alone, unless another set of voters has to agree', () => {
  const state = { voters: [1n], learners: [2n] };
  expect([1n, 2n, undefined].map((id) => new Configuration(state).isLoneVoter(id))).toEqual([true, false, false]);
  const joint = new Configuration({ ...state, votersOutgoing: [3n] });
  expect([joint.isLoneVoter(1n), joint.clone().isLoneVoter(1n)]).toEqual([false, false]);
  expect(new Configuration(START).isLoneVoter(1n)).toBe(false);
});
