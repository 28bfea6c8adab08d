/**
 * A compaction of the history that is made offline: what `etcdctl compact` does, and what the server then takes away.
 */
import { META } from '../../backend/format.ts';
import { encodeRevision } from '../../backend/revision.ts';
import type { Revisions } from '../../backend/revisions.ts';
import { DatadirError } from '../../errors.ts';
import type { DbChanges } from '../rewrite/db-changes.ts';

/** Throws etcd's errors for a revision that cannot be compacted at. */
export function assertCompactable({ current, compact }: Revisions, revision: bigint): void {
  if (revision > current) {
    throw new DatadirError('REVISION_FUTURE', 'etcdserver: mvcc: required revision is a future revision', {
      expected: `at most ${current}`,
      actual: `${revision}`,
    });
  }
  if (revision <= compact) {
    throw new DatadirError('REVISION_COMPACTED', 'etcdserver: mvcc: required revision has been compacted', {
      expected: `above ${compact}`,
      actual: `${revision}`,
    });
  }
}

/** Adds to the changes of a db that is written without the records that go. */
export function markCompacted(changes: DbChanges, revision: bigint): void {
  const encoder = new TextEncoder();
  const value = encodeRevision({ main: revision, sub: 0n });
  for (const key of [META.scheduledCompact, META.finishedCompact])
    changes.bucket('meta').put(encoder.encode(key), value);
}
