/**
 * The one way in which the reader gets at pages: single pages, runs of neighbouring pages, and pieces of large ones.
 *
 * Everything above (paths, cursors, buckets) keeps pages it has loaded until it needs their memory, and believes them: the
 * pages of one commit do not change while somebody is at it. A writer gives every transaction a loader of its own.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { FIRST_DATA_PAGE } from './format.ts';
import type { LogicalPage } from './logical-page.ts';

/** How much of a page is read before its header tells more; pages of the usual sizes are then in memory as a whole. */
const HEAD_LIMIT = 1 << 16;
/** The largest read of neighbouring pages, and the largest logical page that is ever read as a whole. */
export const RUN_LIMIT: number = 1 << 20;
/** Pages between two children that are read along with them: more would cost more than a second read. */
const RUN_GAP = 8;

/** Neighbouring pages in one buffer, which is reused for the next run. */
export class PageRun {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  /** The first page, and how many bytes from its start on are there. */
  first = 0;
  length = 0;
}

export class PageLoader {
  readonly source: ByteSource;
  readonly pageSize: number;
  readonly highWaterMark: number;
  /** Length of the file, which may have grown since the source was opened: a running etcd writes to it. */
  readonly size: number;
  /** Pages below the high water mark of which the file holds at least the first byte. */
  readonly presentPages: number;
  closed = false;
  /** How much is read before the header is known. */
  readonly #headSize: number;

  /** `highWaterMark × pageSize` must have been checked to be a safe integer. */
  constructor(source: ByteSource, pageSize: number, highWaterMark: number) {
    this.source = source;
    this.pageSize = pageSize;
    this.highWaterMark = highWaterMark;
    this.size = Math.max(source.size, source.currentSize?.() ?? 0);
    this.presentPages = Math.min(highWaterMark, Math.ceil(this.size / pageSize));
    this.#headSize = Math.min(pageSize, HEAD_LIMIT);
  }

  assertOpen(): void {
    if (this.closed) throw new DatadirError('BOLT_CLOSED', 'the database was closed', this.#place({}));
  }

  /** An error about damage, to be thrown. */
  damaged(message: string, place: { pageId?: number; offset?: number }): DatadirError {
    return new DatadirError('BOLT_DAMAGED', message, this.#place(place));
  }

  #place(place: { pageId?: number; offset?: number }): { path?: string; pageId?: number; offset?: number } {
    return this.source.path === undefined ? place : { path: this.source.path, ...place };
  }

  /** Whether a page of a tree may have this number. */
  isDataPage(id: number): boolean {
    return id >= FIRST_DATA_PAGE && id < this.highWaterMark;
  }

  /**
   * Reads the head of page `id`, which must be below the high water mark, into memory of `page`. Nothing is read when
   * `page` holds that page already.
   */
  load(id: number, page: LogicalPage): void {
    this.assertOpen();
    if (page.holds(id)) return;
    const buffer = page.ownBuffer(this.#headSize);
    const target = buffer.length === this.#headSize ? buffer : buffer.subarray(0, this.#headSize);
    page.attachOwn(id, this.source.readInto(target, id * this.pageSize));
  }

  /**
   * As `load`, for child `index` of `branch`. The children after it that lie close behind it (with `step` -1: those before
   * it that lie close before it), up to `limit` bytes, are read into `run` at the same time, so that a scan over a dense
   * file makes few and large reads.
   */
  loadChild(branch: LogicalPage, index: number, step: 1 | -1, page: LogicalPage, run: PageRun, limit: number): void {
    this.assertOpen();
    const id = branch.childAt(index);
    if (page.holds(id)) return;
    if (this.#attachFromRun(id, page, run)) return;
    const other = this.#endOfRun(branch, index, step, limit);
    const read = other !== id && this.#readRun(run, Math.min(id, other), Math.max(id, other));
    if (!read || !this.#attachFromRun(id, page, run)) this.load(id, page);
  }

  #attachFromRun(id: number, page: LogicalPage, run: PageRun): boolean {
    if (id < run.first) return false;
    const base = (id - run.first) * this.pageSize;
    if (base + this.#headSize > run.length) return false;
    page.attachRun(id, run, base);
    return true;
  }

  /** The farthest page that is worth reading together with child `index`. */
  #endOfRun(branch: LogicalPage, index: number, step: 1 | -1, limit: number): number {
    const id = branch.childAt(index);
    const pages = Math.floor(limit / this.pageSize);
    let last = id;
    for (let i = index + step; i >= 0 && i < branch.count; i += step) {
      const child = branch.childAt(i);
      const distance = (child - last) * step;
      if (distance < 1 || distance > RUN_GAP + 1 || Math.abs(child - id) >= pages || child >= this.presentPages) break;
      last = child;
    }
    return last;
  }

  #readRun(run: PageRun, first: number, last: number): boolean {
    const wanted = (last + 1 - first) * this.pageSize;
    run.length = 0;
    if (run.bytes.length < wanted) {
      // In powers of two, so that runs that grow little by little do not make a buffer each.
      run.bytes = readBuffer(Math.max(2 ** Math.ceil(Math.log2(wanted)), HEAD_LIMIT));
      run.view = new DataView(run.bytes.buffer, run.bytes.byteOffset, run.bytes.length);
    }
    try {
      run.length = this.source.readInto(run.bytes.subarray(0, wanted), first * this.pageSize);
    } catch (error) {
      // One bad place must not take its neighbours with it: each page is then read alone.
      if (!isDatadirError(error)) throw error;
      return false;
    }
    run.first = first;
    return true;
  }

  /** Fills `target` from `offset` of the file; what is missing there is damage of page `pageId`. */
  readExactly(target: Uint8Array, offset: number, pageId: number): void {
    this.assertOpen();
    if (this.source.readInto(target, offset) < target.length) throw this.beyondFile(pageId);
  }

  beyondFile(pageId: number): DatadirError {
    const { size } = this;
    return this.damaged(`page ${pageId} lies, wholly or in part, beyond the end of the file (${size} bytes)`, {
      pageId,
      offset: size,
    });
  }
}

/** Memory for a key or value. The length was checked against the file, which may still be larger than memory. */
export function allocate(length: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new DatadirError('UNSUPPORTED', `${length} bytes do not fit into memory at once; read them in pieces`, {
      cause,
    });
  }
}
