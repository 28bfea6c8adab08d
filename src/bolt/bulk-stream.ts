/**
 * Pages of a new bolt file, written one after another in large writes. Page numbers are given out in the order of writing,
 * so that a page is written once and never gone back to.
 */
import { type ByteFile, readBuffer } from '../io/byte-source.ts';
import { writePageHeader } from './encode-page.ts';
import { FIRST_DATA_PAGE, PAGE_HEADER_SIZE } from './format.ts';

const BUFFER_SIZE = 1 << 20;

export class PageStream {
  readonly pageSize: number;
  /** What has not been written yet. `begin` tells where a page may be put together in it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
  readonly #file: ByteFile;
  readonly #capacity: number;
  #length = 0;
  #written: number;
  #next = FIRST_DATA_PAGE;

  /** `file` must be empty. */
  constructor(file: ByteFile, pageSize: number) {
    this.#file = file;
    this.pageSize = pageSize;
    this.#capacity = Math.max(1, Math.floor(BUFFER_SIZE / pageSize)) * pageSize;
    this.bytes = readBuffer(this.#capacity);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    this.#written = FIRST_DATA_PAGE * pageSize;
  }

  /** The number of the next page, which is how many pages there are so far. */
  get next(): number {
    return this.#next;
  }

  /** The largest page, with its overflow, that `begin` has room for. Larger ones are written by `beginLarge`. */
  get capacity(): number {
    return this.#capacity;
  }

  /**
   * Takes as many pages as `length` bytes need, and writes their header. Returns where they lie in `bytes`: the caller puts
   * the rest of the `length` bytes there at once; what follows them in the last page is zero.
   */
  begin(flags: number, count: number, length: number): number {
    const pages = Math.ceil(length / this.pageSize);
    const size = pages * this.pageSize;
    if (this.#length + size > this.#capacity) this.flush();
    const at = this.#length;
    writePageHeader(this.view, at, this.#next, flags, count, pages - 1);
    this.bytes.fill(0, at + length, at + size);
    this.#next += pages;
    this.#length += size;
    return at;
  }

  /** As `begin`, for pages of any size: `append` and `appendFrom` give the bytes behind the header, `end` ends them. */
  beginLarge(flags: number, count: number, length: number): void {
    const pages = Math.ceil(length / this.pageSize);
    if (this.#length + PAGE_HEADER_SIZE > this.#capacity) this.flush();
    writePageHeader(this.view, this.#length, this.#next, flags, count, pages - 1);
    this.#length += PAGE_HEADER_SIZE;
    this.#next += pages;
  }

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const room = this.#room();
      const piece = bytes.subarray(done, done + room);
      this.bytes.set(piece, this.#length);
      this.#length += piece.length;
      done += piece.length;
    }
  }

  /** Lets `read` fill at most `length` bytes in place, and returns how many it was asked for. */
  appendFrom(length: number, read: (target: Uint8Array) => void): number {
    const size = Math.min(length, this.#room());
    read(this.bytes.subarray(this.#length, this.#length + size));
    this.#length += size;
    return size;
  }

  /** Fills the last page with zeros. */
  endLarge(): void {
    const end = Math.ceil(this.#length / this.pageSize) * this.pageSize;
    this.bytes.fill(0, this.#length, end);
    this.#length = end;
  }

  #room(): number {
    if (this.#length === this.#capacity) this.flush();
    return this.#capacity - this.#length;
  }

  /** Writes what has come together. */
  flush(): void {
    if (this.#length === 0) return;
    this.#file.write(this.#written, this.bytes.subarray(0, this.#length));
    this.#written += this.#length;
    this.#length = 0;
  }
}
