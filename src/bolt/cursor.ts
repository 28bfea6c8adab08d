/**
 * Moves over the keys of one bucket in both directions, by the rules of bbolt's cursor at both ends, but without its
 * defects: `last` ends when all leaves are empty, `prev` passes over empty leaves, and damage ends in an error.
 */
import { Element, type Movements } from './element.ts';
import type { PageLoader } from './page-loader.ts';
import { TreePath, type TreeRoot } from './tree-path.ts';

/**
 * A position in a bucket. A new cursor is nowhere: `next` and `prev` give undefined until `first`, `last` or `seek` was
 * called. After a movement that threw it is nowhere again.
 *
 * Each movement gives an `Element` that is valid until the next movement of this cursor.
 */
export class Cursor implements Movements {
  /** How often the cursor was moved. */
  moves = 0;
  readonly #root: TreeRoot;
  readonly #path: TreePath;
  #direction = 0;

  constructor(loader: PageLoader, root: TreeRoot) {
    this.#root = root;
    this.#path = new TreePath(loader);
  }

  /** Moves to the first key; undefined if there is none. */
  first(): Element | undefined {
    return this.#move(0, () => (this.#toFirst() ? this.#element() : undefined));
  }

  /** Moves to the last key; undefined if there is none. */
  last(): Element | undefined {
    return this.#move(0, () => (this.#toLast() ? this.#element() : undefined));
  }

  /**
   * Moves to the first key that is not before `key`. Undefined if all keys are before it: the cursor is then behind the
   * last key, so that `prev` gives the last one.
   */
  seek(key: Uint8Array): Element | undefined {
    return this.#move(0, () => {
      const path = this.#path;
      path.enterAt(this.#root, new DataView(key.buffer, key.byteOffset, key.length));
      if (path.index < path.page.count || this.#toNextFull()) return this.#element();
      if (this.#toLast()) path.index++;
      return undefined;
    });
  }

  /** Moves to the next key. Undefined behind the last one, on which the cursor then stays. */
  next(): Element | undefined {
    const path = this.#path;
    if (path.depth > 0 && this.#direction === 1 && path.index + 1 < path.page.count) {
      // The hot path: the next key is on the page in hand.
      path.loader.assertOpen();
      this.moves++;
      path.index++;
      return this.#element();
    }
    return this.#move(1, () => {
      if (path.depth === 0) return undefined;
      if (path.index + 1 < path.page.count) {
        path.index++;
        return this.#element();
      }
      // At the end, or behind it after a `seek`: stay.
      const behind = path.index >= path.page.count;
      if (!path.hasLeafAfter) return undefined;
      if (this.#toNextFull()) return this.#element();
      if (this.#toLast() && behind) path.index++;
      return undefined;
    });
  }

  /** Moves to the key before. Undefined before the first one, on which the cursor then stays: `next` gives the second. */
  prev(): Element | undefined {
    const path = this.#path;
    return this.#move(-1, () => {
      if (path.depth === 0) return undefined;
      if (path.index > 0) {
        path.index--;
        return this.#element();
      }
      while (path.previousLeaf()) if (path.page.count > 0) return this.#element();
      this.#toFirst();
      return undefined;
    });
  }

  /** Runs one movement. Whatever goes wrong in it leaves the cursor nowhere. */
  #move(direction: number, movement: () => Element | undefined): Element | undefined {
    const path = this.#path;
    path.loader.assertOpen();
    this.moves++;
    if (direction !== this.#direction || direction === 0) path.budget?.renew();
    this.#direction = direction;
    try {
      return movement();
    } catch (error) {
      path.clear();
      throw error;
    }
  }

  #element(): Element {
    const { page, index } = this.#path;
    page.readElement(index);
    return new Element(this).take(page);
  }

  #toFirst(): boolean {
    const path = this.#path;
    path.budget?.renew();
    path.enter(this.#root);
    while (path.nextLeaf()) if (path.page.count > 0) return true;
    return false;
  }

  #toLast(): boolean {
    const path = this.#path;
    path.budget?.renew();
    path.enterLast(this.#root);
    do if (path.page.count > 0) return true;
    while (path.previousLeaf());
    return false;
  }

  /** Moves to the first element of the next leaf that has any. */
  #toNextFull(): boolean {
    while (this.#path.nextLeaf()) if (this.#path.page.count > 0) return true;
    return false;
  }
}
