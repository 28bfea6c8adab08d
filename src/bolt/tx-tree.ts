/**
 * The tree of one bucket within a transaction: its root, and those of its pages that are in memory to be changed.
 */
import { DatadirError } from '../errors.ts';
import type { DirtyPages } from './dirty-pages.ts';
import { BUCKET_HEADER_SIZE, BUCKET_ROOT, BUCKET_SEQUENCE, PAGE_HEADER_SIZE } from './format.ts';
import { LogicalPage } from './logical-page.ts';
import { type Node, readNode } from './node.ts';
import type { PageLoader } from './page-loader.ts';
import type { PairMemory } from './pair-memory.ts';
import type { PathPool } from './tree-path.ts';

/** What a tree needs of the transaction it is part of. */
export interface TreeContext {
  readonly loader: PageLoader;
  readonly pool: PathPool;
  readonly pageSize: number;
  /** Takes `pages` neighbouring pages and returns the first. */
  allocate(pages: number): number;
  /** Gives up pages that the last commit uses. */
  free(first: number, count: number): void;
  /** Where keys, values and changed pages are copied to. */
  readonly pairs: PairMemory;
  /** What is written at commit. */
  readonly dirty: DirtyPages;
}

const DEFAULT_FILL_PERCENT = 0.5;

/** The tree of a bucket. Nodes are made when something in their page is changed. */
export class TxTree {
  readonly context: TreeContext;
  /** The page of the root; 0 while the bucket is an inline one. */
  rootPage: number;
  sequence: bigint;
  fillPercent: number = DEFAULT_FILL_PERCENT;
  /** The page of an inline bucket, until it is loaded as a node. */
  readonly inlinePage: LogicalPage | undefined;
  rootNode: Node | undefined;
  /** Nodes in memory by their page. */
  readonly nodes: Map<number, Node> = new Map();
  /** Counts changes, so that cursors notice them. */
  changes = 0;
  readonly #scratch: LogicalPage;

  constructor(context: TreeContext, rootPage: number, sequence: bigint, inlinePage?: LogicalPage) {
    this.context = context;
    this.rootPage = rootPage;
    this.sequence = sequence;
    this.inlinePage = inlinePage;
    this.#scratch = new LogicalPage(context.loader);
  }

  /** Loads the root page into `page`; gives the page of an inline bucket instead. */
  enterRoot(page: LogicalPage): LogicalPage {
    if (this.inlinePage !== undefined) return this.inlinePage;
    const { loader } = this.context;
    if (!loader.isDataPage(this.rootPage)) {
      const mark = loader.highWaterMark;
      throw loader.damaged(
        `page ${this.rootPage} is named as the root of a bucket; the high water mark is ${mark}`,
        {},
      );
    }
    loader.load(this.rootPage, page);
    page.requireTreePage();
    return page;
  }

  /** The root as a node. It is read into `page`, unless it is there already. */
  requireRoot(page: LogicalPage = this.#scratch): Node {
    if (this.rootNode === undefined) {
      this.rootNode = readNode(this.enterRoot(page), this.context.pairs);
      this.nodes.set(this.rootPage, this.rootNode);
    }
    return this.rootNode;
  }

  /** Child `index` of a branch as a node. It is read into `page`, unless it is there already. */
  requireChild(parent: Node, index: number, page: LogicalPage = this.#scratch): Node {
    const { loader } = this.context;
    const id = parent.elements[index]!.child;
    const known = this.nodes.get(id);
    if (known !== undefined) {
      if (known.parent !== parent) throw loader.damaged(`page ${id} is referenced more than once`, { pageId: id });
      return known;
    }
    if (!loader.isDataPage(id)) {
      const message = `page ${parent.pageId}: child ${index} is page ${id}; the high water mark is ${loader.highWaterMark}`;
      throw loader.damaged(message, { pageId: parent.pageId });
    }
    loader.load(id, page);
    page.requireTreePage();
    const node = readNode(page, this.context.pairs);
    node.parent = parent;
    parent.children.push(node);
    this.nodes.set(id, node);
    return node;
  }

  /** Gives up the page of a node that goes away. */
  freeNode(node: Node): void {
    this.nodes.delete(node.pageId);
    if (node.pageId !== 0) this.context.free(node.pageId, node.overflow + 1);
    node.pageId = 0;
  }

  /** Gives up all pages that the tree has in the file. */
  freePages(): void {
    if (this.rootPage === 0) return;
    const { pool, free } = this.context;
    pool.use((path) => {
      path.visitor = (page) => {
        if (page.count > 0) page.readElement(page.count - 1);
        page.requireEnd(page.count === 0 ? PAGE_HEADER_SIZE : page.keyStart + page.keyLength + page.valueLength);
        free(page.id, page.overflow + 1);
        return true;
      };
      path.enter({ rootPage: this.rootPage, inlinePage: undefined }, true);
      while (path.nextLeaf());
    });
    this.rootPage = 0;
  }
}

/** The tree of the bucket whose stored value is given; `pageId` is the page that holds it. */
export function openTree(context: TreeContext, value: Uint8Array, pageId: number): TxTree {
  if (value.length < BUCKET_HEADER_SIZE) {
    const needs = `its header needs ${BUCKET_HEADER_SIZE}`;
    throw context.loader.damaged(`page ${pageId}: a bucket's value has ${value.length} bytes, ${needs}`, { pageId });
  }
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  const root = Number(view.getBigUint64(BUCKET_ROOT, true));
  const sequence = view.getBigUint64(BUCKET_SEQUENCE, true);
  if (root !== 0) return new TxTree(context, root, sequence);
  const page = new LogicalPage(context.loader);
  page.attachInline(pageId, pageId * context.pageSize, value.slice(BUCKET_HEADER_SIZE));
  return new TxTree(context, root, sequence, page);
}

/** The value of a bucket's element: its header, and room for `inlineSize` bytes of an inline page. */
export function encodeBucketHeader(root: number, sequence: bigint, inlineSize = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BUCKET_HEADER_SIZE + inlineSize);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(BUCKET_ROOT, BigInt(root), true);
  view.setBigUint64(BUCKET_SEQUENCE, sequence, true);
  return bytes;
}

/** For what cannot happen unless this library is wrong. */
export function internalError(message: string): DatadirError {
  return new DatadirError('INTERNAL', message);
}
