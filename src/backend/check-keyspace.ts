/**
 * The check of bucket `key`: one pass over all records, with the rules for each alone, for the row of revisions, for each key, and for the
 * leases that live keys name.
 */
import type { BoltDb } from '../bolt/database.ts';
import { isDatadirError } from '../errors.ts';
import type { Progress } from '../io/job.ts';
import { MAX_FAILURES } from './check-bucket.ts';
import type { BackendReporter, Cause } from './check-reporter.ts';
import { KeyspaceScan } from './keyspace-scan.ts';
import type { KeyRecord } from './record.ts';
import { KeyHistory } from './rules-history.ts';
import { LeaseReferences, type LeaseSet } from './rules-lease-references.ts';
import { checkRecord, isBump, reportUnreadable } from './rules-record.ts';
import { RevisionSequence } from './rules-sequence.ts';

/** What is known before the pass. */
export interface KeyspaceInput {
  readonly db: BoltDb;
  readonly reporter: BackendReporter;
  /** The effective compact revision and the finished one, -1 if there is none; undefined if it is not known. */
  readonly compact: number | undefined;
  readonly finished: number;
  /** Whether all records can be read: only then anything follows from one that is not there. */
  readonly whole: boolean;
  /** The leases there are; undefined if it is not known which. */
  readonly leases: LeaseSet | undefined;
  /** Why some of them may be missing, if that was found already. */
  readonly leasesCause: Cause | undefined;
  /** No more bytes of keys can be in the file. */
  readonly maxKeyBytes: number;
}

export class KeyspaceCheck {
  records = 0;
  tombstones = 0;
  bumps = 0;
  /** Why rules that need all records were not applied, if they were not. */
  notExamined: string | undefined;
  readonly #input: KeyspaceInput;
  readonly #compact: number;
  readonly #scan: KeyspaceScan;
  readonly #sequence: RevisionSequence;
  #history: KeyHistory | undefined;
  #references: LeaseReferences | undefined;
  #failures = 0;

  /** Throws like the reader if the bucket cannot be entered. */
  constructor(input: KeyspaceInput) {
    this.#input = input;
    const { db, reporter, whole, compact, finished, leases, leasesCause, maxKeyBytes } = input;
    this.#compact = compact ?? Number.POSITIVE_INFINITY;
    if (!whole) this.notExamined = 'not all records can be read';
    else if (compact === undefined) this.notExamined = 'it is not known up to which revision the db was compacted';
    const complete = this.notExamined === undefined;
    this.#sequence = new RevisionSequence(complete ? this.#compact : Number.POSITIVE_INFINITY, reporter);
    if (complete) {
      const limits = { compact: this.#compact, finished, maxKeyBytes };
      this.#history = new KeyHistory(limits, reporter);
      if (leases !== undefined) this.#references = new LeaseReferences(leases, leasesCause);
    }
    this.#scan = new KeyspaceScan(
      db,
      (record) => this.#take(record),
      {},
      (record) => this.#takeUnreadable(record),
    );
  }

  get progress(): Progress {
    return this.#scan.progress;
  }

  /** The main revision of the last record. */
  get last(): number {
    return this.#sequence.main;
  }

  /** Live keys; null if they are not known. */
  get keys(): number | null {
    return this.#history?.live ?? null;
  }

  /** Whether it was looked at if the leases of live keys are there. */
  get leasesExamined(): boolean {
    return this.#references !== undefined && !this.#references.unclear;
  }

  /** Reads some pages; true when everything has been read, and reported. */
  step(): boolean {
    try {
      if (!this.#scan.step()) return false;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      // Called again, the scan goes on behind what it could not read.
      this.#giveUpHistory('not all records can be read');
      if (this.#failures++ < MAX_FAILURES) return false;
    }
    this.#finish();
    return true;
  }

  #take(record: KeyRecord): void {
    this.records++;
    if (record.tombstone) this.tombstones++;
    else if (isBump(record, this.#compact)) this.bumps++;
    const { reporter } = this.#input;
    const alone = checkRecord(record, this.#compact, reporter);
    const place = this.#sequence.take(record, alone);
    const cause = alone ?? place;
    const history = this.#history;
    if (history === undefined) return;
    if (cause !== undefined) {
      history.suspect(record.main, cause);
      if (this.#references !== undefined) this.#references.unclear = true;
    }
    // Of what kind these are, or of which key, is not known.
    if (alone !== undefined && UNCLEAR.has(alone.code)) return;
    try {
      const id = history.take(record, cause);
      this.#references?.take(record, id);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#giveUpHistory(error.message);
    }
  }

  #takeUnreadable(record: KeyRecord): void {
    this.records++;
    const cause = reportUnreadable(record, this.#input.reporter);
    if (cause.code === 'BACKEND_RECORD_UNREADABLE') {
      if (record.tombstone) this.tombstones++;
      this.#sequence.take(record, cause);
    } else this.#sequence.interrupt(cause);
    this.#history?.suspect(this.#sequence.main, cause);
    if (this.#references !== undefined) this.#references.unclear = true;
  }

  #giveUpHistory(reason: string): void {
    this.notExamined ??= reason;
    this.#history = undefined;
    this.#references = undefined;
  }

  #finish(): void {
    const { db, reporter, finished } = this.#input;
    const history = this.#history;
    if (history === undefined) return;
    history.finish(db);
    if (history.leftovers > 0) {
      const args = { records: `${history.leftovers}`, compact: `${finished}` };
      reporter.report('BACKEND_COMPACTION_LEFTOVER', args, { bucket: ['"key"'] });
    }
    this.#references?.report(history, reporter);
  }
}

const UNCLEAR: ReadonlySet<string> = new Set([
  'BACKEND_TOMBSTONE_MARK',
  'BACKEND_REVISION_KEY',
  'BACKEND_RECORD_EMPTY',
  'BACKEND_USER_KEY_EMPTY',
]);
