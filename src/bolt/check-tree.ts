/**
 * The walk over all pages that are reachable from a root page: the trees of all buckets, nested ones included.
 *
 * It follows the tree with a stack of its own, marks every page it reaches in a bitmap, never enters a page twice, and
 * reads neighbouring leaves in one go. Whatever the bytes are, it ends after a number of reads that is linear in the
 * number of pages: pages are claimed in the bitmap before anything in them is read that lies behind their first page.
 */
import { isDatadirError } from '../errors.ts';
import type { FindingPlace } from '../finding-table.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { BranchFrame, type Tree } from './check-frame.ts';
import { type Examination, PageExaminer, type PendingBucket } from './check-page.ts';
import { type BucketLink, bucketPath, type Cause, type CheckReporter } from './check-reporter.ts';
import {
  ELEMENT_SIZE,
  FLAG_BRANCH,
  FLAG_LEAF,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';
import type { PageBitmap } from './page-bitmap.ts';
import type { Key } from './page-pieces.ts';
import { NEEDS_MORE, verifyLeaf } from './verify-leaf.ts';

/** At most so much is read at once, and at most so many unwanted pages are read between two wanted ones. */
const WINDOW = 1 << 20;
const MAX_GAP = 8;
/** A tree with two children per branch that fits into 2^64 pages has fewer levels. */
const MAX_DEPTH = 64;
/** Work of one step, in bytes; a visited page counts for a few hundred besides what was read. */
const STEP_BYTES = 1 << 20;
const PAGE_COST = 512;
/** Branches further down the stack give their memory back, and are read again when it is their turn. */
const FRAMES_IN_MEMORY = 128;
const MAX_EXCESS_RUNS = 4096;

export interface TreeWalkOptions {
  readonly source: ByteSource;
  /** Length of the file. */
  readonly size: number;
  readonly pageSize: number;
  readonly highWaterMark: number;
  /** Gets a bit for every page that belongs to a tree. */
  readonly reached: PageBitmap;
  /** Pages that the stored freelist names. */
  readonly free: PageBitmap | undefined;
  /** Pages known to be good from another walk: not entered. */
  readonly known: PageBitmap | undefined;
  readonly reporter: CheckReporter;
  /** The finding that the file is too short, if it is. */
  readonly truncated: Cause | undefined;
}

interface BucketsEntry {
  readonly buckets: readonly PendingBucket[];
  next: number;
}

export class TreeWalk {
  /** The first finding because of which pages could not be reached. */
  lost: Cause | undefined;
  /** Logical pages visited. */
  pagesVisited = 0;
  readonly #o: TreeWalkOptions;
  readonly #examiner: PageExaminer;
  readonly #stack: (BranchFrame | BucketsEntry)[] = [];
  readonly #window: Uint8Array<ArrayBuffer>;
  readonly #windowView: DataView;
  readonly #windowPages: number;
  #large: Uint8Array<ArrayBuffer> | undefined;
  #largeView: DataView | undefined;
  #pending: PendingBucket[] = [];
  #budget = 0;
  #reachedBeyondFile = false;
  // Pages claimed as overflow but not needed: `[first, end)` pairs, settled when the walk is over.
  readonly #excess: number[] = [];

  constructor(options: TreeWalkOptions) {
    this.#o = options;
    this.#examiner = new PageExaminer(options.source, options.reporter, options.highWaterMark);
    this.#window = readBuffer(WINDOW);
    this.#windowView = viewOf(this.#window);
    this.#windowPages = Math.max(1, Math.floor(WINDOW / options.pageSize));
  }

  /** Starts at the root page of the root bucket (or, with a link, of that bucket), which must be in range. */
  start(root: number, link?: BucketLink): void {
    this.#visitRoot(root, { link, leafDepth: -1 }, undefined);
    this.#pushPending();
  }

  /** Visits about 1 MiB of pages; returns true when there are no more. */
  step(): boolean {
    this.#budget = STEP_BYTES;
    while (this.#budget > 0) {
      const top = this.#stack.at(-1);
      if (top === undefined) {
        this.#settleExcess();
        this.#reportBeyondFile();
        return true;
      }
      if (top instanceof BranchFrame) this.#advanceBranch(top);
      else this.#advanceBuckets(top);
    }
    return false;
  }

  #advanceBuckets(entry: BucketsEntry): void {
    const bucket = entry.buckets[entry.next++] as PendingBucket;
    // Taken off before its last bucket is walked, so that a chain of nested buckets needs no stack.
    if (entry.next === entry.buckets.length) this.#stack.pop();
    this.#visitRoot(bucket.root, { link: bucket.link, leafDepth: -1 }, bucket);
    this.#pushPending();
  }

  #advanceBranch(frame: BranchFrame): void {
    if (frame.next >= frame.count || !this.#reload(frame)) {
      this.#stack.pop();
      this.#budget -= PAGE_COST;
      return;
    }
    if (frame.tree.leafDepth === frame.depth + 1) this.#visitRun(frame);
    else this.#visitOne(frame, frame.next++);
    if (frame.next >= frame.count && this.#stack.at(-1) === frame) this.#stack.pop();
    this.#pushPending();
  }

  #pushPending(): void {
    if (this.#pending.length === 0) return;
    this.#stack.push({ buckets: this.#pending, next: 0 });
    this.#pending = [];
  }

  // ---- which pages ----------------------------------------------------------------------------------------------

  #visitRoot(root: number, tree: Tree, from: PendingBucket | undefined): void {
    const bucket = bucketPath(tree.link);
    const place: FindingPlace = { page: root, offset: root * this.#o.pageSize, path: [root], bucket };
    if (!this.#mayEnter(root, place, from?.page ?? 0, undefined)) return;
    this.#visitSingle(root, 0, undefined, tree, undefined, undefined);
  }

  /** One child, read by itself: a branch, or the first leaf of a tree. */
  #visitOne(frame: BranchFrame, index: number): void {
    const child = this.#childOf(frame, index);
    if (child < 0) return;
    if (!this.#mayEnter(child, undefined, frame.pageId, frame)) return;
    this.#visitSingle(child, frame.depth + 1, frame, frame.tree, frame.low(index), frame.high(index));
  }

  /** As many neighbouring leaves as one read can bring. */
  #visitRun(frame: BranchFrame): void {
    const { pageSize, reached, known } = this.#o;
    const from = frame.next;
    let first = -1;
    let last = -1;
    let to = from;
    for (; to < frame.count; to++) {
      const child = frame.childInRange(to, this.#o.highWaterMark);
      // Children that will not be entered are dealt with on the way; they take no part in the read.
      if (child < 0 || reached.has(child) || known?.has(child) === true || this.#isBeyondFile(child)) continue;
      if (first < 0) first = child;
      else if (child <= last || child - last > MAX_GAP + 1 || child - first >= this.#windowPages) break;
      last = child;
    }
    frame.next = to;
    let available = 0;
    if (first >= 0) {
      const wanted = Math.min((last - first + 1) * pageSize, WINDOW);
      available = this.#tryRead(this.#window, wanted, first * pageSize);
    }
    for (let index = from; index < to; index++) {
      const child = this.#childOf(frame, index);
      if (child < 0 || !this.#mayEnter(child, undefined, frame.pageId, frame)) continue;
      const at = (child - first) * pageSize;
      // A read error somewhere in the run: page by page, so that only the bad one is lost.
      if (available < 0 || at >= available) {
        this.#visitSingle(child, frame.depth + 1, frame, frame.tree, frame.low(index), frame.high(index));
        if (available >= 0) available = 0; // the window has been used for that page
        continue;
      }
      this.#visitLeafInWindow(frame, index, child, at, available - at);
    }
  }

  /** The number of child `index`, or -1 when it is out of range, which is then reported. */
  #childOf(frame: BranchFrame, index: number): number {
    const child = frame.childInRange(index, this.#o.highWaterMark);
    if (child < 0 && !frame.reportedRange) {
      frame.reportedRange = true; // once per page: it says how many there are
      let times = 0;
      for (let i = 0; i < frame.count; i++) if (frame.childInRange(i, this.#o.highWaterMark) < 0) times++;
      const args = { child: `${frame.child(index)}`, highWaterMark: `${this.#o.highWaterMark}`, times: `${times}` };
      const place = { ...this.#placeOf(frame), element: index };
      this.#lose(this.#o.reporter.report('BOLT_CHILD_OUT_OF_RANGE', args, withCause(place, frame.cause)));
    }
    return child;
  }

  /** Reports and says no when a page is reached a second time or lies beyond the end of the file. */
  #mayEnter(page: number, place: FindingPlace | undefined, from: number, frame: BranchFrame | undefined): boolean {
    const { reached, known, reporter } = this.#o;
    if (known?.has(page) === true) return false;
    if (reached.has(page)) {
      const ancestor = frame?.hasAncestor(page) === true;
      const where = place ?? this.#placeBelow(frame, page);
      const cause = ancestor ? undefined : reporter.causeOn(page);
      const code = ancestor ? 'BOLT_PAGE_CYCLE' : 'BOLT_PAGE_REFERENCED_TWICE';
      this.#lose(reporter.report(code, { from: `${from}` }, withCause(where, cause)));
      this.#budget -= PAGE_COST;
      return false;
    }
    if (this.#isBeyondFile(page)) {
      reached.add(page);
      this.#loseToFileEnd();
      this.#budget -= PAGE_COST;
      return false;
    }
    return true;
  }

  /** Whether not even the header of the page is there. */
  #isBeyondFile(page: number): boolean {
    return page * this.#o.pageSize + PAGE_HEADER_SIZE > this.#o.size;
  }

  // ---- what is on a page ----------------------------------------------------------------------------------------

  #visitSingle(
    page: number,
    depth: number,
    parent: BranchFrame | undefined,
    tree: Tree,
    low: Key | undefined,
    high: Key | undefined,
  ): void {
    const available = this.#tryRead(this.#window, Math.min(this.#o.pageSize, WINDOW), page * this.#o.pageSize);
    if (available < 0) {
      this.#unreadable(page, parent, tree, page, undefined);
      return;
    }
    this.#examine(page, depth, parent, tree, low, high, this.#window, this.#windowView, 0, available);
  }

  #visitLeafInWindow(frame: BranchFrame, index: number, page: number, at: number, available: number): void {
    if (frame.isPlain) {
      let overflow = this.#verify(frame, index, page, this.#windowView, at, available);
      if (overflow === NEEDS_MORE) overflow = this.#verifyLarge(frame, index, page, at, available);
      if (overflow >= 0 && this.#claim(page, overflow)) {
        this.pagesVisited++;
        this.#budget -= PAGE_COST;
        return;
      }
    }
    const { depth, tree } = frame;
    const { low, high } = { low: frame.low(index), high: frame.high(index) };
    this.#examine(page, depth + 1, frame, tree, low, high, this.#window, this.#windowView, at, available);
  }

  #verify(frame: BranchFrame, index: number, page: number, view: DataView, at: number, available: number): number {
    const last = index + 1 === frame.count;
    const high = last ? frame.inheritedHigh : undefined;
    return verifyLeaf(
      view,
      at,
      available,
      this.#o.pageSize,
      page,
      frame.view,
      frame.keyAt(index),
      frame.keyLength(index),
      high === undefined ? frame.view : high.headView,
      last ? 0 : frame.keyAt(index + 1),
      last ? (high === undefined ? -1 : high.length) : frame.keyLength(index + 1),
    );
  }

  /** A leaf with large values: reads up to its last key, if that is not too far and the pages there are nobody else's. */
  #verifyLarge(frame: BranchFrame, index: number, page: number, at: number, available: number): number {
    const { pageSize, reached, highWaterMark } = this.#o;
    const view = this.#windowView;
    const overflow = view.getUint32(at + PAGE_OVERFLOW, true);
    const end = page + overflow + 1;
    if (end > highWaterMark || reached.next(true, page, end) < end) return NEEDS_MORE;
    const count = view.getUint16(at + PAGE_COUNT, true);
    const lastElement = PAGE_HEADER_SIZE + (count - 1) * ELEMENT_SIZE;
    let needed = (overflow + 1) * pageSize;
    if (lastElement + ELEMENT_SIZE <= available) {
      const element = at + lastElement;
      const keyEnd =
        lastElement + view.getUint32(element + LEAF_POSITION, true) + view.getUint32(element + LEAF_KEY_SIZE, true);
      needed = Math.min(needed, keyEnd);
    }
    if (needed > WINDOW) return NEEDS_MORE;
    const large = this.#largeBuffer();
    const got = this.#tryRead(large, needed, page * pageSize);
    if (got < needed) return NEEDS_MORE;
    return this.#verify(frame, index, page, this.#largeView as DataView, 0, got);
  }

  /** Marks a page that was found good, with its overflow pages; false (and nothing marked) when one is taken or free. */
  #claim(page: number, overflow: number): boolean {
    const { reached, free, highWaterMark } = this.#o;
    const end = page + overflow + 1;
    if (end > highWaterMark || end * this.#o.pageSize > this.#o.size) return false;
    if (free !== undefined && free.next(true, page, end) < end) return false;
    if (overflow === 0) return reached.add(page);
    if (reached.next(true, page, end) < end) return false;
    reached.addRun(page, end);
    return true;
  }

  /** The thorough way: reports everything about the page, and puts branches and buckets on the stack. */
  #examine(
    page: number,
    depth: number,
    parent: BranchFrame | undefined,
    tree: Tree,
    low: Key | undefined,
    high: Key | undefined,
    bytes: Uint8Array,
    view: DataView,
    at: number,
    available: number,
  ): void {
    const { pageSize, highWaterMark, reporter, reached, size } = this.#o;
    this.pagesVisited++;
    this.#budget -= PAGE_COST;
    const place = this.#placeIn(page, parent, tree);
    reached.add(page);
    this.#checkFree(page, page + 1, place);
    const flags = view.getUint16(at + PAGE_FLAGS, true);
    const count = view.getUint16(at + PAGE_COUNT, true);
    const overflow = view.getUint32(at + PAGE_OVERFLOW, true);
    const id = view.getBigUint64(at + PAGE_ID, true);
    const leaf = flags === FLAG_LEAF;
    if (!leaf && flags !== FLAG_BRANCH) {
      const zeroed = id === 0n && flags === 0 && count === 0 && overflow === 0;
      if (zeroed) this.#lose(reporter.report('BOLT_PAGE_ZEROED', {}, place));
      else this.#lose(reporter.report('BOLT_PAGE_TYPE', { flags: `0x${flags.toString(16)}` }, place));
      return;
    }
    let cause: Cause | undefined;
    if (id !== BigInt(page)) cause = reporter.report('BOLT_PAGE_ID', { id: `${id}` }, place);
    if (page + overflow >= highWaterMark) {
      const args = { overflow: `${overflow}`, highWaterMark: `${highWaterMark}` };
      cause = reporter.report('BOLT_OVERFLOW_OUT_OF_RANGE', args, withCause(place, cause));
    }
    const claimedEnd = Math.min(page + overflow + 1, highWaterMark);
    const room = (claimedEnd - page) * pageSize;
    const present = Math.min(room, size - page * pageSize);
    if (count === 0) {
      this.#emptyPage(leaf, depth, overflow, place, cause, view, at, Math.min(available, pageSize, present));
      this.#addExcess(page + 1, claimedEnd);
      return;
    }
    const arrayEnd = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    if (arrayEnd > room) {
      const args = { count: `${count}`, room: `${Math.floor((room - PAGE_HEADER_SIZE) / ELEMENT_SIZE)}` };
      this.#lose(reporter.report('BOLT_PAGE_COUNT', args, withCause(place, cause)));
      this.#addExcess(page + 1, claimedEnd);
      return;
    }
    try {
      const arrayPages = Math.min(Math.ceil(arrayEnd / pageSize), claimedEnd - page);
      if (!this.#claimRest(page, page + 1, page + arrayPages, place, cause)) return;
      if (arrayEnd > present) {
        this.#loseToFileEnd();
        return;
      }
      this.#examiner.open(page * pageSize, bytes, view, at, Math.min(available, room));
      const end = this.#examiner.dataEnd(leaf, count, room);
      const needed = Math.ceil(end / pageSize);
      if (!this.#claimRest(page, page + arrayPages, page + needed, place, cause)) return;
      if (end > present) this.#loseToFileEnd();
      const examination = this.#examiner.examine({
        place,
        leaf,
        count,
        room,
        present,
        bucket: tree.link,
        low,
        high,
        boundsCause: parent?.cause,
        cause,
      });
      this.#afterExamination(page, leaf, depth, parent, tree, high, count, overflow, claimedEnd, place, examination);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      const badPage = error.offset === undefined ? page : Math.max(page, Math.floor(error.offset / pageSize));
      this.#unreadable(badPage, parent, tree, page, error.message);
    }
  }

  #afterExamination(
    page: number,
    leaf: boolean,
    depth: number,
    parent: BranchFrame | undefined,
    tree: Tree,
    high: Key | undefined,
    count: number,
    overflow: number,
    claimedEnd: number,
    place: FindingPlace,
    { end, unusable, buckets, cause }: Examination,
  ): void {
    const { pageSize, reporter } = this.#o;
    const needed = Math.ceil(end / pageSize);
    const claimed = claimedEnd - page;
    // boltdb before 1.3 took a page more when the content ended exactly at the end of one.
    const usual = claimed === needed || (end % pageSize === 0 && claimed === needed + 1);
    if (!usual && page + overflow < this.#o.highWaterMark && cause === undefined) {
      const pages: [number, number] = [page, claimedEnd - 1];
      const args = { overflow: `${overflow}`, needed: `${needed - 1}` };
      cause = reporter.report('BOLT_OVERFLOW_TOO_LARGE', args, { ...place, pages });
    }
    this.#addExcess(page + needed, claimedEnd);
    for (const bucket of buckets) this.#pending.push(bucket);
    if (cause !== undefined) this.#lose(cause);
    if (leaf) {
      this.#checkDepth(depth, tree, place, cause);
      return;
    }
    if (count === 1) reporter.report('BOLT_BRANCH_ONE_CHILD', {}, place);
    if (depth + 1 >= MAX_DEPTH) {
      this.#lose(reporter.report('BOLT_TREE_TOO_DEEP', { depth: `${depth + 1}` }, withCause(place, cause)));
      return;
    }
    const frame = new BranchFrame(page, pageSize, count, depth, parent, tree, high, cause, unusable, end);
    this.#load(frame);
    this.#stack.push(frame);
    const released = this.#stack[this.#stack.length - FRAMES_IN_MEMORY];
    if (released instanceof BranchFrame) released.release();
  }

  #checkDepth(depth: number, tree: Tree, place: FindingPlace, cause: Cause | undefined): void {
    if (tree.leafDepth < 0) tree.leafDepth = depth;
    else if (tree.leafDepth !== depth) {
      const args = { depth: `${depth}`, expected: `${tree.leafDepth}` };
      this.#o.reporter.report('BOLT_DEPTH_UNEVEN', args, withCause(place, cause));
    }
  }

  #emptyPage(
    leaf: boolean,
    depth: number,
    overflow: number,
    place: FindingPlace,
    cause: Cause | undefined,
    view: DataView,
    at: number,
    available: number,
  ): void {
    const { reporter } = this.#o;
    if (!leaf) {
      this.#lose(reporter.report('BOLT_BRANCH_EMPTY', {}, withCause(place, cause)));
      return;
    }
    // Only the root of a tree can be empty, and then the rest of its page is zero, as bbolt has written it.
    let blank = overflow === 0;
    for (let i = PAGE_HEADER_SIZE; blank && i < available; i++) blank = view.getUint8(at + i) === 0;
    if (depth > 0 || !blank) {
      this.#lose(reporter.report('BOLT_LEAF_EMPTY', { root: `${depth === 0}` }, withCause(place, cause)));
    } else if (cause !== undefined) this.#lose(cause);
  }

  // ---- claims ---------------------------------------------------------------------------------------------------

  /** Marks more pages of `page`; reports and says no when one of them is somebody else's. */
  #claimRest(page: number, from: number, end: number, place: FindingPlace, cause: Cause | undefined): boolean {
    if (from >= end) return true;
    const { reached, reporter } = this.#o;
    const taken = reached.addRun(from, end);
    this.#checkFree(from, taken, place, page);
    if (taken === end) return true;
    const last = Math.min(reached.next(false, taken, end), end) - 1;
    const where = { ...place, page: taken, pages: [taken, last] as [number, number], offset: taken * this.#o.pageSize };
    const known = cause ?? reporter.causeOn(taken);
    this.#lose(reporter.report('BOLT_PAGE_REFERENCED_TWICE', { from: `${page}` }, withCause(where, known)));
    return false;
  }

  #checkFree(from: number, end: number, place: FindingPlace, owner?: number): void {
    const { free, reporter, pageSize } = this.#o;
    if (free === undefined) return;
    const first = free.next(true, from, end);
    if (first >= end) return;
    const pages: [number, number] = [first, free.next(false, first, end) - 1];
    const where = { ...place, page: first, pages, offset: first * pageSize };
    if (owner === undefined) reporter.report('BOLT_FREE_PAGE_IN_USE', {}, { ...place, page: first });
    else reporter.report('BOLT_FREE_PAGE_IN_OVERFLOW', { owner: `${owner}` }, where);
  }

  #addExcess(first: number, end: number): void {
    if (first >= end) return;
    if (this.#excess.length < 2 * MAX_EXCESS_RUNS) this.#excess.push(first, end);
    else this.#o.reached.addRun(first, end);
  }

  /** Pages claimed for nothing count as reached unless they are somebody's: they are not leaks of their own. */
  #settleExcess(): void {
    const { reached } = this.#o;
    for (let i = 0; i < this.#excess.length; i += 2) {
      reached.addRun(this.#excess[i]!, this.#excess[i + 1]!);
    }
    this.#excess.length = 0;
  }

  // ---- reading --------------------------------------------------------------------------------------------------

  /** Reads, and returns how much there was, or -1 for a read error. */
  #tryRead(target: Uint8Array, length: number, offset: number): number {
    this.#budget -= length;
    try {
      const got = this.#o.source.readInto(target.subarray(0, length), offset);
      return got < PAGE_HEADER_SIZE ? -1 : got;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return -1;
    }
  }

  #largeBuffer(): Uint8Array {
    if (this.#large === undefined) {
      this.#large = readBuffer(WINDOW);
      this.#largeView = viewOf(this.#large);
    }
    return this.#large;
  }

  #load(frame: BranchFrame): void {
    const length = frame.bytesNeeded;
    const bytes = new Uint8Array(length);
    this.#examiner.copyInto(bytes, frame.pageId * this.#o.pageSize, length);
    frame.load(bytes, this.#o.source);
  }

  /** Brings a branch back that had given up its memory; false when it cannot be read any more. */
  #reload(frame: BranchFrame): boolean {
    if (frame.isLoaded) return true;
    const bytes = new Uint8Array(frame.bytesNeeded);
    if (this.#tryRead(bytes, bytes.length, frame.pageId * this.#o.pageSize) < bytes.length) {
      this.#unreadable(frame.pageId, frame.parent, frame.tree, frame.pageId, undefined);
      return false;
    }
    frame.load(bytes, this.#o.source);
    return true;
  }

  // ---- reporting ------------------------------------------------------------------------------------------------

  #unreadable(page: number, parent: BranchFrame | undefined, tree: Tree, head: number, reason: string | undefined): void {
    this.#o.reached.add(page);
    const place = { ...this.#placeIn(head, parent, tree), page, offset: page * this.#o.pageSize };
    const args = { reason: reason ?? 'the operating system reports an error' };
    this.#lose(this.#o.reporter.report('BOLT_PAGE_UNREADABLE', args, place));
  }

  /** Reported for all such pages together, when the walk is over. */
  #loseToFileEnd(): void {
    this.#reachedBeyondFile = true;
    this.lost ??= this.#o.truncated;
  }

  #reportBeyondFile(): void {
    if (!this.#reachedBeyondFile) return;
    const { reached, reporter, size, pageSize, highWaterMark, truncated } = this.#o;
    for (let page = Math.floor(size / pageSize); ; ) {
      page = reached.next(true, page, highWaterMark);
      if (page >= highWaterMark) return;
      const end = reached.next(false, page, highWaterMark);
      const place = withCause({ page, pages: [page, end - 1] }, truncated);
      reporter.report('BOLT_PAGE_BEYOND_FILE', { size: `${size}` }, place);
      page = end;
    }
  }

  #lose(cause: Cause): void {
    this.lost ??= cause;
  }

  #placeOf(frame: BranchFrame): FindingPlace {
    return this.#placeIn(frame.pageId, frame.parent, frame.tree);
  }

  #placeIn(page: number, parent: BranchFrame | undefined, tree: Tree): FindingPlace {
    const path = parent === undefined ? [page] : [...parent.path(), page];
    return { page, offset: page * this.#o.pageSize, path, bucket: bucketPath(tree.link) };
  }

  #placeBelow(frame: BranchFrame | undefined, page: number): FindingPlace {
    return frame === undefined ? { page } : this.#placeIn(page, frame, frame.tree);
  }
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function withCause(place: FindingPlace, causedBy: Cause | undefined): FindingPlace {
  return causedBy === undefined ? place : { ...place, causedBy };
}
