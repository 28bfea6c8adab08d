/**
 * A way down a bucket's tree within a transaction: over pages of the last commit, and over the nodes that have taken
 * their place. As `tree-path.ts` it ends on any damage.
 */

import { LEAF_IS_BUCKET, MAX_DEPTH } from './format.ts';
import { LogicalPage } from './logical-page.ts';
import type { Node } from './node.ts';
import { PageBudget } from './tree-path.ts';
import type { TxTree } from './tx-tree.ts';

/** A key to look for, in the two forms that pages and nodes compare with. */
export class SearchKey {
  readonly bytes: Uint8Array;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Made when a page is met: in a long transaction there are nodes only. */
  get view(): DataView {
    this.#view ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    return this.#view;
  }
}

/** One page or node of the path, and the position in it. */
class Level {
  node: Node | undefined;
  page: LogicalPage;
  readonly own: LogicalPage;
  index = 0;

  constructor(tree: TxTree) {
    this.own = new LogicalPage(tree.context.loader);
    this.page = this.own;
  }

  get count(): number {
    return this.node === undefined ? this.page.count : this.node.elements.length;
  }

  get isLeaf(): boolean {
    return this.node === undefined ? this.page.isLeaf : this.node.isLeaf;
  }

  get id(): number {
    return this.node === undefined ? this.page.id : this.node.pageId;
  }

  childAt(index: number): number {
    return this.node === undefined ? this.page.childAt(index) : this.node.elements[index]!.child;
  }

  lowerBound(key: SearchKey): number {
    return this.node === undefined ? this.page.lowerBound(key.view) : this.node.lowerBound(key.bytes);
  }

  hasKeyAt(index: number, key: SearchKey): boolean {
    if (index >= this.count) return false;
    if (this.node !== undefined) return this.node.hasKeyAt(index, key.bytes);
    return this.page.compareKeyAt(index, key.view) === 0;
  }
}

export class TxPath {
  /** Levels of the path; 0 when it is nowhere. */
  depth = 0;
  readonly #tree: TxTree;
  readonly #levels: Level[] = [];
  readonly #budget: PageBudget;

  constructor(tree: TxTree) {
    this.#tree = tree;
    this.#budget = new PageBudget(tree.context.loader);
  }

