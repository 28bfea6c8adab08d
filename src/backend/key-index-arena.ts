/**
 * The bytes of the keys in a `KeyIndex`, one behind the other, each with its length before it. The memory grows by chunks, and what
 * is in it stays where it is.
 */
import { allocate } from '../bolt/page-loader.ts';
import { DatadirError } from '../errors.ts';

const CHUNK_BITS = 20;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;
/** Longer keys have memory of their own, so that little is lost at the end of a chunk. Two bytes are enough for the length of the others. */
const LONG = 8192;
/** Addresses are numbers of 32 bits. Those of long keys count down from the last one. */
const LAST_ADDRESS = 0xffff_ffff;

export class KeyArena {
  readonly #chunks: Uint8Array[] = [];
  readonly #views: DataView[] = [];
  readonly #long: DataView[] = [];
  #longBytes = 0;
  /** Where the next key goes: in the last chunk. */
  #at = CHUNK;

  // What `locate` found.
  view: DataView = new DataView(new ArrayBuffer(0));
  start = 0;
  length = 0;

  /** Bytes of memory. */
  get bytesUsed(): number {
    return this.#chunks.length * CHUNK + this.#longBytes;
  }

  /** Takes a copy of `bytes[start, end)`; the address is for `locate`. */
  append(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > LONG) return this.#appendLong(bytes, start, end);
    if (this.#at + 2 + length > CHUNK) this.#grow();
    const chunk = this.#chunks[this.#chunks.length - 1]!;
    const address = (this.#chunks.length - 1) * CHUNK + this.#at;
    let at = this.#at;
    if (length < 0x80) chunk[at++] = length;
    else {
      chunk[at++] = 0x80 | (length & 0x7f);
      chunk[at++] = length >>> 7;
    }
    for (let from = start; from < end; from++) chunk[at++] = bytes[from]!;
    this.#at = at;
    return address;
  }

  #appendLong(bytes: Uint8Array, start: number, end: number): number {
    this.#requireRoom();
    const copy = allocate(end - start);
    copy.set(bytes.subarray(start, end));
    this.#longBytes += copy.length;
    return LAST_ADDRESS - (this.#long.push(new DataView(copy.buffer)) - 1);
  }

  #grow(): void {
    this.#requireRoom();
    const chunk = allocate(CHUNK);
    this.#chunks.push(chunk);
    this.#views.push(new DataView(chunk.buffer));
    this.#at = 0;
  }

  /** One more chunk and one more long key must have addresses. */
  #requireRoom(): void {
    if ((this.#chunks.length + 1) * CHUNK + this.#long.length < LAST_ADDRESS) return;
    throw new DatadirError('UNSUPPORTED', 'more than 4 GiB of keys do not fit into an index');
  }

  /** Finds the key at this address: `view`, `start` and `length` say where it is until the next call. */
  locate(address: number): void {
    const fromLast = LAST_ADDRESS - address;
    if (fromLast < this.#long.length) {
      const long = this.#long[fromLast]!;
      this.view = long;
      this.start = 0;
      this.length = long.byteLength;
      return;
    }
    const view = this.#views[address >>> CHUNK_BITS]!;
    const at = address & MASK;
    const first = view.getUint8(at);
    this.view = view;
    if (first < 0x80) {
      this.start = at + 1;
      this.length = first;
    } else {
      this.start = at + 2;
      this.length = (first & 0x7f) | (view.getUint8(at + 1) << 7);
    }
  }

  /** The first byte of what is kept at this address: to have it in the caches when it is needed. */
  touch(address: number): number {
    const chunk = this.#chunks[address >>> CHUNK_BITS];
    return chunk === undefined ? 0 : chunk[address & MASK]!;
  }

  /** Whether the key at this address is these bytes. */
  equals(address: number, other: DataView, otherStart: number, otherLength: number): boolean {
    if (LAST_ADDRESS - address < this.#long.length) {
      this.locate(address);
      return this.length === otherLength && sameBytes(this.view, 0, other, otherStart, otherLength);
    }
    // As `locate`, without the fields, which take longer to write than a short key to compare.
    const view = this.#views[address >>> CHUNK_BITS]!;
    const at = address & MASK;
    const first = view.getUint8(at);
    if (first < 0x80) return first === otherLength && sameBytes(view, at + 1, other, otherStart, otherLength);
    const length = (first & 0x7f) | (view.getUint8(at + 1) << 7);
    return length === otherLength && sameBytes(view, at + 2, other, otherStart, otherLength);
  }
}

function sameBytes(a: DataView, aStart: number, b: DataView, bStart: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) if (a.getInt32(aStart + i, true) !== b.getInt32(bStart + i, true)) return false;
  for (; i < length; i++) if (a.getUint8(aStart + i) !== b.getUint8(bStart + i)) return false;
  return true;
}
