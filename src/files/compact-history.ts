/**
 * Compaction of the history offline (Node), in a copy: of each key the newest record at or below the revision stays, and all above.
 */
import { readCluster } from '../backend/cluster.ts';
import { readMeta } from '../backend/meta.ts';
import { minorOf } from '../backend/own-minor.ts';
import { readRevisions } from '../backend/revisions.ts';
import { assertCompactable, markCompacted } from '../datadir/create/compaction.ts';
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { KeepSetJob } from '../datadir/rewrite/keep-set.ts';
import { NewRecords } from '../datadir/rewrite/new-records.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { assertAgreedAlone } from './agreed-alone.ts';
import { type EditCopyOptions, type EditedCopy, editCopy } from './edit-copy.ts';

/** How the history is compacted. */
export interface CompactHistoryOptions extends EditCopyOptions {
  /** Whose rule is followed for a deletion at the very revision: 3.4 takes it away, later releases keep it. Default: that of the data. */
  readonly etcdVersion?: EtcdMinor | undefined;
}

/** What was made. */
export interface CompactedHistory extends EditedCopy {
  /** The compacted revision. */
  readonly revision: bigint;
}

/**
 * Copies a db, a snapshot file or a data directory to `target`, compacted at `revision`. Throws `REVISION_COMPACTED` or `REVISION_FUTURE`,
 * and `EDIT_REFUSED` for a directory of whose cluster others decide too.
 */
export async function compactHistory(
  path: string,
  target: string,
  revision: bigint,
  options: CompactHistoryOptions = {},
): Promise<CompactedHistory> {
  const made = await editCopy(path, target, options, async ({ db, dir, phases }) => {
    await assertAgreedAlone(dir, 'what is compacted', phases);
    assertCompactable(readRevisions(db), revision);
    const minor = options.etcdVersion ?? minorOf(readCluster(db).version, readMeta(db));
    const keep = await phases.run(new KeepSetJob(db, new NewRecords(), revision, minor));
    const changes = new DbChanges({ keep, neededBuckets: ['meta'] });
    markCompacted(changes, revision);
    return changes;
  });
  return { ...made, revision };
}
