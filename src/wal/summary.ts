/**
 * What a check tells about a log besides its findings: plain data, 64-bit numbers as decimal text. Ids are there in hex too, as
 * etcd prints them.
 */
import type { EtcdMinor } from '../etcd-version.ts';
import type { Cut, StartKind, StartOutcome, StartStage } from './etcd/index.ts';

/** A snapshot by index and term. */
export interface SnapshotSummary {
  readonly index: string;
  readonly term: string;
}

/** One segment. */
export interface SegmentSummary {
  readonly name: string;
  readonly size: number;
  /** Where its records end. */
  readonly end: number;
  readonly records: number;
  readonly entries: number;
  /** Index of its first and last entry record; null without entries. */
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
  /** Whether its records could be read up to where they end as they should. */
  readonly whole: boolean;
  /** Whether a start from the newest valid snapshot reads it. */
  readonly needed: boolean;
}

/** A place where a segment cannot be read on. */
export interface DamageSummary {
  readonly segment: string;
  readonly offset: number;
  readonly kind: 'torn' | 'cut' | 'crc' | 'unparsable' | 'chain' | 'hole' | 'too-large' | 'unreadable';
  /** Whether etcd's own test takes it for a torn write. */
  readonly looksTorn: boolean;
  /** The last entry before it. */
  readonly lastIndex: string;
  readonly lastTerm: string;
  /** What was found behind it. */
  readonly behind: {
    readonly records: number;
    readonly entries: number;
    readonly firstIndex: string | null;
    readonly lastIndex: string | null;
    readonly saves: 'none' | 'one' | 'several';
    readonly offset: number | null;
    /** They continue the last good record: nothing is missing between. */
    readonly continuesDirectly: boolean;
    readonly searchedAll: boolean;
  };
}

/** What a release of etcd does with the log when it starts on it. */
export interface StartSummary {
  readonly version: EtcdMinor;
  readonly outcome: StartKind;
  /** Where it stops, if it does not start. */
  readonly stage?: StartStage;
  /** What it prints, as exact as is known; empty where it starts without a word. */
  readonly words: string;
  readonly segment?: string;
  readonly offset?: number;
  /** What it cuts off. */
  readonly cut?: Cut;
  /** The snapshot it starts from; null: from the first entry. */
  readonly snapshot: SnapshotSummary | null;
  readonly lastIndex: string;
  /** Entries behind the snapshot. */
  readonly entries: number;
}

/** The outcome of a start as plain data. */
export function startSummary({ snapshot, lastIndex, ...rest }: StartOutcome): StartSummary {
  const from = snapshot === null ? null : { index: `${snapshot.index}`, term: `${snapshot.term}` };
  return { ...rest, snapshot: from, lastIndex: `${lastIndex}` };
}

/** A log. */
export interface WalSummary {
  readonly segments: readonly SegmentSummary[];
  /** Of the surviving entries; null if there is none. */
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
  readonly lastTerm: string | null;
  /** Surviving entries, and those that were overwritten later. */
  readonly entries: number;
  readonly overwritten: number;
  /** The last hard state; null if there is none. */
  readonly commit: string | null;
  readonly term: string | null;
  readonly vote: string | null;
  readonly voteHex: string | null;
  readonly nodeId: string | null;
  readonly nodeIdHex: string | null;
  readonly clusterId: string | null;
  readonly clusterIdHex: string | null;
  readonly snapshotRecords: number;
  /** The newest snapshot at or below the commit index: where a start begins. */
  readonly snapshot: SnapshotSummary | null;
  readonly damage: readonly DamageSummary[];
  /** What each release of etcd does with this log. */
  readonly etcd: readonly StartSummary[];
}
