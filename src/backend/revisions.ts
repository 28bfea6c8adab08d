/**
 * The current revision and what was compacted, as a server finds them when it starts.
 */
import type { BoltDb } from '../bolt/database.ts';
import { DatadirError } from '../errors.ts';
import { type BackendMeta, readMeta } from './meta.ts';
import { parseRevision, type Revision } from './revision.ts';

/** Which revisions can be read. */
export interface Revisions {
  /** The newest one: 1 in a new cluster. */
  readonly current: bigint;
  /** The last record of bucket `key`; null if there is none that can be read. */
  readonly last: Revision | null;
  /** What compaction has finished; null if none has. */
  readonly finishedCompact: bigint | null;
  /** What compaction was asked for; null if it never was. */
  readonly scheduledCompact: bigint | null;
  /** Nothing below can be read; -1 as long as nothing was compacted, as etcd says it. */
  readonly compact: bigint;
  /** A compaction was interrupted, or only asked for: a server resumes it when it starts. */
  readonly compactionPending: boolean;
}

/** Reads what is needed: bucket `meta`, and the end of bucket `key`. */
export function readRevisions(db: BoltDb, meta: BackendMeta = readMeta(db)): Revisions {
  return revisionsOf(lastRevision(db), meta);
}

/** The same from the last record and what bucket `meta` holds. */
export function revisionsOf(
  last: Revision | null,
  meta: Pick<BackendMeta, 'finishedCompact' | 'scheduledCompact'>,
): Revisions {
  const { finishedCompact, scheduledCompact } = meta;
  const finished = finishedCompact ?? -1n;
  const scheduled = scheduledCompact ?? 0n;
  const compactionPending = scheduled > finished && scheduled !== 0n;
  const compact = compactionPending ? scheduled : finished;
  let current = last !== null && last.main > 1n ? last.main : 1n;
  for (const other of [finished, scheduled]) if (other > current) current = other;
  return { current, last, finishedCompact, scheduledCompact, compact, compactionPending };
}

/** The last record that has a revision: one with a damaged key may lie behind it. */
function lastRevision(db: BoltDb): Revision | null {
  const cursor = db.bucket('key')?.cursor();
  let element = cursor?.last();
  for (let tried = 0; element !== undefined && tried < MAX_DAMAGED_KEYS; tried++) {
    const revision = element.keyLength > 18 ? { problem: 'length' } : parseRevision(element.key);
    if (!('problem' in revision)) return { main: revision.main, sub: revision.sub };
    element = cursor?.prev();
  }
  return null;
}

/** So many keys that are none are passed over in search of the last revision. */
const MAX_DAMAGED_KEYS = 10_000;

/** The revision to read at: 0 or less means the current one. Throws etcd's errors for one that cannot be read. */
export function readableRevision({ current, compact }: Revisions, wanted: bigint | undefined): bigint {
  if (wanted === undefined || wanted <= 0n) return current;
  if (wanted > current) {
    throw new DatadirError('REVISION_FUTURE', 'etcdserver: mvcc: required revision is a future revision', {
      expected: `at most ${current}`,
      actual: `${wanted}`,
    });
  }
  if (wanted < compact) {
    throw new DatadirError('REVISION_COMPACTED', 'etcdserver: mvcc: required revision has been compacted', {
      expected: `at least ${compact}`,
      actual: `${wanted}`,
    });
  }
  return wanted;
}
