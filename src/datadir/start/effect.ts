/**
 * What a finding does to a start of etcd: at which step of the start, in which releases, and with which words.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';

/**
 * The steps of a start, in order: the kind of directory; opening the db; the search for snapshots in the log; the choice of a
 * `.snap` file, and the db that goes with it; the version of the db's schema; reading the log; raft's own checks; the members;
 * what is in the db; applying entries of the log; serving clients.
 */
export const STAGES = [
  'layout',
  'open-db',
  'search',
  'snapshot',
  'schema',
  'log',
  'raft',
  'members',
  'content',
  'apply',
  'serve',
] as const;

export type Stage = (typeof STAGES)[number];

/**
 * How a start ends at a step: `goes-on` is no end, but worth knowing; `refuses` ends with an error, `panics` crashes, `hangs` runs
 * without serving, `begins-anew` makes a new member whatever is there; `unknown`: what is there is not read here.
 */
export type EffectOutcome = 'goes-on' | 'refuses' | 'panics' | 'hangs' | 'begins-anew' | 'unknown';

/** What happens at a step. */
export interface Effect {
  readonly stage: Stage;
  readonly outcome: EffectOutcome;
  /** What the server prints, or how that begins; empty where it prints nothing or its words are not known. */
  readonly words: string;
  /** Whether it happens every time, in these words; damage of pages may or may not be met. */
  readonly certain: boolean;
  /** For whom a server that came up is there. Default: for all clients, unless it hangs. */
  readonly serves?: 'reads' | 'nobody';
}

/**
 * Facts that the report tells beside its findings, each with an effect of its own: what kind of directory it is; there is no log; the db lies behind the snapshot
 * that a start begins with; it is ahead of the log; what the simulated start on the log comes to.
 */
export type FactName = 'layout' | 'no-log' | 'db-behind' | 'db-ahead' | 'log';

/** What one code of findings means for a start. */
export interface EffectRule {
  /** What it does to a start of a release; undefined: nothing. */
  effect?(finding: AnyFinding, minor: EtcdMinor, report: CheckReport): Effect | undefined;
  /** Facts that findings of this code are the reason for. */
  readonly explains?: readonly FactName[];
}

/** A finding that does not change how a start goes. */
export const NONE: EffectRule = {};

/** Whether `minor` is 3.6 or later: they go by what is in the db, where older ones go by the log and its snapshots. */
export function goesByDb(minor: EtcdMinor): boolean {
  return minor === '3.6' || minor === '3.7';
}
