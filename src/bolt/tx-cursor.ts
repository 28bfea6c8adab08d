/**
 * Moves over the keys of a bucket within a transaction, also while they are changed: `next` gives the first key after
 * the one it was at, `prev` the last one before it, whatever was put or deleted meanwhile.
 */
import { DatadirError } from '../errors.ts';
import { type Key, keyBytes } from './bucket.ts';
import type { Entry } from './element.ts';
import { SearchKey, TxPath } from './tx-path.ts';
import type { TxTree } from './tx-tree.ts';

/** What a cursor needs to know of its bucket. */
export interface CursorOwner {
  readonly tree: TxTree;
  assertUsable(): void;
  assertWritable(): void;
}

/** A position in a bucket of a transaction. New, it is nowhere: `next` and `prev` give undefined. */
export class TxCursor {
  readonly #owner: CursorOwner;
  readonly #path: TxPath;
  /** Whether entries have their values; those of buckets never have. */
  readonly #values: boolean;
  /** The key it is at, or was at when that was deleted. */
  #key: Uint8Array | undefined;
  /** Changes of the tree when the path was found. */
  #changes = -1;

  /** @internal For `TxBucket.cursor`. */
  constructor(owner: CursorOwner, options: { readonly values?: boolean } = {}) {
    this.#owner = owner;
    this.#values = options.values ?? true;
    this.#path = new TxPath(owner.tree);
  }

  /** Moves to the first key; undefined if there is none. */
  first(): Entry | undefined {
    return this.#move(() => {
      this.#path.enterFirst();
      return this.#skipForward();
    });
  }

  /** Moves to the last key; undefined if there is none. */
  last(): Entry | undefined {
    return this.#move(() => {
      this.#path.enterLast();
      return this.#skipBackward();
    });
  }

  /** Moves to the first key that is not before `key`. Undefined if all are before it: `prev` then gives the last one. */
  seek(key: Key): Entry | undefined {
    const wanted = keyBytes(key);
    return this.#move(() => {
      this.#path.enterAt(new SearchKey(wanted));
      const found = this.#skipForward();
      if (found === undefined) this.#key = wanted.slice();
      return found;
    });
  }

  /** Moves to the next key. Undefined behind the last one, on which the cursor then stays. */
  next(): Entry | undefined {
    return this.#step((here) => {
      if (here) this.#path.index++;
      return this.#skipForward();
    });
  }

  /** Moves to the key before. Undefined before the first one, on which the cursor then stays. */
  prev(): Entry | undefined {
    return this.#step(() => {
      this.#path.index--;
      return this.#skipBackward();
    });
  }

  /**
   * Deletes the key that the cursor is at; `next` and `prev` go on from there. Throws `BOLT_INCOMPATIBLE_VALUE` at a
   * bucket, `USAGE` when the cursor is at no key.
   */
  delete(): void {
    this.#owner.assertWritable();
    const key = this.#key;
    const path = this.#path;
    if (key === undefined || !this.#find(key)) {
      // The path is at the key that follows: `next` must not take it for the one the cursor is at.
      path.clear();
      throw new DatadirError('USAGE', 'the cursor is at no key');
    }
    if (path.isBucket) throw new DatadirError('BOLT_INCOMPATIBLE_VALUE', 'the key is that of a bucket');
    path.leafNode().removeAt(path.index);
    this.#owner.tree.changes++;
  }

  #move(movement: () => Entry | undefined): Entry | undefined {
    this.#owner.assertUsable();
    const path = this.#path;
    path.renew();
    this.#key = undefined;
    this.#changes = this.#owner.tree.changes;
    try {
      return movement();
    } catch (error) {
      path.clear();
      throw error;
    }
  }

  /** Moves on from the key it is at; `movement` is told whether that key is there, or the path at the one after it. */
  #step(movement: (here: boolean) => Entry | undefined): Entry | undefined {
    this.#owner.assertUsable();
    const key = this.#key;
    if (key === undefined) return undefined;
    const path = this.#path;
    path.renew();
    try {
      const direct = path.depth > 0 && this.#changes === this.#owner.tree.changes;
      const found = movement(direct || this.#find(key));
      if (found === undefined) path.clear();
      return found;
    } catch (error) {
      path.clear();
      this.#key = undefined;
      throw error;
    }
  }

  /** Goes to where the key is; false, and to where it would be, when it is not there. */
  #find(key: Uint8Array): boolean {
    const wanted = new SearchKey(key);
    this.#path.enterAt(wanted);
    this.#changes = this.#owner.tree.changes;
    return this.#path.isAt(wanted);
  }

  #skipForward(): Entry | undefined {
    const path = this.#path;
    while (path.index >= path.count) if (!path.nextLeaf()) return undefined;
    return this.#entry();
  }

  #skipBackward(): Entry | undefined {
    const path = this.#path;
    while (path.index < 0) if (!path.previousLeaf()) return undefined;
    return this.#entry();
  }

  #entry(): Entry {
    const path = this.#path;
    const key = path.copyKey();
    const { isBucket } = path;
    this.#key = key;
    return { key: key.slice(), value: isBucket || !this.#values ? undefined : path.copyValue(), isBucket };
  }
}
