/**
 * How one member of several gets a new directory from the others: steps as data for whoever talks to the cluster. Nothing is done here.
 */
import type { ReferenceAction } from './reference-status.ts';

/** A step, and how often it is tried. Waiting times double after each try, up to the greatest. */
export interface MemberStep {
  /**
   * `remove-member`: the member of this name leaves the cluster; one that is not there is fine. `delete-data-dir`: also if it has come
   * back meanwhile. `add-learner`: it is added as a learner; one that is there already is fine. `start`: etcd is started, with
   * `initial-cluster-state` `existing`. `promote`: it becomes a voter once it has caught up.
   */
  readonly do: 'remove-member' | 'delete-data-dir' | 'add-learner' | 'start' | 'promote';
  readonly tries?: number;
  readonly firstWaitSeconds?: number;
  readonly greatestWaitSeconds?: number;
}

/** A plan by the reference's name for it. */
export interface MemberPlan {
  readonly name: 'scale-up' | 'single-member-restoration';
  readonly steps: readonly MemberStep[];
  /** What has to be true before it is begun. */
  readonly needs: string;
}

/** What a plan is chosen by. */
export interface PlanInputs {
  readonly multiNode: boolean;
  readonly othersReachable: boolean | undefined;
  /** Whether the cluster knows this member; undefined if that is not known. */
  readonly inCluster: boolean | undefined;
  readonly action: ReferenceAction;
}

const ADD: MemberStep = { do: 'add-learner', tries: 6, firstWaitSeconds: 2, greatestWaitSeconds: 120 };

const SCALE_UP: MemberPlan = {
  name: 'scale-up',
  steps: [{ do: 'delete-data-dir' }, ADD, { do: 'start' }, { do: 'promote' }],
  needs: 'the other members answer, and do not know this one',
};

const SINGLE_MEMBER_RESTORATION: MemberPlan = {
  name: 'single-member-restoration',
  steps: [
    { do: 'remove-member', tries: 6, firstWaitSeconds: 2, greatestWaitSeconds: 120 },
    { do: 'delete-data-dir' },
    ADD,
    { do: 'start' },
    { do: 'promote' },
  ],
  needs:
    'the other members are a majority without this one: removing a member of a cluster that has lost one can cost the quorum',
};

/** The plan, or null where none is called for. */
export function planOf({ multiNode, othersReachable, inCluster, action }: PlanInputs): MemberPlan | null {
  if (!multiNode) return null;
  if (othersReachable === true && inCluster === false) return SCALE_UP;
  return action === 'single-member-restoration' ? SINGLE_MEMBER_RESTORATION : null;
}
