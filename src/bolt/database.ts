/**
 * An open bolt database: its metas, its buckets, and what can be told about it as a whole. Read-only.
 */
import { DatadirError } from '../errors.ts';
import { type Input, toSource } from '../io/input.ts';
import { Bucket, type BucketPath, type Key, keyBytes, pathKeys } from './bucket.ts';
import { NO_FREELIST } from './format.ts';
import { type FreePages, findFreePages, freePageTest } from './free-pages.ts';
import { type BucketTree, inspectBuckets } from './inspect.ts';
import { locateMetas, noValidMeta } from './locate.ts';
import { currentMeta, type Meta } from './meta.ts';
import { META_PROBLEMS } from './meta-problem.ts';
import { PageLoader } from './page-loader.ts';
import { iteratePages, PageDetails, type PageRow } from './pages.ts';
import { addStats, bucketStats, type DatabaseStats, noStats } from './stats.ts';
import { PageBudget, PathPool } from './tree-path.ts';
import { type ContentItem, walkContent } from './walk-content.ts';

export interface OpenBoltOptions {
  /** Goes by this meta page, instead of the valid one with the larger txid. */
  readonly meta?: 0 | 1 | undefined;
  /** Default true; false opens for writing. */
  readonly readOnly?: true | undefined;
}

/** The most telling facts about a database. */
export interface BoltInfo {
  readonly path: string | undefined;
  /** Length of the file. */
  readonly size: number;
  readonly pageSize: number;
  /** The first page number never used; times `pageSize`, the size of the database. */
  readonly highWaterMark: number;
  readonly logicalSize: number;
  readonly txid: bigint;
  /** The meta page in use. */
  readonly metaPage: 0 | 1;
  readonly rootPage: bigint;
  /** Page of the freelist; undefined if none is stored. */
  readonly freelistPage: bigint | undefined;
}

export interface PagesOptions {
  /** Takes for free what no tree reaches, even if a freelist is stored: for a file whose freelist is damaged. */
  readonly ignoreFreelist?: boolean | undefined;
}

/**
 * Opens a bolt database for reading. Only the metas are read. The source belongs to the database from then on: `close()`
 * closes it. Throws `BOLT_NO_META` if there is no valid meta page (or not the one asked for), and leaves the source open.
 *
 * A file that is shorter than its high water mark can be read as far as it goes.
 */
export function openReadable(input: Input, options: OpenBoltOptions = {}): BoltDb {
  const source = toSource(input);
  const { metas, pageSize } = locateMetas(source);
  const meta = options.meta === undefined ? currentMeta(metas) : metas[options.meta];
  const path = source.path === undefined ? {} : { path: source.path };
  if (meta === undefined) throw noValidMeta(metas, path);
  if (meta.problem !== undefined) {
    throw new DatadirError('BOLT_NO_META', `meta ${meta.page} is not valid: ${META_PROBLEMS[meta.problem]}`, path);
  }
  if (meta.highWaterMark * BigInt(pageSize) > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new DatadirError(
      'BOLT_DAMAGED',
      `meta ${meta.page}: a high water mark of ${meta.highWaterMark} pages of ${pageSize} bytes is beyond any file`,
      { ...path, pageId: meta.page },
    );
  }
  return new BoltDb(new PageLoader(source, pageSize, Number(meta.highWaterMark)), metas, meta);
}

/** An open database. Buckets and cursors had from it are of no use after `close()`. */
export class BoltDb {
  readonly pageSize: number;
  /** The first page number never used. */
  readonly highWaterMark: number;
  /** The transaction that the database is read at. */
  readonly txid: bigint;
  /** Both meta pages, valid or not. */
  readonly metas: readonly [Meta, Meta];
  /** The meta page in use. */
  readonly meta: Meta;
  /** Length of the file when it was opened. */
  readonly size: number;
  /** Whether a list of free pages is stored in the file; etcd on Linux stores none. */
  readonly freelistStored: boolean;
  /** The bucket of the top-level buckets. */
  readonly root: Bucket;
  readonly #loader: PageLoader;
  readonly #pool: PathPool;

