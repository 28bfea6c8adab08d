/**
 * A way down the page tree of one bucket: the pages from its root to a leaf, and the moves from leaf to leaf.
 *
 * Damaged files may have pages that point to their ancestors, trees of any depth, or one page under many parents (64
 * branches can claim 2^64 leaves). So a path has a limited depth, never enters a page that it is in already, and on its
 * way in one direction enters no more pages than the file has.
 */
import { MAX_DEPTH } from './format.ts';
import { LogicalPage } from './logical-page.ts';
import { type PageLoader, PageRun, RUN_LIMIT } from './page-loader.ts';

/** The first read ahead; each next one is twice as long, up to RUN_LIMIT. A short look at a few keys stays cheap. */
const FIRST_RUN = 1 << 16;
/** Paths kept for the next call. More are in use at a time only when callbacks call back. */
const IDLE_LIMIT = 4;

/** How many pages a walk may still enter. Walks over several buckets share one. */
export class PageBudget {
  #left: number;
  readonly #loader: PageLoader;

  constructor(loader: PageLoader) {
    this.#loader = loader;
    this.#left = loader.presentPages;
  }

  spend(page: LogicalPage): void {
    // Of a page that the file holds only in part, the part counts.
    this.#left -= Math.min(page.overflow + 1, Math.max(1, this.#loader.presentPages - page.id));
    // A walk that meets every page once cannot meet more pages than there are.
    if (this.#left < 0) throw page.damaged('this page or others are referenced more than once');
  }

  renew(): void {
    this.#left = this.#loader.presentPages;
  }
}

/** Where a bucket's tree begins: at a page, or in a page of its own inside its parent (`inline`). */
export interface TreeRoot {
  readonly rootPage: number;
  readonly inlinePage: LogicalPage | undefined;
}

/** Sees every page that a path enters. False: the page is left again at once, as if it were not there. */
export type PageVisitor = (page: LogicalPage, depth: number) => boolean;

interface Level {
  page: LogicalPage;
  /** The page to load into: `page`, except at the root of an inline bucket. */
  readonly own: LogicalPage;
  readonly run: PageRun;
  /** The child or element the path is at; -1 before the first. */
  index: number;
}

export class TreePath {
  readonly loader: PageLoader;
  /** Set to see pages as they are entered. */
  visitor: PageVisitor | undefined;
  /** What the walk may cost. Undefined: something else bounds it. */
  budget: PageBudget | undefined;
  /** Pages on the path; 0 when it is nowhere. */
  depth = 0;
  readonly #levels: Level[] = [];
  /** Depth of the last leaf seen: where reading ahead is worth while. */
  #leafDepth = -1;
  #runLimit = FIRST_RUN;

  constructor(loader: PageLoader) {
    this.loader = loader;
    this.budget = new PageBudget(loader);
  }

  /** The page at the end of the path, and the position in it. The path must be somewhere. */
  get page(): LogicalPage {
    return this.#levels[this.depth - 1]!.page;
  }
  get index(): number {
    return this.#levels[this.depth - 1]!.index;
  }
  set index(index: number) {
    this.#levels[this.depth - 1]!.index = index;
  }

  /** Leaves the tree. */
  clear(): void {
    this.depth = 0;
  }

  /** Enters the root page. `ahead`: the whole tree is going to be read. False when the visitor did not want it. */
  enter(root: TreeRoot, ahead = false): boolean {
    this.depth = 0;
    this.#runLimit = ahead ? RUN_LIMIT : FIRST_RUN;
    const level = this.#level(0);
    if (root.inlinePage !== undefined) {
      this.loader.assertOpen();
      level.page = root.inlinePage;
      level.index = -1;
      this.depth = 1;
      return true;
    }
    if (!this.loader.isDataPage(root.rootPage)) {
      throw this.loader.damaged(
        `page ${root.rootPage} is named as the root of a bucket; the high water mark is ${this.loader.highWaterMark}`,
        {},
      );
    }
    level.page = level.own;
    this.loader.load(root.rootPage, level.page);
    return this.#entered(level);
  }

  /** Enters child `index` of the branch at the end of the path. Should that fail, the path stays at that child. */
  descend(index: number): boolean {
    const parent = this.#levels[this.depth - 1]!;
    const step = index < parent.index ? -1 : 1;
    parent.index = index;
    const id = parent.page.childAt(index);
    this.#requireChild(parent.page, index, id);
    const level = this.#level(this.depth);
    level.page = level.own;
    if (this.depth === this.#leafDepth) {
      this.loader.loadChild(parent.page, index, step, level.page, level.run, this.#runLimit);
    } else {
      this.loader.load(id, level.page);
    }
    return this.#entered(level);
  }

  #entered(level: Level): boolean {
    const { page } = level;
    page.requireTreePage();
    if (this.visitor !== undefined && !this.visitor(page, this.depth)) return false;
    this.budget?.spend(page);
    level.index = -1;
    if (page.isLeaf) this.#leafDepth = this.depth;
    else if (page.count === 0) throw page.damaged('a branch without children');
    this.depth++;
    return true;
  }

