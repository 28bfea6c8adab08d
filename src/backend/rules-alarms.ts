/**
 * Rules for bucket `alarm`.
 */
import type { FindingPlace } from '../finding-table.ts';
import { parseAlarm } from './alarms.ts';
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';

/** So many are kept for the end; there is one for each member and kind. */
const MAX_KEPT = 10_000;

export class AlarmRules implements BucketRules {
  readonly bucket = 'alarm';
  count = 0;
  readonly #corrupt: { readonly memberId: bigint; readonly place: FindingPlace }[] = [];
  readonly #reporter: BackendReporter;

  constructor(reporter: BackendReporter) {
    this.#reporter = reporter;
  }

  take(record: StoredRecord): void {
    this.count++;
    const alarm = parseAlarm(record.key);
    if ('problem' in alarm) {
      this.takeNone(record, alarm.problem);
      return;
    }
    const { memberId, type } = alarm;
    const place = placeOf('alarm', record);
    if (type === 'CORRUPT' && this.#corrupt.length < MAX_KEPT) this.#corrupt.push({ memberId, place });
    else this.#reporter.report('BACKEND_ALARM', { type, memberId: memberId.toString(16) }, place);
  }

  takeNone(record: StoredRecord, reason: string): void {
    this.#reporter.report('BACKEND_ALARM_UNREADABLE', { reason }, placeOf('alarm', record));
  }

  /** `own`: the id of the member whose db this is, if it is known. */
  finish(own: bigint | undefined): void {
    for (const { memberId, place } of this.#corrupt) {
      const severity = memberId === 0n || memberId === own ? 'corrupt' : 'info';
      this.#reporter.report('BACKEND_ALARM_CORRUPT', { memberId: memberId.toString(16) }, place, severity);
    }
  }
}
