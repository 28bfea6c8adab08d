/**
 * What the pages of a db are used for: a walk over the trees of all buckets, in steps.
 */
import { readBucketHeader, readInlinePage } from '../bolt/bucket-header.ts';
import { compareKeys } from '../bolt/compare-keys.ts';
import type { BoltDb } from '../bolt/database.ts';
import { ELEMENT_SIZE, FIRST_DATA_PAGE, PAGE_HEADER_SIZE } from '../bolt/format.ts';
import { LogicalPage } from '../bolt/logical-page.ts';
import { PageBitmap } from '../bolt/page-bitmap.ts';
import { PageLoader } from '../bolt/page-loader.ts';
import { PageBudget, TreePath } from '../bolt/tree-path.ts';
import { isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';

/** Pages of trees, and what is in them. */
export interface TreePages {
  /** Pages without those behind them that continue them. */
  branch: number;
  leaf: number;
  /** Pages that continue a branch or leaf. */
  overflow: number;
  /** Bytes of all these pages that hold nothing: neither header, nor element, key or value. */
  slackBytes: number;
}

/** A top-level bucket, with the buckets in it. */
export interface BucketUsage extends Readonly<TreePages> {
  readonly name: Uint8Array;
  /** It has no pages of its own: it lies in a page of the tree of buckets. */
  readonly inline: boolean;
  /** Keys with a value. */
  readonly pairs: number;
  /** Bytes of these keys and values. */
  readonly bytes: number;
}

/** The pages of a db. In numbers of pages, but for what is called bytes. */
export interface PageUsage extends Readonly<TreePages> {
  readonly pageSize: number;
  /** All pages: the first number never used. */
  readonly highWaterMark: number;
  readonly fileBytes: number;
  /** Bytes of the file behind the last page: room for growth, or a checksum. */
  readonly tailBytes: number;
  readonly meta: number;
  /** Pages of the stored list of free pages. */
  readonly freelist: number;
  /** All pages that are not free. */
  readonly inUse: number;
  readonly free: number;
  readonly freeBytes: number;
}

/** What the walk finds. */
export interface PagesResult {
  readonly pages: PageUsage;
  /** In the order of names. At most a thousand: a damaged or strange file may have any number. */
  readonly buckets: readonly BucketUsage[];
  /** Buckets that are not listed. */
  readonly moreBuckets: number;
}

const STEP_BYTES = 1 << 20;
const ELEMENT_COST = 16;
const MAX_BUCKETS = 1000;

interface Tree {
  readonly rootPage: number;
  /** The bucket at the top that it belongs to; none for the tree of buckets. */
  readonly bucket: MutableBucket | undefined;
}

type MutableBucket = { -readonly [Field in keyof BucketUsage]: BucketUsage[Field] };

/** A walk. Throws `BOLT_DAMAGED` at what cannot be read. */
export class PageWalk {
  readonly #db: BoltDb;
  readonly #path: TreePath;
  readonly #inline: LogicalPage;
  readonly #entered = new PageBitmap();
  readonly #total: TreePages = { branch: 0, leaf: 0, overflow: 0, slackBytes: 0 };
  readonly #buckets: MutableBucket[] = [];
  /** What the buckets that are not listed are counted under. */
  readonly #unlisted = newBucket(new Uint8Array(0), false);
  readonly #pending: Tree[] = [];
  #moreBuckets = 0;
  #tree: Tree | undefined;
  /** Bytes of pages seen. */
  done = 0;

  constructor(source: ByteSource, db: BoltDb) {
    this.#db = db;
    const loader = new PageLoader(source, db.pageSize, db.highWaterMark);
    this.#inline = new LogicalPage(loader);
    this.#path = new TreePath(loader);
    this.#path.budget = new PageBudget(loader);
    this.#path.visitor = (page) => {
      // Pages that two trees claim would be counted twice, and could be claimed without end.
      if (!this.#entered.add(page.id)) throw page.damaged('is referenced more than once');
      if (!page.isLeaf) this.#count(page);
      return true;
    };
    this.#pending.push({ rootPage: db.root.rootPage, bucket: undefined });
  }

  /** Walks some pages; true when it has come to the end. */
  step(): boolean {
    const path = this.#path;
    for (let budget = STEP_BYTES; budget > 0; ) {
      if (this.#tree === undefined) {
        this.#tree = this.#pending.pop();
        if (this.#tree === undefined) return true;
        path.enter({ rootPage: this.#tree.rootPage, inlinePage: undefined }, true);
      }
      if (!path.nextLeaf()) {
        this.#tree = undefined;
        continue;
      }
      const { page } = path;
      this.#count(page);
      budget -= page.length + page.count * ELEMENT_COST;
    }
    return false;
  }

  get result(): PagesResult {
    const { pageSize, highWaterMark } = this.#db;
    const { branch, leaf, overflow, slackBytes } = this.#total;
    const freelist = this.#freelistPages();
    const used = FIRST_DATA_PAGE + branch + leaf + overflow + freelist;
    // Overflow pages that a damaged page claims may lie anywhere.
    const inUse = Math.min(used, highWaterMark);
    const free = highWaterMark - inUse;
    return {
      pages: {
        pageSize,
        highWaterMark,
        fileBytes: this.#db.size,
        tailBytes: Math.max(0, this.#db.size - highWaterMark * pageSize),
        meta: FIRST_DATA_PAGE,
        branch,
        leaf,
        overflow,
        freelist,
        inUse,
        free,
        freeBytes: free * pageSize,
        slackBytes,
      },
      buckets: this.#buckets.sort((a, b) => compareKeys(a.name, b.name)),
      moreBuckets: this.#moreBuckets,
    };
  }

  #freelistPages(): number {
    if (!this.#db.freelistStored) return 0;
    try {
      return this.#db.freelist().overflow + 1;
    } catch (error) {
      if (!isDatadirError(error, 'BOLT_DAMAGED')) throw error;
      return 0;
    }
  }

  /** Counts a page of the current tree, and what is in it if it is a leaf. */
  #count(page: LogicalPage): void {
    const bucket = this.#tree?.bucket;
    const used = PAGE_HEADER_SIZE + page.count * ELEMENT_SIZE + this.#elements(page, bucket);
    const slack = Math.max(0, page.length - used);
    this.done += page.length;
    for (const pages of bucket === undefined ? [this.#total] : [this.#total, bucket]) {
      if (page.isLeaf) pages.leaf++;
      else pages.branch++;
      pages.overflow += page.overflow;
      pages.slackBytes += slack;
    }
  }

  /** Bytes of all keys and values of a page. */
  #elements(page: LogicalPage, bucket: MutableBucket | undefined): number {
    let bytes = 0;
    let inBuckets = 0;
    let pairs = page.count;
    for (let i = 0; i < page.count; i++) {
      page.readElement(i);
      const length = page.keyLength + page.valueLength;
      bytes += length;
      // Inline buckets that lie upon each other would be read over and over.
      if (bytes > page.length) throw page.damaged(`element ${i} or one before it overlaps another`);
      if (page.isLeaf && page.isBucket) {
        inBuckets += length;
        pairs--;
        this.#enterBucket(page, bucket);
      }
    }
    if (page.isLeaf && bucket !== undefined) {
      bucket.pairs += pairs;
      bucket.bytes += bytes - inBuckets;
    }
    return bytes;
  }

  /** Takes note of the bucket whose element was decoded last. `parent`: the top-level bucket it lies in. */
  #enterBucket(page: LogicalPage, parent: MutableBucket | undefined): void {
    const { root } = readBucketHeader(page);
    const bucket = parent ?? this.#newBucket(page, root === 0);
    if (root !== 0) {
      this.#pending.push({ rootPage: root, bucket });
      return;
    }
    // bbolt makes no buckets inside inline ones; in overlapping elements there could be any number of them.
    if (page.inline) throw page.damaged('a bucket inside an inline bucket', page.keyStart);
    const { bytes, offset } = readInlinePage(page);
    this.#inline.attachInline(page.id, offset, bytes);
    this.#elements(this.#inline, bucket);
  }

  #newBucket(page: LogicalPage, inline: boolean): MutableBucket {
    if (this.#buckets.length === MAX_BUCKETS) {
      this.#moreBuckets++;
      return this.#unlisted;
    }
    const bucket = newBucket(page.key().slice(), inline);
    this.#buckets.push(bucket);
    return bucket;
  }
}

function newBucket(name: Uint8Array, inline: boolean): MutableBucket {
  return { name, inline, pairs: 0, bytes: 0, branch: 0, leaf: 0, overflow: 0, slackBytes: 0 };
}
