/**
 * How changed nodes become pages again: large ones are split, all get new pages, parents learn of them. By bbolt's
 * rules, so that the same changes give the same pages.
 */

import { DatadirError } from '../errors.ts';
import { BUCKET_HEADER_SIZE, LEAF_IS_BUCKET, MAX_ELEMENTS, MAX_SPAN, PAGE_HEADER_SIZE } from './format.ts';
import { branchElement, compareElements, elementSize, Node, type NodeElement } from './node.ts';
import { encodeBucketHeader, internalError, type TxTree } from './tx-tree.ts';

/** Each side of a split has at least so many elements, and what has no more than twice as many is not split. */
const MIN_ELEMENTS = 2;
const MIN_FILL_PERCENT = 0.1;
const MAX_FILL_PERCENT = 1;

/** Gives all changed nodes of a tree new pages; the tree may have a new root then. */
export function spillTree(tree: TxTree): void {
  if (tree.rootNode === undefined) return;
  spillNode(tree, tree.rootNode);
  let root = tree.rootNode;
  while (root.parent !== undefined) root = root.parent;
  tree.rootNode = root;
  tree.rootPage = root.pageId;
}

function spillNode(tree: TxTree, node: Node): void {
  if (node.spilled) return;
  node.children.sort((a, b) => compareElements(firstOf(a), firstOf(b)));
  // Splitting a child appends to the list, but what it appends has its page already.
  for (let i = 0; i < node.children.length; i++) spillNode(tree, node.children[i]!);
  node.children = [];
  for (const piece of split(tree, node)) writeNode(tree, piece);
  // The root was split: what is above it now is new too.
  if (node.parent?.pageId === 0) spillNode(tree, node.parent);
}

function firstOf(node: Node): NodeElement {
  const [first] = node.elements;
  if (first === undefined) throw internalError('a node without elements was to be written below another');
  return first;
}

function writeNode(tree: TxTree, node: Node): void {
  const { context } = tree;
  const { parent } = node;
  const index = parent?.indexOfChild(node) ?? -1;
  if (node.pageId !== 0) context.free(node.pageId, node.overflow + 1);
  const { size } = node;
  const last = node.elements.at(-1);
  if (last !== undefined && size - elementSize(last) > MAX_SPAN) {
    // Few large values stay on one page, whatever their size; bbolt would write what it cannot read.
    const message = `neighbouring values need a page of ${size} bytes; all but the last must lie within ${MAX_SPAN}`;
    throw new DatadirError('BOLT_VALUE_TOO_LARGE', message);
  }
  const pages = Math.ceil(size / context.pageSize);
  const id = context.allocate(pages);
  const { bytes, view, at } = context.dirty.add(id, pages);
  node.write(bytes, view, at, id, pages - 1);
  node.pageId = id;
  node.overflow = pages - 1;
  node.spilled = true;
  if (parent === undefined) return;
  const first = firstOf(node);
  const element = branchElement(first, id);
  if (index >= 0) parent.elements[index] = element;
  else parent.elements.splice(parent.lowerBound(first.bytes, first.start, first.keyLength), 0, element);
  node.first = first;
}

/** Splits a node that is too large; the first piece is the node itself. */
function split(tree: TxTree, node: Node): Node[] {
  const { elements } = node;
  const { pageSize } = tree.context;
  const pieces = [node];
  let start = 0;
  while (isTooLarge(elements, start, pageSize)) {
    const end = splitIndex(elements, start, splitThreshold(tree));
    if (node.parent === undefined) {
      node.parent = new Node(false);
      node.parent.children.push(node);
    }
    const last = pieces[pieces.length - 1]!;
    last.elements = elements.slice(start, end);
    const next = new Node(node.isLeaf);
    next.parent = node.parent;
    next.parent.children.push(next);
    pieces.push(next);
    start = end;
  }
  if (start > 0) pieces[pieces.length - 1]!.elements = elements.slice(start);
  return pieces;
}

function isTooLarge(elements: readonly NodeElement[], start: number, pageSize: number): boolean {
  const count = elements.length - start;
  if (count <= 2 * MIN_ELEMENTS) return false;
  // bbolt panics at such a number of elements, which takes pages of a megabyte and more.
  if (count > MAX_ELEMENTS) return true;
  let size = PAGE_HEADER_SIZE;
  for (let i = start; i < elements.length; i++) {
    size += elementSize(elements[i]!);
    if (size >= pageSize) return true;
  }
  return false;
}

function splitThreshold({ fillPercent, context }: TxTree): number {
  return Math.trunc(context.pageSize * Math.min(Math.max(fillPercent, MIN_FILL_PERCENT), MAX_FILL_PERCENT));
}

/** Where the piece that begins at `start` ends. */
function splitIndex(elements: readonly NodeElement[], start: number, threshold: number): number {
  let size = PAGE_HEADER_SIZE;
  const lastStart = elements.length - MIN_ELEMENTS;
  let index = start;
  for (let i = start; i < lastStart; i++) {
    index = i;
    const length = elementSize(elements[i]!);
    if (i - start >= MIN_ELEMENTS && (size + length > threshold || i - start >= MAX_ELEMENTS)) break;
    size += length;
  }
  return index;
}

/** Whether a bucket can lie in its parent's element: a single small leaf without buckets in it. */
export function isInlineable({ rootNode, context }: TxTree): boolean {
  if (rootNode?.isLeaf !== true || rootNode.elements.length > MAX_ELEMENTS) return false;
  const limit = Math.floor(context.pageSize / 4);
  let size = PAGE_HEADER_SIZE;
  for (const element of rootNode.elements) {
    size += elementSize(element);
    if ((element.flags & LEAF_IS_BUCKET) !== 0 || size > limit) return false;
  }
  return true;
}

/** The value of an inline bucket's element. */
export function encodeInline(node: Node, sequence: bigint): Uint8Array {
  const bytes = encodeBucketHeader(0, sequence, node.size);
  node.write(bytes, new DataView(bytes.buffer), BUCKET_HEADER_SIZE, 0, 0);
  return bytes;
}
