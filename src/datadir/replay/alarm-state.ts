/**
 * Alarms during a replay: which are raised, and what they forbid.
 */
import { readAlarms } from '../../backend/alarms.ts';
import type { BoltDb } from '../../bolt/database.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { type DecodedMessage, encodeMessage } from '../../proto/messages.ts';
import { ENUMS } from '../../proto/schema.ts';
import { BucketChanges } from '../rewrite/bucket-changes.ts';
import { type Applied, CHANGED, NOTHING_CHANGED } from './applied.ts';

const ACTIVATE = 1;
const DEACTIVATE = 2;
const NO_ALARM = 0;

const NO_SPACE = 'etcdserver: no space';
const CORRUPT = 'etcdserver: corrupt cluster';

/** What fails while there is an alarm `CORRUPT`. */
const NOT_WHILE_CORRUPT: ReadonlySet<string> = new Set([
  'put',
  'range',
  'delete_range',
  'txn',
  'compaction',
  'lease_grant',
  'lease_revoke',
]);

export class AlarmState {
  /** The members for which each type of alarm is raised. */
  readonly #raised = new Map<string, Set<bigint>>();
  readonly #changes = new BucketChanges('alarm');

  /** The alarms of a db; without one, none. */
  static load(db: BoltDb | undefined): AlarmState {
    const state = new AlarmState();
    if (db === undefined) return state;
    for (const { type, memberId } of readAlarms(db).alarms) state.#membersOf(type).add(memberId);
    return state;
  }

  private constructor() {}

  /** Whether any member has raised `NOSPACE`. */
  get noSpace(): boolean {
    return this.#isRaised('NOSPACE');
  }

  /** Whether `CORRUPT` is raised for any member. */
  get corrupt(): boolean {
    return this.#isRaised('CORRUPT');
  }

  /** Why a request fails because of an alarm, in etcd's words; undefined if it does not. Comes before all other checks. */
  refuse(requestName: string, request: DecodedMessage, minor: EtcdMinor): string | undefined {
    if (this.corrupt && NOT_WHILE_CORRUPT.has(requestName)) return CORRUPT;
    if (!this.noSpace) return undefined;
    const needsSpace =
      requestName === 'put' || requestName === 'lease_grant' || (requestName === 'txn' && hasPut(request, minor));
    return needsSpace ? NO_SPACE : undefined;
  }

  /** Raises or disarms an alarm. */
  apply(request: DecodedMessage): Applied {
    const { action = 0, memberID = 0n, alarm = 0 } = request as { action?: number; memberID?: bigint; alarm?: number };
    const members = this.#membersOf(ENUMS['etcdserverpb.AlarmType']?.[alarm] ?? `${alarm}`);
    const key = encodeMessage('etcdserverpb.AlarmMember', { memberID, alarm });
    if (action === ACTIVATE && alarm !== NO_ALARM && !members.has(memberID)) {
      members.add(memberID);
      this.#changes.put(key, new Uint8Array(0));
      return CHANGED;
    }
    if (action === DEACTIVATE && members.delete(memberID)) {
      this.#changes.delete(key);
      return CHANGED;
    }
    return NOTHING_CHANGED;
  }

  changes(): BucketChanges[] {
    return [this.#changes];
  }

  #isRaised(type: string): boolean {
    return (this.#raised.get(type)?.size ?? 0) > 0;
  }

  #membersOf(type: string): Set<bigint> {
    let members = this.#raised.get(type);
    if (members === undefined) {
      members = new Set();
      this.#raised.set(type, members);
    }
    return members;
  }
}

/** Whether a branch of a transaction has a put, taken or not. 3.4 does not look into transactions inside of it. */
function hasPut(txn: DecodedMessage, minor: EtcdMinor): boolean {
  return ['success', 'failure'].some((branch) =>
    ((txn[branch] as readonly DecodedMessage[] | undefined) ?? []).some((operation) => {
      if (operation['request_put'] !== undefined) return true;
      const nested = operation['request_txn'] as DecodedMessage | undefined;
      return nested !== undefined && minor !== '3.4' && hasPut(nested, minor);
    }),
  );
}
