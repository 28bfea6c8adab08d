/**
 * Reads all buckets of a bolt file for a target by way of the reader: slower than `bulk-walk.ts`, but of any lawful form.
 * What comes out is the same.
 */
import type { ContentTarget } from './content-target.ts';
import type { BoltDb } from './database.ts';
import type { Element } from './element.ts';
import type { ContentItem } from './walk-content.ts';

const STEP_BYTES = 1 << 20;
const ELEMENT_COST = 512;
const PIECE = 1 << 18;

export class BulkRead {
  /** Bytes of keys and values dealt with. */
  done = 0;
  readonly #target: ContentTarget;
  readonly #content: Generator<ContentItem, void, undefined>;
  /** How many buckets are open in the target. */
  #depth = 0;
  /** The rest of a large value. */
  #pieces: Generator<Uint8Array, void, undefined> | undefined;
  #budget = 0;

  constructor(db: BoltDb, target: ContentTarget) {
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
    this.#target.openBucket(name, item.sequence, item.place.pageId, item.place.offset);
    this.#depth++;
  }

  #closeDownTo(depth: number): void {
    for (; this.#depth > depth; this.#depth--) this.#target.closeBucket();
  }

  #addPair(element: Element): void {
    const target = this.#target;
    const { keyLength, valueLength } = element;
    const { pageId, offset } = element.place;
    // Its memory may be used again for the value.
    const key = element.key.slice();
    this.done += keyLength;
    if (target.isLarge(valueLength)) {
      target.beginLarge(key, valueLength, pageId, offset - keyLength);
      this.#pieces = element.valueChunks(PIECE);
      return;
    }
    target.addPair(key, element.rawValue(), pageId, offset - keyLength);
    this.done += valueLength;
    this.#budget -= valueLength;
  }

  #copyPiece(pieces: Generator<Uint8Array, void, undefined>): void {
    const { value: piece } = pieces.next();
    if (piece === undefined) {
      this.#pieces = undefined;
      this.#target.endLarge();
      return;
    }
    for (let at = 0; at < piece.length; ) {
      const from = at;
      at += this.#target.fillLarge(piece.length - at, (room) => room.set(piece.subarray(from, from + room.length)));
    }
    this.done += piece.length;
    this.#budget -= piece.length;
  }
}
