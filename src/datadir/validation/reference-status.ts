/**
 * The answer in the words of etcd-backup-restore: one status of its enumeration, and the action that follows from it, for programs that
 * were written for it. Both are data: nothing is ever done here.
 */
import type { Recommendation } from './recommendation.ts';

/** The names of its enumeration. `FailBelowRevisionConsistencyError` is of releases before 2026. */
export type ReferenceStatus =
  | 'DataDirectoryValid'
  | 'WrongVolumeMounted'
  | 'DataDirectoryNotExist'
  | 'DataDirectoryInvStruct'
  | 'DataDirectoryCorrupt'
  | 'BoltDBCorrupt'
  | 'DataDirectoryStatusUnknown'
  | 'DataDirStatusInvalidInMultiNode'
  | 'RevisionConsistencyError'
  | 'FailToOpenBoltDBError'
  | 'FailBelowRevisionConsistencyError';

/**
 * What follows. `start`: etcd is started. `fail`: nothing is touched, and it is asked again. `restore`: the directory is replaced from the
 * backups. `begin-anew`: etcd starts without a directory. `delete`: the directory is deleted, and etcd starts with nothing.
 * `single-member-restoration`: the member is removed from its cluster, its directory deleted, and added again as a learner.
 */
export type ReferenceAction = 'start' | 'fail' | 'restore' | 'begin-anew' | 'delete' | 'single-member-restoration';

/** What an action is decided by. */
export interface ActionInputs {
  readonly multiNode: boolean;
  /** Whether there is anything in the backup store; false also where none is configured or it cannot be listed. */
  readonly storeHasBackups: boolean;
  /** Of one of several: whether it was a member of the cluster before. */
  readonly inCluster: boolean;
}

/** A row of the table: the number of the status, its meaning, and the action for one member and for one of several. */
export interface StatusRow {
  /** Null for what today's enumeration does not have. */
  readonly number: number | null;
  readonly meaning: string;
  readonly single: (inputs: ActionInputs) => ReferenceAction;
  readonly multi: (inputs: ActionInputs) => ReferenceAction;
}

const always = (action: ReferenceAction) => (): ReferenceAction => action;

/** To the reference an empty store means an empty cluster. */
const restoreOrDelete = ({ storeHasBackups }: ActionInputs): ReferenceAction =>
  storeHasBackups ? 'restore' : 'delete';

const rejoinOrBegin = ({ inCluster }: ActionInputs): ReferenceAction =>
  inCluster ? 'single-member-restoration' : 'begin-anew';

const rejoinOrDelete = ({ inCluster }: ActionInputs): ReferenceAction =>
  inCluster ? 'single-member-restoration' : 'delete';

/** Every status with what follows from it. */
export const REFERENCE_STATUSES: Readonly<Record<ReferenceStatus, StatusRow>> = {
  DataDirectoryValid: { number: 0, meaning: 'usable', single: always('start'), multi: always('start') },
  WrongVolumeMounted: {
    number: 1,
    meaning: 'the guard file cannot be read, or names another owner',
    single: always('fail'),
    multi: always('fail'),
  },
  DataDirectoryNotExist: {
    number: 2,
    meaning: 'there is no data directory',
    single: ({ storeHasBackups }) => (storeHasBackups ? 'restore' : 'begin-anew'),
    multi: rejoinOrBegin,
  },
  DataDirectoryInvStruct: {
    number: 3,
    meaning: 'member, member/snap or member/wal is missing, or no directory',
    single: restoreOrDelete,
    multi: rejoinOrDelete,
  },
  DataDirectoryCorrupt: {
    number: 4,
    meaning: 'committed data is lost, wrong or unreadable',
    single: restoreOrDelete,
    multi: always('single-member-restoration'),
  },
  BoltDBCorrupt: {
    number: 5,
    meaning: 'the way to the newest revision in the db is broken',
    single: restoreOrDelete,
    multi: rejoinOrDelete,
  },
  DataDirectoryStatusUnknown: {
    number: 6,
    meaning: 'could not be decided',
    single: always('fail'),
    multi: always('fail'),
  },
  DataDirStatusInvalidInMultiNode: {
    number: 7,
    meaning: 'one of several members, not valid, and there are backups',
    single: always('fail'),
    multi: always('single-member-restoration'),
  },
  RevisionConsistencyError: {
    number: 8,
    meaning: 'older than the backups, also with what the log holds',
    single: restoreOrDelete,
    multi: always('single-member-restoration'),
  },
  FailToOpenBoltDBError: {
    number: 9,
    meaning: 'another program has the db open',
    single: always('fail'),
    multi: always('fail'),
  },
  FailBelowRevisionConsistencyError: {
    number: null,
    meaning: 'below the revision that was asked for, and there are no backups',
    single: always('fail'),
    multi: always('fail'),
  },
};

