/**
 * A page in memory, in a form that can be changed: what a writing transaction makes of every page it touches.
 */
import { writeBranchElement, writeLeafElement, writePageHeader } from './encode-page.ts';
import { ELEMENT_SIZE, FLAG_BRANCH, FLAG_LEAF, PAGE_HEADER_SIZE } from './format.ts';
import type { LogicalPage } from './logical-page.ts';
import type { PairMemory } from './pair-memory.ts';

/**
 * One key of a node, with a value (leaf) or a child page (branch). Key and value lie one behind the other in `bytes`: in a
 * copy of the page they were on, or, when they are new, in bytes of their own. (Views of them would cost more than all else.)
 */
export interface NodeElement {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly keyLength: number;
  /** 0 in a branch. */
  readonly valueLength: number;
  readonly flags: number;
  /** 0 in a leaf. */
  readonly child: number;
}

/** The element of a branch for a child whose first element is given. */
export function branchElement({ bytes, start, keyLength }: NodeElement, child: number): NodeElement {
  return { bytes, start, keyLength, valueLength: 0, flags: 0, child };
}

/** Length of an element as part of a page. */
export function elementSize({ keyLength, valueLength }: NodeElement): number {
  return ELEMENT_SIZE + keyLength + valueLength;
}

/** Compares the keys of two elements. */
export function compareElements(a: NodeElement, b: NodeElement): number {
  return compareBytes(a.bytes, a.start, a.keyLength, b.bytes, b.start, b.keyLength);
}

