/**
 * A database that can be changed, in place: transactions, the order of writes and syncs that survives a crash, and the
 * account of free pages. bbolt's rules, so that the same changes give the same bytes.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import { writeEmptyBolt } from './create.ts';
import { BoltDb } from './database.ts';
import type { DirtyPages } from './dirty-pages.ts';
import { encodeMetaPage } from './encode-meta.ts';
import { encodeFreelist, freelistPages } from './encode-page.ts';
import { DEFAULT_ALLOC_SIZE, FileGrowth } from './file-growth.ts';
import { META_END, NO_FREELIST } from './format.ts';
import { findFreePages } from './free-pages.ts';
import { locateMetas, noValidMeta } from './locate.ts';
import { currentMeta, type Meta, parseMeta } from './meta.ts';
import { PageAllocator } from './page-allocator.ts';
import { PageLoader } from './page-loader.ts';
import { Transaction, type TransactionHost } from './transaction.ts';
import { PathPool } from './tree-path.ts';

/** How a database is written. */
export interface WriteOptions {
  /** Leaves out the syncs of a commit: fast, and after a crash of the machine the file may be unusable. */
  readonly noSync?: boolean | undefined;
  /** Leaves the file to grow as it is written, instead of making room beforehand. */
  readonly noGrowSync?: boolean | undefined;
  /** Whether commits leave out the freelist. Default: as the file has it; a new file has one. */
  readonly noFreelistSync?: boolean | undefined;
  /** bbolt's InitialMmapSize, which decides how long the file is made (etcd: 10 GiB). Nothing is mapped. Default 0. */
  readonly initialMapSize?: number | undefined;
  /** Beyond this size the file grows by this much at a time. Default 16 MiB. */
  readonly allocSize?: number | undefined;
  /** A commit that would make the file longer than this fails with `BOLT_MAX_SIZE`. Default: no limit. */
  readonly maxSize?: number | undefined;
}

/** How a new database is made. */
export interface CreateBoltOptions extends WriteOptions {
  /** Default 4096. */
  readonly pageSize?: number | undefined;
}

/** How an existing database is opened for writing. */
export interface OpenWritableOptions extends WriteOptions {
  readonly readOnly: false;
}

/** Makes an empty database of an empty file, which belongs to it from then on. */
export function createBolt(file: ByteFile, options: CreateBoltOptions = {}): WritableBoltDb {
  writeEmptyBolt(file, options.pageSize);
  return openWritable(file, options);
}

/**
 * Opens a database for writing. Nothing is written before the first commit. The file belongs to the database from then on.
 *
 * All trees are walked when no freelist is stored. Throws `BOLT_NO_META` or `BOLT_DAMAGED` where it cannot be told which
 * pages are free, and leaves the file open. A stored freelist is believed: check a file first that may be damaged.
 */
export function openWritable(file: ByteFile, options: WriteOptions = {}): WritableBoltDb {
  for (const name of ['initialMapSize', 'allocSize', 'maxSize'] as const) {
    const size = options[name] ?? 0;
    if (!Number.isSafeInteger(size) || size < 0) throw new DatadirError('USAGE', `${name} ${size}`);
  }
  const { metas, pageSize } = locateMetas(file);
  const meta = currentMeta(metas);
  const path = file.path === undefined ? {} : { path: file.path };
  if (meta === undefined) throw noValidMeta(metas, path);
  if (meta.pageSize !== pageSize) {
    const message = `meta ${meta.page} says that pages have ${meta.pageSize} bytes; they have ${pageSize}`;
    throw new DatadirError('BOLT_DAMAGED', message, path);
  }
  if (meta.highWaterMark * BigInt(pageSize) > BigInt(file.size)) {
    const pages = `${meta.highWaterMark} pages of ${pageSize} bytes`;
    throw new DatadirError('BOLT_DAMAGED', `the file has ${file.size} bytes, its database ${pages}`, path);
  }
  return new WritableBoltDb(file, pageSize, metas, meta, options);
}

/** Numbers of transactions have 64 bits. */
const LAST_TXID = 0xffff_ffff_ffff_ffffn;

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
}

