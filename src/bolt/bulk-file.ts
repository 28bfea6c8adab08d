/**
 * A bolt file in the making: pages, the buckets that are open, and in the end the metas. Trusts its caller, who has made sure
 * that keys ascend and are of lawful length (`build.ts` for anybody's entries, `bulk-walk.ts` for pages of another file).
 */
import { DatadirError } from '../errors.ts';
import type { ByteFile } from '../io/byte-source.ts';
import type { Fill } from './bulk-branch.ts';
import { PageStream } from './bulk-stream.ts';
import { BulkTree } from './bulk-tree.ts';
import { assertPageSize, DEFAULT_PAGE_SIZE } from './create.ts';
import { encodeMetaPage } from './encode-meta.ts';
import {
  FIRST_DATA_PAGE,
  FLAG_FREELIST,
  LEAF_IS_BUCKET,
  MAX_ELEMENTS,
  NO_FREELIST,
  PAGE_HEADER_SIZE,
} from './format.ts';

/** How a file is built. */
export interface BuildOptions {
  /** Default 4096. */
  readonly pageSize?: number | undefined;
  /** How full pages get, from 0.1 to 1; what lies outside counts as the nearer end. Default 1. */
  readonly fillPercent?: number | undefined;
  /** Whether the (empty) list of free pages is stored, as bbolt does, or left out, as etcd on Linux does. Default true. */
  readonly freelistStored?: boolean | undefined;
  /** Leaves the file unsynced. */
  readonly noSync?: boolean | undefined;
}

const MIN_FILL = 0.1;
const MAX_FILL = 1;
/** bbolt does not open shorter files, whatever their page size. */
const MIN_FILE_SIZE = 4096;
/** Trees of buckets that have ended, for the next ones to use. */
const MAX_SPARE_TREES = 8;

interface OpenBucket {
  readonly name: Uint8Array;
  readonly sequence: bigint;
  readonly tree: BulkTree;
}

export class BulkFile {
  readonly stream: PageStream;
  /** The tree of the innermost open bucket; of the root bucket when none is open. */
  tree: BulkTree;
  readonly #file: ByteFile;
  readonly #options: BuildOptions;
  readonly #pageSize: number;
  readonly #fill: Fill;
  readonly #root: BulkTree;
  readonly #open: OpenBucket[] = [];
  readonly #spare: BulkTree[] = [];

  /** `file` must be empty. Throws `USAGE` for options that no file can have. */
  constructor(file: ByteFile, options: BuildOptions) {
    const { pageSize = DEFAULT_PAGE_SIZE, fillPercent = MAX_FILL, freelistStored = true } = options;
    assertPageSize(pageSize);
    if (Number.isNaN(fillPercent)) throw new DatadirError('USAGE', 'the fill percent is not a number');
    if (file.size !== 0) throw new DatadirError('USAGE', `the file to write to has ${file.size} bytes already`);
    this.#file = file;
    this.#options = { ...options, freelistStored };
    this.#pageSize = pageSize;
    const fill = Math.min(Math.max(fillPercent, MIN_FILL), MAX_FILL);
    this.#fill = { threshold: Math.floor(pageSize * fill), maxCount: MAX_ELEMENTS };
    this.stream = new PageStream(file, pageSize);
    // The empty freelist comes first, so that its number is known.
    if (freelistStored) this.stream.begin(FLAG_FREELIST, 0, PAGE_HEADER_SIZE);
    this.#root = new BulkTree(this.stream, this.#fill);
    this.tree = this.#root;
  }

  /** How many buckets are open, each in the one before. */
  get depth(): number {
    return this.#open.length;
  }

  /** The name of the open bucket that lies in `depth` others. */
  openName(depth: number): Uint8Array | undefined {
    return this.#open[depth]?.name;
  }

  /** The tree of the bucket at that depth, 0 being the root bucket. */
  treeAt(depth: number): BulkTree {
    return depth === 0 ? this.#root : (this.#open[depth - 1] as OpenBucket).tree;
  }

  /** Begins a bucket in the innermost open one. The name is kept, not copied. */
  openBucket(name: Uint8Array, sequence: bigint): void {
    this.tree = this.#spare.pop() ?? new BulkTree(this.stream, this.#fill);
    this.#open.push({ name, sequence, tree: this.tree });
  }

  /** Ends the innermost open bucket: what it holds is written, and its own entry added where it was opened. */
  closeBucket(): void {
    const { name, sequence, tree } = this.#open.pop() as OpenBucket;
    const value = tree.finishBucket(sequence);
    tree.reset();
    if (this.#spare.length < MAX_SPARE_TREES) this.#spare.push(tree);
    this.tree = this.treeAt(this.#open.length);
    this.tree.add(LEAF_IS_BUCKET, name, value);
  }

  /** Ends all buckets, writes both metas, and syncs the file. Returns its length. */
  finish(rootSequence: bigint = 0n): number {
    while (this.#open.length > 0) this.closeBucket();
    const root = this.#root.finish();
    this.stream.flush();
    const pageSize = this.#pageSize;
    const pages = this.stream.next;
    const fields = {
      pageSize,
      root: BigInt(root),
      sequence: rootSequence,
      freelist: this.#options.freelistStored === true ? BigInt(FIRST_DATA_PAGE) : NO_FREELIST,
      highWaterMark: BigInt(pages),
    };
    const metas = new Uint8Array(FIRST_DATA_PAGE * pageSize);
    // The transaction ids of a new file: the next one goes to page 0.
    metas.set(encodeMetaPage(0, { ...fields, txid: 0n }));
    metas.set(encodeMetaPage(1, { ...fields, txid: 1n }), pageSize);
    const size = pages * pageSize;
    if (size < MIN_FILE_SIZE) this.#file.write(size, new Uint8Array(MIN_FILE_SIZE - size));
    this.#file.write(0, metas);
    if (this.#options.noSync !== true) this.#file.sync();
    return Math.max(size, MIN_FILE_SIZE);
  }
}
