/**
 * What the check of a log knows besides its report, for rules that compare the log with what lies beside it.
 */
import type { ConfState } from '../proto/raft.ts';
import { Configuration } from './configuration.ts';
import type { LoggedChange, LoggedSnapshot, LogRules } from './log-rules.ts';

/** What is known of the segments. */
export interface SegmentFacts {
  /** What its name says its first index is. */
  readonly index: bigint;
  /** Whether it was read, and ends as it should; a torn end of the last one does not count. */
  readonly whole: boolean;
  /** Whether it continues the one before. */
  readonly continues: boolean;
}

/** A log that was read. */
export class LogFacts {
  readonly #rules: LogRules;
  readonly #segments: readonly SegmentFacts[];
  /** The newest snapshot record at or below the commit index. */
  readonly snapshot: LoggedSnapshot | undefined;
  /** The last index that the log has: of an entry, or of the snapshot. */
  readonly lastIndex: bigint;
  /** From this index on no entry is missing; and from this segment on all are whole and continue one another. */
  readonly #unbrokenFrom: number;
  readonly #soundFrom: number;

  constructor(
    rules: LogRules,
    segments: readonly SegmentFacts[],
    snapshot: LoggedSnapshot | undefined,
    lastIndex: number,
  ) {
    this.#rules = rules;
    this.#segments = segments;
    this.snapshot = snapshot;
    this.lastIndex = BigInt(lastIndex);
    this.#unbrokenFrom = unbrokenFrom(rules);
    let sound = segments.length;
    while (sound > 0 && segments[sound - 1]!.whole && (segments[sound]?.continues ?? true)) sound--;
    this.#soundFrom = sound;
  }

  /** All snapshot records in file order; of very many, not all. */
  get snapshots(): readonly LoggedSnapshot[] {
    return this.#rules.snapshots;
  }

  /** Changes of membership, in order of index. Undefined if there were too many. */
  get changes(): readonly LoggedChange[] | undefined {
    return this.#rules.changesFull ? undefined : this.#rules.changes;
  }

  /** Number of surviving entries. */
  get entries(): number {
    return this.#rules.runs.entries;
  }

  /** Index of the last entry with a request of the v2 API, and of the last that is not one of those 3.6 takes; 0 if there is none. */
  get lastV2(): { readonly any: number; readonly other: number } {
    return { any: this.#rules.lastV2Index, other: this.#rules.lastOtherV2Index };
  }

  /** The term of the entry at an index; undefined if it is not in the log. */
  termAt(index: bigint): number | undefined {
    return this.#rules.runs.termAt(Number(index));
  }

  /** Whether every entry behind `index` is there, and every segment that a start from a snapshot there reads is whole. */
  isWholeFrom(index: bigint): boolean {
    const from = this.#segments.findLastIndex((segment) => segment.index <= index);
    if (from < this.#soundFrom || from < 0 || this.#rules.runs.full) return false;
    return Number(index) + 1 >= this.#unbrokenFrom;
  }

  /** Whether every segment that was read is whole. */
  get isWhole(): boolean {
    return this.#segments.every(({ whole, continues }) => whole && continues);
  }

  /** The configuration of raft right behind entry `index`, as far as the log tells; `known` is that of a `.snap` file. */
  configurationAt(index: bigint, known?: KnownConfiguration): Configuration | undefined {
    const { changes } = this;
    if (changes === undefined) return undefined;
    const base = this.#baseFor(index, known);
    if (base === undefined) return undefined;
    const configuration = new Configuration(base.confState);
    const [after, upTo] = [Number(base.index), Number(index)];
    for (const { index: at, type, nodeId } of changes) {
      if (at > after && at <= upTo) configuration.change(type, nodeId);
    }
    return configuration;
  }

  /** Where the changes are counted from: the newest snapshot that says who took part, or the beginning. */
  #baseFor(index: bigint, known: KnownConfiguration | undefined): KnownConfiguration | undefined {
    let base: KnownConfiguration | undefined;
    const take = (candidate: KnownConfiguration): void => {
      if (candidate.index > index || !this.isWholeFrom(candidate.index)) return;
      if (base === undefined || candidate.index > base.index) base = candidate;
    };
    for (const { index: at, confState } of this.snapshots) {
      if (confState !== undefined && confState.voters.length > 0) take({ index: BigInt(at), confState });
    }
    if (known !== undefined) take(known);
    if (base === undefined) take({ index: 0n });
    return base;
  }
}

/** The index of the first entry behind which none is missing; 0 if there are no entries. */
function unbrokenFrom({ runs: { runs } }: LogRules): number {
  let first = runs.at(-1)?.firstIndex ?? 0;
  for (let i = runs.length - 2; i >= 0; i--) {
    const { firstIndex, count } = runs[i]!;
    if (firstIndex + count < first) break;
    first = firstIndex;
  }
  return first;
}

/** Who took part at an index; nobody before the first entry. */
export interface KnownConfiguration {
  readonly index: bigint;
  readonly confState?: Pick<ConfState, 'voters' | 'learners'> | undefined;
}
