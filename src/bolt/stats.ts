/**
 * The figures of `bbolt stats`, counted as bbolt counts them.
 */
import { readBucketHeader, readInlinePage } from './bucket-header.ts';
import { PAGE_HEADER_SIZE } from './format.ts';
import { LogicalPage } from './logical-page.ts';
import { PageBudget, type PathPool, type TreePath, type TreeRoot } from './tree-path.ts';

/** The figures of a bucket and all buckets in it, named as in Go. */
export interface BucketStats {
  /** Branch pages, and the overflow pages behind them. */
  branchPageN: number;
  branchOverflowN: number;
  /** Leaf pages (not those of inline buckets), and the overflow pages behind them. */
  leafPageN: number;
  leafOverflowN: number;
  /** Keys; the name of a bucket counts as one. */
  keyN: number;
  /** Levels of pages, those of the deepest bucket inside added. */
  depth: number;
  /** Bytes of the branch and leaf pages, and how many of them are used if nothing but the last element is looked at. */
  branchAlloc: number;
  branchInuse: number;
  leafAlloc: number;
  leafInuse: number;
  /** Buckets, the one itself included; those of them that are inline, and the bytes used in these. */
  bucketN: number;
  inlineBucketN: number;
  inlineBucketInuse: number;
}

/** The figures of several top-level buckets together. */
export interface DatabaseStats extends BucketStats {
  /** How many top-level buckets were counted. */
  readonly topLevelBucketN: number;
}

export function noStats(): BucketStats {
  return {
    branchPageN: 0,
    branchOverflowN: 0,
    leafPageN: 0,
    leafOverflowN: 0,
    keyN: 0,
    depth: 0,
    branchAlloc: 0,
    branchInuse: 0,
    leafAlloc: 0,
    leafInuse: 0,
    bucketN: 0,
    inlineBucketN: 0,
    inlineBucketInuse: 0,
  };
}

/** Adds to `stats` those of a bucket beside the ones counted so far: the depth is the larger one. */
export function addStats(stats: BucketStats, other: BucketStats): void {
  const depth = Math.max(stats.depth, other.depth);
  for (const field of Object.keys(other) as (keyof BucketStats)[]) stats[field] += other[field];
  stats.depth = depth;
}

/** One bucket whose pages, or those of buckets in it, are not all counted yet. */
interface Frame {
  readonly parent: Frame | undefined;
  /** Levels of its own pages, and the depth of the deepest finished bucket in it. */
  ownDepth: number;
  innerDepth: number;
  /** Its own tree, while that is not finished, and the unfinished buckets in it. */
  pending: number;
}

/**
 * Counts a bucket and all buckets in it. Reads every page of theirs once, with a list of buckets yet to be counted instead of
 * recursion: nesting has no limit. Buckets counted together share a `budget`, so that none is counted over and over.
 */
export function bucketStats(pool: PathPool, root: TreeRoot, budget?: PageBudget): BucketStats {
  const stats = noStats();
  const top: Frame = { parent: undefined, ownDepth: 0, innerDepth: 0, pending: 1 };
  pool.use((path) => {
    path.budget = budget ?? new PageBudget(pool.loader);
    if (root.inlinePage !== undefined) {
      top.ownDepth = 1;
      countInline(stats, root.inlinePage);
      return;
    }
    const inline = new LogicalPage(pool.loader);
    const roots = [root.rootPage];
    const frames = [top];
    for (;;) {
      const rootPage = roots.pop();
      const frame = frames.pop();
      if (rootPage === undefined || frame === undefined) break;
      countTree(stats, path, rootPage, frame, (leaf) => {
        const header = readBucketHeader(leaf);
        if (header.root === 0) {
          const { bytes, offset } = readInlinePage(leaf);
          inline.attachInline(leaf.id, offset, bytes);
          countInline(stats, inline);
          frame.innerDepth = Math.max(frame.innerDepth, 1);
        } else {
          frame.pending++;
          roots.push(header.root);
          frames.push({ parent: frame, ownDepth: 0, innerDepth: 0, pending: 1 });
        }
      });
      finish(frame);
    }
  });
  stats.depth = top.ownDepth + top.innerDepth;
  const { pageSize } = pool.loader;
  stats.branchAlloc = (stats.branchPageN + stats.branchOverflowN) * pageSize;
  stats.leafAlloc = (stats.leafPageN + stats.leafOverflowN) * pageSize;
  return stats;
}

/** Hands the depth of finished buckets on to those they are in. */
function finish(frame: Frame): void {
  let done: Frame | undefined = frame;
  while (done !== undefined && --done.pending === 0) {
    const { parent }: Frame = done;
    if (parent !== undefined) parent.innerDepth = Math.max(parent.innerDepth, done.ownDepth + done.innerDepth);
    done = parent;
  }
}

function countTree(
  stats: BucketStats,
  path: TreePath,
  rootPage: number,
  frame: Frame,
  onBucket: (leaf: LogicalPage) => void,
): void {
  stats.bucketN++;
  path.visitor = (page, depth) => {
    frame.ownDepth = Math.max(frame.ownDepth, depth + 1);
    const used = usedBytes(page);
    if (page.isLeaf) {
      stats.leafPageN++;
      stats.leafOverflowN += page.overflow;
      stats.leafInuse += used;
      stats.keyN += page.count;
    } else {
      stats.branchPageN++;
      stats.branchOverflowN += page.overflow;
      stats.branchInuse += used;
      // Only surgery leaves a branch without children; bbolt 1.5 counts it and goes on, earlier versions count nonsense.
      return page.count > 0;
    }
    return true;
  };
  path.enter({ rootPage, inlinePage: undefined }, true);
  while (path.nextLeaf()) {
    const leaf = path.page;
    for (let i = 0; i < leaf.count; i++) {
      leaf.readElement(i);
      if (leaf.isBucket) onBucket(leaf);
    }
  }
}

function countInline(stats: BucketStats, page: LogicalPage): void {
  stats.bucketN++;
  stats.inlineBucketN++;
  stats.keyN += page.count;
  stats.inlineBucketInuse += usedBytes(page);
}

/** As bbolt has it: the end of the last element, taking for granted that elements lie one behind the other. */
function usedBytes(page: LogicalPage): number {
  if (page.count === 0) return PAGE_HEADER_SIZE;
  page.readElement(page.count - 1);
  return page.keyStart + page.keyLength + page.valueLength;
}

/** A share in percent as bbolt prints it: computed in 32-bit floats and cut off. */
export function percentOf(part: number, whole: number): number {
  if (whole === 0) return 0;
  return Math.trunc(Math.fround(Math.fround(Math.fround(part) * 100) / Math.fround(whole)));
}
