/**
 * `surgery clear-page` and `surgery clear-page-elements`: removes all elements, or a range of them, from a leaf or branch page.
 *
 * As bbolt does: a range that reaches the end of the page only lowers the count, and leaves what stays where it is; after
 * any other range the elements that stay are written anew, without gaps. Overflow pages that are no longer needed no
 * longer belong to the page, and are neither in use nor free until the freelist is made anew.
 *
 * Only elements that stay have to be sound: those that go may be damaged in any way.
 */
import { DatadirError } from '../../errors.ts';
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import { writeLeafElement, writePageHeader } from '../encode-page.ts';
import {
  BRANCH_KEY_SIZE,
  BRANCH_POSITION,
  ELEMENT_SIZE,
  FLAG_BRANCH,
  FLAG_LEAF,
  LEAF_FLAGS,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  PAGE_HEADER_SIZE,
} from '../format.ts';
import { allocate } from '../page-loader.ts';
import { moveBytes } from './copy-page.ts';
import { assertDataPage, RawFile, type RawHeader, type SurgeryOptions, type SurgeryPlan } from './raw-file.ts';

/** What `clearPage` and `clearPageElements` did. */
export interface ClearedElements {
  readonly operation: 'clear-page-elements';
  readonly page: number;
  readonly type: 'leaf' | 'branch';
  /** The range of elements that was removed; nothing, if the page was empty before. */
  readonly fromIndex: number;
  readonly toIndex: number;
  /** Elements and overflow pages, before and after. */
  readonly countBefore: number;
  readonly count: number;
  readonly overflowBefore: number;
  readonly overflow: number;
  /** Whether pages were lost sight of, that is, overflow pages or the children of a branch. */
  readonly abandonsPages: boolean;
  /** Whether a freelist is stored: it does not name the pages that were lost sight of. */
  readonly freelistStored: boolean;
}

/** An element that stays, with positions counted from the start of the page. */
interface Kept {
  /** The 16 bytes of the element. */
  readonly element: Uint8Array<ArrayBuffer>;
  readonly start: number;
  readonly length: number;
  readonly keyLength: number;
}

/**
 * Finds out what is to be removed. `toIndex` -1 is the end of the page. Throws `BOLT_PAGE_OUT_OF_RANGE` for a page or a range
 * that is not there, `BOLT_INCOMPATIBLE_VALUE` for a page of another type, `BOLT_DAMAGED` if no page begins there or an element
 * that stays lies outside of it.
 */
export function planClearPageElements(
  source: ByteSource,
  page: number,
  fromIndex: number,
  toIndex: number,
  options: SurgeryOptions = {},
): SurgeryPlan<ClearedElements> {
  assertDataPage(page);
  const raw = new RawFile(source, options);
  const header = raw.header(page);
  const { type, count, overflow: overflowBefore } = header;
  if (type !== 'leaf' && type !== 'branch') {
    throw raw.error('BOLT_INCOMPATIBLE_VALUE', `page ${page} is a ${type} page, which has no elements to clear`);
  }
  const nothing = {
    operation: 'clear-page-elements',
    page,
    type,
    fromIndex,
    toIndex: toIndex === -1 ? count : toIndex,
    countBefore: count,
    count,
    overflowBefore,
    overflow: overflowBefore,
    abandonsPages: false,
    freelistStored: raw.freelistStored,
  } as const;
  // As bbolt: of an empty page any range can be cleared.
  if (count === 0) return { result: { ...nothing, fromIndex: 0, toIndex: 0 }, apply: () => {} };
  assertRange(raw, page, fromIndex, toIndex, count);

  const end = nothing.toIndex;
  const indexes = [...range(0, fromIndex), ...range(end, count)];
  const kept = readElements(raw, page, header, indexes);
  const inPlace = end === count;
  const arrayEnd = PAGE_HEADER_SIZE + ELEMENT_SIZE * kept.length;
  let dataEnd = arrayEnd;
  if (inPlace) for (const { start, length } of kept) dataEnd = Math.max(dataEnd, start + length);
  else for (const { length } of kept) dataEnd += length;
  // What stays is where it was, behind an element array that was longer: bbolt counts without that, and cuts data off.
  const overflow = Math.ceil(dataEnd / raw.pageSize) - 1;
  const result = {
    ...nothing,
    count: kept.length,
    overflow,
    abandonsPages: overflow !== overflowBefore || type === 'branch',
  };
  return {
    result,
    apply(file) {
      const offset = page * raw.pageSize;
      if (!inPlace) rewriteElements(file, offset, type, kept);
      const bytes = new Uint8Array(PAGE_HEADER_SIZE);
      const flags = type === 'leaf' ? FLAG_LEAF : FLAG_BRANCH;
      writePageHeader(new DataView(bytes.buffer), 0, page, flags, kept.length, overflow);
      file.write(offset, bytes);
    },
  };
}

/** Removes elements `[fromIndex, toIndex)` of a leaf or branch page; -1 is the end of the page. */
export function clearPageElements(
  file: ByteFile,
  page: number,
  fromIndex: number,
  toIndex: number,
  options: SurgeryOptions = {},
): ClearedElements {
  const plan = planClearPageElements(file, page, fromIndex, toIndex, options);
  plan.apply(file);
  return plan.result;
}

