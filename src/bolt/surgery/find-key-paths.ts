/**
 * On which pages a key lies: what one wants to know before a page is cleared or copied.
 */
import { type Input, toSource } from '../../io/input.ts';
import { type Key, keyBytes } from '../bucket.ts';
import { readBucketHeader, readInlinePage } from '../bucket-header.ts';
import { LogicalPage } from '../logical-page.ts';
import { PageBitmap } from '../page-bitmap.ts';
import { PageLoader } from '../page-loader.ts';
import { PathPool } from '../tree-path.ts';
import { RawFile, type SurgeryOptions } from './raw-file.ts';

/** A page and the way to it: links, so that buckets nested without end do not cost a list each. */
interface PageLink {
  readonly page: number;
  readonly parent: PageLink | undefined;
}

/**
 * Finds all places of a key, or of a bucket of that name, in all buckets: for each the pages from the root of the database
 * down to the leaf. Reads all pages. Throws `BOLT_DAMAGED` where the trees cannot be walked, and at a page that more than
 * one place refers to: a cycle is one.
 */
export function findKeyPaths(input: Input, key: Key, options: SurgeryOptions = {}): number[][] {
  const raw = new RawFile(toSource(input), options);
  const { root, highWaterMark } = raw.requireCurrent();
  if (highWaterMark > BigInt(raw.pageCount)) {
    throw raw.error(
      'BOLT_DAMAGED',
      `the high water mark is page ${highWaterMark}, the file has ${raw.pageCount} pages`,
    );
  }
  const pool = new PathPool(new PageLoader(raw.source, raw.pageSize, Number(highWaterMark)));
  const wanted = keyBytes(key);
  const view = new DataView(wanted.buffer, wanted.byteOffset, wanted.length);
  const found: number[][] = [];
  const seen = new PageBitmap();
  const inline = new LogicalPage(pool.loader);
  const trees: { root: number; above: PageLink | undefined }[] = [{ root: Number(root), above: undefined }];
  pool.use((path) => {
    const links: (PageLink | undefined)[] = [];
    for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
      const { above } = tree;
      path.visitor = (page, depth) => {
        if (!seen.add(page.id)) throw page.damaged('referenced more than once, or by a page below it');
        links[depth] = { page: page.id, parent: depth === 0 ? above : links[depth - 1] };
        return true;
      };
      path.enter({ rootPage: tree.root, inlinePage: undefined }, true);
      while (path.nextLeaf()) {
        const { page } = path;
        const here = links[path.depth - 1];
        for (let i = 0; i < page.count; i++) {
          if (page.compareKeyAt(i, view) === 0) found.push(pagesOf(here));
          if (!page.isBucket) continue;
          const header = readBucketHeader(page);
          if (header.root !== 0) {
            trees.push({ root: header.root, above: here });
            continue;
          }
          const { bytes, offset } = readInlinePage(page);
          inline.attachInline(page.id, offset, bytes);
          for (let j = 0; j < inline.count; j++) if (inline.compareKeyAt(j, view) === 0) found.push(pagesOf(here));
        }
      }
    }
  });
  return found;
}

function pagesOf(link: PageLink | undefined): number[] {
  const pages: number[] = [];
  for (let at = link; at !== undefined; at = at.parent) pages.push(at.page);
  return pages.reverse();
}
