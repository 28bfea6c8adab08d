/**
 * How much of a directory has to be examined before etcd may start on it: decided by how the last run ended.
 */
import type { Identity } from './identity.ts';
import type { Marker, RunMarker } from './marker.ts';

/** How much is examined; what each includes is told in docs/validation.md. */
export type ValidationMode = 'sanity' | 'full' | 'deep';

/** Why this mode: a word for programs, with the sentence for people in `MODE_REASONS`. */
export type ModeReason =
  | 'asked'
  | 'no-marker'
  | 'marker-unreadable'
  | 'normal-exit'
  | 'abnormal-exit'
  | 'clean'
  | 'validation-interrupted'
  | 'not-ended'
  | 'no-ids'
  | 'other-member'
  | 'db-moved-on';

/** The sentences. */
export const MODE_REASONS: Readonly<Record<ModeReason, string>> = {
  asked: 'the mode was asked for',
  'no-marker': 'there is no marker: the first start, or the last run could not write one',
  'marker-unreadable': 'the marker cannot be read, or is of no known form',
  'normal-exit': 'the marker says that the last run ended normally',
  'abnormal-exit': 'the marker says that the last run did not end normally',
  clean: 'the marker says that the last run was closed in order, and belongs to this member and this state of its db',
  'validation-interrupted': 'a validation was begun and not finished: it is done again',
  'not-ended': 'the marker says that etcd was running: it did not end in order',
  'no-ids': 'the marker says that the last run was closed in order, but not which member and state of the db it means',
  'other-member': 'the marker is of another member or cluster',
  'db-moved-on': 'the db is not as far as it was when the run of the marker was closed',
};

/** A mode and why. */
export interface ModeChoice {
  readonly mode: 'sanity' | 'full';
  readonly reason: Exclude<ModeReason, 'asked'>;
}

/** Exit statuses of a run that ended normally: by itself, and by SIGINT and SIGTERM. */
const NORMAL_STATUSES: readonly number[] = [0, 130, 143];
/** Names of signals, as Go prints them, by which a run ends normally. */
const NORMAL_SIGNALS: readonly string[] = ['terminated', 'interrupt'];

/** Chooses by what the marker says; undefined if there is none. `identity` is read only for a marker that claims a state of the db. */
export function chooseMode(marker: Marker | undefined, identity: () => Identity): ModeChoice {
  switch (marker?.form) {
    case undefined:
      return full('no-marker');
    case 'numeric':
      return NORMAL_STATUSES.includes(marker.status) ? sanity('normal-exit') : full('abnormal-exit');
    case 'signal':
      return NORMAL_SIGNALS.includes(marker.signal) ? sanity('normal-exit') : full('abnormal-exit');
    case 'unknown':
      return full('marker-unreadable');
    case 'run':
      return chooseByRun(marker.run, identity);
  }
}

function chooseByRun(run: RunMarker, identity: () => Identity): ModeChoice {
  switch (run.state) {
    case 'validating':
      return full('validation-interrupted');
    case 'running':
    case 'stopping':
      return full('not-ended');
    case 'clean':
      break;
  }
  if (run.exit !== null && 'status' in run.exit && !NORMAL_STATUSES.includes(run.exit.status)) {
    return full('abnormal-exit');
  }
  const { clusterId, memberId, consistentIndex } = run;
  if (clusterId === null || memberId === null || consistentIndex === null) return full('no-ids');
  const found = identity();
  if (found.clusterId !== clusterId || found.memberId !== memberId) return full('other-member');
  return found.consistentIndex === consistentIndex ? sanity('clean') : full('db-moved-on');
}

const full = (reason: ModeChoice['reason']): ModeChoice => ({ mode: 'full', reason });
const sanity = (reason: ModeChoice['reason']): ModeChoice => ({ mode: 'sanity', reason });