  #level(depth: number): Level {
    let level = this.#levels[depth];
    if (level === undefined) {
      const page = new LogicalPage(this.loader);
      level = { page, own: page, run: new PageRun(), index: -1 };
      this.#levels.push(level);
    }
    return level;
  }

  #requireChild(parent: LogicalPage, index: number, id: number): void {
    if (!this.loader.isDataPage(id)) {
      const mark = this.loader.highWaterMark;
      throw parent.damaged(`child ${index} is page ${id}; the high water mark is ${mark}`);
    }
    if (this.depth >= MAX_DEPTH) throw parent.damaged(`the tree is more than ${MAX_DEPTH} pages deep`);
    for (let depth = 0; depth < this.depth; depth++) {
      if (this.#levels[depth]!.page.id === id) throw parent.damaged(`child ${index} is page ${id}, its own ancestor`);
    }
  }

  /** Whether an ancestor of the leaf has a child behind the one the path is in. */
  get hasLeafAfter(): boolean {
    for (let depth = this.depth - 2; depth >= 0; depth--) {
      const level = this.#levels[depth]!;
      if (level.index + 1 < level.page.count) return true;
    }
    return false;
  }

  /**
   * Moves to the next leaf, empty or not; from a root just entered, to the first one. False, and nowhere, behind the last
   * one. When it throws, the child that could not be entered counts as passed: calling again goes on behind it.
   */
  nextLeaf(): boolean {
    if (this.depth === 0) return false;
    if (this.page.isLeaf) {
      // A root that is a leaf was entered, and is yet to be seen.
      if (this.depth === 1 && this.index === -1) {
        this.index = 0;
        return true;
      }
      this.#leaveLeaf();
    }
    while (this.depth > 0) {
      const level = this.#levels[this.depth - 1]!;
      if (level.index + 1 >= level.page.count) this.depth--;
      else if (this.descend(level.index + 1) && this.page.isLeaf) {
        this.index = 0;
        return true;
      }
    }
    return false;
  }

  /** Moves to the leaf before, empty or not; false, and nowhere, before the first one. The index is that of the last element. */
  previousLeaf(): boolean {
    if (this.depth === 0) return false;
    if (this.page.isLeaf) this.#leaveLeaf();
    while (this.depth > 0) {
      const level = this.#levels[this.depth - 1]!;
      if (level.index <= 0) this.depth--;
      else if (this.descend(level.index - 1) && this.#toLastLeaf()) return true;
    }
    return false;
  }

  /** From a page just entered down its last children. */
  #toLastLeaf(): boolean {
    while (!this.page.isLeaf) if (!this.descend(this.page.count - 1)) return false;
    this.index = this.page.count - 1;
    return true;
  }

  /** Enters the tree and goes to its last leaf, empty or not. */
  enterLast(root: TreeRoot): void {
    if (this.enter(root)) this.#toLastLeaf();
  }

  /** Enters the tree and goes to the leaf in which `key` is or would be; the index is that of the first key not before it. */
  enterAt(root: TreeRoot, key: DataView): void {
    this.enter(root);
    while (!this.page.isLeaf) {
      const { page } = this;
      let index = page.lowerBound(key);
      if (index === page.count || page.compareKeyAt(index, key) !== 0) index = Math.max(0, index - 1);
      this.descend(index);
    }
    this.index = this.page.lowerBound(key);
  }

  #leaveLeaf(): void {
    this.depth--;
    // Having come to the end of a leaf makes it likely that the next ones are wanted too.
    if (this.#runLimit < RUN_LIMIT) this.#runLimit *= 2;
  }
}

/** Paths that are not in use, with their buffers: most calls need one for a moment only. */
export class PathPool {
  readonly loader: PageLoader;
  readonly #idle: TreePath[] = [];

  constructor(loader: PageLoader) {
    this.loader = loader;
  }

  /** Runs `work` with a path of its own. Nothing that `work` returns may be a view of a page. */
  use<Result>(work: (path: TreePath) => Result): Result {
    const path = this.#idle.pop() ?? new TreePath(this.loader);
    path.budget = new PageBudget(this.loader);
    try {
      return work(path);
    } finally {
      path.visitor = undefined;
      path.clear();
      if (this.#idle.length < IDLE_LIMIT) this.#idle.push(path);
    }
  }
}
