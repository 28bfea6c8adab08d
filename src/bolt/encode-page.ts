/**
 * Page headers, elements and freelist pages as bytes.
 */
import {
  BRANCH_CHILD,
  BRANCH_KEY_SIZE,
  BRANCH_POSITION,
  FLAG_FREELIST,
  FREELIST_COUNT_ESCAPE,
  FREELIST_ID_SIZE,
  LEAF_FLAGS,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';

/** Writes the header of a page that begins at `at`. */
export function writePageHeader(
  view: DataView,
  at: number,
  id: number,
  flags: number,
  count: number,
  overflow: number,
): void {
  writePageNumber(view, at + PAGE_ID, id);
  view.setUint16(at + PAGE_FLAGS, flags, true);
  view.setUint16(at + PAGE_COUNT, count, true);
  view.setUint32(at + PAGE_OVERFLOW, overflow, true);
}

/** Writes the leaf element at `at`, whose key begins `position` bytes behind it. */
export function writeLeafElement(
  view: DataView,
  at: number,
  flags: number,
  position: number,
  keySize: number,
  valueSize: number,
): void {
  view.setUint32(at + LEAF_FLAGS, flags, true);
  view.setUint32(at + LEAF_POSITION, position, true);
  view.setUint32(at + LEAF_KEY_SIZE, keySize, true);
  view.setUint32(at + LEAF_VALUE_SIZE, valueSize, true);
}

/** Writes the branch element at `at`, whose key begins `position` bytes behind it. */
export function writeBranchElement(view: DataView, at: number, position: number, keySize: number, child: number): void {
  view.setUint32(at + BRANCH_POSITION, position, true);
  view.setUint32(at + BRANCH_KEY_SIZE, keySize, true);
  writePageNumber(view, at + BRANCH_CHILD, child);
}

/** A page number as u64, without a bigint. */
function writePageNumber(view: DataView, at: number, id: number): void {
  view.setUint32(at, id >>> 0, true);
  view.setUint32(at + 4, Math.floor(id / 2 ** 32), true);
}

/** How many pages bbolt takes for a freelist of `count` ids; one more than needed when they fill their pages exactly. */
export function freelistPages(count: number, pageSize: number): number {
  const slots = count >= FREELIST_COUNT_ESCAPE ? count + 1 : count;
  return Math.floor((PAGE_HEADER_SIZE + slots * FREELIST_ID_SIZE) / pageSize) + 1;
}

/** A freelist of `count` ascending ids, in `pages` pages from `id` on. */
export function encodeFreelist(
  id: number,
  pages: number,
  pageSize: number,
  count: number,
  ids: Iterable<number>,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pages * pageSize);
  const view = new DataView(bytes.buffer);
  const escaped = count >= FREELIST_COUNT_ESCAPE;
  writePageHeader(view, 0, id, FLAG_FREELIST, escaped ? FREELIST_COUNT_ESCAPE : count, pages - 1);
  let at = PAGE_HEADER_SIZE;
  if (escaped) {
    writePageNumber(view, at, count);
    at += FREELIST_ID_SIZE;
  }
  for (const free of ids) {
    writePageNumber(view, at, free);
    at += FREELIST_ID_SIZE;
  }
  return bytes;
}
