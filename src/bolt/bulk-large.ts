/**
 * A leaf that is too large to be read as a whole: one or more values of a megabyte and more, or very many elements. It is
 * gone through element by element, and a large value piece by piece.
 */
import type { ByteSource } from '../io/byte-source.ts';
import { type Bounds, isBelow, isFirst, NotPlain } from './bulk-verify.ts';
import { compareKeys } from './compare-keys.ts';
import type { ContentTarget } from './content-target.ts';
import {
  ELEMENT_SIZE,
  LEAF_FLAGS,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  MAX_KEY_SIZE,
  MAX_VALUE_SIZE,
  PAGE_HEADER_SIZE,
} from './format.ts';

const ELEMENT_COST = 512;

interface LargeLeafOptions {
  readonly source: ByteSource;
  readonly pageSize: number;
  readonly target: ContentTarget;
}

export class LargeLeaf {
  readonly #o: LargeLeafOptions;
  readonly #page: number;
  readonly #offset: number;
  readonly #count: number;
  readonly #bounds: Bounds;
  readonly #elements: DataView;
  #next = 0;
  /** Where the next key begins, from the start of the page. */
  #position: number;
  #previous: Uint8Array | undefined;
  /** Bytes of the value in hand that have yet to be copied. */
  #rest = 0;

  /** Reads the array of elements and checks that they fill the page, of `room` bytes, as bbolt would have it. */
  constructor(options: LargeLeafOptions, page: number, count: number, room: number, bounds: Bounds) {
    this.#o = options;
    this.#page = page;
    this.#offset = page * options.pageSize;
    this.#count = count;
    this.#bounds = bounds;
    this.#position = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    if (this.#position > room) throw new NotPlain('more elements than room');
    const elements = new Uint8Array(count * ELEMENT_SIZE);
    this.#read(elements, PAGE_HEADER_SIZE);
    this.#elements = new DataView(elements.buffer);
    this.#verify(room);
  }

  #verify(room: number): void {
    const view = this.#elements;
    let expected = this.#position;
    for (let i = 0, at = 0; i < this.#count; i++, at += ELEMENT_SIZE) {
      const keyLength = view.getUint32(at + LEAF_KEY_SIZE, true);
      const valueLength = view.getUint32(at + LEAF_VALUE_SIZE, true);
      const start = PAGE_HEADER_SIZE + at + view.getUint32(at + LEAF_POSITION, true);
      const lengths = keyLength > 0 && keyLength <= MAX_KEY_SIZE && valueLength <= MAX_VALUE_SIZE;
      if (view.getUint32(at + LEAF_FLAGS, true) !== 0 || start !== expected || !lengths)
        throw new NotPlain('an element');
      expected += keyLength + valueLength;
    }
    if (expected > room || expected <= room - this.#o.pageSize) throw new NotPlain('overflow pages');
  }

  /** Whether all of it has been copied. */
  get ended(): boolean {
    return this.#next === this.#count && this.#rest === 0;
  }

  /** Copies an element, or a piece of its value; `room` is memory to use. Returns what it cost, in bytes. */
  advance(room: Uint8Array): number {
    const { target } = this.#o;
    if (this.#rest > 0) {
      const size = target.fillLarge(this.#rest, (piece) => this.#read(piece, this.#position));
      this.#position += size;
      this.#rest -= size;
      if (this.#rest === 0) target.endLarge();
      return size;
    }
    const at = this.#next++ * ELEMENT_SIZE;
    const keyLength = this.#elements.getUint32(at + LEAF_KEY_SIZE, true);
    const valueLength = this.#elements.getUint32(at + LEAF_VALUE_SIZE, true);
    const key = this.#readKey(keyLength);
    const offset = this.#offset + this.#position;
    this.#position += keyLength;
    if (target.isLarge(valueLength)) {
      target.beginLarge(key, valueLength, this.#page, offset);
      this.#rest = valueLength;
      return ELEMENT_COST + keyLength;
    }
    const value = valueLength <= room.length ? room.subarray(0, valueLength) : new Uint8Array(valueLength);
    this.#read(value, this.#position);
    target.addPair(key, value, this.#page, offset);
    this.#position += valueLength;
    return ELEMENT_COST + keyLength + valueLength;
  }

  #readKey(length: number): Uint8Array {
    const key = new Uint8Array(length);
    this.#read(key, this.#position);
    const view = new DataView(key.buffer);
    const previous = this.#previous;
    const ordered = previous === undefined ? isFirst(view, 0, length, this.#bounds) : compareKeys(previous, key) < 0;
    const below = this.#next < this.#count || isBelow(view, 0, length, this.#bounds);
    if (!ordered || !below) throw new NotPlain('the order of keys');
    this.#previous = key;
    return key;
  }

  #read(target: Uint8Array, position: number): void {
    if (this.#o.source.readInto(target, this.#offset + position) < target.length) throw new NotPlain('the file ends');
  }
}
