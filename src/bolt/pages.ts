/**
 * Pages one by one: the table of `bbolt pages`, and everything about a single page as in `bbolt page`.
 */
import { DatadirError } from '../errors.ts';
import { readBuffer } from '../io/byte-source.ts';
import { type BucketHeader, readBucketHeader } from './bucket-header.ts';
import { Element } from './element.ts';
import {
  FIRST_DATA_PAGE,
  FLAG_BRANCH,
  FLAG_FREELIST,
  FLAG_LEAF,
  FLAG_META,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_OVERFLOW,
} from './format.ts';
import { StoredFreelist } from './freelist.ts';
import { LogicalPage } from './logical-page.ts';
import { type Meta, parseMeta } from './meta.ts';
import type { PageLoader } from './page-loader.ts';

/** What a page is by its flags; `unknown<20>` names flags that no page has, in hex. */
export type PageType = 'meta' | 'leaf' | 'branch' | 'freelist' | `unknown<${string}>`;

/** One line of the table of pages. */
export interface PageRow {
  readonly id: number;
  readonly type: PageType | 'free';
  /** Elements or ids by the page's header; 0 for a free page, whose header says nothing. */
  readonly items: number;
  /** Pages that follow and belong to it. */
  readonly overflow: number;
}

/** The type of a page by the flags in its header. */
export function pageType(flags: number): PageType {
  switch (flags) {
    case FLAG_META:
      return 'meta';
    case FLAG_LEAF:
      return 'leaf';
    case FLAG_BRANCH:
      return 'branch';
    case FLAG_FREELIST:
      return 'freelist';
    default:
      return `unknown<${flags.toString(16).padStart(2, '0')}>`;
  }
}

/** Headers are read in stretches of this length, unless pages are so large that single headers are cheaper. */
const STRETCH = 1 << 18;

/**
 * The table of pages up to the high water mark: pages in use with their overflow pages left out, free pages one by one.
 * Ends with `BOLT_DAMAGED` where the file does, if that is before the high water mark.
 */
export function* iteratePages(
  loader: PageLoader,
  isFree: (id: number) => boolean,
): Generator<PageRow, void, undefined> {
  const { pageSize, highWaterMark } = loader;
  const stretch = pageSize * 16 > STRETCH ? PAGE_HEADER_SIZE : STRETCH;
  const buffer = readBuffer(stretch);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let from = 0;
  let length = 0;
  for (let id = 0; id < highWaterMark; ) {
    if (id >= loader.presentPages) throw loader.beyondFile(id);
    if (isFree(id)) {
      yield { id, type: 'free', items: 0, overflow: 0 };
      id++;
      continue;
    }
    const offset = id * pageSize;
    if (offset < from || offset + PAGE_HEADER_SIZE > from + length) {
      loader.assertOpen();
      from = offset;
      length = loader.source.readInto(buffer, offset);
      if (length < PAGE_HEADER_SIZE) throw loader.beyondFile(id);
    }
    const at = offset - from;
    const overflow = view.getUint32(at + PAGE_OVERFLOW, true);
    const type = pageType(view.getUint16(at + PAGE_FLAGS, true));
    yield { id, type, items: view.getUint16(at + PAGE_COUNT, true), overflow };
    id += overflow + 1;
  }
}

/** One element of a leaf or branch page. Valid as long as the page object. */
export interface PageItem {
  readonly index: number;
  /** Key and value. */
  readonly element: Element;
  /** Of a branch page: the child as stored, which need not be a page of the database. */
  readonly child: number | undefined;
  /** Of a bucket's element. */
  readonly bucket: BucketHeader | undefined;
}

/** A logical page as it is stored, in use or not. */
export class PageDetails {
  readonly id: number;
  readonly type: PageType;
  /** The number in the header of a meta page, which bbolt does not look at; of other pages it is `id`. */
  readonly storedId: bigint;
  readonly overflow: number;
  /** Bytes of the page and its overflow pages. */
  readonly size: number;
  /** The count of the header: of elements, or of ids (see `freelist` for the real number). */
  readonly count: number;
  /** Of a meta page. */
  readonly meta: Meta | undefined;
  /** Of a freelist page. */
  readonly freelist: StoredFreelist | undefined;
  readonly #page: LogicalPage;

  /**
   * Reads the head of a page. Throws `BOLT_PAGE_OUT_OF_RANGE`, or `BOLT_DAMAGED` if the header has another page's number,
   * or if what the header says does not fit.
   */
  constructor(loader: PageLoader, id: number) {
    if (!Number.isSafeInteger(id) || id < 0 || id >= loader.highWaterMark) {
      throw new DatadirError(
        'BOLT_PAGE_OUT_OF_RANGE',
        `page ${id} is not in the database: its high water mark is ${loader.highWaterMark}`,
        loader.source.path === undefined ? {} : { path: loader.source.path },
      );
    }
    const page = new LogicalPage(loader);
    loader.load(id, page);
    this.#page = page;
    this.id = id;
    this.type = pageType(page.flags);
    this.storedId = page.storedId;
    this.count = page.count;
    if (id < FIRST_DATA_PAGE) this.meta = parseMeta(page.bytes.subarray(0, page.available), id === 0 ? 0 : 1);
    else if (page.storedId !== BigInt(id)) throw page.damaged(`carries the page number ${page.storedId}`);
    else if (id + page.overflow >= loader.highWaterMark) {
      throw page.damaged(`claims ${page.overflow} overflow pages; the high water mark is ${loader.highWaterMark}`);
    }
    this.overflow = page.overflow;
    this.size = page.length;
    if (this.meta === undefined && this.type === 'freelist') this.freelist = new StoredFreelist(loader, id);
    if (this.hasItems) page.requireTreePage();
  }

  /** Whether this is a leaf or branch page. */
  get hasItems(): boolean {
    return this.meta === undefined && (this.type === 'leaf' || this.type === 'branch');
  }

  /** One element. Throws `BOLT_DAMAGED` if it lies outside the page, `USAGE` if there is none of that number. */
  item(index: number): PageItem {
    const count = this.hasItems ? this.count : 0;
    if (!Number.isSafeInteger(index) || index < 0 || index >= count) {
      throw new DatadirError('USAGE', `page ${this.id} has no item ${index}: it has ${count}`);
    }
    const page = this.#page;
    page.readElement(index);
    return {
      index,
      element: new Element({ moves: 0 }).take(page),
      child: page.isLeaf ? undefined : page.childAt(index),
      bucket: page.isBucket ? readBucketHeader(page) : undefined,
    };
  }

  /** All elements in order; none for other kinds of page. */
  *items(): Generator<PageItem, void, undefined> {
    if (this.hasItems) for (let i = 0; i < this.count; i++) yield this.item(i);
  }
}
