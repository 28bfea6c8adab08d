/**
 * What happens to nodes that have become small: the root gives up a level, empty nodes go, others are merged with a
 * neighbour. By bbolt's rules, so that the same changes give the same pages.
 */

import { compareElements, type Node } from './node.ts';
import { internalError, type TxTree } from './tx-tree.ts';

/** Deals with all nodes of a tree from which something was removed. */
export function rebalanceTree(tree: TxTree): void {
  for (const node of tree.nodes.values()) rebalance(tree, node);
}

function rebalance(tree: TxTree, start: Node): void {
  // A node that goes away leaves its parent one child short, and so on upwards.
  for (let node: Node | undefined = start; node?.unbalanced === true; ) {
    node.unbalanced = false;
    const threshold = Math.floor(Math.trunc(tree.context.pageSize * tree.fillPercent) / 2);
    if (node.size > threshold && node.elements.length > node.minimum) return;
    if (node.parent === undefined) {
      collapseRoot(tree, node);
      return;
    }
    const { parent }: Node = node;
    if (node.elements.length === 0) remove(tree, parent, node);
    // A branch with a single child is the work of surgery: there is nothing to merge with.
    else if (parent.elements.length < 2) return;
    else merge(tree, parent, node);
    node = parent;
  }
}

/** A root with one child becomes that child, one with none (its only one was emptied) an empty leaf. */
function collapseRoot(tree: TxTree, root: Node): void {
  if (root.elements.length === 0) root.isLeaf = true;
  if (root.isLeaf || root.elements.length !== 1) return;
  const child = tree.requireChild(root, 0);
  root.isLeaf = child.isLeaf;
  root.elements = child.elements;
  root.children = child.children;
  for (const grandchild of root.children) grandchild.parent = root;
  child.parent = undefined;
  tree.freeNode(child);
}

function remove(tree: TxTree, parent: Node, node: Node): void {
  parent.removeAt(indexIn(parent, node));
  parent.removeChild(node);
  tree.freeNode(node);
}

function indexIn(parent: Node, node: Node): number {
  const index = parent.indexOfChild(node);
  if (index < 0) throw internalError(`page ${node.pageId} is no child of its parent`);
  return index;
}

/** Merges with the left neighbour, the first node with its right one. Should the result be too large, it is split later. */
function merge(tree: TxTree, parent: Node, node: Node): void {
  const index = indexIn(parent, node);
  const left = index === 0 ? node : tree.requireChild(parent, index - 1);
  const right = index === 0 ? tree.requireChild(parent, 1) : node;
  if (left === right) {
    throw tree.context.loader.damaged(`page ${left.pageId} is referenced more than once`, { pageId: left.pageId });
  }
  if (left.isLeaf !== right.isLeaf) {
    const message = `pages ${left.pageId} and ${right.pageId} are neighbours, but not both leaves`;
    throw tree.context.loader.damaged(message, { pageId: parent.pageId });
  }
  const [first] = right.elements;
  const last = left.elements.at(-1);
  if (first !== undefined && last !== undefined && compareElements(last, first) >= 0) {
    const message = `the keys of page ${right.pageId} are not after those of page ${left.pageId}`;
    throw tree.context.loader.damaged(message, { pageId: right.pageId });
  }
  for (const child of right.children) {
    child.parent = left;
    left.children.push(child);
  }
  left.elements = left.elements.concat(right.elements);
  remove(tree, parent, right);
}
