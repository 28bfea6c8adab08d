/**
 * Checks the stored freelist: that it is one, that it fits its pages, and that every number in it can be a free page.
 * The numbers are read in pieces, since a list may be as long as the file.
 */
import { isDatadirError } from '../errors.ts';
import type { FindingPlace } from '../finding-table.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { Cause, CheckReporter } from './check-reporter.ts';
import {
  FIRST_DATA_PAGE,
  FLAG_FREELIST,
  FREELIST_COUNT_ESCAPE,
  FREELIST_ID_SIZE,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';
import type { PageBitmap } from './page-bitmap.ts';

const PIECE = 64 * 1024;
const TWO_32 = 0x1_0000_0000;

export interface FreelistCheckOptions {
  readonly source: ByteSource;
  readonly size: number;
  readonly pageSize: number;
  readonly highWaterMark: number;
  /** As the meta has it; not NO_FREELIST. */
  readonly freelist: bigint;
  /** Page of that meta. */
  readonly metaPage: number;
  /** Gets the pages of the freelist itself. */
  readonly reached: PageBitmap;
  /** Gets the pages that are named as free. */
  readonly free: PageBitmap;
  readonly reporter: CheckReporter;
  readonly truncated: Cause | undefined;
}

export class FreelistCheck {
  /** Whether the list could be read to the end, so that pages missing in it are known to be missing. */
  complete = false;
  readonly #o: FreelistCheckOptions;
  readonly #piece = new Uint8Array(PIECE);
  readonly #view = new DataView(this.#piece.buffer);
  #page = 0;
  #offset = 0; // of the next id
  #left = 0; // ids still to come
  #previous = -1;
  #unsorted: { id: number; previous: number } | undefined;
  #outOfRange: { id: bigint; offset: number; times: number } | undefined;
  // Runs of pages named twice, so that a list written twice is one finding.
  #duplicate: [first: number, last: number] | undefined;
  #place: FindingPlace = {};
  // Pages that it claims without a need: `[first, end)`.
  #excess: [first: number, end: number] = [0, 0];
  #overflowReported = false;

  constructor(options: FreelistCheckOptions) {
    this.#o = options;
  }

  /** Reads the header; false when there is nothing to go on with. */
  start(): boolean {
    const { freelist, highWaterMark, reporter, pageSize, source, size, metaPage, reached } = this.#o;
    if (freelist < BigInt(FIRST_DATA_PAGE) || freelist >= BigInt(highWaterMark)) {
      const args = { freelist: `${freelist}`, highWaterMark: `${highWaterMark}` };
      reporter.report('BOLT_FREELIST_OUT_OF_RANGE', args, { page: metaPage, offset: metaPage * pageSize });
      return false;
    }
    this.#page = Number(freelist);
    const start = this.#page * pageSize;
    this.#place = { page: this.#page, offset: start };
    if (start + PAGE_HEADER_SIZE > size) {
      const place =
        this.#o.truncated === undefined ? { page: this.#page } : { page: this.#page, causedBy: this.#o.truncated };
      reporter.report('BOLT_PAGE_BEYOND_FILE', { size: `${size}` }, place);
      return false;
    }
    try {
      source.readInto(this.#piece.subarray(0, PAGE_HEADER_SIZE + FREELIST_ID_SIZE), start);
    } catch (error) {
      return this.#unreadable(error, start);
    }
    const view = this.#view;
    const id = view.getBigUint64(PAGE_ID, true);
    const flags = view.getUint16(PAGE_FLAGS, true);
    const overflow = view.getUint32(PAGE_OVERFLOW, true);
    if (id !== freelist || flags !== FLAG_FREELIST) {
      reporter.report('BOLT_FREELIST_PAGE', { id: `${id}`, flags: `0x${flags.toString(16)}` }, this.#place);
      // A page of another kind belongs to somebody else; only with the right flags is it taken for the freelist's.
      if (flags !== FLAG_FREELIST) return false;
    }
    if (this.#page + overflow >= highWaterMark) {
      const args = { overflow: `${overflow}`, highWaterMark: `${highWaterMark}` };
      reporter.report('BOLT_OVERFLOW_OUT_OF_RANGE', args, this.#place);
      this.#overflowReported = true;
    }
    const endPage = Math.min(this.#page + overflow + 1, highWaterMark);
    const room = Math.min((endPage - this.#page) * pageSize, size - start);
    const fits = this.#readCount(start, room);
    // What the list does not need is not its own yet: a damaged overflow must not take the trees' pages from them.
    const needed = fits ? Math.ceil((this.#offset - start + this.#left * FREELIST_ID_SIZE) / pageSize) : 1;
    reached.addRun(this.#page, this.#page + needed);
    this.#excess = [this.#page + needed, endPage];
    return fits;
  }

  /** To be called when the trees have been walked: the freelist may have more pages than it needs, if nobody else has them. */
  settleExcess(): void {
    const [first, end] = this.#excess;
    const { reached, free, reporter } = this.#o;
    const unused = reached.addRun(first, end) === end && free.next(true, first, end) === end;
    if (unused || this.#overflowReported) return;
    const args = { overflow: `${end - this.#page - 1}`, needed: `${first - this.#page - 1}` };
    reporter.report('BOLT_OVERFLOW_TOO_LARGE', args, { ...this.#place, pages: [this.#page, end - 1] });
  }

  #readCount(start: number, room: number): boolean {
    const short = this.#view.getUint16(PAGE_COUNT, true);
    const escaped = short === FREELIST_COUNT_ESCAPE;
    const first = PAGE_HEADER_SIZE + (escaped ? FREELIST_ID_SIZE : 0);
    const count = escaped ? this.#view.getBigUint64(PAGE_HEADER_SIZE, true) : BigInt(short);
    const fits = Math.max(0, Math.floor((room - first) / FREELIST_ID_SIZE));
    this.#offset = start + first;
    if (count > BigInt(fits)) {
      this.#o.reporter.report('BOLT_FREELIST_COUNT', { count: `${count}`, room: `${fits}` }, this.#place);
      return false;
    }
    this.#left = Number(count);
    return true;
  }

  /** Deals with a piece of the list; returns true at its end. */
  step(): boolean {
    const length = Math.min(this.#left * FREELIST_ID_SIZE, PIECE);
    if (length > 0) {
      try {
        const got = this.#o.source.readInto(this.#piece.subarray(0, length), this.#offset);
        this.#take(Math.floor(got / FREELIST_ID_SIZE));
        if (got < length) this.#left = 0;
      } catch (error) {
        this.#unreadable(error, this.#offset);
        return true;
      }
      if (this.#left > 0) return false;
    }
    this.#finish();
    return true;
  }

  #take(count: number): void {
    const { free, reached, highWaterMark } = this.#o;
    const view = this.#view;
    for (let i = 0; i < count; i++) {
      const at = i * FREELIST_ID_SIZE;
      const id = view.getUint32(at + 4, true) * TWO_32 + view.getUint32(at, true);
      if (id < FIRST_DATA_PAGE || id >= highWaterMark) {
        this.#outOfRange ??= { id: view.getBigUint64(at, true), offset: this.#offset + at, times: 0 };
        this.#outOfRange.times++;
      } else if (!free.add(id)) this.#duplicated(id);
      else if (reached.has(id)) {
        this.#o.reporter.report('BOLT_FREELIST_OWN_PAGE', {}, { page: id, offset: id * this.#o.pageSize });
      }
      if (id < this.#previous) this.#unsorted ??= { id, previous: this.#previous };
      this.#previous = id;
    }
    this.#left -= count;
    this.#offset += count * FREELIST_ID_SIZE;
  }

  #duplicated(id: number): void {
    const run = this.#duplicate;
    if (run !== undefined && (id === run[1] || id === run[1] + 1)) {
      run[1] = id;
      return;
    }
    this.#reportDuplicate();
    this.#duplicate = [id, id];
  }

  #reportDuplicate(): void {
    if (this.#duplicate === undefined) return;
    const [first, last] = this.#duplicate;
    const place = { page: first, pages: [first, last] as [number, number], offset: first * this.#o.pageSize };
    this.#o.reporter.report('BOLT_FREELIST_DUPLICATE', { times: `${last - first + 1}` }, place);
    this.#duplicate = undefined;
  }

  #finish(): void {
    const { reporter, highWaterMark } = this.#o;
    this.#reportDuplicate();
    if (this.#outOfRange !== undefined) {
      const { id, offset, times } = this.#outOfRange;
      const args = { id: `${id}`, highWaterMark: `${highWaterMark}`, times: `${times}` };
      reporter.report('BOLT_FREELIST_ID_OUT_OF_RANGE', args, { ...this.#place, offset });
    }
    if (this.#unsorted !== undefined) {
      const { id, previous } = this.#unsorted;
      reporter.report('BOLT_FREELIST_UNSORTED', { id: `${id}`, previous: `${previous}` }, this.#place);
    }
    this.complete = true;
  }

  #unreadable(error: unknown, offset: number): false {
    if (!isDatadirError(error)) throw error;
    const page = Math.floor((error.offset ?? offset) / this.#o.pageSize);
    const place = { page, offset: page * this.#o.pageSize };
    this.#o.reporter.report('BOLT_PAGE_UNREADABLE', { reason: error.message }, place);
    return false;
  }
}
