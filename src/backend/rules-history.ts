/**
 * Rules for the records of one user key: generations from a put to a tombstone, in which the version grows by one and the
 * revision of creation stays.
 *
 * At and below the compacted revision any record may be missing but the newest one of a key that was alive there: a compaction
 * may have been interrupted anywhere. Above it all records are there.
 *
 * Memory: the index of keys and 20 bytes a key.
 */

import type { BoltDb } from '../bolt/database.ts';
import type { BackendReporter, Cause } from './check-reporter.ts';
import { Float64Column, Uint32Column } from './column.ts';
import type { BackendFindingArgs } from './findings.ts';
import { KeyIndex } from './key-index.ts';
import type { KeyRecord } from './record.ts';
import { MisnamedKeys } from './rules-misnamed.ts';
import { recordArgs, recordPlace } from './rules-record.ts';

/** Versions are kept in 32 bits; of one that is higher only that is known. */
const MAX_VERSION = 0xffff_ffff;

/** Damaged records, in the order of revisions: what is odd about a key between two of its records may follow from them. */
class Suspects {
  readonly #mains: number[] = [];
  readonly #causes: Cause[] = [];

  add(main: number, cause: Cause): void {
    if (this.#mains.length >= MAX_SUSPECTS) return;
    this.#mains.push(Math.max(main, this.#mains.at(-1) ?? 0));
    this.#causes.push(cause);
  }

  /** One within the revisions given, both included. */
  within(from: number, to: number): Cause | undefined {
    let low = 0;
    let high = this.#mains.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#mains[middle]! <= to) low = middle + 1;
      else high = middle;
    }
    return low > 0 && this.#mains[low - 1]! >= from ? this.#causes[low - 1] : undefined;
  }
}

const MAX_SUSPECTS = 65_536;

export class KeyHistory {
  readonly #reporter: BackendReporter;
  /** The effective compact revision, and the finished one. */
  readonly #compact: number;
  readonly #finished: number;
  readonly #keys: KeyIndex;
  readonly #created = new Float64Column();
  readonly #last = new Float64Column();
  /** 0: deleted. A bump record has version 0 and stands for a key all the same: 1 here. */
  readonly #versions = new Uint32Column();
  readonly #suspects = new Suspects();
  readonly #misnamed: MisnamedKeys;
  /** Live keys so far. */
  live = 0;
  /** Records that the finished compaction should have removed. */
  leftovers = 0;

  constructor(
    limits: { readonly compact: number; readonly finished: number; readonly maxKeyBytes: number },
    reporter: BackendReporter,
  ) {
    const { compact, finished, maxKeyBytes } = limits;
    this.#compact = compact;
    this.#finished = finished;
    this.#keys = new KeyIndex({ maxKeyBytes });
    this.#misnamed = new MisnamedKeys(this.#keys);
    this.#reporter = reporter;
  }

  /** A record is damaged, or its place is wrong: it may be one of any key. `main` is its revision, or that of the one before. */
  suspect(main: number, cause: Cause): void {
    this.#suspects.add(main, cause);
  }

  /** The key of an id. */
  key(id: number): Uint8Array {
    return this.#keys.key(id);
  }

