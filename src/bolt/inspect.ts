/**
 * The tree of buckets, as `bbolt inspect` shows it.
 */
import { readBucketHeader, readInlinePage } from './bucket-header.ts';
import { LogicalPage } from './logical-page.ts';
import type { PathPool, TreePath } from './tree-path.ts';

/** A bucket, the number of values in it, and the buckets in it. */
export interface BucketTree {
  /** Belongs to the caller. The root bucket is called `root`. */
  readonly name: Uint8Array;
  /** Keys that have a value: names of buckets are not counted. */
  readonly keyN: number;
  /** In order of name. */
  readonly buckets: readonly BucketTree[];
}

interface Node {
  name: Uint8Array;
  keyN: number;
  buckets: Node[];
}

/**
 * Reads all pages of all trees. The result takes memory for every bucket, but no call stack: nesting has no limit. What
 * makes a text of it must not recurse either.
 */
export function inspectBuckets(pool: PathPool, rootPage: number): BucketTree {
  const root: Node = { name: new TextEncoder().encode('root'), keyN: 0, buckets: [] };
  const nodes = [root];
  const roots = [rootPage];
  const inline = new LogicalPage(pool.loader);
  pool.use((path) => {
    for (;;) {
      const node = nodes.pop();
      const page = roots.pop();
      if (node === undefined || page === undefined) return;
      inspectTree(path, page, node, inline, (child, childRoot) => {
        nodes.push(child);
        roots.push(childRoot);
      });
    }
  });
  return root;
}

function inspectTree(
  path: TreePath,
  rootPage: number,
  node: Node,
  inline: LogicalPage,
  onTree: (child: Node, root: number) => void,
): void {
  path.enter({ rootPage, inlinePage: undefined }, true);
  while (path.nextLeaf()) {
    const { page } = path;
    for (let i = 0; i < page.count; i++) {
      page.readElement(i);
      if (!page.isBucket) {
        node.keyN++;
        continue;
      }
      const child: Node = { name: page.copy(page.keyStart, page.keyLength), keyN: 0, buckets: [] };
      node.buckets.push(child);
      const { root } = readBucketHeader(page);
      if (root !== 0) onTree(child, root);
      else {
        const { bytes, offset } = readInlinePage(page);
        inline.attachInline(page.id, offset, bytes);
        child.keyN = inline.count;
      }
    }
  }
}
