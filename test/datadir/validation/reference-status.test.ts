// The status enumeration of etcd-backup-restore, what it does after each, and its filter for one of several members.
import { describe, expect, test } from 'vitest';
import { planOf } from '../../../src/datadir/validation/member-plan.ts';
import {
  type ActionInputs,
  actionOf,
  agreedAction,
  filterForMultiNode,
  REFERENCE_STATUSES,
  type ReferenceStatus,
  type StatusInputs,
  statusOf,
} from '../../../src/datadir/validation/reference-status.ts';

const GOOD: StatusInputs = {
  guardRefuses: false,
  inUse: false,
  missing: false,
  invalidStructure: false,
  folderUnreadable: false,
  belowRevision: false,
  refused: false,
  corrupt: false,
  dbRevision: 'read',
  stale: false,
  unknown: false,
};

test('the numbers are those of today', () => {
  const numbers = Object.entries(REFERENCE_STATUSES).flatMap(([name, { number }]) =>
    number === null ? [] : [[number, name]],
  );
  expect(numbers).toEqual([
    [0, 'DataDirectoryValid'],
    [1, 'WrongVolumeMounted'],
    [2, 'DataDirectoryNotExist'],
    [3, 'DataDirectoryInvStruct'],
    [4, 'DataDirectoryCorrupt'],
    [5, 'BoltDBCorrupt'],
    [6, 'DataDirectoryStatusUnknown'],
    [7, 'DataDirStatusInvalidInMultiNode'],
    [8, 'RevisionConsistencyError'],
    [9, 'FailToOpenBoltDBError'],
  ]);
});

describe('the status', () => {
  test.each([
    ['DataDirectoryValid', {}],
    ['WrongVolumeMounted', { guardRefuses: true, missing: true, corrupt: true }],
    ['FailToOpenBoltDBError', { inUse: true, corrupt: true }],
    ['FailBelowRevisionConsistencyError', { belowRevision: true, missing: true }],
    ['DataDirectoryStatusUnknown', { refused: true, corrupt: true }],
    ['DataDirectoryNotExist', { missing: true, unknown: true, invalidStructure: true }],
    ['DataDirectoryStatusUnknown', { folderUnreadable: true, invalidStructure: true }],
    ['DataDirectoryInvStruct', { invalidStructure: true, corrupt: true, dbRevision: 'not-there' }],
    ['DataDirectoryCorrupt', { corrupt: true, stale: true }],
    ['DataDirectoryCorrupt', { corrupt: true, dbRevision: 'not-there' }],
    ['BoltDBCorrupt', { corrupt: true, dbRevision: 'broken' }],
    ['DataDirectoryStatusUnknown', { unknown: true, stale: true }],
    ['RevisionConsistencyError', { stale: true }],
  ] as const)('%s for %j', (status, change) => {
    expect(statusOf({ ...GOOD, ...change })).toBe(status);
  });
});

describe('what the reference does', () => {
  const single: ActionInputs = { multiNode: false, storeHasBackups: true, inCluster: false };
  const emptied: ActionInputs = { ...single, storeHasBackups: false };
  const known: ActionInputs = { ...emptied, multiNode: true, inCluster: true };
  const fresh: ActionInputs = { ...known, inCluster: false };

  test.each([
    ['DataDirectoryValid', 'start', 'start', 'start', 'start'],
    ['WrongVolumeMounted', 'fail', 'fail', 'fail', 'fail'],
    ['DataDirectoryNotExist', 'restore', 'begin-anew', 'single-member-restoration', 'begin-anew'],
    ['DataDirectoryInvStruct', 'restore', 'delete', 'single-member-restoration', 'delete'],
    ['DataDirectoryCorrupt', 'restore', 'delete', 'single-member-restoration', 'single-member-restoration'],
    ['BoltDBCorrupt', 'restore', 'delete', 'single-member-restoration', 'delete'],
    ['DataDirectoryStatusUnknown', 'fail', 'fail', 'fail', 'fail'],
    ['DataDirStatusInvalidInMultiNode', 'fail', 'fail', 'single-member-restoration', 'single-member-restoration'],
    ['RevisionConsistencyError', 'restore', 'delete', 'single-member-restoration', 'single-member-restoration'],
    ['FailToOpenBoltDBError', 'fail', 'fail', 'fail', 'fail'],
    ['FailBelowRevisionConsistencyError', 'fail', 'fail', 'fail', 'fail'],
  ] as const)('%s: %s with backups, %s without; of several %s, %s if not known', (status, ...actions) => {
    expect([single, emptied, known, fresh].map((inputs) => actionOf(status, inputs))).toEqual(actions);
  });

  test('is taken over only where the recommendation agrees', () => {
    expect(agreedAction('delete', 'keep-and-inspect')).toBe('fail');
    expect(agreedAction('start', 'start-after-repair')).toBe('fail');
    expect(agreedAction('restore', 'restore')).toBe('restore');
    expect(agreedAction('begin-anew', 'start')).toBe('begin-anew');
    expect(agreedAction('restore', 'refuse')).toBe('fail');
  });
});

describe('the filter for one of several members', () => {
  const filtered = (status: ReferenceStatus, fromContent = true, folderUnreadable = false): ReferenceStatus =>
    filterForMultiNode(status, { fromContent, folderUnreadable });

  test('what the quick checks find becomes one status', () => {
    for (const status of [
      'DataDirectoryNotExist',
      'DataDirectoryInvStruct',
      'BoltDBCorrupt',
      'RevisionConsistencyError',
    ] as const) {
      expect(filtered(status)).toBe('DataDirStatusInvalidInMultiNode');
    }
    expect(filtered('DataDirectoryCorrupt', false)).toBe('DataDirStatusInvalidInMultiNode');
    expect(filtered('DataDirectoryStatusUnknown', true, true)).toBe('DataDirStatusInvalidInMultiNode');
  });

  test('the rest stays what it is', () => {
    for (const status of [
      'DataDirectoryValid',
      'WrongVolumeMounted',
      'DataDirectoryCorrupt',
      'DataDirectoryStatusUnknown',
      'FailToOpenBoltDBError',
      'FailBelowRevisionConsistencyError',
    ] as const) {
      expect(filtered(status)).toBe(status);
    }
  });
});

describe('the plan for a member that gets its data from the others', () => {
  const inputs = {
    multiNode: true,
    othersReachable: true,
    inCluster: true,
    action: 'single-member-restoration',
  } as const;
  const steps = (plan: ReturnType<typeof planOf>) => plan?.steps.map((step) => step.do);

  test('single member restoration: leave, delete, join as a learner, start, become a voter', () => {
    const plan = planOf(inputs);
    expect(plan?.name).toBe('single-member-restoration');
    expect(steps(plan)).toEqual(['remove-member', 'delete-data-dir', 'add-learner', 'start', 'promote']);
  });

  test('scale-up: the others answer and do not know it', () => {
    const plan = planOf({ ...inputs, inCluster: false, action: 'start' });
    expect(plan?.name).toBe('scale-up');
    expect(steps(plan)).toEqual(['delete-data-dir', 'add-learner', 'start', 'promote']);
    expect(plan?.steps[1]).toEqual({ do: 'add-learner', tries: 6, firstWaitSeconds: 2, greatestWaitSeconds: 120 });
  });

  test('none where none is called for', () => {
    expect(planOf({ ...inputs, action: 'fail' })).toBeNull();
    expect(planOf({ ...inputs, multiNode: false })).toBeNull();
    expect(planOf({ ...inputs, othersReachable: undefined, inCluster: false, action: 'start' })).toBeNull();
  });
});
