/**
 * Tells whether pages other than plain leaves (`verify-leaf.ts` has those) are exactly as bbolt writes them: branches, and
 * leaves with buckets. As there, anything else is left to those who can say what it is.
 */
import { compareRanges } from './compare-keys.ts';
import {
  BRANCH_CHILD,
  BRANCH_KEY_SIZE,
  BRANCH_POSITION,
  BUCKET_HEADER_SIZE,
  ELEMENT_SIZE,
  FIRST_DATA_PAGE,
  FLAG_BRANCH,
  FLAG_LEAF,
  LEAF_FLAGS,
  LEAF_IS_BUCKET,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  LONGEST_NAME,
  MAX_KEY_SIZE,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';

/** Thrown where a page is not as bbolt writes it. Never leaves this folder. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/** A key somewhere in memory. */
export interface KeyPlace {
  readonly view: DataView;
  readonly at: number;
  readonly length: number;
}

/** What the place of a page in its tree demands: its first key, and the key that it must stay below. */
export interface Bounds {
  readonly low: KeyPlace | undefined;
  readonly high: KeyPlace | undefined;
}

/** The header of a page, as far as it says what the page is. */
export interface PlainHeader {
  readonly leaf: boolean;
  readonly count: number;
  readonly overflow: number;
}

const TWO_32 = 0x1_0000_0000;

/** The header of the page at `at`, or undefined when it is not that of a leaf or branch with this number. */
export function plainHeader(view: DataView, at: number, page: number): PlainHeader | undefined {
  const id = view.getUint32(at + PAGE_ID, true) + view.getUint32(at + PAGE_ID + 4, true) * TWO_32;
  const flags = view.getUint16(at + PAGE_FLAGS, true);
  if (id !== page || (flags !== FLAG_LEAF && flags !== FLAG_BRANCH)) return undefined;
  return {
    leaf: flags === FLAG_LEAF,
    count: view.getUint16(at + PAGE_COUNT, true),
    overflow: view.getUint32(at + PAGE_OVERFLOW, true),
  };
}

/** The number of the child in branch element `index` of a page at `at`. */
export function childAt(view: DataView, at: number, index: number): number {
  const child = at + PAGE_HEADER_SIZE + index * ELEMENT_SIZE + BRANCH_CHILD;
  return view.getUint32(child, true) + view.getUint32(child + 4, true) * TWO_32;
}

/** The key of branch element `index` of a page at `at`. */
export function branchKey(view: DataView, at: number, index: number): KeyPlace {
  const element = at + PAGE_HEADER_SIZE + index * ELEMENT_SIZE;
  const length = view.getUint32(element + BRANCH_KEY_SIZE, true);
  return { view, at: element + view.getUint32(element + BRANCH_POSITION, true), length };
}

/**
 * Whether the whole logical page at `at`, of `room` bytes, is a branch as bbolt writes it, with children in
 * `[2, highWaterMark)`. Returns where its keys end, or -1.
 */
export function plainBranchEnd(
  view: DataView,
  at: number,
  room: number,
  count: number,
  bounds: Bounds,
  highWaterMark: number,
): number {
  let expected = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
  if (count === 0 || expected > room) return -1;
  let previousAt = 0;
  let previousLength = 0;
  for (let i = 0, element = PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
    const length = view.getUint32(at + element + BRANCH_KEY_SIZE, true);
    if (element + view.getUint32(at + element + BRANCH_POSITION, true) !== expected) return -1;
    if (length === 0 || length > LONGEST_NAME || expected + length > room) return -1;
    const child = childAt(view, at, i);
    if (child < FIRST_DATA_PAGE || child >= highWaterMark) return -1;
    const keyAt = at + expected;
    if (!isNext(view, keyAt, length, i, previousAt, previousLength, bounds)) return -1;
    previousAt = keyAt;
    previousLength = length;
    expected += length;
  }
  return isBelow(view, previousAt, previousLength, bounds) ? expected : -1;
}

/**
 * Whether the whole logical page at `at`, of `room` bytes, is a leaf as bbolt writes it, with or without buckets. What is
 * in the buckets is not looked at. Returns where its data ends, or -1.
 */
export function mixedLeafEnd(view: DataView, at: number, room: number, count: number, bounds: Bounds): number {
  let expected = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
  if (count === 0 || expected > room) return -1;
  let previousAt = 0;
  let previousLength = 0;
  for (let i = 0, element = PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
    const flags = view.getUint32(at + element + LEAF_FLAGS, true);
    const length = view.getUint32(at + element + LEAF_KEY_SIZE, true);
    const valueLength = view.getUint32(at + element + LEAF_VALUE_SIZE, true);
    if (flags !== 0 && flags !== LEAF_IS_BUCKET) return -1;
    if (element + view.getUint32(at + element + LEAF_POSITION, true) !== expected) return -1;
    if (length === 0 || expected + length + valueLength > room) return -1;
    if (flags === 0 ? length > MAX_KEY_SIZE : length > LONGEST_NAME || valueLength < BUCKET_HEADER_SIZE) return -1;
    const keyAt = at + expected;
    if (!isNext(view, keyAt, length, i, previousAt, previousLength, bounds)) return -1;
    previousAt = keyAt;
    previousLength = length;
    expected += length + valueLength;
  }
  return isBelow(view, previousAt, previousLength, bounds) ? expected : -1;
}

/** Whether the key of element `index` may follow the one before it; the first must be the one that the branch above names. */
function isNext(
  view: DataView,
  at: number,
  length: number,
  index: number,
  previousAt: number,
  previousLength: number,
  bounds: Bounds,
): boolean {
  if (index === 0) return isFirst(view, at, length, bounds);
  return compareRanges(view, previousAt, previousLength, view, at, length) < 0;
}

/** Whether a key is the one that the branch above names for its page. */
export function isFirst(view: DataView, at: number, length: number, { low }: Bounds): boolean {
  return low === undefined || compareRanges(view, at, length, low.view, low.at, low.length) === 0;
}

/** Whether a key is below the next one that a branch above names. */
export function isBelow(view: DataView, at: number, length: number, { high }: Bounds): boolean {
  return high === undefined || compareRanges(view, at, length, high.view, high.at, high.length) < 0;
}
