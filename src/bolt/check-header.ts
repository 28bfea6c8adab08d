/**
 * Checks the header of a page that a tree refers to: type, number, count and overflow.
 */
import type { FindingPlace } from '../finding-table.ts';
import { type Cause, type CheckReporter, withCause } from './check-reporter.ts';
import {
  ELEMENT_SIZE,
  FLAG_BRANCH,
  FLAG_LEAF,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';

/** The header of a page, and how far the page goes. */
export interface Header {
  readonly leaf: boolean;
  readonly count: number;
  readonly overflow: number;
  /** The page after the last that it claims, cut at the high water mark. */
  readonly end: number;
  /** Bytes of those pages, and how many of them the file has. */
  readonly room: number;
  readonly present: number;
  /** Whether there are elements that can be looked at. */
  readonly hasElements: boolean;
  /** What was found wrong. */
  readonly cause: Cause | undefined;
}

interface FileLimits {
  readonly size: number;
  readonly pageSize: number;
  readonly highWaterMark: number;
  readonly reporter: CheckReporter;
}

/** Reads the header at `at` of a view with `available` bytes of the page, and reports what is wrong with it. */
export function checkHeader(
  view: DataView,
  at: number,
  available: number,
  depth: number,
  page: number,
  { size, pageSize, highWaterMark, reporter }: FileLimits,
  place: FindingPlace,
): Header {
  const flags = view.getUint16(at + PAGE_FLAGS, true);
  const count = view.getUint16(at + PAGE_COUNT, true);
  const overflow = view.getUint32(at + PAGE_OVERFLOW, true);
  const id = view.getBigUint64(at + PAGE_ID, true);
  const leaf = flags === FLAG_LEAF;
  const end = Math.min(page + overflow + 1, highWaterMark);
  const room = (end - page) * pageSize;
  const present = Math.min(room, size - page * pageSize);
  const header = { leaf, count, overflow, end, room, present, hasElements: false };
  if (!leaf && flags !== FLAG_BRANCH) {
    // What such a page says of its length means nothing.
    const nothing = { ...header, end: page + 1 };
    if (id === 0n && flags === 0 && count === 0 && overflow === 0) {
      return { ...nothing, cause: reporter.report('BOLT_PAGE_ZEROED', {}, place) };
    }
    return { ...nothing, cause: reporter.report('BOLT_PAGE_TYPE', { flags: `0x${flags.toString(16)}` }, place) };
  }
  let cause: Cause | undefined;
  if (id !== BigInt(page)) cause = reporter.report('BOLT_PAGE_ID', { id: `${id}` }, place);
  if (page + overflow >= highWaterMark) {
    const args = { overflow: `${overflow}`, highWaterMark: `${highWaterMark}` };
    cause = reporter.report('BOLT_OVERFLOW_OUT_OF_RANGE', args, withCause(place, cause));
  }
  if (count === 0) {
    const stop = at + Math.min(available, pageSize, present);
    const blank = overflow === 0 && isBlank(view, at + PAGE_HEADER_SIZE, stop);
    if (!leaf) cause = reporter.report('BOLT_BRANCH_EMPTY', {}, withCause(place, cause));
    // Only the root of a tree can be empty, and then the rest of its page is zero, as bbolt has written it.
    else if (depth > 0 || !blank) {
      cause = reporter.report('BOLT_LEAF_EMPTY', { root: `${depth === 0}` }, withCause(place, cause));
    }
    return { ...header, cause };
  }
  if (PAGE_HEADER_SIZE + count * ELEMENT_SIZE > room) {
    const args = { count: `${count}`, room: `${Math.floor((room - PAGE_HEADER_SIZE) / ELEMENT_SIZE)}` };
    return { ...header, cause: reporter.report('BOLT_PAGE_COUNT', args, withCause(place, cause)) };
  }
  return { ...header, hasElements: true, cause };
}

function isBlank(view: DataView, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (view.getUint8(i) !== 0) return false;
  return true;
}
