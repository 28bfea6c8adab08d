/**
 * The records at or below the compacted revision, as far as HashKV counts them: the newest put of each key, unless something newer
 * has come. Each is kept as its CRC and length, in a chain in the order of revisions, so that any of them can still leave it.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { combineCrc32c } from '../checksum/crc32c-combine.ts';
import { Uint32Column } from './column.ts';
import type { KeyRecord } from './record.ts';

/** By the ids of keys in a `KeyIndex`, which need not be those of all its keys. Memory: 16 bytes a key. */
export class HeadRecords {
  /** Of the record of each key; length 0 if it has none here. */
  readonly #crc = new Uint32Column();
  readonly #length = new Uint32Column();
  // The chain: ids of the keys before and after, plus one; 0 at its ends.
  readonly #before = new Uint32Column();
  readonly #after = new Uint32Column();
  #first = 0;
  #last = 0;
  #count = 0;

  /** How many records are left. */
  get count(): number {
    return this.#count;
  }

  /** A put: it replaces what its key had, and is the last of all. */
  put(id: number, { bytes, start, end }: KeyRecord): void {
    this.drop(id);
    this.#crc.set(id, crc32c(bytes, start, end));
    this.#length.set(id, end - start);
    this.#before.set(id, this.#last);
    this.#after.set(id, 0);
    if (this.#last === 0) this.#first = id + 1;
    else this.#after.set(this.#last - 1, id + 1);
    this.#last = id + 1;
    this.#count++;
  }

  /** Something newer of this key has come: what it had does not count any more. */
  drop(id: number): void {
    if (this.#length.get(id) === 0) return;
    this.#length.set(id, 0);
    this.#count--;
    const before = this.#before.get(id);
    const after = this.#after.get(id);
    if (before === 0) this.#first = after;
    else this.#after.set(before - 1, after);
    if (after === 0) this.#last = before;
    else this.#before.set(after - 1, before);
  }

  /** Takes up to `limit` records off the front, and gives the CRC of what had the CRC `seed` followed by them. */
  take(limit: number, seed: number): number {
    let crc = seed;
    for (let taken = 0; taken < limit && this.#first !== 0; taken++) {
      const id = this.#first - 1;
      crc = combineCrc32c(crc, this.#crc.get(id), this.#length.get(id));
      this.#first = this.#after.get(id);
      this.#count--;
    }
    return crc;
  }
}
