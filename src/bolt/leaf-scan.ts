/**
 * A pass over the leaves of one bucket, for who decodes elements by the page: no object per element, and a stop between any
 * two leaves.
 */
import type { LogicalPage } from './logical-page.ts';
import type { PageLoader } from './page-loader.ts';
import { TreePath, type TreeRoot } from './tree-path.ts';

export class LeafScan {
  readonly #path: TreePath;
  readonly #root: TreeRoot;
  readonly #from: Uint8Array | undefined;
  #begun = false;
  /** The element of the first leaf to begin with; 0 on all others. */
  first = 0;

  /** `from`: begins with the first key that is not before it. */
  constructor(loader: PageLoader, root: TreeRoot, from?: Uint8Array) {
    this.#path = new TreePath(loader);
    this.#root = root;
    this.#from = from;
  }

  /**
   * The next leaf, valid until the next call; undefined behind the last one. When it throws, the page that could not be entered
   * counts as passed: called again it goes on behind it.
   */
  next(): LogicalPage | undefined {
    const path = this.#path;
    path.loader.assertOpen();
    this.first = 0;
    if (!this.#begun) {
      this.#begun = true;
      if (this.#from !== undefined) {
        const { buffer, byteOffset, length } = this.#from;
        path.enterAt(this.#root, new DataView(buffer, byteOffset, length));
        this.first = path.index;
        return path.page;
      }
      path.enter(this.#root, true);
    }
    return path.nextLeaf() ? path.page : undefined;
  }
}
