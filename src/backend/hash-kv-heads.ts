/**
 * The records at or below the compacted revision, as far as HashKV counts them: the newest put of each key, unless something newer
 * has come. Each is kept as its CRC and length, in a chain in the order of revisions, so that any of them can still leave it.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { combineCrc32c } from '../checksum/crc32c-combine.ts';
import { Uint32Column } from './column.ts';
import type { KeyRecord } from './record.ts';

/** What is kept of a key: four numbers, side by side, since they are asked for together. */
const NUMBERS = 4;
const CRC = 0;
/** 0 if the key has no record here. */
const LENGTH = 1;
// The chain: ids of the keys before and after, plus one; 0 at its ends.
const BEFORE = 2;
const AFTER = 3;

/** By the ids of keys in a `KeyIndex`, which need not be those of all its keys. Memory: 16 bytes a key. */
export class HeadRecords {
  readonly #numbers = new Uint32Column();
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
    const numbers = this.#numbers;
    const at = NUMBERS * id;
    numbers.set(at + CRC, crc32c(bytes, start, end));
    numbers.set(at + LENGTH, end - start);
    numbers.set(at + BEFORE, this.#last);
    numbers.set(at + AFTER, 0);
    if (this.#last === 0) this.#first = id + 1;
    else numbers.set(NUMBERS * (this.#last - 1) + AFTER, id + 1);
    this.#last = id + 1;
    this.#count++;
  }

  /** Something newer of this key has come: what it had does not count any more. */
  drop(id: number): void {
    const numbers = this.#numbers;
    const at = NUMBERS * id;
    if (numbers.get(at + LENGTH) === 0) return;
    numbers.set(at + LENGTH, 0);
    this.#count--;
    const before = numbers.get(at + BEFORE);
    const after = numbers.get(at + AFTER);
    if (before === 0) this.#first = after;
    else numbers.set(NUMBERS * (before - 1) + AFTER, after);
    if (after === 0) this.#last = before;
    else numbers.set(NUMBERS * (after - 1) + BEFORE, before);
  }

  /** Takes up to `limit` records off the front, and gives the CRC of what had the CRC `seed` followed by them. */
  take(limit: number, seed: number): number {
    const numbers = this.#numbers;
    let crc = seed;
    for (let taken = 0; taken < limit && this.#first !== 0; taken++) {
      const at = NUMBERS * (this.#first - 1);
      crc = combineCrc32c(crc, numbers.get(at + CRC), numbers.get(at + LENGTH));
      this.#first = numbers.get(at + AFTER);
      this.#count--;
    }
    return crc;
  }
}
