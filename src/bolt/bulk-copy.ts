/**
 * The target of a compaction: a new file that takes all pairs, and the digest of what it was given.
 */
import type { FoldKernel } from '../checksum/sparse-fold.ts';
import type { BulkFile } from './bulk-file.ts';
import type { ContentTarget } from './content-target.ts';
import { ELEMENT_SIZE, PAGE_HEADER_SIZE } from './format.ts';
import { type BucketDigest, PairDigest } from './pair-digest.ts';

export class BulkCopy implements ContentTarget {
  readonly file: BulkFile;
  readonly digest: PairDigest;
  /** Of the buckets that are open. */
  readonly #open: BucketDigest[] = [];
  /** The last of them: a pair outside of all buckets never comes. */
  #bucket!: BucketDigest;

  /** `kernel`: in whose memory the leaves lie, if they do. */
  constructor(file: BulkFile, kernel: FoldKernel | undefined) {
    this.file = file;
    this.digest = kernel === undefined ? new PairDigest() : new PairDigest(() => kernel);
  }

  openBucket(name: Uint8Array, sequence: bigint): void {
    this.#bucket = this.digest.bucket(this.#open.at(-1), name, sequence);
    this.#open.push(this.#bucket);
    this.file.openBucket(name, sequence);
  }

  closeBucket(): void {
    this.file.closeBucket();
    this.#open.pop()?.end();
    this.#bucket = this.#open.at(-1) as BucketDigest;
  }

  addLeaf(bytes: Uint8Array, view: DataView, at: number, count: number): void {
    const elements = at + PAGE_HEADER_SIZE;
    const data = elements + count * ELEMENT_SIZE;
    const length = this.#bucket.elements(view, elements, count);
    this.#bucket.range(bytes, data, data + length);
    this.file.tree.addLeaf(bytes, view, at, count);
  }

  addPair(key: Uint8Array, value: Uint8Array): void {
    this.#addKey(key, value.length);
    this.#bucket.range(value, 0, value.length);
    this.file.tree.add(0, key, value);
  }

  isLarge(valueLength: number): boolean {
    return this.file.tree.isLarge(valueLength);
  }

  beginLarge(key: Uint8Array, valueLength: number): void {
    this.#addKey(key, valueLength);
    this.file.tree.beginLarge(key, valueLength);
  }

  fillLarge(length: number, read: (room: Uint8Array) => void): number {
    // Read to where it is written from.
    return this.file.stream.appendFrom(length, (room) => {
      read(room);
      this.#bucket.range(room, 0, room.length);
    });
  }

  endLarge(): void {
    this.file.tree.endLarge();
  }

  #addKey(key: Uint8Array, valueLength: number): void {
    this.#bucket.lengths(key.length, valueLength);
    this.#bucket.range(key, 0, key.length);
  }
}