/** A database open for writing. One transaction writes at a time; any number may read at once. */
export class WritableBoltDb {
  readonly pageSize: number;
  readonly path: string | undefined;
  readonly #file: ByteFile;
  readonly #options: WriteOptions;
  readonly #allocator = new PageAllocator();
  readonly #growth: FileGrowth;
  readonly #storesFreelist: boolean;
  /** Pages of the stored freelist of the last commit. */
  #freelistPages: number;
  #metas: readonly [Meta, Meta];
  #meta: Meta;
  #writer: Transaction | undefined;
  /** Everything that reads. */
  readonly #readers = new Set<{ end(): void }>();
  #closed = false;
  /**
   * Whether the last commit is known to be on the disk. When the database was opened it is not: the process that made it
   * may have been killed before its sync, and pages of the commit before, which the disk may still go by, are free now.
   */
  #durable = false;
  /** Why the handle cannot be used any more. */
  #unknown: DatadirError | undefined;

  /** @internal For `openWritable`. */
  constructor(file: ByteFile, pageSize: number, metas: readonly [Meta, Meta], meta: Meta, options: WriteOptions) {
    this.#file = file;
    this.#options = options;
    this.pageSize = pageSize;
    this.path = file.path;
    this.#metas = metas;
    this.#meta = meta;
    const { allocSize = DEFAULT_ALLOC_SIZE, initialMapSize = 0 } = options;
    this.#growth = new FileGrowth(pageSize, file.size, allocSize, initialMapSize);
    this.#storesFreelist = !(options.noFreelistSync ?? meta.freelist === NO_FREELIST);
    this.#freelistPages = this.#loadFreePages();
  }

  /** The last commit. */
  get txid(): bigint {
    return this.#meta.txid;
  }

  /** The first page never used. */
  get highWaterMark(): number {
    return Number(this.#meta.highWaterMark);
  }

  /** Pages that the next transaction can take, without those that become free when it begins. */
  get freePageCount(): number {
    return this.#allocator.freeCount;
  }

  /** Pages that were freed but may still be read. */
  get pendingPageCount(): number {
    return this.#allocator.pendingCount;
  }

  /** Runs `work` in a writing transaction, which is committed when it returns and rolled back when it throws. */
  update<Result>(work: (tx: Transaction) => Result): Result {
    return this.#managed(this.begin({ writable: true }), work);
  }

  /** Runs `work` in a transaction that only reads. */
  view<Result>(work: (tx: Transaction) => Result): Result {
    return this.#managed(this.begin(), work);
  }

  #managed<Result>(tx: Transaction, work: (tx: Transaction) => Result): Result {
    tx.managed = true;
    try {
      const result = work(tx);
      if (isPromise(result)) {
        // What is left of it fails as soon as it uses the transaction, and nobody is there to hear of that.
        result.then(undefined, () => {});
        throw new DatadirError(
          'USAGE',
          'the work of a transaction must not be asynchronous: it would go on after its end',
        );
      }
      if (tx.writable) tx.commitManaged();
      return result;
    } finally {
      tx.rollbackManaged();
    }
  }

