/**
 * Rules for bucket `lease`: each lease is readable, stored under its own id, and granted for a time that etcd grants.
 */
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';
import { parseLease } from './leases.ts';
import { hexId, LeaseSet } from './rules-lease-references.ts';

const MAX_TTL = 9_000_000_000n;

export class LeaseRules implements BucketRules {
  readonly bucket = 'lease';
  readonly leases: LeaseSet = new LeaseSet();
  /** Whether every one could be read: else it is not known which are there. */
  readable = true;
  readonly #reporter: BackendReporter;

  constructor(reporter: BackendReporter) {
    this.#reporter = reporter;
  }

  take(record: StoredRecord): void {
    const lease = parseLease(record.key, record.value);
    if ('problem' in lease) {
      this.takeNone(record, lease.problem);
      return;
    }
    // Servers go by the id inside.
    this.leases.add(lease.id);
    const { ttl, remainingTtl } = lease;
    const id = hexId(lease.id);
    const place = placeOf('lease', record);
    if (!lease.canonical) this.#reporter.report('BACKEND_LEASE_ID', { id }, place);
    if (ttl < 1n || ttl > MAX_TTL) this.#reporter.report('BACKEND_LEASE_TTL', { id, ttl: `${ttl}` }, place);
    else if (remainingTtl !== null && (remainingTtl < 0n || remainingTtl > ttl)) {
      this.#reporter.report('BACKEND_LEASE_REMAINING', { id, ttl: `${ttl}`, remaining: `${remainingTtl}` }, place);
    }
  }

  takeNone(record: StoredRecord, reason: string): void {
    this.readable = false;
    this.#reporter.report('BACKEND_LEASE_UNREADABLE', { reason }, placeOf('lease', record));
  }
}
