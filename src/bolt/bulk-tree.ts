/**
 * The tree of one bucket, built from elements in ascending order. Memory holds the leaf in the making and, for each level
 * above, a branch in the making: it does not grow with the number of keys.
 */
import { BulkBranch, type Fill } from './bulk-branch.ts';
import { BulkLeaf } from './bulk-leaf.ts';
import type { PageStream } from './bulk-stream.ts';
import { compareKeys } from './compare-keys.ts';
import {
  BUCKET_HEADER_SIZE,
  BUCKET_ROOT,
  BUCKET_SEQUENCE,
  ELEMENT_SIZE,
  LEAF_IS_BUCKET,
  LEAF_KEY_SIZE,
  LEAF_VALUE_SIZE,
  PAGE_HEADER_SIZE,
} from './format.ts';

/** Larger values are not kept with the page in the making: they go to the file as they come, and end their page. */
const LARGE_VALUE = 1 << 20;

export class BulkTree {
  readonly #stream: PageStream;
  readonly #fill: Fill;
  readonly #largeValue: number;
  readonly #leaf = new BulkLeaf();
  readonly #levels: BulkBranch[] = [];
  #hasBuckets = false;
  #wrote = false;
  /** The last key, once the page with it was written. */
  #lastKey: Uint8Array | undefined;
  #largePage = 0;
  #largeFirstKey: Uint8Array | undefined;

  constructor(stream: PageStream, fill: Fill) {
    this.#stream = stream;
    this.#fill = fill;
    this.#largeValue = Math.max(LARGE_VALUE, stream.pageSize);
  }

  /** Makes an empty tree of it. */
  reset(): void {
    this.#leaf.clear();
    this.#hasBuckets = false;
    this.#wrote = false;
    this.#lastKey = undefined;
  }

  /** The order of `key` against the last one added: positive when it may follow. */
  compareWithLast(key: Uint8Array): number {
    const leaf = this.#leaf;
    if (leaf.count > 0) {
      return compareKeys(key, leaf.data.subarray(leaf.lastKeyAt, leaf.lastKeyAt + leaf.lastKeyLength));
    }
    return this.#lastKey === undefined ? 1 : compareKeys(key, this.#lastKey);
  }

  /** Whether a value of this length has to be given by `beginLarge`. */
  isLarge(valueLength: number): boolean {
    return valueLength > this.#largeValue;
  }

  add(flags: number, key: Uint8Array, value: Uint8Array): void {
    if ((flags & LEAF_IS_BUCKET) !== 0) this.#hasBuckets = true;
    else if (this.isLarge(value.length)) {
      this.beginLarge(key, value.length);
      this.#stream.append(value);
      this.endLarge();
      return;
    }
    this.#makeRoom(ELEMENT_SIZE + key.length + value.length);
    this.#leaf.add(flags, key, value);
  }

  /**
   * Adds all elements of the leaf page at `at` of `bytes`, which must be canonical and plain: keys and values in one
   * piece, no buckets, ascending. The bytes of as many elements as go to one page are copied at once.
   */
  addLeaf(bytes: Uint8Array, view: DataView, at: number, count: number): void {
    const leaf = this.#leaf;
    const { threshold, maxCount } = this.#fill;
    let position = at + PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    let from = position;
    let lastKeyAt = position;
    for (let i = 0, element = at + PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
      const keyLength = view.getUint32(element + LEAF_KEY_SIZE, true);
      const valueLength = view.getUint32(element + LEAF_VALUE_SIZE, true);
      const length = keyLength + valueLength;
      if (!leaf.hasRoom(ELEMENT_SIZE + length, threshold, maxCount)) {
        if (from < position) leaf.append(bytes.subarray(from, position));
        from = position;
        this.#writeLeaf();
      }
      leaf.addElement(0, keyLength, valueLength);
      lastKeyAt = leaf.dataLength + position - from;
      position += length;
    }
    leaf.append(bytes.subarray(from, position));
    leaf.lastKeyAt = lastKeyAt;
  }

  /** Adds a key whose value, of `valueLength` bytes, is then given to the stream itself. `endLarge` ends it. */
  beginLarge(key: Uint8Array, valueLength: number): void {
    const leaf = this.#leaf;
    this.#makeRoom(ELEMENT_SIZE + key.length + valueLength);
    leaf.addElement(0, key.length, valueLength);
    leaf.append(key);
    this.#lastKey = key.slice();
    this.#largeFirstKey = leaf.data.slice(0, leaf.firstKeyLength);
    this.#largePage = leaf.writeUpToLastValue(this.#stream);
  }

  endLarge(): void {
    this.#stream.endLarge();
    this.#wrote = true;
    this.#addToLevel(0, this.#largeFirstKey as Uint8Array, this.#largePage);
  }

  /**
   * Ends the tree of a bucket. Returns the value that stands for it in its parent: a header, and for an inline bucket its
   * page. Inline is what bbolt makes inline: no buckets in it, and a page of at most a quarter of the usual size.
   */
  finishBucket(sequence: bigint): Uint8Array {
    const leaf = this.#leaf;
    const inline = !this.#wrote && !this.#hasBuckets && leaf.size <= Math.floor(this.#stream.pageSize / 4);
    const value = new Uint8Array(BUCKET_HEADER_SIZE + (inline ? leaf.size : 0));
    const view = new DataView(value.buffer);
    view.setBigUint64(BUCKET_SEQUENCE, sequence, true);
    if (inline) leaf.writeInline(value, BUCKET_HEADER_SIZE);
    else view.setBigUint64(BUCKET_ROOT, BigInt(this.finish()), true);
    return value;
  }

  /** Writes what is left of the tree and returns its root page. */
  finish(): number {
    if (!this.#wrote) return this.#leaf.write(this.#stream);
    if (this.#leaf.count > 0) this.#writeLeaf();
    for (let i = 0; ; i++) {
      const level = this.#levels[i] as BulkBranch;
      const root = level.onlyChild;
      if (root === undefined) level.finish();
      else {
        level.reset();
        return root;
      }
    }
  }

  #makeRoom(elementSize: number): void {
    if (!this.#leaf.hasRoom(elementSize, this.#fill.threshold, this.#fill.maxCount)) this.#writeLeaf();
  }

  #writeLeaf(): void {
    const leaf = this.#leaf;
    const firstKeyLength = leaf.firstKeyLength;
    const id = leaf.write(this.#stream);
    this.#wrote = true;
    this.#addToLevel(0, leaf.data.subarray(0, firstKeyLength), id);
  }

  #addToLevel(index: number, key: Uint8Array, page: number): void {
    let level = this.#levels[index];
    if (level === undefined) {
      level = new BulkBranch(this.#stream, this.#fill, (first, id) => this.#addToLevel(index + 1, first, id));
      this.#levels.push(level);
    }
    level.add(key, page);
  }
}
