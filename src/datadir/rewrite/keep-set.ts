/**
 * Which records a compaction leaves: of each key the newest one at or below its revision, unless that is a deletion.
 *
 * One pass over the records in order. They are known by their number in that order, so that what remains is a bit for each; the index of
 * keys is needed during the pass only.
 */
import { Uint32Column } from '../../backend/column.ts';
import { KeyIndex } from '../../backend/key-index.ts';
import { KeyspaceScan } from '../../backend/keyspace-scan.ts';
import type { KeyRecord } from '../../backend/record.ts';
import type { BoltDb } from '../../bolt/database.ts';
import { compareMinors, type EtcdMinor } from '../../etcd-version.ts';
import type { Job, Progress } from '../../io/job.ts';
import { parseKeyValue } from '../../proto/mvcc.ts';
import type { NewRecords } from './new-records.ts';

const CHUNK_BITS = 19;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;
/** New records that are looked at in a step. */
const STEP_RECORDS = 4096;

/** A bit for each record. Those behind the last one that the compaction concerns are all kept. */
export class KeepSet {
  readonly #chunks: Uint8Array[] = [];
  #count = 0;

  /** How many records are concerned, from the first one on. */
  get count(): number {
    return this.#count;
  }

  /** Whether the record of that number stays. */
  keeps(number: number): boolean {
    if (number >= this.#count) return true;
    return (this.#chunks[number >>> CHUNK_BITS]![(number & CHUNK_MASK) >>> 3]! & (1 << (number & 7))) !== 0;
  }

  /** Whether `length` records from that one on all stay. */
  keepsAll(from: number, length: number): boolean {
    const end = Math.min(from + length, this.#count);
    for (let number = from; number < end; number++) if (!this.keeps(number)) return false;
    return true;
  }

  /** The next record, and its number. */
  add(keep: boolean): number {
    const number = this.#count++;
    if ((number & CHUNK_MASK) === 0) this.#chunks.push(new Uint8Array(1 << (CHUNK_BITS - 3)));
    if (keep) this.#chunks[number >>> CHUNK_BITS]![(number & CHUNK_MASK) >>> 3]! |= 1 << (number & 7);
    return number;
  }

  /** A record goes that was to stay. */
  drop(number: number): void {
    this.#chunks[number >>> CHUNK_BITS]![(number & CHUNK_MASK) >>> 3]! &= ~(1 << (number & 7));
  }
}

/** Finds out what a compaction at `revision` leaves of a db and of the records that come to it. */
export class KeepSetJob implements Job<KeepSet> {
  readonly result: KeepSet = new KeepSet();
  readonly #revision: number;
  /** Releases up to 3.4.33 and 3.5.15 drop a deletion at the very revision, later ones keep it. */
  readonly #keepsDeletion: boolean;
  readonly #keys = new KeyIndex();
  /** The number of the newest record of each key. */
  readonly #newest = new Uint32Column();
  readonly #scan: KeyspaceScan | undefined;
  readonly #records: NewRecords;
  #scanned: boolean;
  #next = 0;

  constructor(db: BoltDb | undefined, records: NewRecords, revision: bigint, minor: EtcdMinor) {
    this.#revision = Number(revision);
    this.#keepsDeletion = compareMinors(minor, '3.5') >= 0;
    this.#records = records;
    // What cannot be read stays as it is, and must be counted: the numbers are those of all elements.
    const unreadable = (): unknown => this.result.add(true);
    this.#scan = db && new KeyspaceScan(db, (record) => this.#take(record), {}, unreadable);
    this.#scanned = this.#scan === undefined;
  }

  get progress(): Progress {
    return this.#scan?.progress ?? { done: this.#next, total: this.#records.length };
  }

  step(): boolean {
    if (!this.#scanned) {
      this.#scanned = this.#scan!.step();
      return false;
    }
    for (let left = STEP_RECORDS; left > 0; left--) {
      if (this.#next >= this.#records.length) return true;
      const { main, tombstone, value } = this.#records.get(this.#next++);
      if (Number(main) > this.#revision) {
        this.#next = this.#records.length;
        return true;
      }
      const { key } = parseKeyValue(value);
      this.#see(key, 0, key.length, Number(main), tombstone);
    }
    return false;
  }

  /** False ends the pass: everything that follows is newer, new records too. */
  #take({ main, tombstone, bytes, userKeyStart, userKeyEnd }: KeyRecord): boolean {
    if (main > this.#revision) {
      this.#next = this.#records.length;
      return false;
    }
    this.#see(bytes, userKeyStart, userKeyEnd, main, tombstone);
    return true;
  }

  #see(bytes: Uint8Array, start: number, end: number, main: number, tombstone: boolean): void {
    const known = this.#keys.size;
    const id = this.#keys.add(bytes, start, end);
    if (id < known) this.result.drop(this.#newest.get(id));
    this.#newest.set(id, this.result.add(!tombstone || (this.#keepsDeletion && main === this.#revision)));
  }
}