function compareBytes(
  a: Uint8Array,
  aStart: number,
  aLength: number,
  b: Uint8Array,
  bStart: number,
  bLength: number,
): number {
  const shared = aLength < bLength ? aLength : bLength;
  for (let i = 0; i < shared; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** A node of a bucket's tree. */
export class Node {
  isLeaf: boolean;
  elements: NodeElement[];
  parent: Node | undefined;
  /** Nodes below this one that are in memory. */
  children: Node[] = [];
  /** The page it was read from and the number of that page's overflow pages; page 0 while it has none. */
  pageId = 0;
  overflow = 0;
  /** The first element when it was read: its key is the one under which the parent knows the node. */
  first: NodeElement | undefined;
  /** Something was removed from it. */
  unbalanced = false;
  /** It was given its new page. */
  spilled = false;

  constructor(isLeaf: boolean, elements: NodeElement[] = []) {
    this.isLeaf = isLeaf;
    this.elements = elements;
  }

  /** Length as a page. */
  get size(): number {
    let size = PAGE_HEADER_SIZE;
    for (const element of this.elements) size += elementSize(element);
    return size;
  }

  /** How few elements it may have before it has to be merged with another. */
  get minimum(): number {
    return this.isLeaf ? 1 : 2;
  }

  /** The first element whose key is not before `key`, or the number of elements. */
  lowerBound(key: Uint8Array, keyStart = 0, keyLength: number = key.length): number {
    const { elements } = this;
    let low = 0;
    let high = elements.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const element = elements[middle]!;
      const order = compareBytes(element.bytes, element.start, element.keyLength, key, keyStart, keyLength);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether element `index` has that key. */
  hasKeyAt(index: number, key: Uint8Array): boolean {
    const element = this.elements[index];
    if (element === undefined || element.keyLength !== key.length) return false;
    return compareBytes(element.bytes, element.start, element.keyLength, key, 0, key.length) === 0;
  }

  /** Puts an element at `index`: in place of the one there, or before it. */
  putAt(index: number, replace: boolean, element: NodeElement): void {
    if (replace) this.elements[index] = element;
    else if (index === this.elements.length) this.elements.push(element);
    else this.elements.splice(index, 0, element);
  }

  /** Removes element `index`. */
  removeAt(index: number): void {
    this.elements.splice(index, 1);
    this.unbalanced = true;
  }

  /** Where in this branch a node is the child; -1 if it is none. */
  indexOfChild({ pageId, first }: Node): number {
    if (pageId === 0) return -1;
    const likely = first === undefined ? 0 : this.lowerBound(first.bytes, first.start, first.keyLength);
    if (this.elements[likely]?.child === pageId) return likely;
    return this.elements.findIndex(({ child }) => child === pageId);
  }

  removeChild(child: Node): void {
    const at = this.children.indexOf(child);
    if (at >= 0) this.children.splice(at, 1);
  }

  /** Writes the node as page `id` at `at`, where enough zeros are. `view` is of `bytes`. */
  write(bytes: Uint8Array, view: DataView, at: number, id: number, overflow: number): void {
    const { elements, isLeaf } = this;
    writePageHeader(view, at, id, isLeaf ? FLAG_LEAF : FLAG_BRANCH, elements.length, overflow);
    let header = at + PAGE_HEADER_SIZE;
    let data = header + ELEMENT_SIZE * elements.length;
    // What lay together stays together: elements that nobody touched are copied in runs.
    let source: Uint8Array | undefined;
    let runStart = 0;
    let runEnd = 0;
    let runAt = data;
    for (const element of elements) {
      const { start, keyLength, valueLength } = element;
      if (isLeaf) writeLeafElement(view, header, element.flags, data - header, keyLength, valueLength);
      else writeBranchElement(view, header, data - header, keyLength, element.child);
      if (element.bytes !== source || start !== runEnd) {
        if (source !== undefined) copyBytes(source, runStart, runEnd, bytes, runAt);
        source = element.bytes;
        runStart = start;
        runAt = data;
      }
      runEnd = start + keyLength + valueLength;
      data += keyLength + valueLength;
      header += ELEMENT_SIZE;
    }
    if (source !== undefined) copyBytes(source, runStart, runEnd, bytes, runAt);
  }
}

/** Below this many bytes a loop is faster than `set`. */
const SHORT = 32;

function copyBytes(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): void {
  if (end - start > SHORT) {
    target.set(source.subarray(start, end), at);
    return;
  }
  for (let i = start; i < end; i++) target[at + i - start] = source[i]!;
}

function copyPage(page: LogicalPage, memory: PairMemory): { bytes: Uint8Array; start: number } {
  const content = page.read(0, page.length);
  // A large page was read into memory of its own.
  if (page.available < page.length) return { bytes: content, start: 0 };
  const { bytes, start } = memory.reserve(page.length);
  bytes.set(content, start);
  return { bytes, start };
}

/**
 * The node of a page. Copies the page. Throws `BOLT_DAMAGED` if its keys are not in order or its elements share bytes:
 * such a page can be read, but nothing good comes of writing it again.
 */
export function readNode(page: LogicalPage, memory: PairMemory): Node {
  const { bytes, start: base } = copyPage(page, memory);
  const { isLeaf, count } = page;
  const elements: NodeElement[] = [];
  let size = PAGE_HEADER_SIZE;
  let end = PAGE_HEADER_SIZE;
  let before: NodeElement | undefined;
  for (let i = 0; i < count; i++) {
    page.readElement(i);
    const { keyLength, valueLength, elementFlags: flags } = page;
    const start = base + page.keyStart;
    const element = { bytes, start, keyLength, valueLength, flags, child: isLeaf ? 0 : page.childAt(i) };
    if (before !== undefined && compareElements(before, element) >= 0) {
      throw page.damaged(`key ${i} is not after the one before it; the page cannot be changed`);
    }
    before = element;
    size += elementSize(element);
    end = Math.max(end, page.keyStart + keyLength + valueLength);
    elements.push(element);
  }
  page.requireEnd(end);
  if (size > page.length) throw page.damaged('its elements overlap; the page cannot be changed');
  const node = new Node(isLeaf, elements);
  if (!page.inline) {
    node.pageId = page.id;
    node.overflow = page.overflow;
  }
  node.first = elements[0];
  return node;
}
