/**
 * `surgery freelist rebuild`: stores the list of free pages in a file that has none, as bbolt does when it opens such a
 * file for writing: with an otherwise empty transaction.
 */
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import { encodeMetaPage } from '../encode-meta.ts';
import { encodeFreelist, freelistPages } from '../encode-page.ts';
import { DEFAULT_ALLOC_SIZE, FileGrowth } from '../file-growth.ts';
import { FIRST_DATA_PAGE, NO_FREELIST } from '../format.ts';
import { type FreePages, findFreePages } from '../free-pages.ts';
import { PageLoader } from '../page-loader.ts';
import { PathPool } from '../tree-path.ts';
import { RawFile, type SurgeryOptions, type SurgeryPlan } from './raw-file.ts';

/** What `rebuildFreelist` did. */
export interface RebuiltFreelist {
  readonly operation: 'rebuild-freelist';
  /** First page of the new freelist, and how many pages it has. */
  readonly page: number;
  readonly pages: number;
  /** How many free pages it names. */
  readonly freePages: number;
  /** The transaction that stored it, and the meta page that it was written to. */
  readonly txid: bigint;
  readonly metaPage: 0 | 1;
  /** Length of the file. */
  readonly size: number;
}

/** Numbers of transactions have 64 bits. */
const LAST_TXID = 0xffff_ffff_ffff_ffffn;
/** A list that fits into one buffer names 260 million pages. */
const LONGEST_LIST = 0x7fff_0000;

/**
 * Walks over all trees: what they do not reach is free. Throws `BOLT_FREELIST_STORED` if there is a freelist,
 * `BOLT_SOURCE_DAMAGED` if damage hides parts of the trees: pages in use would be called free.
 */
export function planRebuildFreelist(source: ByteSource, options: SurgeryOptions = {}): SurgeryPlan<RebuiltFreelist> {
  const raw = new RawFile(source, options);
  const meta = raw.requireCurrent();
  const { pageSize } = raw;
  if (meta.freelist !== NO_FREELIST) {
    const words = `a freelist is stored already, at page ${meta.freelist}; abandon it first to have it made anew`;
    throw raw.error('BOLT_FREELIST_STORED', words);
  }
  if (meta.pageSize !== pageSize) {
    const words = `meta ${meta.page} names a page size of ${meta.pageSize}, the pages have ${pageSize} bytes`;
    throw raw.error('BOLT_SOURCE_DAMAGED', words);
  }
  if (meta.highWaterMark <= BigInt(FIRST_DATA_PAGE) || meta.highWaterMark * BigInt(pageSize) > BigInt(source.size)) {
    const words = `the high water mark is page ${meta.highWaterMark}, the file has ${raw.pageCount} pages`;
    throw raw.error('BOLT_SOURCE_DAMAGED', words);
  }
  if (meta.txid === LAST_TXID) {
    throw raw.error(
      'BOLT_SOURCE_DAMAGED',
      `transaction ${meta.txid} is the last there can be: none can store a freelist`,
    );
  }
  let highWaterMark = Number(meta.highWaterMark);
  const free = findFreePages(
    new PathPool(new PageLoader(source, pageSize, highWaterMark)),
    undefined,
    Number(meta.root),
  );
  if (!free.complete) {
    const words = 'damage hides parts of the trees: pages that are in use would be taken for free ones';
    throw raw.error('BOLT_SOURCE_DAMAGED', words);
  }
  if (free.sharedPage !== undefined) {
    const words = `page ${free.sharedPage} is referenced more than once: it would be both in use and free after the next write`;
    throw raw.error('BOLT_SOURCE_DAMAGED', words, free.sharedPage);
  }
  const pages = freelistPages(free.count, pageSize);
  if (pages * pageSize > LONGEST_LIST) {
    throw raw.error('UNSUPPORTED', `a list of ${free.count} free pages is too long to be made in memory`);
  }
  let page = firstFit(free, pages);
  let count = free.count;
  let { size } = source;
  if (page === undefined) {
    page = highWaterMark;
    highWaterMark += pages;
    const growth = new FileGrowth(pageSize, size, DEFAULT_ALLOC_SIZE, 0);
    growth.reserve(highWaterMark, size);
    size = growth.target(highWaterMark, size) ?? size;
  } else count -= pages;
  const list = encodeFreelist(page, pages, pageSize, count, idsWithout(free, page, pages));
  const txid = meta.txid + 1n;
  const metaPage = Number(txid % 2n) as 0 | 1;
  const fields = { ...meta, txid, freelist: BigInt(page), highWaterMark: BigInt(highWaterMark) };
  const first = page;
  return {
    result: { operation: 'rebuild-freelist', page, pages, freePages: count, txid, metaPage, size },
    apply(file) {
      if (size > file.size) file.truncate(size);
      file.write(first * pageSize, list);
      file.write(metaPage * pageSize, encodeMetaPage(metaPage, fields));
    },
  };
}

/** Stores the list of free pages in a file that has none. Reads all trees. */
export function rebuildFreelist(file: ByteFile, options: SurgeryOptions = {}): RebuiltFreelist {
  const plan = planRebuildFreelist(file, options);
  plan.apply(file);
  return plan.result;
}

/** The lowest run of `wanted` free pages. */
function firstFit(free: FreePages, wanted: number): number | undefined {
  let length = 0;
  let previous = -1;
  for (const id of free.ids()) {
    length = id === previous + 1 ? length + 1 : 1;
    previous = id;
    if (length === wanted) return id - wanted + 1;
  }
  return undefined;
}

function* idsWithout(free: FreePages, first: number, count: number): Generator<number, void, undefined> {
  for (const id of free.ids()) if (id < first || id >= first + count) yield id;
}
