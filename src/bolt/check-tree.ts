/**
 * The walk over all pages that are reachable from a root page: the trees of all buckets, nested ones included.
 *
 * It follows the tree with a stack of its own, marks every page it reaches in a bitmap, never enters a page twice, and
 * reads neighbouring leaves in one go. Whatever the bytes are, it ends after a number of reads that is linear in the
 * number of pages: pages are claimed before anything in them is read that lies behind their first page.
 */
import { type DatadirError, isDatadirError } from '../errors.ts';
import type { FindingPlace } from '../finding-table.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import type { DigestSummary } from '../report.ts';
import { PageClaims } from './check-claims.ts';
import { DigestFeed } from './check-digest.ts';
import { BranchFrame, type Tree } from './check-frame.ts';
import { checkHeader, type Header } from './check-header.ts';
import { type Examination, PageExaminer, type PendingBucket } from './check-page.ts';
import { type BucketLink, bucketPath, type Cause, type CheckReporter, withCause } from './check-reporter.ts';
import {
  ELEMENT_SIZE,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  MAX_DEPTH,
  PAGE_COUNT,
  PAGE_HEADER_SIZE,
  PAGE_OVERFLOW,
} from './format.ts';
import type { PageBitmap } from './page-bitmap.ts';
import { isUsualLength } from './page-length.ts';
import type { Key } from './page-pieces.ts';
import type { BucketDigest } from './pair-digest.ts';
import { NEEDS_MORE, verifyLeaf } from './verify-leaf.ts';

/** At most so much is read at once, and at most so many unwanted pages are read between two wanted ones. */
const WINDOW = 1 << 20;
const MAX_GAP = 8;
/** For a digest, at most so many pages are taken for the rest of a leaf without knowing how long it is. */
const MAX_VALUE_GAP = 64;
/** Work of one step, in bytes; a visited page counts for a few hundred besides what was read. */
const STEP_BYTES = 1 << 20;
const PAGE_COST = 512;
/** Branches further down the stack give their memory back, and are read again when it is their turn. */
const FRAMES_IN_MEMORY = 128;

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
  /** Whether to make a digest of all pairs on the way. Every value is read then. */
  readonly digest?: boolean;
}

/** A page to be looked at, and what its place in the tree demands of it. */
interface Visit {
  readonly page: number;
  /** Levels below the root of its tree. */
  readonly depth: number;
  readonly parent: BranchFrame | undefined;
  readonly tree: Tree;
  readonly low: Key | undefined;
  readonly high: Key | undefined;
}

/** A buffer to read into, and the view of it. */
class ReadWindow {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }
}

interface BucketsEntry {
  readonly buckets: readonly PendingBucket[];
  next: number;
}

export class TreeWalk {
  /** The first finding because of which pages could not be reached. */
  lost: Cause | undefined;
  readonly #o: TreeWalkOptions;
  readonly #claims: PageClaims;
  readonly #examiner: PageExaminer;
  readonly #stack: (BranchFrame | BucketsEntry)[] = [];
  readonly #window: ReadWindow;
  readonly #windowPages: number;
  #large: ReadWindow | undefined;
  #largeLength = 0;
  #pending: PendingBucket[] = [];
  #budget = 0;
  #reachedBeyondFile = false;
  // There as long as a digest can be made: until something is lost.
  #feed: DigestFeed | undefined;
  /** The page that is being fed. */
  #fed: Pick<Visit, 'page' | 'parent' | 'tree'> | undefined;

  constructor(options: TreeWalkOptions) {
    const { source, size, reached, free, pageSize, highWaterMark, reporter } = options;
    this.#o = options;
    if (options.digest === true) this.#feed = new DigestFeed(source, size, 2 * WINDOW);
    // A small file needs no more than all its pages.
    this.#window = this.#newWindow(Math.min(WINDOW, Math.max(1, Math.ceil(size / pageSize)) * pageSize));
    this.#claims = new PageClaims(reached, free, pageSize, reporter);
    this.#examiner = new PageExaminer(source, reporter, highWaterMark);
    this.#windowPages = Math.max(1, Math.floor(WINDOW / pageSize));
  }

  /** Starts at the root page of the root bucket (or, with a link, of that bucket), which must be in range. */
  start(root: number, link?: BucketLink): void {
    this.#visitRoot(root, newTree(link, this.#feed?.digest.root), 0);
    this.#pushPending();
  }

