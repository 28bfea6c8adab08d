/**
 * What all members of a cluster agree on by way of the log can be changed offline only where there is nobody else, and nothing in the log
 * that was decided under the old state and is still to be applied (Node).
 */
import type { DataDir } from '../datadir/data-dir.ts';
import { TailJob } from '../datadir/replay/tail.ts';
import { DatadirError } from '../errors.ts';
import type { Phases } from './phases.ts';

/** Throws `EDIT_REFUSED` for a directory where it does not hold. `what`: what is to be changed. A db alone is nobody's yet. */
export async function assertAgreedAlone(dir: DataDir | undefined, what: string, phases: Phases): Promise<void> {
  if (dir === undefined) return;
  const { path } = dir;
  const { loneVoter, logEnd, consistentIndex } = await phases.run(new TailJob(dir));
  if (!loneVoter) {
    const remedy = "do it in the running cluster; if its quorum is lost, 'etcd-datadir recluster' comes first";
    throw new DatadirError('EDIT_REFUSED', `${path}: ${what} is agreed on by all members that vote: ${remedy}`, {
      path,
    });
  }
  if (logEnd <= consistentIndex) return;
  throw new DatadirError(
    'EDIT_REFUSED',
    `${path}: the log has entries that the db has not (${consistentIndex + 1n} to ${logEnd}), which were made before the change: start etcd once and stop it with SIGTERM, or take 'etcd-datadir recluster', which applies them`,
    { path },
  );
}
