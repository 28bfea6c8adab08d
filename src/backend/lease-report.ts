/**
 * Leases together with the keys that are attached to them: both of one transaction.
 */
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import { AttemptJob } from './attempt-job.ts';
import type { BackendFile } from './backend-file.ts';
import { BucketScan } from './bucket-scan.ts';
import type { UnreadableRecords } from './keyspace-scan.ts';
import { type AttachedKeys, LeaseAttachmentsJob } from './lease-attachments.ts';
import { type Lease, parseLease } from './leases.ts';
import { UnreadableList, type UnreadableValues } from './unreadable.ts';

/** A lease and its keys. */
export interface LeaseWithKeys extends Lease {
  readonly keys: AttachedKeys;
}

/** A lease that keys name and that is not there: they never expire. */
export interface MissingLease {
  readonly id: bigint;
  readonly keys: AttachedKeys;
}

/** All of them. */
export interface LeaseReport {
  /** In the order of the bucket: ascending by id. */
  readonly leases: readonly LeaseWithKeys[];
  /** In the same order. */
  readonly missing: readonly MissingLease[];
  /** Records of bucket `lease` that are none. A lease among them counts as missing. */
  readonly unreadable: UnreadableValues;
  /** Records of bucket `key` that are none: which leases they name is not known. */
  readonly unreadableRecords: Readonly<UnreadableRecords>;
}

/** The work: a pass over all keys, then the leases. Memory: as `LeaseAttachmentsJob`, and an object a lease. */
export function leaseReportJob(file: BackendFile): Job<LeaseReport> {
  return new AttemptJob([file], () => new LeaseReportWork(file));
}

const NO_KEYS: AttachedKeys = [];

class LeaseReportWork implements Job<LeaseReport> {
  readonly #file: BackendFile;
  readonly #attachments: LeaseAttachmentsJob;
  readonly #leases: LeaseWithKeys[] = [];
  readonly #unreadable = new UnreadableList();
  #scan: BucketScan | undefined;
  #ended = false;

  constructor(file: BackendFile) {
    this.#file = file;
    this.#attachments = new LeaseAttachmentsJob(file);
  }

  get progress(): Progress {
    return this.#attachments.progress;
  }

  get result(): LeaseReport {
    if (!this.#ended) throw new DatadirError('INTERNAL', 'the leases have not been read');
    const { byLease, unreadable: unreadableRecords } = this.#attachments.result;
    const known = new Set(this.#leases.map(({ id }) => id));
    const missing = [...byLease].filter(([id]) => !known.has(id)).map(([id, keys]) => ({ id, keys }));
    missing.sort((a, b) => (BigInt.asUintN(64, a.id) < BigInt.asUintN(64, b.id) ? -1 : 1));
    return { leases: this.#leases, missing, unreadable: this.#unreadable, unreadableRecords };
  }

  step(): boolean {
    if (this.#scan === undefined) {
      // Not before: the attachments may begin again, with a newer transaction.
      if (this.#attachments.step()) this.#scan = this.#beginScan();
      return false;
    }
    this.#ended = this.#scan.step();
    return this.#ended;
  }

  #beginScan(): BucketScan {
    const { byLease } = this.#attachments.result;
    const take = (key: Uint8Array, value: Uint8Array): string | undefined => {
      const lease = parseLease(key, value);
      if ('problem' in lease) return lease.problem;
      this.#leases.push({ ...lease, keys: byLease.get(lease.id) ?? NO_KEYS });
      return undefined;
    };
    return new BucketScan(this.#file.db, 'lease', take, this.#unreadable);
  }
}
