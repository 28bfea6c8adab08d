/**
 * A bucket: a map from keys to values or to further buckets, ordered by key.
 */
import { DatadirError } from '../errors.ts';
import { readBucketHeader, readInlinePage } from './bucket-header.ts';
import { compareKeys } from './compare-keys.ts';
import { Cursor } from './cursor.ts';
import { Element, type Entry } from './element.ts';
import { LeafAccess } from './leaf-access.ts';
import { LeafScan } from './leaf-scan.ts';
import { LogicalPage } from './logical-page.ts';
import { type BucketStats, bucketStats } from './stats.ts';
import type { PathPool, TreeRoot } from './tree-path.ts';

/** A key or the name of a bucket: bytes, or text that stands for its UTF-8 bytes. */
export type Key = Uint8Array | string;

/** How a bucket is found: a name, or names from the top down. */
export type BucketPath = Key | readonly Key[];

/** How many buckets above are compared with a new one. A loop through more of them ends at the number of pages. */
export const ANCESTORS_COMPARED = 1000;

const encoder = new TextEncoder();

export function keyBytes(key: Key): Uint8Array {
  return typeof key === 'string' ? encoder.encode(key) : key;
}

export function pathKeys(path: BucketPath): readonly Key[] {
  return typeof path === 'string' || path instanceof Uint8Array ? [path] : path;
}

/** What tells one bucket from another. */
interface BucketFields {
  readonly name: Uint8Array;
  readonly parent: Bucket | undefined;
  readonly rootPage: number;
  readonly sequence: bigint;
  /** Of an inline bucket: its page, and where that lies. */
  readonly inline?: { readonly bytes: Uint8Array; readonly offset: number; readonly pageId: number };
}

/** A bucket of an open database. Belongs to the database and is of no use after that was closed. */
export class Bucket implements TreeRoot {
  /** The name; empty for the root bucket. */
  readonly name: Uint8Array;
  /** The bucket it is in; undefined for the root bucket. */
  readonly parent: Bucket | undefined;
  /** The page its tree begins at, as stored: 0 for an inline bucket. */
  readonly rootPage: number;
  /** A counter that the bucket's user may have set. */
  readonly sequence: bigint;
  /** Buckets above it. */
  readonly #nesting: number;
  readonly #pool: PathPool;
  readonly #inline: BucketFields['inline'];
  #inlinePage: LogicalPage | undefined;

  /** For the database; buckets are had from `BoltDb.bucket` and `Bucket.bucket`. */
  constructor(pool: PathPool, fields: BucketFields) {
    this.#pool = pool;
    this.name = fields.name;
    this.parent = fields.parent;
    this.rootPage = fields.rootPage;
    this.sequence = fields.sequence;
    this.#inline = fields.inline;
    this.#nesting = fields.parent === undefined ? 0 : fields.parent.#nesting + 1;
    this.#requireNoLoop();
  }

  /** Whether the bucket has no pages of its own: it lies in the value of its parent's element. */
  get inline(): boolean {
    return this.#inline !== undefined;
  }

  /** Names from the top bucket to this one; empty for the root bucket. */
  get path(): readonly Uint8Array[] {
    const path: Uint8Array[] = [];
    for (let bucket: Bucket = this; bucket.parent !== undefined; bucket = bucket.parent) path.push(bucket.name);
    return path.reverse();
  }