  /** For `openReadable`. */
  constructor(loader: PageLoader, metas: readonly [Meta, Meta], meta: Meta) {
    this.#loader = loader;
    this.#pool = new PathPool(loader);
    this.pageSize = loader.pageSize;
    this.highWaterMark = loader.highWaterMark;
    this.txid = meta.txid;
    this.metas = metas;
    this.meta = meta;
    this.size = loader.size;
    this.freelistStored = meta.freelist !== NO_FREELIST;
    this.root = new Bucket(this.#pool, {
      name: new Uint8Array(0),
      parent: undefined,
      rootPage: Number(meta.root),
      sequence: meta.sequence,
    });
  }

  /**
   * The bucket of that name, or at the end of that path of names; undefined if there is none. An empty path gives the root
   * bucket.
   */
  bucket(path: BucketPath): Bucket | undefined {
    let bucket: Bucket | undefined = this.root;
    for (const name of pathKeys(path)) {
      bucket = bucket.bucket(name);
      if (bucket === undefined) return undefined;
    }
    return bucket;
  }

  /** As `bucket`, but throws `BOLT_BUCKET_NOT_FOUND`, or `BOLT_INCOMPATIBLE_VALUE` where a name is that of a value. */
  requireBucket(path: BucketPath): Bucket {
    let bucket = this.root;
    for (const name of pathKeys(path)) bucket = bucket.requireBucket(name);
    return bucket;
  }

  /** The top-level buckets in order of name. */
  buckets(): Generator<Bucket, void, undefined> {
    return this.root.buckets();
  }

  /**
   * Everything in the database: depth first, in order of key, each bucket right before what is in it. Reads all pages of all
   * buckets; values are read when asked for.
   */
  content(): Generator<ContentItem, void, undefined> {
    return walkContent(this.#loader, this.root.rootPage);
  }

  /**
   * Whether another program has committed a transaction since the database was opened. Pages may then have been
   * overwritten, and what was read before need not belong together. Pages of the newest state are never overwritten, so
   * after a false everything read so far is of one piece (unless an older meta was asked for).
   */
  hasChanged(): boolean {
    this.#loader.assertOpen();
    const before = currentMeta(this.metas)?.txid;
    return currentMeta(locateMetas(this.#loader.source).metas)?.txid !== before;
  }

  /** A copy of the value of `key` in a bucket; undefined if there is none. The bucket must be there (`requireBucket`). */
  get(path: BucketPath, key: Key): Uint8Array | undefined {
    return this.requireBucket(path).get(key);
  }

  info(): BoltInfo {
    return {
      path: this.#loader.source.path,
      size: this.size,
      pageSize: this.pageSize,
      highWaterMark: this.highWaterMark,
      logicalSize: this.highWaterMark * this.pageSize,
      txid: this.txid,
      metaPage: this.meta.page,
      rootPage: this.meta.root,
      freelistPage: this.freelistStored ? this.meta.freelist : undefined,
    };
  }

  /** The figures of `bbolt stats`, of all top-level buckets whose name begins with `prefix`. Reads all their pages. */
  stats(prefix: Key = ''): DatabaseStats {
    const wanted = keyBytes(prefix);
    const stats = { topLevelBucketN: 0, ...noStats() };
    const budget = new PageBudget(this.#loader);
    for (const bucket of this.buckets()) {
      if (!wanted.every((byte, i) => bucket.name[i] === byte)) continue;
      stats.topLevelBucketN++;
      addStats(stats, bucketStats(this.#pool, bucket, budget));
    }
    return stats;
  }

  /** The tree of all buckets with the number of their keys. Reads all pages of all buckets. */
  inspect(): BucketTree {
    return inspectBuckets(this.#pool, this.root.rootPage);
  }

  /**
   * The table of `bbolt pages`. Reads every page's header, and, when no freelist is stored, the pages of all trees first.
   * Throws `BOLT_DAMAGED` if the stored freelist cannot be read, and at the end of a file that is too short.
   */
  *pages(options: PagesOptions = {}): Generator<PageRow, void, undefined> {
    const freelist = options.ignoreFreelist === true ? undefined : this.#freelistPage;
    yield* iteratePages(this.#loader, freePageTest(this.#pool, freelist, this.root.rootPage));
  }

  /** A logical page as it is stored, whether it is in use or not. */
  page(id: number): PageDetails {
    return new PageDetails(this.#loader, id);
  }

  /** The free pages, from the stored freelist, or, if there is none, by a walk over all trees. */
  freelist(): FreePages {
    return findFreePages(this.#pool, this.#freelistPage, this.root.rootPage);
  }

  get #freelistPage(): number | undefined {
    return this.freelistStored ? Number(this.meta.freelist) : undefined;
  }

  /** Closes the source. What is called later on this database, its buckets and cursors throws `BOLT_CLOSED`. */
  close(): void {
    if (this.#loader.closed) return;
    this.#loader.closed = true;
    this.#loader.source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
