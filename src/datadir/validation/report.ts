/**
 * The report of a validation: that of the check, and the decision with everything it rests on. Plain data, 64-bit numbers as decimal text.
 */
import type { CheckReport } from '../../report.ts';
import type { DataDirSummary } from '../summary.ts';
import type { MemberPlan } from './member-plan.ts';
import type { ModeReason, ValidationMode } from './mode.ts';
import type { Recommendation } from './recommendation.ts';
import type { ReferenceAction, ReferenceStatus } from './reference-status.ts';
import type { StoreState } from './store-state.ts';

/** Revisions; null: could not be read, or was not needed. */
export interface ValidationRevisions {
  /** Of the last record of bucket `key`. */
  readonly db: string | null;
  readonly compactFinished: string | null;
  readonly compactScheduled: string | null;
  /** Where a server on this db would begin: the greatest of these. */
  readonly effective: string | null;
  /** After all entries of the log that etcd would apply; computed only if the db is behind what is needed, or if asked for. */
  readonly afterWalReplay: string | null;
  /** The greatest revision that the log can lead to, without computing it; null if that was not needed. */
  readonly atMost: string | null;
  /** Of the backups. */
  readonly store: string | null;
}

/** The state of raft, from log, db and snap files. */
export type ValidationRaft = Pick<
  DataDirSummary,
  | 'clusterId'
  | 'memberId'
  | 'term'
  | 'vote'
  | 'commit'
  | 'firstIndex'
  | 'lastIndex'
  | 'consistentIndex'
  | 'dbTerm'
  | 'snapshots'
>;

/** The guard file of the volume. */
export interface GuardState {
  /** `skipped`: it was not said who the owner should be. `created`: it was missing, and has been made. */
  readonly state: 'skipped' | 'equal' | 'different' | 'missing' | 'created' | 'unreadable';
  readonly path: string | null;
  readonly expected: string | null;
  /** What the file says, made printable and cut; null if it was not read. */
  readonly actual: string | null;
  readonly reason: string | null;
}

/** The marker that the mode was chosen by. */
export interface MarkerState {
  /** `none`: there is no file. `not-read`: the mode was given. */
  readonly form: 'not-read' | 'none' | 'numeric' | 'signal' | 'run' | 'unknown';
  readonly path: string | null;
  /** What it says, in a word: a status, a signal, a state. */
  readonly content: string | null;
  /** What has been written in its place, in order; empty without `updateMarker`. */
  readonly written: readonly string[];
}

/** How long a part of the validation took, and whether it found nothing that stands against a start. */
export interface ValidationStep {
  readonly name: 'mode' | 'lock' | 'guard' | 'structure' | 'content' | 'revision' | 'hashkv' | 'store' | 'decision';
  readonly elapsedMs: number;
  readonly success: boolean;
}

/** A step between two times in milliseconds, told to the microsecond. */
export function stepFrom(name: ValidationStep['name'], began: number, ended: number, success: boolean): ValidationStep {
  return { name, elapsedMs: Math.round((ended - began) * 1000) / 1000, success };
}

/** What a validation tells. */
export interface ValidationReport extends CheckReport {
  readonly mode: ValidationMode;
  readonly modeReason: ModeReason;
  readonly revision: ValidationRevisions;
  readonly raft: ValidationRaft;
  readonly recommendation: Recommendation;
  /** In the words of etcd-backup-restore. */
  readonly status: ReferenceStatus;
  readonly action: ReferenceAction;
  /** How one of several gets a new directory from the others; null where that is not called for. */
  readonly plan: MemberPlan | null;
  readonly guard: GuardState;
  readonly marker: MarkerState;
  readonly store: StoreState;
  /** In the order in which they were done. */
  readonly steps: readonly ValidationStep[];
}