  /**
   * Begins a transaction, which the caller ends with `commit` or `rollback`. Throws `BOLT_TX_ACTIVE` for a second one that
   * writes.
   */
  begin(options: { readonly writable?: boolean | undefined } = {}): Transaction {
    this.#assertUsable();
    const meta = this.#meta;
    const { writable = false } = options;
    if (writable && this.#writer !== undefined) {
      throw new DatadirError('BOLT_TX_ACTIVE', 'a writing transaction is open already; there can be one at a time');
    }
    const tx = new Transaction(this.#host, this.#newLoader(this.#file), {
      txid: writable ? this.#nextTxid() : meta.txid,
      writable,
      rootPage: Number(meta.root),
      sequence: meta.sequence,
      highWaterMark: this.highWaterMark,
    });
    if (writable) {
      this.#allocator.begin();
      this.#writer = tx;
    } else {
      this.#allocator.addReader(meta.txid);
      this.#readers.add(tx.reader);
    }
    return tx;
  }

  /** The database as of the last commit, for everything that only reads. Its pages are kept until it is closed. */
  reader(): BoltDb {
    this.#assertUsable();
    const { txid } = this.#meta;
    const file = this.#file;
    const reader = { end: () => db.close() };
    const source: ByteSource = {
      size: file.size,
      ...(file.path === undefined ? {} : { path: file.path }),
      readInto: (target, offset) => file.readInto(target, offset),
      close: () => {
        this.#readers.delete(reader);
        this.#allocator.removeReader(txid);
      },
    };
    const db = new BoltDb(this.#newLoader(source), this.#metas, this.#meta);
    this.#allocator.addReader(txid);
    this.#readers.add(reader);
    return db;
  }

  /** Rolls back a transaction that is open, ends everything that reads, and closes the file. */
  close(): void {
    if (this.#closed) return;
    this.#writer?.rollbackManaged();
    for (const reader of [...this.#readers]) reader.end();
    this.#closed = true;
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #assertUsable(): void {
    if (this.#closed) throw new DatadirError('BOLT_CLOSED', 'the database was closed', this.#place);
    if (this.#unknown !== undefined) throw this.#unknown;
  }

  get #place(): { readonly path?: string } {
    return this.path === undefined ? {} : { path: this.path };
  }

  /** Pages never change under a loader: those of a state stay as they are while somebody is at it. */
  #newLoader(source: ByteSource): PageLoader {
    return new PageLoader(source, this.pageSize, this.highWaterMark);
  }

  /** Finds out which pages are free; returns how many pages the stored freelist has. */
  #loadFreePages(): number {
    const { freelist, root } = this.#meta;
    const loader = this.#newLoader(this.#file);
    const stored = freelist === NO_FREELIST ? undefined : Number(freelist);
    const free = findFreePages(new PathPool(loader), stored, Number(root));
    if (!free.complete) {
      throw loader.damaged('damage hides which pages are in use; the database cannot be written to', {});
    }
    const { sharedPage } = free;
    if (sharedPage !== undefined) {
      const message = `page ${sharedPage} is referenced more than once; the database cannot be written to`;
      throw loader.damaged(message, { pageId: sharedPage });
    }
    const end = stored === undefined ? 0 : stored + free.overflow + 1;
    for (const id of free.ids()) {
      if (!this.#allocator.addFree(id)) throw loader.damaged(`the freelist names page ${id} twice`, { pageId: id });
      if (stored !== undefined && ((id >= stored && id < end) || id === Number(root))) {
        throw loader.damaged(`the freelist names page ${id}, which is in use`, { pageId: id });
      }
    }
    return stored === undefined ? 0 : free.overflow + 1;
  }

  /**
   * The number of the next commit. It decides which meta page is written, and that must not be the only one that has the
   * last commit: after a repair or surgery it could be.
   */
  #nextTxid(): bigint {
    let next = this.#meta.txid + 1n;
    if (Number(next % 2n) === this.#meta.page) {
      const other = this.#metas[this.#meta.page === 0 ? 1 : 0];
      const same =
        other.problem === undefined &&
        other.root === this.#meta.root &&
        other.freelist === this.#meta.freelist &&
        other.highWaterMark === this.#meta.highWaterMark;
      if (!same) next++;
    }
    if (next > LAST_TXID) {
      // bbolt goes on with 0, and whoever opens the file next goes by the meta with the larger number.
      const message = `transaction ${this.#meta.txid} is the last there can be; what is in the file can be copied to a new one`;
      throw new DatadirError('BOLT_DAMAGED', message, { ...this.#place, pageId: this.#meta.page });
    }
    return next;
  }

  /** What transactions may do with the database. */
  readonly #host: TransactionHost = {
    allocate: (tx, pages) => this.#allocate(tx, pages),
    free: (tx, first, count) => this.#allocator.free(first, count, tx.txid, tx.highWaterMark),
    commit: (tx, root, pages) => this.#commit(tx, root, pages),
    ended: (tx, undo) => this.#ended(tx, undo),
    pageSize: () => this.pageSize,
  };

  #allocate(tx: Transaction, pages: number): number {
    const free = this.#allocator.take(pages, tx.txid);
    if (free !== undefined) return free;
    const first = tx.highWaterMark;
    const end = first + pages;
    const { maxSize } = this.#options;
    if (maxSize !== undefined && this.#growth.sizeWith(end) > maxSize) {
      throw new DatadirError('BOLT_MAX_SIZE', `the file would become longer than ${maxSize} bytes`, this.#place);
    }
    this.#growth.reserve(end, this.#file.size);
    tx.highWaterMark = end;
    return first;
  }

  #ended(tx: Transaction, undo: boolean): void {
    if (tx === this.#writer) {
      this.#writer = undefined;
      if (undo && this.#unknown === undefined) this.#allocator.rollback(tx.txid);
    } else {
      this.#readers.delete(tx.reader);
      this.#allocator.removeReader(tx.txid);
    }
  }

  #commit(tx: Transaction, root: number, dirty: DirtyPages): void {
    const meta = this.#meta;
    if (meta.freelist !== NO_FREELIST) {
      this.#allocator.free(Number(meta.freelist), this.#freelistPages, tx.txid, tx.highWaterMark);
    }
    let freelist = NO_FREELIST;
    let freelistLength = 0;
    if (this.#storesFreelist) {
      const count = this.#allocator.freeCount + this.#allocator.pendingCount;
      freelistLength = freelistPages(count, this.pageSize);
      const id = this.#allocate(tx, freelistLength);
      // Its own pages may have come from the list.
      const left = this.#allocator.freeCount + this.#allocator.pendingCount;
      const ids = this.#allocator.ids(tx.highWaterMark);
      const { bytes, at } = dirty.add(id, freelistLength);
      bytes.set(encodeFreelist(id, freelistLength, this.pageSize, left, ids), at);
      freelist = BigInt(id);
    }
    if (!this.#durable) this.#sync();
    this.#durable = true;
    if (tx.highWaterMark > this.highWaterMark) this.#grow(tx.highWaterMark);
    dirty.write(this.#file);
    this.#sync();
    this.#writeMeta(tx, BigInt(root), freelist);
    this.#freelistPages = freelistLength;
  }

  #sync(): void {
    if (this.#options.noSync !== true) this.#file.sync();
  }

  #grow(highWaterMark: number): void {
    if (this.#options.noGrowSync === true) return;
    const size = this.#growth.target(highWaterMark, this.#file.size);
    if (size !== undefined) this.#file.truncate(size);
  }

  /** The moment at which the commit happens. */
  #writeMeta(tx: Transaction, root: bigint, freelist: bigint): void {
    const page = Number(tx.txid % 2n) as 0 | 1;
    const { pageSize } = this;
    const highWaterMark = BigInt(tx.highWaterMark);
    // bbolt copies what it does not know from meta to meta: flags that surgery left stay.
    const { sequence, flags } = this.#meta;
    const bytes = encodeMetaPage(page, { pageSize, flags, root, sequence, freelist, highWaterMark, txid: tx.txid });
    try {
      this.#file.write(page * pageSize, bytes);
    } catch (error) {
      if (!this.#metaIsUntouched(page)) throw this.#lost(error);
      throw error;
    }
    try {
      this.#sync();
    } catch (error) {
      throw this.#lost(error);
    }
    const meta = parseMeta(bytes, page);
    this.#metas = page === 0 ? [meta, this.#metas[1]] : [this.#metas[0], meta];
    this.#meta = meta;
  }

  /** Whether a meta page, whose writing failed, still has what it had. */
  #metaIsUntouched(page: 0 | 1): boolean {
    try {
      const bytes = new Uint8Array(META_END);
      this.#file.readInto(bytes, page * this.pageSize);
      const now = parseMeta(bytes, page);
      const before = this.#metas[page];
      return now.problem === before.problem && now.checksum === before.checksum && now.txid === before.txid;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return false;
    }
  }

  /** Neither this handle nor anybody else can tell which of the two states the disk will have after a crash. */
  #lost(cause: unknown): DatadirError {
    const message = 'it is not known whether the last commit is on the disk; open the database again';
    this.#unknown = new DatadirError('BOLT_OUTCOME_UNKNOWN', message, { ...this.#place, cause });
    return this.#unknown;
  }
}
