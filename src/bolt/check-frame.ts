/**
 * A branch page on the stack of the checker's walk: its children, their keys as bounds, and how it was reached.
 */
import type { ByteSource } from '../io/byte-source.ts';
import type { BucketLink, Cause } from './check-reporter.ts';
import {
  BRANCH_CHILD,
  BRANCH_KEY_SIZE,
  BRANCH_POSITION,
  ELEMENT_SIZE,
  FIRST_DATA_PAGE,
  PAGE_HEADER_SIZE,
} from './format.ts';
import { KEY_HEAD, type Key, makeKey } from './page-pieces.ts';
import type { BucketDigest } from './pair-digest.ts';

/** The tree of one bucket. */
export interface Tree {
  /** Undefined for the root bucket. */
  readonly link: BucketLink | undefined;
  /** Level of the leaves, -1 until the first was seen. */
  leafDepth: number;
  /** Where its pairs go when a digest is made, until all have. */
  digest: BucketDigest | undefined;
  /** Branches of it on the stack. */
  frames: number;
}

/** Branches whose content is larger keep only their array of elements in memory, and read keys when needed. */
const MAX_IN_MEMORY = 1 << 20;
const TWO_32 = 0x1_0000_0000;
const NOTHING = new DataView(new ArrayBuffer(0));

export class BranchFrame {
  readonly pageId: number;
  readonly count: number;
  readonly depth: number;
  readonly parent: BranchFrame | undefined;
  readonly tree: Tree;
  /** The key that nothing below may reach, from the branches above. */
  readonly inheritedHigh: Key | undefined;
  /** What is wrong with this page: keys below it that are out of bounds follow from that. */
  readonly cause: Cause | undefined;
  /** The next child to visit. */
  next = 0;
  /** Whether a child out of range has been reported for this page. */
  reportedRange = false;
  view: DataView = NOTHING;
  readonly #pageSize: number;
  readonly #unusable: Uint8Array | undefined;
  readonly #end: number;
  #bytes: Uint8Array | undefined;
  #source: ByteSource | undefined;

  constructor(
    pageId: number,
    pageSize: number,
    count: number,
    depth: number,
    parent: BranchFrame | undefined,
    tree: Tree,
    inheritedHigh: Key | undefined,
    cause: Cause | undefined,
    unusable: Uint8Array | undefined,
    end: number,
  ) {
    this.pageId = pageId;
    this.#pageSize = pageSize;
    this.count = count;
    this.depth = depth;
    this.parent = parent;
    this.tree = tree;
    this.inheritedHigh = inheritedHigh;
    this.cause = cause;
    this.#unusable = unusable;
    this.#end = end;
  }

  /** How many bytes from the start of the page this needs in memory. */
  get bytesNeeded(): number {
    return this.#end <= MAX_IN_MEMORY ? this.#end : PAGE_HEADER_SIZE + this.count * ELEMENT_SIZE;
  }

  get isLoaded(): boolean {
    return this.#bytes !== undefined;
  }

  load(bytes: Uint8Array, source: ByteSource): void {
    this.#bytes = bytes;
    this.#source = source;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  release(): void {
    this.#bytes = undefined;
    this.view = NOTHING;
  }

  /** Whether all keys are in memory and can be used as bounds in place. */
  get isPlain(): boolean {
    const high = this.inheritedHigh;
    if (this.#unusable !== undefined || this.#end > MAX_IN_MEMORY) return false;
    return high === undefined || high.length === high.head.length;
  }

  keyAt(index: number): number {
    const element = PAGE_HEADER_SIZE + index * ELEMENT_SIZE;
    return element + this.view.getUint32(element + BRANCH_POSITION, true);
  }

  keyLength(index: number): number {
    return this.view.getUint32(PAGE_HEADER_SIZE + index * ELEMENT_SIZE + BRANCH_KEY_SIZE, true);
  }

  /** The page number in an element, as it stands there. */
  child(index: number): bigint {
    return this.view.getBigUint64(PAGE_HEADER_SIZE + index * ELEMENT_SIZE + BRANCH_CHILD, true);
  }

  /** The page number in an element, or -1 when no page of a tree can have it. */
  childInRange(index: number, highWaterMark: number): number {
    const at = PAGE_HEADER_SIZE + index * ELEMENT_SIZE + BRANCH_CHILD;
    const child = this.view.getUint32(at + 4, true) * TWO_32 + this.view.getUint32(at, true);
    return child >= FIRST_DATA_PAGE && child < highWaterMark ? child : -1;
  }

  /** The smallest key that child `index` may have; undefined when it is not known. */
  low(index: number): Key | undefined {
    return this.#unusable?.[index] === 1 ? undefined : this.#key(index);
  }

  /** The key that child `index` must stay below. */
  high(index: number): Key | undefined {
    for (let i = index + 1; i < this.count; i++) if (this.#unusable?.[i] !== 1) return this.#key(i);
    return this.inheritedHigh;
  }

  #key(index: number): Key {
    const start = this.keyAt(index);
    const length = this.keyLength(index);
    const offset = this.pageId * this.#pageSize + start;
    const bytes = this.#bytes as Uint8Array;
    const headLength = Math.min(length, KEY_HEAD);
    if (start + headLength <= bytes.length) return makeKey(bytes.slice(start, start + headLength), length, offset);
    const head = new Uint8Array(headLength);
    this.#source?.readInto(head, offset);
    return makeKey(head, length, offset);
  }

  hasAncestor(page: number): boolean {
    for (let frame: BranchFrame | undefined = this; frame !== undefined; frame = frame.parent) {
      if (frame.pageId === page) return true;
    }
    return false;
  }

  /** Page numbers from the root of the tree to this page. */
  path(): number[] {
    const path: number[] = [];
    for (let frame: BranchFrame | undefined = this; frame !== undefined; frame = frame.parent)
      path.unshift(frame.pageId);
    return path;
  }
}