  /** The next record, and what is wrong with it alone. Gives the id of its key. */
  take(record: KeyRecord, cause: Cause | undefined): number {
    const keys = this.#keys;
    const known = keys.size;
    const id = keys.add(record.bytes, record.userKeyStart, record.userKeyEnd);
    const last = id === known ? -1 : this.#last.get(id);
    const version = last < 0 ? 0 : this.#versions.get(id);
    if (record.main <= this.#finished) {
      if (version !== 0) this.leftovers++;
      if (record.tombstone && record.main < this.#finished) this.leftovers++;
    }
    if (record.exact && record.valueStart !== record.end) {
      if (record.tombstone) this.#checkTombstone(record, cause, last, version);
      else this.#checkPut(record, cause, last, version, id);
    }
    if (record.tombstone) {
      if (version !== 0) this.live--;
      this.#versions.set(id, 0);
    } else {
      if (version === 0) this.live++;
      this.#versions.set(id, Math.min(Math.max(record.version, 1), MAX_VERSION));
      this.#created.set(id, record.createRevision);
    }
    this.#last.set(id, record.main);
    return id;
  }

  #checkTombstone(record: KeyRecord, cause: Cause | undefined, last: number, version: number): void {
    if (version !== 0) return;
    if (record.main === last) this.#report('BACKEND_KEY_TWICE', record, {}, cause, last);
    else if (record.main > this.#compact) this.#report('BACKEND_TOMBSTONE_WITHOUT_KEY', record, {}, cause, last);
  }

  #checkPut(record: KeyRecord, cause: Cause | undefined, last: number, version: number, id: number): void {
    const { main, createRevision } = record;
    const above = main > this.#compact;
    const begins = createRevision === main && record.version === 1;
    const says = { createRevision: `${createRevision}`, version: `${record.version}` };
    if (main === last) this.#report('BACKEND_KEY_TWICE', record, {}, cause, last);
    else if (last < 0) {
      // Of a key that was alive at the compacted revision a record was kept.
      if (above && !begins) this.#report('BACKEND_KEY_BEGINNING', record, says, cause, 0);
    } else if (version !== 0 && createRevision === this.#created.get(id)) {
      const grown = record.version - version;
      if ((grown >= 1 && grown <= (above ? 1 : main - last)) || version === MAX_VERSION) return;
      const extra = { version: says.version, previous: `${version}`, previousRevision: `${last}` };
      this.#report('BACKEND_VERSION_JUMP', record, extra, cause, last);
    } else {
      // Another generation. The tombstone before it may be gone where compaction was at work.
      const deleted = version === 0 || last <= this.#compact;
      if (deleted && (above ? begins : createRevision > last)) return;
      this.#report('BACKEND_GENERATION', record, { ...says, previousRevision: `${last}` }, cause, last);
    }
  }

  /** Looks for the key that such a record may really be of. */
  #lookForName(record: KeyRecord, cause: Cause): void {
    const { createRevision, version, tombstone } = record;
    const fits = (id: number): boolean => {
      const newest = this.#versions.get(id);
      return tombstone ? newest !== 0 : newest === version - 1 && this.#created.get(id) === createRevision;
    };
    this.#misnamed.look(record, cause, fits, (id) => this.#last.get(id));
  }

  /** All records have been seen. */
  finish(db: BoltDb): void {
    this.#misnamed.report(db, (id) => this.#last.get(id), this.#reporter);
  }

  /** Reports a record; `from` is the revision from which on damage elsewhere can be the reason. */
  #report<Code extends HistoryCode>(
    code: Code,
    record: KeyRecord,
    extra: Omit<BackendFindingArgs[Code], 'revision' | 'userKey'>,
    cause: Cause | undefined,
    from: number,
  ): void {
    const because = cause ?? this.#suspects.within(from, record.main);
    // What a record always has, and what this code has besides, are all of its arguments.
    const args = { ...recordArgs(record), ...extra } as unknown as BackendFindingArgs[Code];
    const reported = this.#reporter.report(code, args, recordPlace(record, because));
    // Its key may be the wrong one: then records of the right one look wrong too.
    if (because !== undefined) return;
    this.#suspects.add(record.main, reported);
    if (NAMELESS.has(code)) this.#lookForName(record, reported);
  }
}

/** Findings about a key that should be there, and may be so under another name. */
const NAMELESS: ReadonlySet<string> = new Set([
  'BACKEND_KEY_BEGINNING',
  'BACKEND_GENERATION',
  'BACKEND_TOMBSTONE_WITHOUT_KEY',
]);

type HistoryCode =
  | 'BACKEND_KEY_TWICE'
  | 'BACKEND_KEY_BEGINNING'
  | 'BACKEND_VERSION_JUMP'
  | 'BACKEND_GENERATION'
  | 'BACKEND_TOMBSTONE_WITHOUT_KEY';
