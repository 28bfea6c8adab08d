/**
 * A page in memory, in a form that can be changed: what a writing transaction makes of every page it touches.
 */
import { compareKeys } from './compare-keys.ts';
import { writeBranchElement, writeLeafElement, writePageHeader } from './encode-page.ts';
import { ELEMENT_SIZE, FLAG_BRANCH, FLAG_LEAF, PAGE_HEADER_SIZE } from './format.ts';
import type { LogicalPage } from './logical-page.ts';

/** One key of a node, with a value (leaf) or a child page (branch). */
export interface NodeElement {
  key: Uint8Array;
  /** Empty in a branch. */
  value: Uint8Array;
  flags: number;
  /** 0 in a leaf. */
  child: number;
}

const NO_VALUE = new Uint8Array(0);

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
  /** The first key when it was read: the key under which the parent knows it. */
  firstKey: Uint8Array | undefined;
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
    for (const { key, value } of this.elements) size += ELEMENT_SIZE + key.length + value.length;
    return size;
  }

  /** How few elements it may have before it has to be merged with another. */
  get minimum(): number {
    return this.isLeaf ? 1 : 2;
  }

  /** The first element whose key is not before `key`, or the number of elements. */
  lowerBound(key: Uint8Array): number {
    const { elements } = this;
    let low = 0;
    let high = elements.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(elements[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether element `index` has that key. */
  hasKeyAt(index: number, key: Uint8Array): boolean {
    const element = this.elements[index];
    return element !== undefined && compareKeys(element.key, key) === 0;
  }

  /** Sets the value of a key in a leaf. The bytes become the node's. */
  put(key: Uint8Array, value: Uint8Array, flags: number): void {
    const index = this.lowerBound(key);
    const element = { key, value, flags, child: 0 };
    this.elements.splice(index, this.hasKeyAt(index, key) ? 1 : 0, element);
  }

  /** Removes element `index`. */
  removeAt(index: number): void {
    this.elements.splice(index, 1);
    this.unbalanced = true;
  }

  /** Where in this branch page `pageId` is the child; -1 if it is none. `firstKey`, if known, tells where to look first. */
  indexOfChild({ pageId, firstKey }: Node): number {
    if (pageId === 0) return -1;
    const likely = firstKey === undefined ? 0 : this.lowerBound(firstKey);
    if (this.elements[likely]?.child === pageId) return likely;
    return this.elements.findIndex(({ child }) => child === pageId);
  }

  removeChild(child: Node): void {
    const at = this.children.indexOf(child);
    if (at >= 0) this.children.splice(at, 1);
  }

  /** Writes the node as page `id` at `at`, where enough zeros are. */
  write(bytes: Uint8Array, at: number, id: number, overflow: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const { elements, isLeaf } = this;
    writePageHeader(view, at, id, isLeaf ? FLAG_LEAF : FLAG_BRANCH, elements.length, overflow);
    let element = at + PAGE_HEADER_SIZE;
    let data = element + ELEMENT_SIZE * elements.length;
    for (const { key, value, flags, child } of elements) {
      if (isLeaf) writeLeafElement(view, element, flags, data - element, key.length, value.length);
      else writeBranchElement(view, element, data - element, key.length, child);
      bytes.set(key, data);
      data += key.length;
      bytes.set(value, data);
      data += value.length;
      element += ELEMENT_SIZE;
    }
  }
}

/**
 * The node of a page. Copies the page. Throws `BOLT_DAMAGED` if its keys are not in order or its elements share bytes:
 * such a page can be read, but nothing good comes of writing it again.
 */
export function readNode(page: LogicalPage): Node {
  const bytes = page.copy(0, page.length);
  const elements: NodeElement[] = [];
  let size = PAGE_HEADER_SIZE;
  let before: Uint8Array | undefined;
  for (let i = 0; i < page.count; i++) {
    page.readElement(i);
    const { keyStart, keyLength, valueLength, elementFlags, isLeaf } = page;
    const key = bytes.subarray(keyStart, keyStart + keyLength);
    const value =
      valueLength === 0 ? NO_VALUE : bytes.subarray(keyStart + keyLength, keyStart + keyLength + valueLength);
    if (before !== undefined && compareKeys(before, key) >= 0) {
      throw page.damaged(`key ${i} is not after the one before it; the page cannot be changed`);
    }
    before = key;
    size += ELEMENT_SIZE + keyLength + valueLength;
    elements.push({ key, value, flags: elementFlags, child: isLeaf ? 0 : page.childAt(i) });
  }
  if (size > page.length) throw page.damaged('its elements overlap; the page cannot be changed');
  const node = new Node(page.isLeaf, elements);
  if (!page.inline) {
    node.pageId = page.id;
    node.overflow = page.overflow;
  }
  node.firstKey = elements[0]?.key;
  return node;
}
