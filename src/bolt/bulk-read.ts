/**
 * Reads all buckets of a bolt file for `BulkFile` by way of the reader: slower than `bulk-walk.ts`, but of any lawful form.
 * What comes out is the same.
 */
import type { BulkFile } from './bulk-file.ts';
import type { BoltDb } from './database.ts';
import type { Element } from './element.ts';
import { type BucketDigest, PairDigest } from './pair-digest.ts';
import type { ContentItem } from './walk-content.ts';

const STEP_BYTES = 1 << 20;
const ELEMENT_COST = 512;
const PIECE = 1 << 18;

export class BulkRead {
  /** Of what has been read, once it is over. */
  readonly digest: PairDigest = new PairDigest();
  /** Bytes of keys and values dealt with. */
  done = 0;
  readonly #target: BulkFile;
  readonly #content: Generator<ContentItem, void, undefined>;
  /** Of the buckets that are open in the target. */
  readonly #open: BucketDigest[] = [];
  /** The rest of a large value. */
  #pieces: Generator<Uint8Array, void, undefined> | undefined;
  #budget = 0;

  constructor(db: BoltDb, target: BulkFile) {
    this.#target = target;
    this.#content = db.content();
  }

  /** Reads about 1 MiB; true when everything has been read. */
  step(): boolean {
    this.#budget = STEP_BYTES;
    while (this.#budget > 0) {
      if (this.#pieces !== undefined) {
        this.#copyPiece(this.#pieces);
        continue;
      }
      const { value: item } = this.#content.next();
      if (item === undefined) {
        this.#closeDownTo(0);
        return true;
      }
      this.#add(item);
    }
    return false;
  }

  #add(item: ContentItem): void {
    this.#budget -= ELEMENT_COST;
    const { bucket: names } = item;
    if (item.element !== undefined) {
      this.#closeDownTo(names.length);
      this.#addPair(item.element);
      return;
    }
    const name = names.at(-1) as Uint8Array;
    this.#closeDownTo(names.length - 1);
    this.#target.openBucket(name, item.sequence);
    this.#open.push(this.digest.bucket(this.#open.at(-1), name, item.sequence));
  }

  #closeDownTo(depth: number): void {
    while (this.#open.length > depth) {
      this.#target.closeBucket();
      this.#open.pop()?.end();
    }
  }

  #addPair(element: Element): void {
    const { tree } = this.#target;
    const digest = this.#open.at(-1) as BucketDigest;
    const { keyLength, valueLength } = element;
    // Its memory may be used again for the value.
    const key = element.key.slice();
    digest.lengths(keyLength, valueLength);
    digest.range(key, 0, keyLength);
    this.done += keyLength;
    if (tree.isLarge(valueLength)) {
      tree.beginLarge(key, valueLength);
      this.#pieces = element.valueChunks(PIECE);
      return;
    }
    const value = element.rawValue();
    digest.range(value, 0, valueLength);
    tree.add(0, key, value);
    this.done += valueLength;
    this.#budget -= valueLength;
  }

  #copyPiece(pieces: Generator<Uint8Array, void, undefined>): void {
    const { value: piece } = pieces.next();
    if (piece === undefined) {
      this.#pieces = undefined;
      this.#target.tree.endLarge();
      return;
    }
    (this.#open.at(-1) as BucketDigest).range(piece, 0, piece.length);
    this.#target.stream.append(piece);
    this.done += piece.length;
    this.#budget -= piece.length;
  }
}
