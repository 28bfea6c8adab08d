/**
 * What a validation is given besides the directory: the facts around it, and what is expected of it.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { ExpectedHashKv } from './hash-check.ts';
import type { ModeReason, ValidationMode } from './mode.ts';
import type { GuardState, MarkerState, ValidationStep } from './report.ts';
import type { StoreState } from './store-state.ts';

/** What is expected of the directory, and how it is judged. */
export interface ValidationExpectations {
  /** The release that is to start on it. Default: the directory's own. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** A revision that must be reached where there are no backups to compare with. Default 0. */
  readonly failBelowRevision?: bigint | undefined;
  /** The member and the cluster that it must be of. */
  readonly memberId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
  /** A hash that its keys must have. The whole db is read for it. */
  readonly expectHashKv?: ExpectedHashKv | undefined;
  /** It is one of several members. */
  readonly multiNode?: boolean | undefined;
  /** Of one of several: whether enough others can be reached that it can get everything from them. */
  readonly othersReachable?: boolean | undefined;
  /** Of one of several: whether the others know it. */
  readonly inCluster?: boolean | undefined;
  /** It may be missing, or have nothing in it: that of a new member. */
  readonly allowMissing?: boolean | undefined;
  /** Compute the revision after the log has been applied also where nothing depends on it. */
  readonly replay?: boolean | undefined;
  /** `action` is what etcd-backup-restore would do, also where it deletes what nothing can replace. */
  readonly referenceActions?: boolean | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** Name for the report. Default: the directory's own. */
  readonly path?: string | undefined;
}

/** The facts around a directory. */
export interface ValidationSituation {
  readonly mode: ValidationMode;
  readonly modeReason: ModeReason;
  readonly guard: GuardState;
  readonly marker: MarkerState;
  readonly store: StoreState;
  /** What was done before. */
  readonly steps?: readonly ValidationStep[] | undefined;
}

/** Why no more was looked at. */
export type StopReason = 'guard' | 'missing' | 'in-use';
