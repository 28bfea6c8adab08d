/**
 * One logical page, that is, a page with its overflow pages, or the page inside an inline bucket: its header, its
 * elements, and as much of its bytes as was needed so far.
 *
 * A logical page may be gigabytes long. In memory are its first bytes at least up to the end of the element array; all
 * of it only when it is small (1 MiB) and something behind those first bytes was asked for. Every number is checked
 * against the page before it is used.
 */
import type { DatadirError } from '../errors.ts';
import { readBuffer } from '../io/byte-source.ts';
import { compareRanges } from './compare-keys.ts';
import {
  BRANCH_CHILD,
  BRANCH_KEY_SIZE,
  BRANCH_POSITION,
  ELEMENT_SIZE,
  FLAG_BRANCH,
  FLAG_LEAF,
  LEAF_FLAGS,
  LEAF_IS_BUCKET,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  LONGEST_NAME,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';
import { isUsualLength, pagesNeeded } from './page-length.ts';
import { allocate, type PageLoader, type PageRun, RUN_LIMIT } from './page-loader.ts';

const NOTHING = new Uint8Array(0);
const NOTHING_VIEW = new DataView(NOTHING.buffer);

export class LogicalPage {
  readonly #loader: PageLoader;
  /** Number of the page; of an inline page that of the page it lies in. -1 while nothing is loaded. */
  id = -1;
  inline = false;
  flags = 0;
  count = 0;
  overflow = 0;
  /** Length of the logical page. */
  length = 0;
  /** Where it begins in the file. */
  offset = 0;

  /** What is in memory: `available` bytes from the start of the page on, at index `base`. */
  bytes: Uint8Array = NOTHING;
  view: DataView = NOTHING_VIEW;
  base = 0;
  available = 0;

  // The element that `readElement` decoded last. Positions count from the start of the page.
  elementFlags = 0;
  keyStart = 0;
  keyLength = 0;
  valueLength = 0;

  #own: Uint8Array = NOTHING;
  #ownView: DataView = NOTHING_VIEW;

  constructor(loader: PageLoader) {
    this.#loader = loader;
  }

  get isLeaf(): boolean {
    return this.flags === FLAG_LEAF;
  }

  holds(id: number): boolean {
    return this.id === id && !this.inline;
  }

  /** Memory of at least `size` bytes to load a page into. */
  ownBuffer(size: number): Uint8Array {
    this.id = -1;
    if (this.#own.length < size) this.#growOwn(size);
    return this.#own;
  }

  #growOwn(size: number): void {
    this.#own = readBuffer(size);
    this.#ownView = new DataView(this.#own.buffer, this.#own.byteOffset, this.#own.length);
  }

  /** Takes page `id` from the own buffer, into which its first `available` bytes were read. */
  attachOwn(id: number, available: number): void {
    this.#attach(id, this.#own, this.#ownView, 0, available);
  }

  /** Takes page `id` from a run, in which it begins at `base`. It is valid until the run is read anew. */
  attachRun(id: number, run: PageRun, base: number): void {
    this.#attach(id, run.bytes, run.view, base, run.length - base);
  }

  #attach(id: number, bytes: Uint8Array, view: DataView, base: number, available: number): void {
    const loader = this.#loader;
    this.id = -1;
    if (available < PAGE_HEADER_SIZE) throw loader.beyondFile(id);
    this.inline = false;
    this.bytes = bytes;
    this.view = view;
    this.base = base;
    this.offset = id * loader.pageSize;
    this.flags = view.getUint16(base + PAGE_FLAGS, true);
    this.count = view.getUint16(base + PAGE_COUNT, true);
    this.overflow = view.getUint32(base + PAGE_OVERFLOW, true);
    this.length = (this.overflow + 1) * loader.pageSize;
    this.available = available < this.length ? available : this.length;
    this.id = id;
  }

  /** Takes the page inside an inline bucket. `bytes` become this page's; they begin at `offset` of the file, in page `id`. */
  attachInline(id: number, offset: number, bytes: Uint8Array): void {
    const loader = this.#loader;
    this.id = -1;
    if (bytes.length < PAGE_HEADER_SIZE) {
      throw loader.damaged(`page ${id}: an inline bucket of ${bytes.length} bytes has no room for its page header`, {
        pageId: id,
        offset,
      });
    }
    this.inline = true;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.base = 0;
    this.offset = offset;
    this.flags = this.view.getUint16(PAGE_FLAGS, true);
    this.count = this.view.getUint16(PAGE_COUNT, true);
    this.overflow = 0;
    this.length = bytes.length;
    this.available = bytes.length;
    this.id = id;
    if (this.flags !== FLAG_LEAF) {
      throw this.damaged(`the page of an inline bucket has flags ${hex(this.flags)}, not those of a leaf (0x02)`);
    }
    this.#requireElementArray();
  }

  /** An error about damage in this page. `at` counts from the start of the page. */
  damaged(message: string, at = 0): DatadirError {
    return this.#loader.damaged(`page ${this.id}: ${message}`, { pageId: this.id, offset: this.offset + at });
  }

  /** The page number in the header, which need not fit a safe integer. */
  get storedId(): bigint {
    return this.view.getBigUint64(this.base + PAGE_ID, true);
  }

  /** Throws unless this is a branch or leaf with the right number, whose pages and element array lie in the database. */
  requireTreePage(): void {
    const { id, view, base } = this;
    const loader = this.#loader;
    const low = view.getUint32(base + PAGE_ID, true);
    const high = view.getUint32(base + PAGE_ID + 4, true);
    try {
      if (low + high * 2 ** 32 !== id) throw this.damaged(`carries the page number ${this.storedId}`);
      if (this.flags !== FLAG_LEAF && this.flags !== FLAG_BRANCH) {
        throw this.damaged(`flags ${hex(this.flags)} are neither a branch (0x01) nor a leaf (0x02)`, PAGE_FLAGS);
      }
      if (id + this.overflow >= loader.highWaterMark) {
        const claim = `claims ${this.overflow} overflow pages; the high water mark is ${loader.highWaterMark}`;
        throw this.damaged(claim, PAGE_OVERFLOW);
      }
      this.#requireElementArray();
    } catch (error) {
      this.id = -1;
      throw error;
    }
  }

  #requireElementArray(): void {
    const end = PAGE_HEADER_SIZE + ELEMENT_SIZE * this.count;
    if (end > this.length) {
      throw this.damaged(`${this.count} elements do not fit into its ${this.length} bytes`, PAGE_COUNT);
    }
    this.#require(end);
  }

  /** Brings the first `end` bytes of the page into memory; all of it when it is small. `end` is within the page. */
  #require(end: number): void {
    if (end <= this.available) return;
    const loader = this.#loader;
    const wanted = this.length <= RUN_LIMIT ? this.length : end;
    // Views of what was there before stay valid: the bytes move to a new buffer, or are in this one already.
    const old = this.bytes;
    const { base } = this;
    if (this.#own.length < wanted) this.#growOwn(wanted);
    if (old !== this.#own) this.#own.set(old.subarray(base, base + this.available));
    this.bytes = this.#own;
    this.view = this.#ownView;
    this.base = 0;
    loader.assertOpen();
    const rest = this.#own.subarray(this.available, wanted);
    this.available += loader.source.readInto(rest, this.offset + this.available);
    if (end > this.available) throw loader.beyondFile(this.id);
  }

  /**
   * Throws if the page has overflow pages that its content, which ends at `end`, does not reach: bbolt takes as many as are
   * needed, so they are not its own, and giving them up with it would give up pages of others.
   */
  requireEnd(end: number): void {
    const { pageSize } = this.#loader;
    if (this.inline || isUsualLength(this.overflow + 1, end, pageSize)) return;
    const needed = pagesNeeded(end, pageSize) - 1;
    const message = `claims ${this.overflow} overflow pages and needs ${needed}; the page cannot be changed`;
    throw this.damaged(message, PAGE_OVERFLOW);
  }

  /** The child of branch element `index`, as stored: it need not be a page number of the database. */
  childAt(index: number): number {
    const at = this.base + PAGE_HEADER_SIZE + ELEMENT_SIZE * index + BRANCH_CHILD;
    return this.view.getUint32(at, true) + this.view.getUint32(at + 4, true) * 2 ** 32;
  }

  /** Decodes element `index` into the fields of this object. */
  readElement(index: number): void {
    const { view } = this;
    const inPage = PAGE_HEADER_SIZE + ELEMENT_SIZE * index;
    const at = this.base + inPage;
    let position: number;
    if (this.flags === FLAG_LEAF) {
      this.elementFlags = view.getUint32(at + LEAF_FLAGS, true);
      position = view.getUint32(at + LEAF_POSITION, true);
      this.keyLength = view.getUint32(at + LEAF_KEY_SIZE, true);
      this.valueLength = view.getUint32(at + LEAF_VALUE_SIZE, true);
    } else {
      this.elementFlags = 0;
      position = view.getUint32(at + BRANCH_POSITION, true);
      this.keyLength = view.getUint32(at + BRANCH_KEY_SIZE, true);
      this.valueLength = 0;
    }
    this.keyStart = inPage + position;
    if (
      position < ELEMENT_SIZE * (this.count - index) ||
      this.keyStart + this.keyLength + this.valueLength > this.length ||
      this.keyLength === 0
    ) {
      throw this.#badElement(index, inPage);
    }
  }

  #badElement(index: number, at: number): DatadirError {
    if (this.keyLength === 0) return this.damaged(`element ${index} has a key of no bytes`, at);
    const end = this.keyStart + this.keyLength + this.valueLength;
    const room = `${PAGE_HEADER_SIZE + ELEMENT_SIZE * this.count} to ${this.length}`;
    return this.damaged(`element ${index} lies at ${this.keyStart} to ${end}, outside the page's data (${room})`, at);
  }

  get isBucket(): boolean {
    return (this.elementFlags & LEAF_IS_BUCKET) !== 0;
  }

  /** The key of the element decoded last: a view of this page, or a copy when it lies far behind the start of a large one. */
  key(): Uint8Array {
    if (this.keyLength > LONGEST_NAME) {
      throw this.damaged(`a key of ${this.keyLength} bytes is too long to be read`, this.keyStart);
    }
    return this.read(this.keyStart, this.keyLength);
  }

  /** The bytes of `[start, start + length)`, which must lie within the page: a view, or a copy if the page is a large one. */
  read(start: number, length: number): Uint8Array {
    const end = start + length;
    if (end > this.available) {
      if (this.length > RUN_LIMIT) return this.#readFar(start, length);
      this.#require(end);
    }
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.base + start, length);
  }

  /** As `read`, but always a copy, which belongs to the caller. */
  copy(start: number, length: number): Uint8Array {
    const far = start + length > this.available && this.length > RUN_LIMIT;
    return far ? this.#readFar(start, length) : this.read(start, length).slice();
  }

  #readFar(start: number, length: number): Uint8Array {
    const offset = this.offset + start;
    // Asked before the memory is: a damaged length may name any number of bytes that are not there.
    if (offset + length > this.#loader.size) throw this.#loader.beyondFile(this.id);
    const copy = allocate(length);
    this.#loader.readExactly(copy, offset, this.id);
    return copy;
  }

  /** The same bytes in pieces of at most `size`, each valid until the next one is asked for. */
  *readPieces(start: number, length: number, size: number): Generator<Uint8Array, void, undefined> {
    const end = start + length;
    const { id, offset } = this;
    let buffer: Uint8Array | undefined;
    for (let at = start; at < end; at += size) {
      const piece = Math.min(size, end - at);
      if (at + piece <= this.available) {
        yield this.read(at, piece);
      } else {
        if (offset + at + piece > this.#loader.size) throw this.#loader.beyondFile(id);
        buffer ??= allocate(piece);
        const target = buffer.subarray(0, piece);
        this.#loader.readExactly(target, offset + at, id);
        yield target;
      }
    }
  }

  /** Compares the key of element `index` with a key: negative when it sorts before. */
  compareKeyAt(index: number, key: DataView): number {
    this.readElement(index);
    const { keyStart, keyLength } = this;
    if (keyStart + keyLength <= this.available) {
      return compareRanges(this.view, this.base + keyStart, keyLength, key, 0, key.byteLength);
    }
    const bytes = this.key();
    return compareRanges(new DataView(bytes.buffer, bytes.byteOffset), 0, keyLength, key, 0, key.byteLength);
  }

  /** The first element whose key is not before `key`, or `count`. On a page whose keys are out of order, some element. */
  lowerBound(key: DataView): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compareKeyAt(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function hex(flags: number): string {
  return `0x${flags.toString(16).padStart(2, '0')}`;
}