  get #leaf(): Level {
    return this.#levels[this.depth - 1]!;
  }

  get index(): number {
    return this.#leaf.index;
  }
  set index(index: number) {
    this.#leaf.index = index;
  }

  /** Elements of the leaf. */
  get count(): number {
    return this.#leaf.count;
  }

  /** Leaves the tree. */
  clear(): void {
    this.depth = 0;
  }

  /** A new search: it may again enter as many pages as there are. */
  renew(): void {
    this.#budget.renew();
  }

  #level(depth: number): Level {
    let level = this.#levels[depth];
    if (level === undefined) {
      level = new Level(this.#tree);
      this.#levels.push(level);
    }
    return level;
  }

  #enter(): void {
    this.depth = 0;
    const level = this.#level(0);
    level.node = this.#tree.rootNode;
    if (level.node === undefined) {
      level.page = this.#tree.enterRoot(level.own);
      this.#budget.spend(level.page);
    }
    this.#entered(level);
  }

  #descend(index: number): void {
    const parent = this.#leaf;
    parent.index = index;
    const { loader } = this.#tree.context;
    const id = parent.childAt(index);
    const refuse = (what: string): Error =>
      loader.damaged(`page ${parent.id}: child ${index} is page ${id}, ${what}`, { pageId: parent.id });
    if (!loader.isDataPage(id)) throw refuse(`the high water mark is ${loader.highWaterMark}`);
    if (this.depth >= MAX_DEPTH) throw refuse(`more than ${MAX_DEPTH} pages deep`);
    for (let depth = 0; depth < this.depth; depth++) {
      if (this.#levels[depth]!.id === id) throw refuse('its own ancestor');
    }
    const level = this.#level(this.depth);
    level.node = this.#tree.nodes.get(id);
    if (level.node === undefined) {
      level.page = level.own;
      loader.load(id, level.page);
      level.page.requireTreePage();
      this.#budget.spend(level.page);
    }
    this.#entered(level);
  }

  #entered(level: Level): void {
    level.index = 0;
    this.depth++;
    if (!level.isLeaf && level.count === 0) {
      throw this.#tree.context.loader.damaged(`page ${level.id}: a branch without children`, { pageId: level.id });
    }
  }

  /** Goes to the first leaf, empty or not. */
  enterFirst(): void {
    this.#enter();
    while (!this.#leaf.isLeaf) this.#descend(0);
  }

  /** Goes to the last leaf, empty or not, and to its last element. */
  enterLast(): void {
    this.#enter();
    this.#toLast();
  }

  #toLast(): void {
    while (!this.#leaf.isLeaf) this.#descend(this.#leaf.count - 1);
    this.index = this.count - 1;
  }

  /** Goes to the leaf in which `key` is or would be, and to the first element not before it. */
  enterAt(key: SearchKey): void {
    this.#enter();
    while (!this.#leaf.isLeaf) {
      const level = this.#leaf;
      let index = level.lowerBound(key);
      if (!level.hasKeyAt(index, key)) index = Math.max(0, index - 1);
      this.#descend(index);
    }
    this.index = this.#leaf.lowerBound(key);
  }

  /** Goes to the next leaf, empty or not. False, and where it was, when there is none. */
  nextLeaf(): boolean {
    for (let depth = this.depth - 2; depth >= 0; depth--) {
      const level = this.#levels[depth]!;
      if (level.index + 1 >= level.count) continue;
      this.depth = depth + 1;
      this.#descend(level.index + 1);
      while (!this.#leaf.isLeaf) this.#descend(0);
      return true;
    }
    return false;
  }

  /** Goes to the leaf before, empty or not, and to its last element. False, and where it was, when there is none. */
  previousLeaf(): boolean {
    for (let depth = this.depth - 2; depth >= 0; depth--) {
      const level = this.#levels[depth]!;
      if (level.index === 0) continue;
      this.depth = depth + 1;
      this.#descend(level.index - 1);
      this.#toLast();
      return true;
    }
    return false;
  }

  /** Whether the path is at an element with that key. */
  isAt(key: SearchKey): boolean {
    return this.#leaf.hasKeyAt(this.index, key);
  }

  /** Whether the element is the name of a bucket. */
  get isBucket(): boolean {
    const { node, page, index } = this.#leaf;
    if (node !== undefined) return (node.elements[index]!.flags & LEAF_IS_BUCKET) !== 0;
    page.readElement(index);
    return page.isBucket;
  }

  /** A copy of the element's key. */
  copyKey(): Uint8Array {
    const { node, page, index } = this.#leaf;
    if (node !== undefined) {
      const { bytes, start, keyLength } = node.elements[index]!;
      return bytes.slice(start, start + keyLength);
    }
    page.readElement(index);
    return page.copy(page.keyStart, page.keyLength);
  }

  /** A copy of the element's stored value. */
  copyValue(): Uint8Array {
    const { node, page, index } = this.#leaf;
    if (node !== undefined) {
      const { bytes, start, keyLength, valueLength } = node.elements[index]!;
      return bytes.slice(start + keyLength, start + keyLength + valueLength);
    }
    page.readElement(index);
    return page.copy(page.keyStart + page.keyLength, page.valueLength);
  }

  /** The page that holds the leaf, for messages. */
  get pageId(): number {
    return this.#leaf.id;
  }

  /** The leaf as a node, to be changed. */
  leafNode(): Node {
    const leaf = this.#leaf;
    if (leaf.node === undefined) {
      let node = this.#tree.requireRoot(this.#levels[0]!.own);
      for (let depth = 1; depth < this.depth; depth++) {
        node = this.#tree.requireChild(node, this.#levels[depth - 1]!.index, this.#levels[depth]!.own);
      }
      leaf.node = node;
    }
    return leaf.node;
  }
}