  /** The page of an inline bucket, parsed when first needed. For cursors. */
  get inlinePage(): LogicalPage | undefined {
    if (this.#inline !== undefined && this.#inlinePage === undefined) {
      const page = new LogicalPage(this.#pool.loader);
      page.attachInline(this.#inline.pageId, this.#inline.offset, this.#inline.bytes);
      this.#inlinePage = page;
    }
    return this.#inlinePage;
  }

  /** A copy of the value of `key`; undefined if there is none, or if the key is the name of a bucket. */
  get(key: Key): Uint8Array | undefined {
    return this.#find(key, (page) =>
      page.isBucket ? undefined : page.copy(page.keyStart + page.keyLength, page.valueLength),
    );
  }

  /** Whether `key` has a value (the name of a bucket has none). */
  has(key: Key): boolean {
    return this.#find(key, (page) => !page.isBucket) ?? false;
  }

  /**
   * The value of `key` in pieces of at most `chunkSize` bytes (64 KiB), each valid until the next one is asked for; undefined
   * as for `get`. For values that are too large to be had at once.
   */
  valueChunks(key: Key, chunkSize?: number): Generator<Uint8Array, void, undefined> | undefined {
    const wanted = keyBytes(key);
    const element = this.cursor().seek(wanted);
    if (element === undefined || element.isBucket || compareKeys(element.key, wanted) !== 0) return undefined;
    return element.valueChunks(chunkSize);
  }

  /** The bucket of that name in this one; undefined if there is none, or if the name is that of a value. */
  bucket(name: Key): Bucket | undefined {
    return this.#find(name, (page) => (page.isBucket ? this.#open(page) : undefined));
  }

  /** As `bucket`, but throws `BOLT_BUCKET_NOT_FOUND`, or `BOLT_INCOMPATIBLE_VALUE` when the name is that of a value. */
  requireBucket(name: Key): Bucket {
    const found = this.#find(name, (page) => (page.isBucket ? this.#open(page) : 'value'));
    if (found === 'value')
      throw new DatadirError('BOLT_INCOMPATIBLE_VALUE', `${quoteKey(name)} is a value, not a bucket`);
    if (found === undefined) throw new DatadirError('BOLT_BUCKET_NOT_FOUND', `there is no bucket ${quoteKey(name)}`);
    return found;
  }

  /** A new cursor, which is nowhere yet. */
  cursor(): Cursor {
    return new Cursor(this.#pool.loader, this);
  }

  /** The buckets in this one, in order of name. Reads the whole bucket, but not what is in the buckets. */
  *buckets(): Generator<Bucket, void, undefined> {
    const cursor = this.cursor();
    for (let element = cursor.first(); element !== undefined; element = cursor.next()) {
      if (element.isBucket) yield this.#open(element.decodedPage());
    }
  }

  /** All keys in order, as copies that belong to the caller. Values are read, whatever their size. */
  *entries(): Generator<Entry, void, undefined> {
    const cursor = this.cursor();
    for (let element = cursor.first(); element !== undefined; element = cursor.next()) yield element.copy();
  }

  /**
   * Calls `visit` for all keys in order, until it returns false. Key and value are views that are valid during the call
   * only. Reads all values; `scan` does not.
   */
  forEach(visit: (key: Uint8Array, value: Uint8Array | undefined, isBucket: boolean) => unknown): void {
    this.#eachElement((page) => {
      const key = page.key();
      const { isBucket } = page;
      const value = isBucket ? undefined : page.read(page.keyStart + page.keyLength, page.valueLength);
      return visit(key, value, isBucket) !== false;
    });
  }

  /**
   * Calls `visit` for all keys in order, until it returns false: the fastest way over a whole bucket. The element is the
   * same object each time, and valid during the call only; what is not asked of it is not read.
   */
  scan(visit: (element: Element) => unknown): void {
    const movements = { moves: 0 };
    const element = new Element(movements);
    try {
      this.#eachElement((page) => {
        movements.moves++;
        return visit(element.take(page)) !== false;
      });
    } finally {
      movements.moves++;
    }
  }

  /** A pass over the leaves, from the first key that is not before `from` on. For the modules of this package. */
  leaves(from?: Uint8Array): LeafScan {
    return new LeafScan(this.#pool.loader, this, from);
  }

  /** Leaves by the number of their page. For the modules of this package. */
  leafAccess(): LeafAccess {
    return new LeafAccess(this.#pool.loader, this);
  }

  #eachElement(visit: (page: LogicalPage) => boolean): void {
    const { loader } = this.#pool;
    this.#pool.use((path) => {
      path.enter(this, true);
      while (path.nextLeaf()) {
        const { page } = path;
        for (let i = 0; i < page.count; i++) {
          page.readElement(i);
          if (!visit(page)) return;
          if (loader.closed) loader.assertOpen();
        }
      }
    });
  }

  /** The figures of `bbolt stats` for this bucket and the buckets in it. Reads all their pages. */
  stats(): BucketStats {
    return bucketStats(this.#pool, this);
  }

  #find<Result>(key: Key, use: (page: LogicalPage) => Result): Result | undefined {
    const bytes = keyBytes(key);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return this.#pool.use((path) => {
      path.enterAt(this, view);
      const { page, index } = path;
      if (index >= page.count || page.compareKeyAt(index, view) !== 0) return undefined;
      return use(page);
    });
  }

  /** The bucket whose element `page` decoded last. */
  #open(page: LogicalPage): Bucket {
    const { root, sequence } = readBucketHeader(page);
    const inline = root === 0 ? { inline: { ...readInlinePage(page), pageId: page.id } } : {};
    const { keyStart, keyLength } = page;
    const name = page.copy(keyStart, keyLength);
    return new Bucket(this.#pool, { name, parent: this, rootPage: root, sequence, ...inline });
  }

  /** A damaged bucket may have a bucket above it as its root; whoever goes down into it would never come to an end. */
  #requireNoLoop(): void {
    if (this.inline) return;
    const { loader } = this.#pool;
    let above = this.parent;
    for (let i = 0; i < ANCESTORS_COMPARED && above !== undefined; i++, above = above.parent) {
      if (above.rootPage === this.rootPage) {
        throw loader.damaged(`page ${this.rootPage} is the root of a bucket and of a bucket in it`, {
          pageId: this.rootPage,
        });
      }
    }
    if (this.#nesting > loader.presentPages) {
      throw loader.damaged('buckets are nested deeper than the file has pages', { pageId: this.rootPage });
    }
  }
}

/** A key as quoted text, for messages. */
export function quoteKey(name: Key): string {
  return JSON.stringify(typeof name === 'string' ? name : new TextDecoder('utf-8', { ignoreBOM: true }).decode(name));
}