/** Removes all elements of a leaf or branch page. */
export function clearPage(file: ByteFile, page: number, options: SurgeryOptions = {}): ClearedElements {
  return clearPageElements(file, page, 0, -1, options);
}

function assertRange(raw: RawFile, page: number, from: number, to: number, count: number): void {
  if (!Number.isInteger(from) || from < 0 || from >= count) {
    throw raw.error('BOLT_PAGE_OUT_OF_RANGE', `page ${page}: the first index ${from} is not in [0, ${count})`);
  }
  if (to === -1) return;
  if (!Number.isInteger(to) || to < 0 || to > count) {
    throw raw.error('BOLT_PAGE_OUT_OF_RANGE', `page ${page}: the end index ${to} is not in [0, ${count}], nor -1`);
  }
  if (from >= to) {
    throw new DatadirError('USAGE', `the first index ${from} must be smaller than the end index ${to}`);
  }
}

function* range(from: number, to: number): Generator<number, void, undefined> {
  for (let i = from; i < to; i++) yield i;
}

/** The elements that stay; each must lie behind the element array and within the page and the file. */
function readElements(raw: RawFile, page: number, { type, count, overflow }: RawHeader, indexes: number[]): Kept[] {
  if (indexes.length === 0) return [];
  const offset = page * raw.pageSize;
  const room = (overflow + 1) * raw.pageSize;
  const arrayEnd = PAGE_HEADER_SIZE + ELEMENT_SIZE * count;
  if (page + overflow >= raw.pageCount) {
    const words = `page ${page} claims ${overflow} overflow pages; the file has ${raw.pageCount} pages`;
    throw raw.error('BOLT_DAMAGED', words, page);
  }
  if (arrayEnd > room) {
    throw raw.error('BOLT_DAMAGED', `page ${page}: ${count} elements do not fit into its ${room} bytes`, page);
  }
  const array = raw.read(offset, arrayEnd);
  const view = new DataView(array.buffer);
  return indexes.map((index) => {
    const at = PAGE_HEADER_SIZE + ELEMENT_SIZE * index;
    const leaf = type === 'leaf';
    const start = at + view.getUint32(at + (leaf ? LEAF_POSITION : BRANCH_POSITION), true);
    const keyLength = view.getUint32(at + (leaf ? LEAF_KEY_SIZE : BRANCH_KEY_SIZE), true);
    const length = keyLength + (leaf ? view.getUint32(at + LEAF_VALUE_SIZE, true) : 0);
    if (keyLength === 0 || start < arrayEnd || start + length > room) {
      const place = `lies at ${start} to ${start + length}, outside the page's data (${arrayEnd} to ${room})`;
      const fault = keyLength === 0 ? 'has a key of no bytes' : place;
      const words = `page ${page}: element ${index}, which is to stay, ${fault}; clear it too`;
      throw raw.error('BOLT_DAMAGED', words, page);
    }
    return { element: array.slice(at, at + ELEMENT_SIZE), start, length, keyLength };
  });
}

/** Writes the elements that stay without gaps: the element array, then the data in the same order. */
function rewriteElements(file: ByteFile, offset: number, type: 'leaf' | 'branch', kept: readonly Kept[]): void {
  const array = new Uint8Array(ELEMENT_SIZE * kept.length);
  const view = new DataView(array.buffer);
  const moves: { from: number; to: number; length: number }[] = [];
  let to = PAGE_HEADER_SIZE + array.length;
  kept.forEach(({ element, start, length, keyLength }, i) => {
    const at = ELEMENT_SIZE * i;
    const position = to - PAGE_HEADER_SIZE - at;
    const old = new DataView(element.buffer);
    if (type === 'leaf') {
      const flags = old.getUint32(LEAF_FLAGS, true);
      writeLeafElement(view, at, flags, position, keyLength, length - keyLength);
    } else {
      // The child stays as it is stored: it need not be a number that a file can have.
      array.set(element, at);
      view.setUint32(at + BRANCH_POSITION, position, true);
    }
    moves.push({ from: start, to, length });
    to += length;
  });
  moveData(file, offset, moves);
  file.write(offset + PAGE_HEADER_SIZE, array);
}

/** Moves data within the page. On a page as bbolt writes it everything moves towards the front, one after the other. */
function moveData(
  file: ByteFile,
  offset: number,
  moves: readonly { readonly from: number; readonly to: number; readonly length: number }[],
): void {
  let end = 0;
  const simple = moves.every(({ from, to, length }) => {
    const ascending = from >= end && to <= from;
    end = from + length;
    return ascending;
  });
  if (simple) {
    for (const { from, to, length } of moves) moveBytes(file, offset + from, offset + to, length);
    return;
  }
  // Data in another order, or shared by elements: nothing may be overwritten before all of it was read.
  const total = moves.reduce((sum, { length }) => sum + length, 0);
  const data = allocate(total);
  let at = 0;
  for (const { from, length } of moves) {
    file.readInto(data.subarray(at, at + length), offset + from);
    at += length;
  }
  file.write(offset + (moves[0]?.to ?? 0), data);
}
