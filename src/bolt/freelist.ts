/**
 * The stored freelist: page numbers, read in pieces. It is as long as the file makes it, millions of ids and more.
 */
import { readBuffer } from '../io/byte-source.ts';
import { FLAG_FREELIST, FREELIST_COUNT_ESCAPE, FREELIST_ID_SIZE, PAGE_HEADER_SIZE } from './format.ts';
import { LogicalPage } from './logical-page.ts';
import type { PageLoader } from './page-loader.ts';

const PIECE = 1 << 16;

/** Some ids of a freelist. */
export interface FreelistPiece {
  /** Little-endian u64s from offset 0 on. Valid until the next piece is asked for. */
  readonly ids: DataView;
  readonly count: number;
  /** Number of the first id within the list. */
  readonly first: number;
}

/** A freelist as it is stored. The ids themselves are not checked. */
export class StoredFreelist {
  readonly pageId: number;
  /** Pages of the list behind its first one. */
  readonly overflow: number;
  /** How many ids there are; they lie within the list's pages. */
  readonly count: number;
  readonly #loader: PageLoader;
  /** File offset of the first id. */
  readonly #offset: number;

  /** Reads the header. Throws `BOLT_DAMAGED` if this is no freelist page, or if it has no room for its ids. */
  constructor(loader: PageLoader, pageId: number) {
    this.#loader = loader;
    this.pageId = pageId;
    if (!loader.isDataPage(pageId)) {
      throw loader.damaged(
        `page ${pageId} is named as the freelist; the high water mark is ${loader.highWaterMark}`,
        {},
      );
    }
    const page = new LogicalPage(loader);
    loader.load(pageId, page);
    if (page.storedId !== BigInt(pageId)) throw page.damaged(`carries the page number ${page.storedId}`);
    if (page.flags !== FLAG_FREELIST) {
      throw page.damaged(`flags 0x${page.flags.toString(16).padStart(2, '0')} are not those of a freelist (0x10)`);
    }
    if (pageId + page.overflow >= loader.highWaterMark) {
      throw page.damaged(`claims ${page.overflow} overflow pages; the high water mark is ${loader.highWaterMark}`);
    }
    this.overflow = page.overflow;
    const escaped = page.count === FREELIST_COUNT_ESCAPE;
    const start = PAGE_HEADER_SIZE + (escaped ? FREELIST_ID_SIZE : 0);
    const count = escaped ? freelistCount(page) : page.count;
    if (start + count * FREELIST_ID_SIZE > page.length) {
      throw page.damaged(`${count} ids do not fit into its ${page.length} bytes`, PAGE_HEADER_SIZE);
    }
    this.count = count;
    this.#offset = page.offset + start;
  }

  /** The ids in pieces, for loops over very many of them. */
  *pieces(): Generator<FreelistPiece, void, undefined> {
    let buffer: Uint8Array | undefined;
    for (let first = 0; first < this.count; ) {
      const count = Math.min(PIECE / FREELIST_ID_SIZE, this.count - first);
      buffer ??= readBuffer(count * FREELIST_ID_SIZE);
      const bytes = buffer.subarray(0, count * FREELIST_ID_SIZE);
      this.#loader.readExactly(bytes, this.#offset + first * FREELIST_ID_SIZE, this.pageId);
      yield { ids: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), count, first };
      first += count;
    }
  }

  /** The ids as stored, in the order in which they are stored. */
  *rawIds(): Generator<bigint, void, undefined> {
    for (const { ids, count } of this.pieces()) {
      for (let i = 0; i < count; i++) yield ids.getBigUint64(i * FREELIST_ID_SIZE, true);
    }
  }
}

/** The id at an offset of a piece as a number. Beyond 2^53 it is not exact, but then it is no page of a file anyway. */
export function freelistId(ids: DataView, at: number): number {
  return ids.getUint32(at, true) + ids.getUint32(at + 4, true) * 2 ** 32;
}

function freelistCount(page: LogicalPage): number {
  const bytes = page.read(PAGE_HEADER_SIZE, FREELIST_ID_SIZE);
  return freelistId(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);
}
