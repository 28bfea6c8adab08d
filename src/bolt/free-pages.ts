/**
 * Which pages are free: those of the stored freelist, or, when none is stored (as etcd leaves it on Linux), all pages that
 * no tree reaches.
 */
import { isDatadirError } from '../errors.ts';
import { readBucketHeader } from './bucket-header.ts';
import { FIRST_DATA_PAGE, FREELIST_ID_SIZE } from './format.ts';
import { freelistId, StoredFreelist } from './freelist.ts';
import { PageBitmap } from './page-bitmap.ts';
import type { PathPool, TreePath } from './tree-path.ts';

/** The free pages of a database. */
export interface FreePages {
  /** Whether a freelist is stored; the rest comes from it, or else from a walk over all trees. */
  readonly stored: boolean;
  /** Page of the stored freelist, and the pages it takes behind that one. */
  readonly pageId: number | undefined;
  readonly overflow: number;
  /** How many ids the stored list has, or how many pages no tree reaches. */
  readonly count: number;
  /** False when damage kept the walk from parts of a tree: pages in use may then be counted as free. */
  readonly complete: boolean;
  /** A page that more than one place refers to, if the walk met one: who gives it up for one takes it from the other. */
  readonly sharedPage: number | undefined;
  /** The ids in the order of the stored list, or ascending. Throws `BOLT_DAMAGED` at one that is no page of the database. */
  ids(): Generator<number, void, undefined>;
}

/** Pages of the trees, overflow pages included. */
export interface ReachedPages {
  readonly pages: PageBitmap;
  readonly complete: boolean;
  readonly sharedPage: number | undefined;
}

/**
 * Walks all trees from the root bucket's root page and marks their pages. What is damaged is passed over. Each page is
 * descended into once, so that this ends whatever the pages say.
 */
function reachPages(pool: PathPool, root: number): ReachedPages {
  const pages = new PageBitmap();
  let complete = true;
  let sharedPage: number | undefined;
  pool.use((path) => {
    path.budget = undefined;
    path.visitor = (page) => {
      if (!pages.add(page.id)) {
        sharedPage ??= page.id;
        return false;
      }
      const end = page.id + page.overflow + 1;
      if (pages.addRun(page.id + 1, end) < end) complete = false;
      return true;
    };
    const roots = [root];
    for (let next = roots.pop(); next !== undefined; next = roots.pop()) {
      const rootPage = next;
      const entered = tolerate(() => path.enter({ rootPage, inlinePage: undefined }, true)) ?? 'damaged';
      if (entered !== true) {
        complete = false;
        continue;
      }
      for (;;) {
        const found = tolerate(() => path.nextLeaf());
        if (found === undefined) complete = false;
        else if (!found) break;
        else if (!bucketRoots(path, roots)) complete = false;
      }
    }
  });
  return { pages, complete, sharedPage };
}

/** Adds the root pages of the buckets in the leaf the path is at. False if damage hides some. */
function bucketRoots(path: TreePath, roots: number[]): boolean {
  const { page } = path;
  let complete = true;
  for (let i = 0; i < page.count; i++) {
    const done = tolerate(() => {
      page.readElement(i);
      if (!page.isBucket) return true;
      const { root } = readBucketHeader(page);
      if (root !== 0) roots.push(root);
      return true;
    });
    if (done === undefined) complete = false;
  }
  return complete;
}

function tolerate<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!isDatadirError(error) || error.code === 'BOLT_CLOSED') throw error;
    return undefined;
  }
}

/** The free pages by the stored freelist `freelist`, or by what the tree from `root` does not reach. */
export function findFreePages(pool: PathPool, freelist: number | undefined, root: number): FreePages {
  return freelist === undefined ? unreached(pool, root) : storedFreePages(pool, freelist);
}

function storedFreePages(pool: PathPool, freelist: number): FreePages {
  const list = new StoredFreelist(pool.loader, freelist);
  return {
    stored: true,
    pageId: list.pageId,
    overflow: list.overflow,
    count: list.count,
    complete: true,
    sharedPage: undefined,
    *ids(): Generator<number, void, undefined> {
      for (const { ids, count } of list.pieces()) {
        for (let i = 0; i < count; i++) {
          const id = freelistId(ids, i * FREELIST_ID_SIZE);
          if (!pool.loader.isDataPage(id)) {
            const mark = pool.loader.highWaterMark;
            throw pool.loader.damaged(
              `page ${list.pageId}: the freelist names page ${id}; the high water mark is ${mark}`,
              {
                pageId: list.pageId,
              },
            );
          }
          yield id;
        }
      }
    },
  };
}

function unreached(pool: PathPool, root: number): FreePages {
  const { highWaterMark } = pool.loader;
  const { pages, complete, sharedPage } = reachPages(pool, root);
  return {
    stored: false,
    pageId: undefined,
    overflow: 0,
    count: Math.max(0, highWaterMark - FIRST_DATA_PAGE - pages.count),
    complete,
    sharedPage,
    *ids(): Generator<number, void, undefined> {
      let id = FIRST_DATA_PAGE - 1;
      for (;;) {
        id = pages.next(false, id + 1, highWaterMark);
        if (id >= highWaterMark) return;
        yield id;
      }
    },
  };
}

/** Tells of any page of the database whether it is free. Of a stored list only what lies within the database counts. */
export function freePageTest(pool: PathPool, freelist: number | undefined, root: number): (id: number) => boolean {
  const { loader } = pool;
  if (freelist === undefined) {
    const { pages } = reachPages(pool, root);
    return (id) => id >= FIRST_DATA_PAGE && !pages.has(id);
  }
  const free = new PageBitmap();
  for (const { ids, count } of new StoredFreelist(loader, freelist).pieces()) {
    for (let i = 0; i < count; i++) {
      const id = freelistId(ids, i * FREELIST_ID_SIZE);
      if (loader.isDataPage(id)) free.add(id);
    }
  }
  return (id) => free.has(id);
}
