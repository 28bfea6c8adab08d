/**
 * Collects what is written to a segment and hands it to the file in whole pages, as etcd does.
 *
 * A write that is not asked for by `flush()` ends on a page boundary of the file, so a crash of the machine tears records
 * between sectors only, where readers can tell it. The file may end inside a record then, never after a flush.
 */
import type { ByteFile } from '../io/byte-source.ts';
import { PAGE, WRITE_BUFFER } from './format.ts';

/** What is behind it in the file is up to the caller. */
export class PageWriter {
  readonly #file: ByteFile;
  /** Room for one page more than is collected: a page that was begun is made whole before it is written. */
  readonly #buffer = new Uint8Array(WRITE_BUFFER + PAGE);
  #buffered = 0;
  #written: number;

  /** Writes to `file` from `offset` on. */
  constructor(file: ByteFile, offset: number) {
    this.#file = file;
    this.#written = offset;
  }

  /** Up to here the file has everything. */
  get written(): number {
    return this.#written;
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#written + this.#buffered;
  }

  /** Takes bytes; they are copied or written before it returns. */
  write(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length <= WRITE_BUFFER) {
      this.#collect(bytes);
      return;
    }
    let rest = bytes;
    const inPage = this.position % PAGE;
    if (inPage !== 0) {
      const missing = PAGE - inPage;
      this.#collect(rest.subarray(0, missing));
      // Not enough for the page: wait for more.
      if (rest.length < missing) return;
      rest = rest.subarray(missing);
    }
    this.flush();
    if (rest.length > PAGE) {
      const whole = rest.length - (rest.length % PAGE);
      this.#hand(rest.subarray(0, whole));
      rest = rest.subarray(whole);
    }
    this.#collect(rest);
  }

  /** Hands over everything. It is not synced. */
  flush(): void {
    if (this.#buffered === 0) return;
    this.#hand(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #collect(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  #hand(bytes: Uint8Array): void {
    this.#file.write(this.#written, bytes);
    this.#written += bytes.length;
  }
}
