/**
 * Alarms taken back offline (Node), in a copy.
 */
import { type Alarm, parseAlarm } from '../backend/alarms.ts';
import { scanBucket } from '../backend/bucket-scan.ts';
import { UnreadableList } from '../backend/unreadable.ts';
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { assertAgreedAlone } from './agreed-alone.ts';
import { type EditCopyOptions, type EditedCopy, editCopy } from './edit-copy.ts';

/** Which alarms; default: all. */
export interface DisarmOptions extends EditCopyOptions {
  readonly type?: 'NOSPACE' | 'CORRUPT' | undefined;
  readonly memberId?: bigint | undefined;
}

/** What was made. */
export interface Disarmed extends EditedCopy {
  readonly disarmed: readonly Alarm[];
  /** Alarms that stay. */
  readonly left: readonly Alarm[];
}

/** Copies a db, a snapshot file or a data directory to `target`, without alarms. */
export async function disarmAlarms(path: string, target: string, options: DisarmOptions = {}): Promise<Disarmed> {
  const disarmed: Alarm[] = [];
  const left: Alarm[] = [];
  const made = await editCopy(path, target, options, async ({ db, dir, phases }) => {
    await assertAgreedAlone(dir, 'what alarms there are', phases);
    const changes = new DbChanges({ neededBuckets: [] });
    const take = (key: Uint8Array): string | undefined => {
      const alarm = parseAlarm(key);
      if ('problem' in alarm) return alarm.problem;
      if (isMeant(alarm, options)) {
        disarmed.push(alarm);
        changes.bucket('alarm').delete(key);
      } else left.push(alarm);
      return undefined;
    };
    scanBucket(db, 'alarm', take, new UnreadableList());
    return changes;
  });
  return { ...made, disarmed, left };
}

function isMeant({ type, memberId }: Alarm, wanted: DisarmOptions): boolean {
  return (wanted.type ?? type) === type && (wanted.memberId ?? memberId) === memberId;
}
