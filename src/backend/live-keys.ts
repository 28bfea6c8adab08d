/**
 * Counts live keys as etcdutl 3.6 does: a put makes its key live, a tombstone ends it, in the order of records.
 *
 * Most of the time of a plain index goes by waiting for memory: everything else that is read meanwhile pushes it out of the caches. So
 * keys are taken in batches: what a batch will need is touched first, all of it at once, and waited for once. And each key has one
 * slot with all that is known of it: its hash, whether it is live, and where its bytes are.
 *
 * Slots are in 256 tables, each of which grows for itself: no moment is long. Memory, next to the bytes of the keys: 1 or 2 bytes for the
 * length, 10 to 20 for slots.
 */

import { halfSipHash32, randomWord } from '../checksum/half-sip-hash.ts';
import { DatadirError } from '../errors.ts';
import { KeyArena } from './key-index-arena.ts';
import type { KeyRecord } from './record.ts';

const TABLES = 256;
const FIRST_SLOTS = 16;
/** At most four of five slots are taken. */
const LOAD_NUMERATOR = 4;
const LOAD_DENOMINATOR = 5;

// A slot: the hash, whose last two bits are replaced by these, and the address of the bytes. A slot that is free is zero.
const TAKEN = 2;
const LIVE = 1;
const HASH = ~3;

/** Keys that wait, and room for their bytes. Longer keys do not wait. */
const BATCH = 64;
const LONGEST_WAITING = 512;

export interface LiveKeysOptions {
  /** More bytes of keys than this cannot be in the file, unless pages of it overlap: then `BOLT_DAMAGED` is thrown. */
  readonly maxKeyBytes?: number | undefined;
  /** Another hash, of 32 bits: for tests, which want collisions. */
  readonly hash?: ((view: DataView, start: number, length: number) => number) | undefined;
}

export class LiveKeys {
  readonly #arena = new KeyArena();
  readonly #tables: Int32Array[] = Array.from({ length: TABLES }, () => new Int32Array(2 * FIRST_SLOTS));
  /** Keys in each table. */
  readonly #filled = new Int32Array(TABLES);
  readonly #secret0 = randomWord();
  readonly #secret1 = randomWord();
  readonly #hash: LiveKeysOptions['hash'];
  readonly #maxKeyBytes: number;
  #keyBytes = 0;
  #count = 0;

  // The keys that wait: bytes one behind the other, the end of each, and its hash with the bit of a live one.
  readonly #bytes = new Uint8Array(BATCH * LONGEST_WAITING);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #ends = new Int32Array(BATCH);
  readonly #hashes = new Int32Array(BATCH);
  readonly #live = new Uint8Array(BATCH);
  #waiting = 0;
  #end = 0;
  /** Keeps the touching of memory from being optimised away. */
  #touched = 0;

  constructor(options: LiveKeysOptions = {}) {
    this.#hash = options.hash;
    this.#maxKeyBytes = options.maxKeyBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Keys that are live after the records so far. */
  get count(): number {
    this.#settle();
    return this.#count;
  }

  add({ bytes, view, userKeyStart: start, userKeyEnd: end, tombstone }: KeyRecord): void {
    const length = end - start;
    const hash = this.#hash?.(view, start, length) ?? halfSipHash32(view, start, length, this.#secret0, this.#secret1);
    const live = tombstone ? 0 : LIVE;
    if (length > LONGEST_WAITING) {
      this.#settle();
      this.#add(bytes, view, start, end, hash, live);
      return;
    }
    const waiting = this.#waiting++;
    let at = this.#end;
    let from = start;
    for (; from + 4 <= end; from += 4, at += 4) this.#view.setInt32(at, view.getInt32(from, true), true);
    for (; from < end; from++, at++) this.#bytes[at] = bytes[from]!;
    this.#ends[waiting] = at;
    this.#hashes[waiting] = hash;
    this.#live[waiting] = live;
    this.#end = at;
    if (waiting === BATCH - 1) this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    let touched = 0;
    for (let i = 0; i < waiting; i++) touched ^= this.#touchSlot(this.#hashes[i]!);
    for (let i = 0; i < waiting; i++) touched ^= this.#touchBytes(this.#hashes[i]!);
    this.#touched ^= touched;
    let start = 0;
    for (let i = 0; i < waiting; i++) {
      const end = this.#ends[i]!;
      this.#add(this.#bytes, this.#view, start, end, this.#hashes[i]!, this.#live[i]!);
      start = end;
    }
    this.#waiting = 0;
    this.#end = 0;
  }

  #touchSlot(hash: number): number {
    const table = this.#tables[hash >>> 24]!;
    return table[firstSlot(hash, table)]!;
  }

  /** Looks at the first byte of the key that is most likely the same. */
  #touchBytes(hash: number): number {
    const table = this.#tables[hash >>> 24]!;
    const mask = table.length - 1;
    const head = (hash & HASH) | TAKEN;
    for (let slot = firstSlot(hash, table); ; slot = (slot + 2) & mask) {
      const found = table[slot]! & ~LIVE;
      if (found === head) return this.#arena.touch(table[slot + 1]! >>> 0);
      if (found === 0) return 0;
    }
  }

  #add(bytes: Uint8Array, view: DataView, start: number, end: number, hash: number, live: number): void {
    const table = this.#tables[hash >>> 24]!;
    const mask = table.length - 1;
    const head = (hash & HASH) | TAKEN;
    for (let slot = firstSlot(hash, table); ; slot = (slot + 2) & mask) {
      const found = table[slot]!;
      if (found === 0) {
        table[slot] = head | live;
        table[slot + 1] = this.#keep(bytes, start, end);
        this.#count += live;
        this.#growIfFull(hash >>> 24);
        return;
      }
      if ((found & ~LIVE) !== head) continue;
      if (!this.#arena.equals(table[slot + 1]! >>> 0, view, start, end - start)) continue;
      table[slot] = head | live;
      this.#count += live - (found & LIVE);
      return;
    }
  }

  #keep(bytes: Uint8Array, start: number, end: number): number {
    this.#keyBytes += end - start;
    if (this.#keyBytes > this.#maxKeyBytes) {
      throw new DatadirError('BOLT_DAMAGED', 'the keys are longer together than the file: pages of bucket key overlap');
    }
    return this.#arena.append(bytes, start, end);
  }

  #growIfFull(number: number): void {
    const table = this.#tables[number]!;
    const filled = ++this.#filled[number]!;
    if (filled * 2 * LOAD_DENOMINATOR <= table.length * LOAD_NUMERATOR) return;
    const larger = allocateSlots(2 * table.length);
    const mask = larger.length - 1;
    for (let from = 0; from < table.length; from += 2) {
      const head = table[from]!;
      if (head === 0) continue;
      let slot = firstSlot(head, larger);
      while (larger[slot] !== 0) slot = (slot + 2) & mask;
      larger[slot] = head;
      larger[slot + 1] = table[from + 1]!;
    }
    this.#tables[number] = larger;
  }
}

/** Where a key belongs in a table; its hash, or the head of its slot. */
function firstSlot(hash: number, table: Int32Array): number {
  return (hash >>> 1) & (table.length - 2);
}

function allocateSlots(length: number): Int32Array {
  try {
    return new Int32Array(length);
  } catch (cause) {
    throw new DatadirError('UNSUPPORTED', 'the keys do not fit into memory', { cause });
  }
}
