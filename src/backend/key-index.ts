/**
 * An index of user keys: tells them apart by their bytes and numbers them, without an object per key. What is known of a key is kept
 * beside it in columns (`column.ts`) under its number.
 *
 * Memory, next to the bytes of the keys: 1 or 2 bytes for the length, 8 for hash and address, 5 to 10 for slots, so 20 a key at most.
 * Slots are in 256 tables, by the first byte of the hash, each of which grows for itself: no moment is long, and at none
 * is there much twice.
 */
import { compareRanges } from '../bolt/compare-keys.ts';
import { halfSipHash32, randomWord } from '../checksum/half-sip-hash.ts';
import { DatadirError } from '../errors.ts';
import { drain, type Job } from '../io/job.ts';
import { KeyArena } from './key-index-arena.ts';
import { KeySort } from './key-index-sort.ts';

/** What an index may be told when it is made. */
export interface KeyIndexOptions {
  /** More bytes of keys than this cannot be in the file, unless pages of it overlap: then the index throws `BOLT_DAMAGED`. */
  readonly maxKeyBytes?: number | undefined;
  /** Another hash, of 32 bits: for tests, which want collisions. */
  readonly hash?: ((bytes: Uint8Array, start: number, end: number) => number) | undefined;
}

const TABLES = 256;
const FIRST_SLOTS = 16;
/** At most four of five slots are taken. */
const LOAD_NUMERATOR = 4;
const LOAD_DENOMINATOR = 5;
/** Hash and address of an id: two numbers in one place, since they are asked for together. */
const ENTRY_BITS = 15;
const ENTRY_CHUNK = 1 << ENTRY_BITS;
const ENTRY_MASK = ENTRY_CHUNK - 1;
/** So that four numbers of each id can be counted with 32 bits. */
const MAX_IDS = 0x3fff_ffff;
const NOTHING = new Uint8Array(0);

export class KeyIndex {
  readonly #arena = new KeyArena();
  readonly #entries: Int32Array[] = [];
  readonly #tables: Int32Array[];
  /** Ids in each table. */
  readonly #filled = new Int32Array(TABLES);
  readonly #hash: KeyIndexOptions['hash'];
  readonly #maxKeyBytes: number;
  readonly #secret0 = randomWord();
  readonly #secret1 = randomWord();
  #size = 0;
  #keyBytes = 0;
  // Making a view takes longer than finding a key, and most keys lie in the array of the one before.
  #bytes: Uint8Array = NOTHING;
  #view: DataView = new DataView(NOTHING.buffer);

  constructor(options: KeyIndexOptions = {}) {
    this.#hash = options.hash;
    this.#maxKeyBytes = options.maxKeyBytes ?? Number.POSITIVE_INFINITY;
    this.#tables = Array.from({ length: TABLES }, () => new Int32Array(FIRST_SLOTS));
  }

  /** How many keys there are. Their ids are 0 … size - 1, in the order in which they were added. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of memory. */
  get bytesUsed(): number {
    let slots = 0;
    for (const table of this.#tables) slots += table.length;
    return this.#arena.bytesUsed + this.#entries.length * ENTRY_CHUNK * 8 + slots * 4;
  }

  /** The id of key `bytes[start, end)`; -1 if it is not there. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#probe(this.#hashOf(bytes, start, end), start, end - start);
  }

  /** The id of key `bytes[start, end)`, which is added if it is not there: `size` has grown then. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = this.#hashOf(bytes, start, end);
    const found = this.#probe(hash, start, end - start);
    if (found >= 0) return found;
    const id = this.#size;
    this.#keyBytes += end - start;
    if (this.#keyBytes > this.#maxKeyBytes) {
      throw new DatadirError('BOLT_DAMAGED', 'the keys are longer together than the file: pages of bucket key overlap');
    }
    if (id >= MAX_IDS) throw new DatadirError('UNSUPPORTED', `more than ${MAX_IDS} keys do not fit into an index`);
    const index = id & ENTRY_MASK;
    if (index === 0) this.#entries.push(allocateInts(2 * ENTRY_CHUNK));
    const entries = this.#entries[id >>> ENTRY_BITS]!;
    entries[2 * index] = hash;
    entries[2 * index + 1] = this.#arena.append(bytes, start, end);
    this.#size = id + 1;
    this.#insert(hash, id);
    return id;
  }

  /** How long the key of an id is. */
  keyLength(id: number): number {
    this.#arena.locate(this.#address(id));
    return this.#arena.length;
  }

  /** The key of an id: a copy. */
  key(id: number): Uint8Array {
    const arena = this.#arena;
    arena.locate(this.#address(id));
    const { view, start, length } = arena;
    return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + start, length).slice();
  }

  /** Negative, zero or positive as the key of `a` sorts before, with or after that of `b`. */
  compare(a: number, b: number): number {
    const arena = this.#arena;
    arena.locate(this.#address(a));
    const { view, start, length } = arena;
    arena.locate(this.#address(b));
    return compareRanges(view, start, length, arena.view, arena.start, arena.length);
  }

  /** All ids in the order of their keys. Takes about a second for a million; `sorting()` does the same in steps. */
  sortedIds(): Uint32Array {
    return drain(this.sorting());
  }

  /** A job that puts all ids in the order of their keys. Nothing may be added meanwhile. Memory: 8 bytes a key. */
  sorting(): Job<Uint32Array> {
    return new KeySort(this.#size, this.#arena, (id) => this.#address(id));
  }

  #address(id: number): number {
    return this.#entries[id >>> ENTRY_BITS]![2 * (id & ENTRY_MASK) + 1]! >>> 0;
  }

  #hashOf(bytes: Uint8Array, start: number, end: number): number {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    if (this.#hash !== undefined) return this.#hash(bytes, start, end) | 0;
    return halfSipHash32(this.#view, start, end - start, this.#secret0, this.#secret1);
  }

  /** The id of the key in `#view`, or -1. */
  #probe(hash: number, start: number, length: number): number {
    const table = this.#tables[hash >>> 24]!;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = table[slot]! - 1;
      if (id < 0) return -1;
      const entries = this.#entries[id >>> ENTRY_BITS]!;
      const index = 2 * (id & ENTRY_MASK);
      if (entries[index] !== hash) continue;
      if (this.#arena.equals(entries[index + 1]! >>> 0, this.#view, start, length)) return id;
    }
  }

  #insert(hash: number, id: number): void {
    const number = hash >>> 24;
    let table = this.#tables[number]!;
    const filled = ++this.#filled[number]!;
    if (filled * LOAD_DENOMINATOR > table.length * LOAD_NUMERATOR) {
      const larger = allocateInts(2 * table.length);
      for (const entry of table) if (entry > 0) this.#place(larger, this.#hashOfId(entry - 1), entry - 1);
      table = larger;
      this.#tables[number] = table;
    }
    this.#place(table, hash, id);
  }

  #hashOfId(id: number): number {
    return this.#entries[id >>> ENTRY_BITS]![2 * (id & ENTRY_MASK)]!;
  }

  #place(table: Int32Array, hash: number, id: number): void {
    const mask = table.length - 1;
    let slot = hash & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = id + 1;
  }
}

function allocateInts(length: number): Int32Array {
  try {
    return new Int32Array(length);
  } catch (cause) {
    throw new DatadirError('UNSUPPORTED', 'an index of the keys does not fit into memory', { cause });
  }
}