  /** The digest of all pairs, when one was asked for and everything was reached and is as it should be. */
  get digest(): DigestSummary | undefined {
    const finished = this.#stack.length === 0 && this.#fed === undefined && this.lost === undefined;
    return finished ? this.#feed?.digest.summary() : undefined;
  }

  /** Visits about 1 MiB of pages; returns true when there are no more. */
  step(): boolean {
    this.#budget = STEP_BYTES;
    while (this.#budget > 0) {
      if (this.#fed !== undefined) {
        this.#feedOn(this.#budget);
        continue;
      }
      const top = this.#stack.at(-1);
      if (top === undefined) {
        this.#claims.settleExcess();
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
    this.#visitRoot(bucket.root, newTree(bucket.link, bucket.digest), bucket.page);
    this.#pushPending();
  }

  #advanceBranch(frame: BranchFrame): void {
    if (frame.next >= frame.count || !this.#reload(frame)) {
      this.#popBranch(frame);
      this.#budget -= PAGE_COST;
      return;
    }
    if (frame.tree.leafDepth === frame.depth + 1) this.#visitRun(frame);
    else this.#visitOne(frame, frame.next++);
    if (frame.next >= frame.count && this.#stack.at(-1) === frame) this.#popBranch(frame);
    this.#pushPending();
  }

  #popBranch({ tree }: BranchFrame): void {
    this.#stack.pop();
    tree.frames--;
    this.#endIfFed(tree);
  }

  #pushPending(): void {
    if (this.#pending.length === 0) return;
    this.#stack.push({ buckets: this.#pending, next: 0 });
    this.#pending = [];
  }

  // ---- which pages ----------------------------------------------------------------------------------------------

  #visitRoot(page: number, tree: Tree, from: number): void {
    const visit: Visit = { page, depth: 0, parent: undefined, tree, low: undefined, high: undefined };
    if (this.#mayEnter(page, undefined, tree, from)) this.#visitSingle(visit);
    this.#endIfFed(tree);
  }

  /** One child, read by itself: a branch, or the first leaf of a tree. */
  #visitOne(frame: BranchFrame, index: number): void {
    const page = this.#childOf(frame, index);
    if (page >= 0 && this.#mayEnter(page, frame, frame.tree, frame.pageId)) {
      this.#visitSingle(visitBelow(frame, index, page));
    }
  }

