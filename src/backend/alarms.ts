/**
 * Bucket `alarm`: alarms that were raised and not disarmed. The message is the key; there is no value.
 */
import type { BoltDb } from '../bolt/database.ts';
import { ENUMS } from '../proto/schema.ts';
import { scanBucket } from './bucket-scan.ts';
import { decodeValue } from './decode-value.ts';
import { type Problem, UnreadableList, type UnreadableValues } from './unreadable.ts';

/** An alarm. */
export interface Alarm {
  /** The member it was raised for; 0 with `CORRUPT`: nobody knows which member is at fault. */
  readonly memberId: bigint;
  /** `NOSPACE` and `CORRUPT` are those there are; a number that means nothing is given as digits. */
  readonly type: string;
}

/** The alarms. */
export interface Alarms {
  /** In the order of the bucket. */
  readonly alarms: readonly Alarm[];
  /** Records that are none; they are passed over. */
  readonly unreadable: UnreadableValues;
}

/** Reads the bucket. Never throws for a bad value. */
export function readAlarms(db: BoltDb): Alarms {
  const alarms: Alarm[] = [];
  const unreadable = new UnreadableList();
  const take = (key: Uint8Array): string | undefined => {
    const alarm = parseAlarm(key);
    if ('problem' in alarm) return alarm.problem;
    alarms.push(alarm);
    return undefined;
  };
  scanBucket(db, 'alarm', take, unreadable);
  return { alarms, unreadable };
}

/** Reads a record by its key, which is all that etcd looks at. */
export function parseAlarm(key: Uint8Array): Alarm | Problem {
  const decoded = decodeValue('etcdserverpb.AlarmMember', key);
  if ('problem' in decoded) return decoded;
  const { memberID = 0n, alarm = 0 } = decoded.message as { memberID?: bigint; alarm?: number };
  return { memberId: memberID, type: ENUMS['etcdserverpb.AlarmType']?.[alarm] ?? `${alarm}` };
}
