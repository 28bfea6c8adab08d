/**
 * Memory for the keys and values that a transaction puts, and for the pages it changes. What is put one after another lies
 * one behind the other, so that it is copied to its page together; and one piece of memory for many costs less than one for
 * each.
 */
import type { NodeElement } from './node.ts';
import { allocate } from './page-loader.ts';

const FIRST_PIECE = 1 << 12;
const LARGEST_PIECE = 1 << 18;
/** What would fill a good part of a piece gets memory of its own. */
const LARGE = 1 << 14;

export class PairMemory {
  #bytes: Uint8Array = new Uint8Array(0);
  #used = 0;

  /** An element of a leaf with copies of key and value. */
  store(key: Uint8Array, value: Uint8Array, flags: number): NodeElement {
    const length = key.length + value.length;
    const { bytes, start } = this.reserve(length);
    bytes.set(key, start);
    bytes.set(value, start + key.length);
    return { bytes, start, keyLength: key.length, valueLength: value.length, flags, child: 0 };
  }

  /** Memory for `length` bytes, from `start` on. */
  reserve(length: number): { readonly bytes: Uint8Array; readonly start: number } {
    if (length > LARGE) return { bytes: allocate(length), start: 0 };
    if (this.#used + length > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(length, Math.min(this.#bytes.length * 2, LARGEST_PIECE), FIRST_PIECE));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return { bytes: this.#bytes, start };
  }
}