/** What the reference does after a status. */
export function actionOf(status: ReferenceStatus, inputs: ActionInputs): ReferenceAction {
  const row = REFERENCE_STATUSES[status];
  return inputs.multiNode ? row.multi(inputs) : row.single(inputs);
}

/** The actions that a recommendation agrees with; there `fail` takes the place of any other, such as deleting what nothing replaces. */
const AGREED: Readonly<Record<Recommendation, readonly ReferenceAction[]>> = {
  start: ['start', 'begin-anew'],
  'start-after-repair': [],
  restore: ['restore', 'single-member-restoration'],
  'single-member-restore': ['restore', 'single-member-restoration'],
  'keep-and-inspect': [],
  refuse: [],
};

/** The action, as far as the recommendation agrees with it. */
export function agreedAction(action: ReferenceAction, recommendation: Recommendation): ReferenceAction {
  return AGREED[recommendation].includes(action) ? action : 'fail';
}

/** What a status is derived from. */
export interface StatusInputs {
  readonly guardRefuses: boolean;
  readonly inUse: boolean;
  readonly missing: boolean;
  /** A folder that has to be there is not, or is none. */
  readonly invalidStructure: boolean;
  /** A folder could not be looked at. */
  readonly folderUnreadable: boolean;
  readonly belowRevision: boolean;
  /** Any other reason not to start it here: another member, another version. */
  readonly refused: boolean;
  readonly corrupt: boolean;
  /** The newest revision of the db could not be read; why. */
  readonly dbRevision: 'read' | 'broken' | 'not-there';
  readonly stale: boolean;
  readonly unknown: boolean;
}

/** The status. A reason to touch nothing comes before every reason to replace something. */
export function statusOf(inputs: StatusInputs): ReferenceStatus {
  if (inputs.guardRefuses) return 'WrongVolumeMounted';
  if (inputs.inUse) return 'FailToOpenBoltDBError';
  if (inputs.belowRevision) return 'FailBelowRevisionConsistencyError';
  if (inputs.refused) return 'DataDirectoryStatusUnknown';
  if (inputs.missing) return 'DataDirectoryNotExist';
  if (inputs.folderUnreadable) return 'DataDirectoryStatusUnknown';
  if (inputs.invalidStructure) return 'DataDirectoryInvStruct';
  if (inputs.corrupt) return inputs.dbRevision === 'broken' ? 'BoltDBCorrupt' : 'DataDirectoryCorrupt';
  if (inputs.unknown) return 'DataDirectoryStatusUnknown';
  return inputs.stale ? 'RevisionConsistencyError' : 'DataDirectoryValid';
}

/**
 * The reference's filter for one of several members, when there are backups: what its quick checks find wrong becomes one status. What only
 * its content checks find (`fromContent`) is not changed by it, nor are a wrong volume, a lock, or refusals and doubts of our own, which
 * the reference does not know.
 */
export function filterForMultiNode(
  status: ReferenceStatus,
  { fromContent, folderUnreadable }: { readonly fromContent: boolean; readonly folderUnreadable: boolean },
): ReferenceStatus {
  switch (status) {
    case 'DataDirectoryNotExist':
    case 'DataDirectoryInvStruct':
    case 'BoltDBCorrupt':
    case 'RevisionConsistencyError':
      return 'DataDirStatusInvalidInMultiNode';
    case 'DataDirectoryCorrupt':
      return fromContent ? status : 'DataDirStatusInvalidInMultiNode';
    case 'DataDirectoryStatusUnknown':
      return folderUnreadable ? 'DataDirStatusInvalidInMultiNode' : status;
    default:
      return status;
  }
}
