/**
 * What a replay comes to.
 */

import type { BoltDb } from '../../bolt/database.ts';
import type { Configuration } from '../../wal/configuration.ts';
import type { ReplayParts } from './apply.ts';
import type { ReplayFinding } from './findings.ts';
import type { PlannedTail, Tail } from './tail.ts';

/** What etcd would have after a start, as long as nothing is written. */
export interface ReplayOutcome {
  readonly tail: Tail;
  readonly revision: {
    /** Of the db as it is: 1 without one. */
    readonly db: bigint;
    readonly afterReplay: bigint;
  };
  /** How many entries were applied, those that change nothing included. */
  readonly replayed: bigint;
  /** The last of them; undefined if there was none. */
  readonly last: { readonly index: bigint; readonly term: bigint } | undefined;
  /** Where etcd panics, and in which words: that entry and what follows it were not applied. */
  readonly stoppedAt: { readonly index: bigint; readonly words: string } | undefined;
  readonly findings: readonly ReplayFinding[];
  readonly parts: ReplayParts;
}

/** With what the writer needs besides. */
export interface ReplayedState extends ReplayOutcome {
  readonly tail: PlannedTail;
  /** What was read; undefined without a db. */
  readonly db: BoltDb | undefined;
  /** Who takes part now, if an entry has changed that. */
  readonly configuration: Configuration | undefined;
}
