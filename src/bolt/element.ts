/**
 * What a cursor is on: one key with its value or the name of a bucket. Bytes are looked at only when asked for.
 */
import { DatadirError } from '../errors.ts';
import type { LogicalPage } from './logical-page.ts';

/** A key and its value as copies, which belong to the receiver. */
export interface Entry {
  readonly key: Uint8Array;
  /** Undefined when the key is the name of a bucket. */
  readonly value: Uint8Array | undefined;
  readonly isBucket: boolean;
}

/** Counts the movements of a cursor or scan: what was handed out before the last one is no longer valid. */
export interface Movements {
  moves: number;
}

const DEFAULT_CHUNK = 1 << 16;

/**
 * One key of a bucket. Valid until the cursor or scan it came from moves on; used later, it throws `USAGE`. The bytes it
 * gives are views with the same lifetime, which are not to be written to: take a `copy()` of what is to be kept.
 */
export class Element {
  /** The key is the name of a bucket inside this one. */
  isBucket = false;
  keyLength = 0;
  /** Length of the stored value; for a bucket, that of its header and inline page. */
  valueLength = 0;
  readonly #owner: Movements;
  #move = -1;
  #page!: LogicalPage;
  #keyStart = 0;

  constructor(owner: Movements) {
    this.#owner = owner;
  }

  /** Takes the element that `page` decoded last. For cursors and scans only. */
  take(page: LogicalPage): this {
    this.#move = this.#owner.moves;
    this.#page = page;
    this.#keyStart = page.keyStart;
    this.isBucket = page.isBucket;
    this.keyLength = page.keyLength;
    this.valueLength = page.valueLength;
    return this;
  }

  #requireValid(): void {
    if (this.#move !== this.#owner.moves) {
      throw new DatadirError('USAGE', 'an element of a bucket was used after its cursor had moved on');
    }
  }

  /** The page with this element decoded. For the modules of this folder. */
  decodedPage(): LogicalPage {
    this.#requireValid();
    const page = this.#page;
    page.keyStart = this.#keyStart;
    page.keyLength = this.keyLength;
    page.valueLength = this.valueLength;
    return page;
  }

  /** A view of the key. */
  get key(): Uint8Array {
    return this.decodedPage().key();
  }

  /**
   * A view of the value, undefined for a bucket. Reads what is not in memory: a value in a page of more than 1 MiB is read
   * into memory of its own, as long as the value (`valueChunks` avoids that).
   */
  value(): Uint8Array | undefined {
    return this.isBucket ? undefined : this.rawValue();
  }

  /** A view of the stored value, also of a bucket: its header, and its page if it is an inline one. */
  rawValue(): Uint8Array {
    return this.decodedPage().read(this.#keyStart + this.keyLength, this.valueLength);
  }

  /**
   * The value in pieces of at most `chunkSize` bytes (64 KiB), each valid until the next one is asked for; nothing for a
   * bucket. A value of any size costs no more memory than one piece.
   */
  *valueChunks(chunkSize: number = DEFAULT_CHUNK): Generator<Uint8Array, void, undefined> {
    if (!Number.isSafeInteger(chunkSize) || chunkSize < 1) throw new DatadirError('USAGE', `chunkSize ${chunkSize}`);
    const page = this.decodedPage();
    if (this.isBucket) return;
    for (const piece of page.readPieces(this.#keyStart + this.keyLength, this.valueLength, chunkSize)) {
      yield piece;
      this.#requireValid();
    }
  }

  /** Copies of key and value that stay valid. */
  copy(): Entry {
    const key = this.key.slice();
    const value = this.isBucket
      ? undefined
      : this.decodedPage().copy(this.#keyStart + this.keyLength, this.valueLength);
    return { key, value, isBucket: this.isBucket };
  }

  /** Where the stored value lies: the page, and the byte offset in the file. */
  get place(): { readonly pageId: number; readonly offset: number } {
    const page = this.decodedPage();
    return { pageId: page.id, offset: page.offset + this.#keyStart + this.keyLength };
  }
}
