/**
 * Everything in a database, one after another: depth first, in order of key, a bucket at its place among the keys of the
 * bucket it lies in and what is in it right after it.
 *
 * On damaged files no page is entered twice: buckets that share their pages would otherwise make a walk without end. Memory
 * is a bit a page, and does not grow with the nesting of buckets, but for their names: far up the stack only the place is
 * kept, and found again.
 */
import { readBucketHeader, readInlinePage } from './bucket-header.ts';
import { Element } from './element.ts';
import { LogicalPage } from './logical-page.ts';
import { PageBitmap } from './page-bitmap.ts';
import type { PageLoader } from './page-loader.ts';
import { PageBudget, TreePath, type TreeRoot } from './tree-path.ts';

/** A bucket, or a key with its value; which of the two, `element` tells. */
export type ContentItem = BucketItem | PairItem;

/** A bucket that begins here. */
export interface BucketItem {
  /** Names from the top down to its own. Belongs to the caller; the same array for everything right in the bucket. */
  readonly bucket: readonly Uint8Array[];
  readonly sequence: bigint;
  /** Where its name is stored: the page, and the byte offset in the file. */
  readonly place: { readonly pageId: number; readonly offset: number };
  readonly element?: undefined;
}

/** A key and its value. */
export interface PairItem {
  /** Names of the buckets that it lies in. */
  readonly bucket: readonly Uint8Array[];
  /** The same object each time, valid until the next item is asked for. */
  readonly element: Element;
}

/** A bucket on the way down. */
interface Level {
  readonly root: TreeRoot;
  readonly names: readonly Uint8Array[];
  /** Undefined while it is left: `left` is then the place to go on behind. */
  path: TreePath | undefined;
  left: { readonly key: Uint8Array; readonly pageId: number; readonly index: number } | undefined;
  /** Bytes of the elements seen on the current leaf. */
  used: number;
}

/** So many of the innermost buckets keep the pages they are at. */
const LIVE_LEVELS = 8;

/** Reads all pages of all trees. Throws `BOLT_DAMAGED` at what cannot be read, and has then come to its end. */
export function* walkContent(loader: PageLoader, rootPage: number): Generator<ContentItem, void, undefined> {
  const guard = { budget: new PageBudget(loader), entered: new PageBitmap() };
  const idle: TreePath[] = [];
  const movements = { moves: 0 };
  const element = new Element(movements);
  const stack: Level[] = [];
  const enter = (root: TreeRoot, names: readonly Uint8Array[]): void => {
    const path = idle.pop() ?? new TreePath(loader);
    watch(path, guard);
    path.enter(root, true);
    const far = stack.at(-LIVE_LEVELS);
    if (far?.path !== undefined) {
      far.path.clear();
      idle.push(far.path);
      far.path = undefined;
    }
    stack.push({ root, names, path, left: undefined, used: 0 });
    if (path.nextLeaf()) path.index = -1;
  };

  enter({ rootPage, inlinePage: undefined }, []);
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const path = level.path ?? returnTo(level, idle.pop() ?? new TreePath(loader), guard);
    level.path = path;
    const page = nextElement(path, level);
    movements.moves++;
    if (page === undefined) {
      idle.push(path);
      stack.pop();
    } else if (page.isBucket) {
      // bbolt makes none; on overlapping elements such would be bucket upon bucket without end.
      if (page.inline) throw page.damaged('a bucket inside an inline bucket', page.keyStart);
      const { root, sequence } = readBucketHeader(page);
      const key = page.copy(page.keyStart, page.keyLength);
      level.left = { key, pageId: page.id, index: path.index };
      const names = [...level.names, key];
      yield { bucket: names, sequence, place: { pageId: page.id, offset: page.offset + page.keyStart } };
      loader.assertOpen();
      enter({ rootPage: root, inlinePage: root === 0 ? inlinePageOf(loader, page) : undefined }, names);
    } else {
      yield { bucket: level.names, element: element.take(page) };
      loader.assertOpen();
    }
  }
}

/** What keeps a walk over a damaged file from going on for ever. */
interface Guard {
  /** Bounds pages together with those that they claim to go on in. */
  readonly budget: PageBudget;
  readonly entered: PageBitmap;
}

function watch(path: TreePath, { budget, entered }: Guard): void {
  path.budget = budget;
  path.visitor = (page) => {
    if (entered.add(page.id)) return true;
    throw page.damaged('is referenced more than once');
  };
}

/** Moves to the next element and decodes it; undefined behind the last one. */
function nextElement(path: TreePath, level: Level): LogicalPage | undefined {
  if (path.depth === 0) return undefined;
  let index = path.index + 1;
  while (index >= path.page.count) {
    if (!path.nextLeaf()) return undefined;
    index = 0;
    level.used = 0;
  }
  path.index = index;
  const { page } = path;
  page.readElement(index);
  // 65,535 elements that lie upon each other can make a terabyte of a megabyte.
  level.used += page.keyLength + page.valueLength;
  if (level.used > page.length) throw page.damaged(`element ${index} or one before it overlaps another`);
  return page;
}

/** Goes back to where a bucket was left, which costs no more pages than the tree is deep. */
function returnTo({ root, left }: Level, path: TreePath, guard: Guard): TreePath {
  const { key, pageId, index } = left as NonNullable<Level['left']>;
  path.budget = undefined;
  path.visitor = undefined;
  path.enterAt(root, new DataView(key.buffer, key.byteOffset, key.length));
  watch(path, guard);
  if (path.page.id === pageId && path.index === index) return path;
  throw path.page.damaged('keys here or on the way here are out of order');
}

function inlinePageOf(loader: PageLoader, parent: LogicalPage): LogicalPage {
  const { bytes, offset } = readInlinePage(parent);
  const page = new LogicalPage(loader);
  page.attachInline(parent.id, offset, bytes);
  return page;
}
