/**
 * One level of branch pages in the making. It keeps the page that is being filled, and the two elements after it: a page is
 * written only when its neighbour is known to have two as well, so that no branch is left with a single child.
 */
import { grown } from './bulk-leaf.ts';
import type { PageStream } from './bulk-stream.ts';
import { writeBranchElement } from './encode-page.ts';
import { ELEMENT_SIZE, FLAG_BRANCH, PAGE_HEADER_SIZE } from './format.ts';

/** How full pages get. */
export interface Fill {
  /** A page ends before the element that would make it larger than this, once it has two. */
  readonly threshold: number;
  /** At most so many elements. */
  readonly maxCount: number;
}

/** Gets the first key and the number of every page that is written. The key is a view, valid during the call. */
export type OnPage = (key: Uint8Array, page: number) => void;

const MIN_COUNT = 2;

export class BulkBranch {
  readonly #stream: PageStream;
  readonly #fill: Fill;
  readonly #onPage: OnPage;
  #count = 0;
  #keys = new Uint8Array(64);
  #keysLength = 0;
  #keyLengths = new Uint32Array(4);
  #children = new Float64Array(4);
  /** Size of the page that the elements from `#cut` on make. */
  #size: number = PAGE_HEADER_SIZE;
  /** Elements before this one make a full page; 0 as long as there is none. */
  #cut = 0;
  #written = false;

  constructor(stream: PageStream, fill: Fill, onPage: OnPage) {
    this.#stream = stream;
    this.#fill = fill;
    this.#onPage = onPage;
  }

  /** The one child of a level that has no other: then the level is not needed. */
  get onlyChild(): number | undefined {
    return this.#count === 1 && !this.#written ? this.#children[0]! : undefined;
  }

  add(key: Uint8Array, child: number): void {
    const size = ELEMENT_SIZE + key.length;
    const { threshold, maxCount } = this.#fill;
    if (this.#cut === 0 && this.#count >= MIN_COUNT) {
      if (this.#size + size > threshold || this.#count === maxCount) {
        this.#cut = this.#count;
        this.#size = PAGE_HEADER_SIZE;
      }
    }
    this.#append(key, child);
    this.#size += size;
    if (this.#cut > 0 && this.#count - this.#cut === MIN_COUNT) this.#writeFirst(this.#cut);
  }

  /** Writes what is left, and begins anew. */
  finish(): void {
    // One element is behind the full page: a neighbour keeps it company, or, of two very large ones, both do.
    if (this.#cut > MIN_COUNT) this.#writeFirst(this.#cut - 1);
    this.#writeFirst(this.#count);
    this.reset();
  }

  /** Makes an empty level of it. */
  reset(): void {
    this.#count = 0;
    this.#keysLength = 0;
    this.#size = PAGE_HEADER_SIZE;
    this.#cut = 0;
    this.#written = false;
  }

  #append(key: Uint8Array, child: number): void {
    const at = this.#count++;
    if (at === this.#keyLengths.length) {
      this.#keyLengths = grown(this.#keyLengths, at + 1);
      this.#children = grown(this.#children, at + 1);
    }
    this.#keyLengths[at] = key.length;
    this.#children[at] = child;
    const end = this.#keysLength + key.length;
    if (end > this.#keys.length) this.#keys = grown(this.#keys, end);
    this.#keys.set(key, this.#keysLength);
    this.#keysLength = end;
  }

  /** Writes the first `count` elements as a page; the others move up. */
  #writeFirst(count: number): void {
    let keysEnd = 0;
    for (let i = 0; i < count; i++) keysEnd += this.#keyLengths[i]!;
    const id = this.#stream.next;
    const size = PAGE_HEADER_SIZE + count * ELEMENT_SIZE + keysEnd;
    if (size <= this.#stream.capacity) {
      const { view, bytes } = this.#stream;
      const at = this.#stream.begin(FLAG_BRANCH, count, size) + PAGE_HEADER_SIZE;
      this.#writeElements(view, at, count);
      bytes.set(this.#keys.subarray(0, keysEnd), at + count * ELEMENT_SIZE);
    } else {
      const elements = new Uint8Array(count * ELEMENT_SIZE);
      this.#writeElements(new DataView(elements.buffer), 0, count);
      this.#stream.beginLarge(FLAG_BRANCH, count, size);
      this.#stream.append(elements);
      this.#stream.append(this.#keys.subarray(0, keysEnd));
      this.#stream.endLarge();
    }
    this.#onPage(this.#keys.subarray(0, this.#keyLengths[0]), id);
    this.#written = true;
    this.#keys.copyWithin(0, keysEnd, this.#keysLength);
    this.#keyLengths.copyWithin(0, count, this.#count);
    this.#children.copyWithin(0, count, this.#count);
    this.#keysLength -= keysEnd;
    this.#count -= count;
    this.#cut = 0;
  }

  #writeElements(view: DataView, at: number, count: number): void {
    let position = count * ELEMENT_SIZE;
    for (let i = 0, element = at; i < count; i++, element += ELEMENT_SIZE) {
      const length = this.#keyLengths[i]!;
      writeBranchElement(view, element, position, length, this.#children[i]!);
      position += length - ELEMENT_SIZE;
    }
  }
}
