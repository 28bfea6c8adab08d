/**
 * What all members of a cluster agree on by way of the log can be changed offline only where there is nobody else, and nothing in the log
 * that was decided under the old state and is still to be applied (Node).
 */
import type { DataDir } from '../datadir/data-dir.ts';
import { type PlannedTail, TailJob, tailEntries } from '../datadir/replay/tail.ts';
import { DatadirError } from '../errors.ts';
import { decodeEntryPayload, type EntryPayload } from '../proto/entry-payload.ts';
import type { Steps } from '../wal/etcd/index.ts';
import type { Phases } from './phases.ts';

/** Throws `EDIT_REFUSED` for a directory where it does not hold. `what`: what is to be changed. A db alone is nobody's yet. */
export async function assertAgreedAlone(dir: DataDir | undefined, what: string, phases: Phases): Promise<void> {
  if (dir === undefined) return;
  const { path } = dir;
  const tail = await phases.run(new TailJob(dir));
  if (!tail.loneVoter) {
    const remedy = "do it in the running cluster; if its quorum is lost, 'etcd-datadir recluster' comes first";
    throw new DatadirError('EDIT_REFUSED', `${path}: ${what} is agreed on by all members that vote: ${remedy}`, {
      path,
    });
  }
  const first = await phases.runSteps(firstThatMatters(dir, tail));
  if (first === undefined) return;
  throw new DatadirError(
    'EDIT_REFUSED',
    `${path}: the log has entries that the db has not (${first} to ${tail.logEnd}), which were made before the change: start etcd once, write a key, and stop it with SIGTERM, or take 'etcd-datadir recluster', which applies them`,
    { path },
  );
}

/** Entries that are looked at in a step. */
const STEP_ENTRIES = 256;
/** Requests that servers make for themselves. */
const OF_SERVERS: ReadonlySet<string> = new Set(['cluster_version_set', 'cluster_member_attr_set']);

/** The first entry that the db has not, and that has to do with keys, leases, alarms, users or members; undefined if there is none. */
function* firstThatMatters(dir: DataDir, tail: PlannedTail): Steps<bigint | undefined> {
  let left = STEP_ENTRIES;
  for (const entry of tailEntries(dir, tail)) {
    if (entry.index >= tail.first && matters(decodeEntryPayload(entry))) return entry.index;
    if (--left > 0) continue;
    left = STEP_ENTRIES;
    yield;
  }
  return undefined;
}

/** A server of 3.4 notes how far it has got only when it writes a key: what it does by itself at a start is never noted before that. */
function matters(payload: EntryPayload): boolean {
  if (payload.kind === 'internal') return !OF_SERVERS.has(payload.requestName ?? '');
  return payload.kind !== 'noop' && payload.kind !== 'v2';
}
