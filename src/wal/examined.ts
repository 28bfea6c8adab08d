/**
 * What a check of a log has looked at, and what it cannot tell.
 */
import type { Level } from '../report.ts';

/** What was examined on a level. */
export function examinedText(level: Level): string[] {
  return [
    'names and order of the segments',
    level === 'sanity'
      ? 'of the last segment: every record and its CRC'
      : 'every record: frame, CRC, and the CRC chain from segment to segment',
    'indexes and terms of entries, hard states, snapshot records, metadata',
  ];
}

/** What the check knows besides the log, and how much of the log it has seen. */
export interface ExaminedContext {
  readonly level: Level;
  /** The db beside the log is known, by the index that the log must reach. */
  readonly db: boolean;
  /** The whole data directory is checked: what this log cannot tell by itself is told there. */
  readonly inDataDir: boolean;
  readonly alone: boolean;
  /** There are segments that were not read. */
  readonly segmentsLeft: boolean;
}

/** What was not examined. */
export function notExaminedText({ level, db, inDataDir, alone, segmentsLeft }: ExaminedContext): string[] {
  const list: string[] = [];
  if (!db && !inDataDir) list.push('the db beside the log: whether it has got further than the log');
  if (!inDataDir) list.push('the .snap files: whether each snapshot record has its file');
  list.push('what the requests in the entries do');
  if (alone) list.push('the other segments of the log: whether it continues them, and is the last');
  if (segmentsLeft) list.push('the segments before the last');
  if (level === 'deep' && !inDataDir) list.push('level deep: nothing more is known of a log by itself; as full');
  return list;
}
