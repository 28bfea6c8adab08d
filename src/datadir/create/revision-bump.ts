/**
 * Raises the revision of a restored db, so that no client has seen what is written next: an empty record at the new revision, and a
 * compaction there, which the server does when it starts.
 */
import { META } from '../../backend/format.ts';
import { encodeRevision } from '../../backend/revision.ts';
import type { Revisions } from '../../backend/revisions.ts';
import { DatadirError } from '../../errors.ts';
import type { DbChanges } from '../rewrite/db-changes.ts';

/** By how much: so many, or `auto`. */
export type BumpRevision = bigint | 'auto';

/** What etcd's own documentation gives for a backup of up to a week at 1500 writes a second. */
export const AUTO_BUMP = 1_000_000_000n;

/** Revisions are signed numbers of 64 bits; beyond this there is no room for the future. */
const LIMIT = 1n << 62n;

/** What is raised, and how. */
export interface RevisionBump {
  /** How many were added to the last revision. */
  readonly by: bigint;
  /** The revision of the restored db. */
  readonly revision: bigint;
}

/**
 * Finds out what a bump comes to. `notBelow`: the highest revision that any client may have seen; `auto` goes at least so far. Throws
 * `EDIT_REFUSED` where the result would not be above everything that there was, or be too large.
 */
export function planBump(bump: BumpRevision, revisions: Revisions, notBelow = 0n): RevisionBump {
  const latest = revisions.last?.main ?? 0n;
  const beyond = notBelow - latest;
  const by = bump !== 'auto' ? bump : beyond > AUTO_BUMP ? beyond : AUTO_BUMP;
  const revision = latest + by;
  if (revision >= LIMIT) {
    throw refused(`revision ${latest} raised by ${by} is ${revision}; there must be room below 2^62 (${LIMIT})`);
  }
  const known = [revisions.current, revisions.finishedCompact ?? 0n, revisions.scheduledCompact ?? 0n];
  const highest = known.reduce((a, b) => (a > b ? a : b));
  if (revision <= highest) {
    // etcd's tool goes by the last record alone; a server would then do nothing with the compaction.
    throw refused(
      `revision ${latest}, which is that of the last record, raised by ${by} is ${revision}; it must be above ${highest}, which was reached or compacted already`,
    );
  }
  if (revision < notBelow) {
    throw refused(`revision ${latest} raised by ${by} is ${revision}, which is below ${notBelow}`);
  }
  return { by, revision };
}

/** Adds to the changes of a db. */
export function bumpRevision(changes: DbChanges, { revision }: RevisionBump): void {
  const at = { main: revision, sub: 0n };
  changes.records.add(at, false, new Uint8Array());
  changes.bucket('meta').put(new TextEncoder().encode(META.scheduledCompact), encodeRevision(at));
}

function refused(words: string): DatadirError {
  return new DatadirError('EDIT_REFUSED', words);
}
