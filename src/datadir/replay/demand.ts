/**
 * What has to be known of a db to apply the entries of a log to it: the keys, ranges of keys and leases that any request names.
 * The bucket of records is ordered by revision, so that one look for all of them together takes as long as one for a single key.
 */
import { KeyIndex } from '../../backend/key-index.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { EntryPayload } from '../../proto/entry-payload.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import { KeyRanges } from './keyspace-ranges.ts';
import { headerOf } from './request-header.ts';
import { isEmptyRange, requestRange } from './request-range.ts';

export class Demand {
  /** Single keys: all that can come into being are among them. */
  readonly keys: KeyIndex = new KeyIndex();
  readonly ranges: KeyRanges = new KeyRanges();
  /** Leases whose keys matter. */
  readonly leases: Set<bigint> = new Set();
  #decides = false;

  /**
   * Whether the keys of the db decide which entries make a revision. If not, what the last revision will be is known without
   * reading them.
   */
  get decides(): boolean {
    return this.#decides;
  }

  /** Adds what the request of an entry names, of a transaction in both branches and at any depth. */
  add(payload: EntryPayload, minor: EtcdMinor): void {
    if (payload.kind !== 'internal') return;
    const { put, delete_range, txn, lease_revoke } = payload.message as Partial<Record<string, DecodedMessage>>;
    // Whose put attaches a key to a lease is asked whether they may write the keys that the lease has already.
    const named = headerOf(payload.message).username !== '';
    if (put !== undefined) this.#addPut(put, named);
    if (delete_range !== undefined) this.#addRange(delete_range);
    if (txn !== undefined) this.#addTransaction(txn, named, minor);
    if (lease_revoke !== undefined) this.#addLease((lease_revoke['ID'] as bigint | undefined) ?? 0n);
  }

  #addPut(put: DecodedMessage, checksLease: boolean): void {
    const { key } = requestRange(put);
    this.keys.add(key, 0, key.length);
    if (put['ignore_value'] === true || put['ignore_lease'] === true) this.#decides = true;
    const lease = (put['lease'] as bigint | undefined) ?? 0n;
    if (checksLease && lease !== 0n) this.#addLease(lease);
  }

  /** Not deeper than messages can be decoded. */
  #addTransaction(txn: DecodedMessage, checksLeases: boolean, minor: EtcdMinor): void {
    for (const compare of listOf(txn, 'compare')) this.#addRange(compare);
    for (const branch of ['success', 'failure'] as const) {
      for (const operation of listOf(txn, branch)) {
        const { request_put, request_delete_range, request_txn } = operation as Partial<Record<string, DecodedMessage>>;
        if (request_put !== undefined) this.#addPut(request_put, checksLeases);
        if (request_delete_range !== undefined) this.#addRange(request_delete_range);
        // 3.4 does not ask for permissions inside nested transactions.
        if (request_txn !== undefined) this.#addTransaction(request_txn, checksLeases && minor !== '3.4', minor);
      }
    }
  }

  #addRange(request: DecodedMessage): void {
    const range = requestRange(request);
    const { key, end } = range;
    this.#decides = true;
    if (end === undefined) this.keys.add(key, 0, key.length);
    else if (!isEmptyRange(range)) this.ranges.add(key, end);
  }

  #addLease(id: bigint): void {
    this.#decides = true;
    this.leases.add(id);
  }
}

function listOf(message: DecodedMessage, field: string): readonly DecodedMessage[] {
  return (message[field] as readonly DecodedMessage[] | undefined) ?? [];
}
