/**
 * Where a start would begin: the newest snapshot that the log itself shows to be usable, and the segment to read from.
 */

import type { LoggedSnapshot, LogRules } from './log-rules.ts';
import type { NamedSegment } from './segment-input.ts';

/** Where a start begins. */
export interface StartPoint {
  /** The newest snapshot record at or below the commit index. */
  readonly snapshot: LoggedSnapshot | undefined;
  /** Position of the segment that a start from it begins with: the last whose name is not above it. -1: there is none. */
  readonly segment: number;
  /**
   * The segments before this one are not needed: from it on, the log holds the record of the snapshot and a hard state.
   * 0 if all are needed.
   */
  readonly neededFrom: number;
}

/** Finds it, from all records of the log. */
export function findStart(segments: readonly NamedSegment[], rules: LogRules): StartPoint {
  const commit = rules.state?.commit ?? 0;
  let snapshot: LoggedSnapshot | undefined;
  for (const each of rules.snapshots) {
    if (each.index <= commit && (snapshot === undefined || each.index >= snapshot.index)) snapshot = each;
  }
  const index = BigInt(snapshot?.index ?? 0);
  const segment = segments.findLastIndex(({ parsed }) => parsed.index <= index);
  const isEnough = segment > 0 && (snapshot?.segment ?? -1) >= segment && (rules.state?.segment ?? -1) >= segment;
  return { snapshot, segment, neededFrom: isEnough ? segment : 0 };
}