  /** As many neighbouring leaves as one read can bring. */
  #visitRun(frame: BranchFrame): void {
    const { pageSize, reached, known, highWaterMark } = this.#o;
    const from = frame.next;
    let first = -1;
    let last = -1;
    let to = from;
    for (; to < frame.count; to++) {
      const child = frame.childInRange(to, highWaterMark);
      // Children that will not be entered are dealt with on the way; they take no part in the read.
      if (child < 0 || reached.has(child) || known?.has(child) === true || this.#isBeyondFile(child)) continue;
      if (first < 0) first = child;
      else if (child <= last || child - last > MAX_GAP + 1 || child - first >= this.#windowPages) break;
      last = child;
    }
    frame.next = to;
    let available = 0;
    if (first >= 0) {
      // For a digest all of the last leaf is needed, and what lies before the next one is most likely that.
      const next = this.#feed === undefined || to === frame.count ? -1 : frame.childInRange(to, highWaterMark);
      const end = next > last && next - last <= MAX_VALUE_GAP ? next : last + 1;
      const wanted = Math.min((end - first) * pageSize, WINDOW);
      available = this.#tryRead(this.#window.bytes, wanted, first * pageSize);
    }
    for (let index = from; index < to; index++) {
      const child = this.#childOf(frame, index);
      if (child < 0 || !this.#mayEnter(child, frame, frame.tree, frame.pageId)) continue;
      const at = (child - first) * pageSize;
      if (at < available) this.#visitLeafInWindow(frame, index, child, at, available - at);
      else {
        // A read error somewhere in the run: page by page, so that only the bad one is lost.
        this.#visitSingle(visitBelow(frame, index, child));
        available = 0; // the window has been used for that page
      }
      if (this.#fed !== undefined) {
        // The leaves after this one must wait for it, and be read again.
        frame.next = index + 1;
        return;
      }
    }
  }

  /** The number of child `index`, or -1 when it is out of range, which is then reported. */
  #childOf(frame: BranchFrame, index: number): number {
    const { highWaterMark, reporter } = this.#o;
    const child = frame.childInRange(index, highWaterMark);
    if (child < 0 && !frame.reportedRange) {
      frame.reportedRange = true; // once per page: it says how many there are
      let times = 0;
      for (let i = 0; i < frame.count; i++) if (frame.childInRange(i, highWaterMark) < 0) times++;
      const args = { child: `${frame.child(index)}`, highWaterMark: `${highWaterMark}`, times: `${times}` };
      const place = { ...this.#placeOf(frame.pageId, frame.parent, frame.tree), element: index };
      this.#lose(reporter.report('BOLT_CHILD_OUT_OF_RANGE', args, withCause(place, frame.cause)));
    }
    return child;
  }

  /** Reports and says no when a page is reached a second time or lies beyond the end of the file. */
  #mayEnter(page: number, frame: BranchFrame | undefined, tree: Tree, from: number): boolean {
    const { reached, known, reporter } = this.#o;
    if (known?.has(page) === true) return false;
    if (reached.has(page)) {
      const ancestor = frame?.hasAncestor(page) === true;
      const place = withCause(this.#placeOf(page, frame, tree), ancestor ? undefined : reporter.causeOn(page));
      const code = ancestor ? 'BOLT_PAGE_CYCLE' : 'BOLT_PAGE_REFERENCED_TWICE';
      this.#lose(reporter.report(code, { from: `${from}` }, place));
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

  // ---- good leaves ----------------------------------------------------------------------------------------------

  #visitLeafInWindow(frame: BranchFrame, index: number, page: number, at: number, available: number): void {
    if (frame.isPlain) {
      let overflow = this.#verify(frame, index, page, this.#window.view, at, available);
      if (overflow >= 0) {
        if (this.#claimGood(page, page + overflow + 1)) {
          if (this.#feed !== undefined) this.#feedPlain(frame, page, this.#window, at, available);
          return;
        }
      } else if (overflow === NEEDS_MORE) {
        overflow = this.#verifyLarge(frame, index, page, at, available);
        if (overflow >= 0 && this.#claimGood(page, page + overflow + 1)) {
          if (this.#feed !== undefined) this.#feedPlain(frame, page, this.#large as ReadWindow, 0, this.#largeLength);
          return;
        }
      }
    }
    this.#visit(visitBelow(frame, index, page), at, available);
  }

  #claimGood(page: number, end: number): boolean {
    const { highWaterMark, pageSize, size } = this.#o;
    this.#budget -= PAGE_COST;
    return end <= highWaterMark && end * pageSize <= size && this.#claims.tryClaim(page, end);
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
    const { pageSize, highWaterMark } = this.#o;
    const { view } = this.#window;
    const overflow = view.getUint32(at + PAGE_OVERFLOW, true);
    const end = page + overflow + 1;
    if (end > highWaterMark || !this.#claims.areUnclaimed(page, end)) return NEEDS_MORE;
    const count = view.getUint16(at + PAGE_COUNT, true);
    const lastElement = PAGE_HEADER_SIZE + (count - 1) * ELEMENT_SIZE;
    let needed = (overflow + 1) * pageSize;
    if (lastElement + ELEMENT_SIZE <= available) {
      const element = at + lastElement;
      const position = view.getUint32(element + LEAF_POSITION, true);
      needed = Math.min(needed, lastElement + position + view.getUint32(element + LEAF_KEY_SIZE, true));
    }
    if (needed > WINDOW) return NEEDS_MORE;
    this.#large ??= this.#newWindow(WINDOW);
    const got = this.#tryRead(this.#large.bytes, needed, page * pageSize);
    this.#largeLength = got;
    return got < needed ? NEEDS_MORE : this.#verify(frame, index, page, this.#large.view, 0, got);
  }

  // ---- all other pages ------------------------------------------------------------------------------------------

  #visitSingle(visit: Visit): void {
    const { pageSize } = this.#o;
    const length = Math.min(pageSize, WINDOW);
    const available = this.#tryRead(this.#window.bytes, length, visit.page * pageSize);
    if (available < 0) this.#reportUnreadable(visit, visit.page);
    else this.#visit(visit, 0, available);
  }

  /** Reports everything about the page at `at` of the window, and puts branches and buckets on the stack. */
  #visit(visit: Visit, at: number, available: number): void {
    const { page } = visit;
    const { pageSize } = this.#o;
    this.#budget -= PAGE_COST;
    const place = this.#placeOf(page, visit.parent, visit.tree);
    this.#claims.claimFirst(page, place);
    const header = checkHeader(this.#window.view, at, available, visit.depth, page, this.#o, place);
    const { cause } = header;
    if (cause !== undefined) this.#lose(cause);
    if (!header.hasElements) {
      this.#claims.addExcess(page + 1, header.end);
      return;
    }
    try {
      this.#examiner.open(page * pageSize, this.#window.bytes, this.#window.view, at, Math.min(available, header.room));
      const examination = this.#examine(visit, header, place);
      if (examination !== undefined) {
        this.#afterExamination(visit, header, place, examination);
        if (examination.inlineDamaged) this.#feed = undefined;
        if (header.leaf && this.#feed !== undefined) this.#feedLeaf(visit, header, at, available, examination.buckets);
      }
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#reportUnreadable(visit, this.#pageOf(error, page), error.message);
    }
  }

  /** Claims the pages that the elements need, and examines them. Undefined when they are somebody else's, or not there. */
  #examine(visit: Visit, header: Header, place: FindingPlace): Examination | undefined {
    const { page, tree, low, high, parent } = visit;
    const { leaf, count, room, present, cause } = header;
    const { pageSize } = this.#o;
    const arrayEnd = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    const arrayPages = Math.ceil(arrayEnd / pageSize);
    let taken = this.#claims.claimRest(page, page + 1, page + arrayPages, place, cause);
    if (taken === undefined && arrayEnd > present) {
      this.#loseToFileEnd();
      return undefined;
    }
    if (taken === undefined) {
      const end = this.#examiner.dataEnd(leaf, count, room);
      taken = this.#claims.claimRest(page, page + arrayPages, page + Math.ceil(end / pageSize), place, cause);
      if (end > present) this.#loseToFileEnd();
    }
    if (taken !== undefined) {
      this.#lose(taken);
      return undefined;
    }
    const boundsCause = parent?.cause;
    return this.#examiner.examine({
      place,
      leaf,
      single: header.overflow === 0,
      count,
      room,
      present,
      bucket: tree.link,
      low,
      high,
      boundsCause,
      cause,
    });
  }

  #afterExamination(
    visit: Visit,
    header: Header,
    place: FindingPlace,
    { end, unusable, buckets, cause }: Examination,
  ): void {
    const { page, depth, tree, parent, high } = visit;
    const { count, leaf } = header;
    const { pageSize, reporter } = this.#o;
    const needed = Math.ceil(end / pageSize);
    // Of elements that lie outside the page it is not known what they need.
    const excess =
      unusable === undefined ? this.#checkOverflow(page, header, needed, end, withCause(place, cause)) : undefined;
    const found = cause ?? excess;
    this.#claims.addExcess(page + needed, header.end);
    for (const bucket of buckets) this.#pending.push(bucket);
    if (found !== undefined) this.#lose(found);
    if (leaf) {
      this.#checkDepth(depth, tree, place, found);
      return;
    }
    if (count === 1) reporter.report('BOLT_BRANCH_ONE_CHILD', {}, place);
    if (depth + 1 >= MAX_DEPTH) {
      this.#lose(reporter.report('BOLT_TREE_TOO_DEEP', { depth: `${depth + 1}` }, withCause(place, found)));
      return;
    }
    const frame = new BranchFrame(page, pageSize, count, depth, parent, tree, high, found, unusable, end);
    const bytes = new Uint8Array(frame.bytesNeeded);
    this.#examiner.copyInto(bytes, page * pageSize);
    frame.load(bytes, this.#o.source);
    this.#stack.push(frame);
    tree.frames++;
    const deep = this.#stack[this.#stack.length - FRAMES_IN_MEMORY];
    if (deep instanceof BranchFrame) deep.release();
  }

  #checkOverflow(page: number, header: Header, needed: number, end: number, place: FindingPlace): Cause | undefined {
    const { pageSize, highWaterMark, reporter } = this.#o;
    const claimed = header.end - page;
    if (isUsualLength(claimed, end, pageSize) || page + header.overflow >= highWaterMark) return undefined;
    const args = { overflow: `${header.overflow}`, needed: `${needed - 1}` };
    return reporter.report('BOLT_OVERFLOW_TOO_LARGE', args, { ...place, pages: [page, header.end - 1] });
  }

  #checkDepth(depth: number, tree: Tree, place: FindingPlace, cause: Cause | undefined): void {
    if (tree.leafDepth < 0) tree.leafDepth = depth;
    else if (tree.leafDepth !== depth) {
      const args = { depth: `${depth}`, expected: `${tree.leafDepth}` };
      this.#o.reporter.report('BOLT_DEPTH_UNEVEN', args, withCause(place, cause));
    }
  }

