/**
 * Reads all buckets of a bolt file for a target, and checks every page on the way.
 *
 * Only pages that are exactly as bbolt writes them are taken: of such a leaf keys and values are one piece, which is taken
 * as it is. Whatever else is met ends the walk with `NotPlain`: it may be damage, or a rare but lawful form. Who calls
 * it lets the checker tell, which says what is wrong, and goes on with `bulk-read.ts` if nothing is.
 */

import { isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { LargeLeaf } from './bulk-large.ts';
import {
  type Bounds,
  branchKey,
  childAt,
  type KeyPlace,
  mixedLeafEnd,
  NotPlain,
  plainBranchEnd,
  plainHeader,
} from './bulk-verify.ts';
import type { ContentTarget } from './content-target.ts';
import {
  BUCKET_HEADER_SIZE,
  BUCKET_ROOT,
  BUCKET_SEQUENCE,
  ELEMENT_SIZE,
  FIRST_DATA_PAGE,
  LEAF_FLAGS,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  MAX_DEPTH,
  PAGE_COUNT,
  PAGE_HEADER_SIZE,
  PAGE_OVERFLOW,
} from './format.ts';
import { PageBitmap } from './page-bitmap.ts';
import { verifyLeaf } from './verify-leaf.ts';

const WINDOW = 1 << 20;
/** Pages between two wanted ones that are read along, and pages behind the last one, which may be its overflow. */
const MAX_GAP = 8;
const MAX_TAIL = 4;
const STEP_BYTES = 1 << 20;
const ELEMENT_COST = 64;
const PAGE_COST = 512;
const NO_BOUNDS: Bounds = { low: undefined, high: undefined };
const NOTHING = new DataView(new ArrayBuffer(0));

/** The bucket that a page belongs to. */
interface Tree {
  /** The root bucket, in which there are only buckets. */
  readonly isRoot: boolean;
  /** How deep its leaves are; -1 until the first was met. */
  leafDepth: number;
}

class BranchFrame {
  next = 0;
  readonly view: DataView;
  readonly count: number;
  readonly depth: number;
  readonly tree: Tree;
  readonly high: KeyPlace | undefined;

  constructor(view: DataView, count: number, depth: number, tree: Tree, high: KeyPlace | undefined) {
    this.view = view;
    this.count = count;
    this.depth = depth;
    this.tree = tree;
    this.high = high;
  }

  bounds(index: number): Bounds {
    const high = index + 1 < this.count ? branchKey(this.view, 0, index + 1) : this.high;
    return { low: branchKey(this.view, 0, index), high };
  }
}

/** A leaf with buckets, which is gone through element by element. */
class LeafFrame {
  next = 0;
  /** Where the next key begins. */
  position: number;
  readonly page: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly count: number;
  readonly tree: Tree;

  constructor(page: number, bytes: Uint8Array, count: number, tree: Tree) {
    this.page = page;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.count = count;
    this.tree = tree;
    this.position = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
  }
}

/** The end of a bucket. */
const BUCKET_END = Symbol('bucket end');

export interface BulkWalkOptions {
  readonly source: ByteSource;
  readonly pageSize: number;
  readonly highWaterMark: number;
  readonly root: number;
  readonly target: ContentTarget;
  /** Memory to read into: one page or more. */
  readonly window: Uint8Array<ArrayBuffer>;
}

/** How much memory a walk over this source makes good use of. */
export function windowSize(source: ByteSource, pageSize: number): number {
  const fileBytes = Math.max(1, Math.ceil(source.size / pageSize)) * pageSize;
  return Math.max(pageSize, Math.min(Math.floor(WINDOW / pageSize) * pageSize, fileBytes));
}

export class BulkWalk {
  readonly #o: BulkWalkOptions;
  readonly #reached = new PageBitmap();
  readonly #stack: (BranchFrame | LeafFrame | LargeLeaf | typeof BUCKET_END)[] = [];
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  /** What the window holds: so many bytes from an offset of the file on. */
  #offset = 0;
  #length = 0;
  /** Overflow pages of the last leaf: leaves are like their neighbours. */
  #overflow = 0;
  #budget = 0;

  constructor(options: BulkWalkOptions) {
    this.#o = options;
    const { source, pageSize, highWaterMark, root } = options;
    this.#bytes = options.window;
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
    if (root < FIRST_DATA_PAGE || root >= highWaterMark) throw new NotPlain('root out of range');
    if (highWaterMark * pageSize > (source.currentSize?.() ?? source.size)) throw new NotPlain('truncated');
    this.#enter(root, 0, { isRoot: true, leafDepth: -1 }, NO_BOUNDS);
  }

  /** Pages of the trees so far, those that continue others included. */
  get pages(): number {
    return this.#reached.count;
  }

  /** Reads about 1 MiB; true when everything has been read. */
  step(): boolean {
    this.#budget = STEP_BYTES;
    while (this.#budget > 0) {
      const top = this.#stack.at(-1);
      if (top === undefined) return true;
      if (top instanceof BranchFrame) this.#advanceBranch(top);
      else if (top instanceof LeafFrame) this.#advanceLeaf(top);
      else if (top instanceof LargeLeaf) this.#advanceLarge(top);
      else if (this.#o.target.atEnd?.() === false) return false;
      else {
        this.#stack.pop();
        this.#o.target.closeBucket();
      }
    }
    return false;
  }

  // ---- branches -------------------------------------------------------------------------------------------------

  #advanceBranch(frame: BranchFrame): void {
    const index = frame.next++;
    // Off the stack before its last child, so that what it holds can go.
    if (frame.next === frame.count) this.#stack.pop();
    const page = childAt(frame.view, 0, index);
    const { leafDepth } = frame.tree;
    if (leafDepth === frame.depth + 1 && this.#copyPlainLeaf(frame, index, page)) return;
    this.#enter(page, frame.depth + 1, frame.tree, frame.bounds(index));
  }

  /** The hot path: a plain leaf, read with its neighbours. False when it is something else. */
  #copyPlainLeaf(frame: BranchFrame, index: number, page: number): boolean {
    const { pageSize, highWaterMark } = this.#o;
    if (frame.tree.isRoot) return false;
    let at = page * pageSize - this.#offset;
    if (at < 0 || at + pageSize > this.#length) {
      this.#readRun(frame, index, page);
      at = 0;
    }
    const view = this.#view;
    const room = (view.getUint32(at + PAGE_OVERFLOW, true) + 1) * pageSize;
    if (at + room > this.#length) {
      if (room > this.#bytes.length || page * pageSize + room > highWaterMark * pageSize) return false;
      this.#read(page, room);
      at = 0;
    }
    const last = index + 1 === frame.count;
    const low = PAGE_HEADER_SIZE + index * ELEMENT_SIZE;
    const bounds = frame.view;
    const high = last ? frame.high : undefined;
    const overflow = verifyLeaf(
      view,
      at,
      room,
      pageSize,
      page,
      bounds,
      low + bounds.getUint32(low, true),
      bounds.getUint32(low + 4, true),
      high?.view ?? bounds,
      last ? (high?.at ?? 0) : low + ELEMENT_SIZE + bounds.getUint32(low + ELEMENT_SIZE, true),
      last ? (high?.length ?? -1) : bounds.getUint32(low + ELEMENT_SIZE + 4, true),
    );
    if (overflow < 0) return false;
    this.#overflow = overflow;
    this.#claim(page, page + overflow + 1);
    this.#give(at, view.getUint16(at + PAGE_COUNT, true), page);
    return true;
  }

  #give(at: number, count: number, page: number): void {
    this.#o.target.addLeaf(this.#bytes, this.#view, at, count, page, page * this.#o.pageSize);
    this.#budget -= PAGE_COST;
  }

  /** Reads the page and as many of its next siblings as lie close behind it. */
  #readRun(frame: BranchFrame, index: number, page: number): void {
    const { pageSize, highWaterMark } = this.#o;
    const windowPages = this.#bytes.length / pageSize;
    let last = page;
    for (let i = index + 1; i < frame.count; i++) {
      const child = childAt(frame.view, 0, i);
      if (child <= last || child - last > MAX_GAP + 1 || child - page >= windowPages) break;
      last = child;
    }
    const end = Math.min(last + 1 + Math.min(this.#overflow, MAX_TAIL), highWaterMark, page + windowPages);
    try {
      this.#read(page, (end - page) * pageSize);
    } catch (error) {
      // The bad place may be in a page that nobody needs.
      if (!isDatadirError(error, 'IO_FAILED')) throw error;
      this.#read(page, pageSize);
    }
  }

  #read(page: number, length: number): void {
    const { source, pageSize } = this.#o;
    this.#length = 0;
    this.#offset = page * pageSize;
    const got = source.readInto(this.#bytes.subarray(0, length), this.#offset);
    this.#budget -= length;
    if (got < length) throw new NotPlain('the file ends before its pages do');
    this.#length = length;
  }

  /** Brings `length` bytes from the page on into the window, and returns where they are. */
  #load(page: number, length: number): number {
    const at = page * this.#o.pageSize - this.#offset;
    if (at >= 0 && at + length <= this.#length) return at;
    this.#read(page, length);
    return 0;
  }

  #claim(page: number, end: number): void {
    if (end > this.#o.highWaterMark || this.#reached.addRun(page, end) !== end) throw new NotPlain('pages of others');
  }

  // ---- any page -------------------------------------------------------------------------------------------------

  #enter(page: number, depth: number, tree: Tree, bounds: Bounds): void {
    const { pageSize } = this.#o;
    this.#budget -= PAGE_COST;
    const header = plainHeader(this.#view, this.#load(page, pageSize), page);
    if (header === undefined || depth >= MAX_DEPTH) throw new NotPlain(`page ${page}`);
    const { leaf, count, overflow } = header;
    this.#claim(page, page + overflow + 1);
    const room = (overflow + 1) * pageSize;
    if (leaf) {
      if (tree.leafDepth < 0) tree.leafDepth = depth;
      else if (tree.leafDepth !== depth) throw new NotPlain('leaves at different depths');
    }
    if (leaf && count === 0) this.#requireEmptyRoot(page, depth, overflow);
    else if (room <= this.#bytes.length)
      this.#enterLoaded(page, this.#load(page, room), leaf, count, room, depth, tree, bounds);
    else if (leaf && !tree.isRoot) this.#stack.push(new LargeLeaf(this.#o, page, count, room, bounds));
    // A branch of more than a megabyte has keys that only a bucket's name can be, and so has a leaf of the root.
    else throw new NotPlain('a page of unusual size');
  }

  #enterLoaded(
    page: number,
    at: number,
    leaf: boolean,
    count: number,
    room: number,
    depth: number,
    tree: Tree,
    bounds: Bounds,
  ): void {
    const view = this.#view;
    const { pageSize, highWaterMark } = this.#o;
    const { low, high } = bounds;
    if (leaf && !tree.isRoot) {
      const overflow = verifyLeaf(
        view,
        at,
        room,
        pageSize,
        page,
        low?.view ?? NOTHING,
        low?.at ?? 0,
        low?.length ?? -1,
        high?.view ?? NOTHING,
        high?.at ?? 0,
        high?.length ?? -1,
      );
      if (overflow >= 0) {
        this.#give(at, count, page);
        return;
      }
    }
    const end = leaf
      ? mixedLeafEnd(view, at, room, count, bounds)
      : plainBranchEnd(view, at, room, count, bounds, highWaterMark);
    if (end <= room - pageSize) throw new NotPlain(`page ${page}`);
    const bytes = this.#bytes.slice(at, at + end);
    if (leaf) this.#stack.push(new LeafFrame(page, bytes, count, tree));
    else this.#stack.push(new BranchFrame(new DataView(bytes.buffer), count, depth, tree, high));
  }

  /** Only the root of a tree can be empty, and then all of its page is. */
  #requireEmptyRoot(page: number, depth: number, overflow: number): void {
    const { pageSize } = this.#o;
    const at = this.#load(page, pageSize);
    const blank = this.#bytes.subarray(at + PAGE_HEADER_SIZE, at + pageSize).every((byte) => byte === 0);
    if (depth > 0 || overflow > 0 || !blank) throw new NotPlain(`page ${page} is empty`);
  }

  // ---- leaves with buckets, leaves with large values --------------------------------------------------------------

  #advanceLeaf(frame: LeafFrame): void {
    const { bytes, view, tree } = frame;
    const { target, pageSize } = this.#o;
    const element = PAGE_HEADER_SIZE + frame.next++ * ELEMENT_SIZE;
    if (frame.next === frame.count) this.#stack.pop();
    const keyLength = view.getUint32(element + LEAF_KEY_SIZE, true);
    const valueLength = view.getUint32(element + LEAF_VALUE_SIZE, true);
    const start = frame.position;
    const valueAt = start + keyLength;
    const end = valueAt + valueLength;
    frame.position = end;
    this.#budget -= ELEMENT_COST;
    const key = bytes.slice(start, valueAt);
    if (view.getUint32(element + LEAF_FLAGS, true) !== 0) {
      this.#enterBucket(frame, key, valueAt, valueLength);
      return;
    }
    if (tree.isRoot) throw new NotPlain('a plain key among the top-level buckets');
    target.addPair(key, bytes.subarray(valueAt, end), frame.page, frame.page * pageSize + start);
  }

  #enterBucket({ bytes, view, page }: LeafFrame, name: Uint8Array, at: number, length: number): void {
    const { target, highWaterMark, pageSize } = this.#o;
    const offset = page * pageSize + at;
    const root = view.getBigUint64(at + BUCKET_ROOT, true);
    const sequence = view.getBigUint64(at + BUCKET_SEQUENCE, true);
    target.openBucket(name, sequence, page, offset - name.length);
    if (root === 0n) {
      const header = BUCKET_HEADER_SIZE;
      this.#giveInline(bytes, view, at + header, length - header, page, offset + header);
      this.#stack.push(BUCKET_END);
      return;
    }
    const inRange = root >= BigInt(FIRST_DATA_PAGE) && root < BigInt(highWaterMark);
    if (!inRange || length !== BUCKET_HEADER_SIZE) throw new NotPlain('the header of a bucket');
    this.#stack.push(BUCKET_END);
    this.#enter(Number(root), 0, { isRoot: false, leafDepth: -1 }, NO_BOUNDS);
  }

  #giveInline(bytes: Uint8Array, view: DataView, at: number, length: number, page: number, offset: number): void {
    const header = length < PAGE_HEADER_SIZE ? undefined : plainHeader(view, at, 0);
    if (header?.leaf !== true || header.overflow !== 0) throw new NotPlain('an inline bucket');
    const { count } = header;
    let end = PAGE_HEADER_SIZE;
    if (count > 0) {
      const plain = verifyLeaf(view, at, length, length, 0, NOTHING, 0, -1, NOTHING, 0, -1);
      if (plain !== 0) throw new NotPlain('an inline bucket');
      const last = PAGE_HEADER_SIZE + (count - 1) * ELEMENT_SIZE;
      end = last + view.getUint32(at + last + LEAF_POSITION, true);
      end += view.getUint32(at + last + LEAF_KEY_SIZE, true) + view.getUint32(at + last + LEAF_VALUE_SIZE, true);
    }
    if (end !== length) throw new NotPlain('an inline bucket');
    if (count > 0) this.#o.target.addLeaf(bytes, view, at, count, page, offset);
  }

  #advanceLarge(leaf: LargeLeaf): void {
    // Taken by other pages before: what is in the window is the leaf's from now on.
    this.#length = 0;
    this.#budget -= leaf.advance(this.#bytes);
    if (leaf.ended) this.#stack.pop();
  }
}
