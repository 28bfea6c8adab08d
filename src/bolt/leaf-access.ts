/**
 * Leaves of one bucket by the number of their page, for who has seen them in a pass and wants to look again.
 */
import { LogicalPage } from './logical-page.ts';
import type { PageLoader } from './page-loader.ts';
import type { TreeRoot } from './tree-path.ts';

export class LeafAccess {
  readonly #loader: PageLoader;
  readonly #root: TreeRoot;
  readonly #page: LogicalPage;

  constructor(loader: PageLoader, root: TreeRoot) {
    this.#loader = loader;
    this.#root = root;
    this.#page = new LogicalPage(loader);
  }

  /** The leaf, valid until the next call; undefined if that page is none. Of an inline bucket, its page. */
  leaf(id: number): LogicalPage | undefined {
    const { inlinePage } = this.#root;
    if (inlinePage !== undefined) {
      this.#loader.assertOpen();
      return inlinePage.id === id ? inlinePage : undefined;
    }
    if (!this.#loader.isDataPage(id)) return undefined;
    const page = this.#page;
    this.#loader.load(id, page);
    page.requireTreePage();
    return page.isLeaf ? page : undefined;
  }
}