  // ---- the digest -----------------------------------------------------------------------------------------------

  /** Feeds a leaf that was found good, of which `available` bytes are in hand. */
  #feedPlain(
    { parent, tree }: BranchFrame,
    page: number,
    { bytes, view }: ReadWindow,
    at: number,
    available: number,
  ): void {
    const feed = this.#feed as DigestFeed;
    feed.plainLeaf(tree.digest as BucketDigest, page * this.#o.pageSize, bytes, view, at, available);
    if (!feed.active) return;
    this.#fed = { page, parent, tree };
    this.#feedOn(this.#budget);
  }

  /** Feeds a leaf that was examined thoroughly, and without a finding so far. */
  #feedLeaf(visit: Visit, { count, room }: Header, at: number, available: number, buckets: PendingBucket[]): void {
    const { page, tree } = visit;
    const { bytes, view } = this.#window;
    const inHand = Math.min(available, room);
    const feed = this.#feed as DigestFeed;
    feed.leaf(tree.digest as BucketDigest, page * this.#o.pageSize, count, bytes, view, at, inHand, buckets);
    this.#fed = visit;
    // What is in hand now will not be in hand in the next step.
    this.#feedOn(Math.max(this.#budget, inHand));
  }

  #feedOn(budget: number): void {
    const feed = this.#feed;
    const fed = this.#fed as Visit;
    if (feed !== undefined) {
      try {
        this.#budget -= feed.step(budget);
        if (feed.active) return;
      } catch (error) {
        if (!isDatadirError(error)) throw error;
        this.#reportUnreadable(fed, this.#pageOf(error, fed.page), error.message);
      }
    }
    this.#fed = undefined;
    this.#endIfFed(fed.tree);
  }

  /** Ends the digest of a bucket when all its leaves have been fed. */
  #endIfFed(tree: Tree): void {
    if (this.#feed === undefined || tree.frames > 0 || this.#fed?.tree === tree) return;
    if (tree.digest !== this.#feed.digest.root) tree.digest?.end();
    tree.digest = undefined;
  }

  #newWindow(length: number): ReadWindow {
    return new ReadWindow(this.#feed?.allocate(length) ?? readBuffer(length));
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

  /** Brings a branch back that had given up its memory; false when it cannot be read any more. */
  #reload(frame: BranchFrame): boolean {
    if (frame.isLoaded) return true;
    const { pageId, parent, tree } = frame;
    const bytes = new Uint8Array(frame.bytesNeeded);
    if (this.#tryRead(bytes, bytes.length, pageId * this.#o.pageSize) < bytes.length) {
      this.#reportUnreadable({ page: pageId, parent, tree }, pageId);
      return false;
    }
    frame.load(bytes, this.#o.source);
    return true;
  }

  // ---- reporting ------------------------------------------------------------------------------------------------

  #lose(cause: Cause): void {
    this.lost ??= cause;
    this.#feed = undefined;
  }

  /** The page in which something could not be read, of those that belong to `page`. */
  #pageOf({ offset }: DatadirError, page: number): number {
    return offset === undefined ? page : Math.max(page, Math.floor(offset / this.#o.pageSize));
  }

  #reportUnreadable(visit: Pick<Visit, 'page' | 'parent' | 'tree'>, page: number, reason?: string): void {
    this.#o.reached.add(page);
    const place = { ...this.#placeOf(visit.page, visit.parent, visit.tree), page, offset: page * this.#o.pageSize };
    const args = { reason: reason ?? 'the operating system reports an error' };
    this.#lose(this.#o.reporter.report('BOLT_PAGE_UNREADABLE', args, place));
  }

  /** Reported for all such pages together, when the walk is over. */
  #loseToFileEnd(): void {
    this.#reachedBeyondFile = true;
    this.#feed = undefined;
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

  #placeOf(page: number, parent: BranchFrame | undefined, tree: Tree): FindingPlace {
    const path = parent === undefined ? [page] : [...parent.path(), page];
    return { page, offset: page * this.#o.pageSize, path, bucket: bucketPath(tree.link) };
  }
}

function newTree(link: BucketLink | undefined, digest: BucketDigest | undefined): Tree {
  return { link, leafDepth: -1, digest, frames: 0 };
}

function visitBelow(frame: BranchFrame, index: number, page: number): Visit {
  const { depth, tree } = frame;
  return { page, depth: depth + 1, parent: frame, tree, low: frame.low(index), high: frame.high(index) };
}
