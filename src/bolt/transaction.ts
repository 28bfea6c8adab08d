/**
 * A transaction: a view of the database at one commit, and, if it writes, the changes to become the next one.
 */
import { DatadirError } from '../errors.ts';
import type { Key } from './bucket.ts';
import { DirtyPages } from './dirty-pages.ts';
import type { PageLoader } from './page-loader.ts';
import { PairMemory } from './pair-memory.ts';
import { rebalanceTree } from './rebalance.ts';
import { PathPool } from './tree-path.ts';
import { type BucketOwner, TxBucket } from './tx-bucket.ts';
import type { TxCursor } from './tx-cursor.ts';
import { TxTree } from './tx-tree.ts';

/** What a transaction needs of its database. */
export interface TransactionHost {
  pageSize(): number;
  allocate(tx: Transaction, pages: number): number;
  free(tx: Transaction, first: number, count: number): void;
  /** Makes the pages and a meta that names `root` durable. */
  commit(tx: Transaction, root: number, pages: DirtyPages): void;
  /** Called once when the transaction is over; `undo` when nothing of it stays. */
  ended(tx: Transaction, undo: boolean): void;
}

/** Where a transaction begins. */
export interface TransactionStart {
  readonly txid: bigint;
  readonly writable: boolean;
  readonly rootPage: number;
  readonly sequence: bigint;
  readonly highWaterMark: number;
}

/** A transaction, had from `WritableBoltDb.begin`, `update` or `view`. */
export class Transaction {
  /** Its number: of a reading one that of the commit it sees, of a writing one that of the commit it is to be. */
  readonly txid: bigint;
  readonly writable: boolean;
  /** The bucket of the top-level buckets. */
  readonly root: TxBucket;
  /** @internal The first page never used, as of now. For the database. */
  highWaterMark: number;
  /** @internal How the database ends it when it only reads and the database is closed. */
  readonly reader: { end(): void } = { end: () => this.rollbackManaged() };
  /** @internal Set while `update` or `view` has it: they end it. */
  managed = false;
  readonly #host: TransactionHost;
  readonly #dirty: DirtyPages;
  readonly #commitHandlers: (() => void)[] = [];
  #closed = false;
  /** What left the changes incomplete. */
  #failure: unknown;

  /** @internal For the database. */
  constructor(host: TransactionHost, loader: PageLoader, start: TransactionStart) {
    this.#host = host;
    this.#dirty = new DirtyPages(host.pageSize());
    this.txid = start.txid;
    this.writable = start.writable;
    this.highWaterMark = start.highWaterMark;
    const owner: BucketOwner = {
      loader,
      pool: new PathPool(loader),
      pageSize: host.pageSize(),
      writable: start.writable,
      assertOpen: () => this.#assertOpen(),
      wholly: (change) => {
        try {
          change();
        } catch (error) {
          this.#failure = error;
          throw error;
        }
      },
      allocate: (pages) => host.allocate(this, pages),
      free: (first, count) => host.free(this, first, count),
      dirty: this.#dirty,
      pairs: new PairMemory(),
    };
    this.root = new TxBucket(owner, new TxTree(owner, start.rootPage, start.sequence), new Uint8Array(0), undefined);
  }

  /** Whether it was committed or rolled back. */
  get closed(): boolean {
    return this.#closed;
  }

  #assertOpen(): void {
    if (this.#closed) throw new DatadirError('BOLT_TX_CLOSED', 'the transaction is over');
  }

  /** The top-level bucket of that name; undefined if there is none. */
  bucket(name: Key): TxBucket | undefined {
    return this.root.bucket(name);
  }

  /** The top-level buckets in order of name. */
  buckets(): Generator<TxBucket, void, undefined> {
    return this.root.buckets();
  }

  /** A cursor over the names of the top-level buckets. */
  cursor(): TxCursor {
    return this.root.cursor();
  }

  /** Makes a top-level bucket; see `TxBucket.createBucket`. */
  createBucket(name: Key): TxBucket {
    return this.root.createBucket(name);
  }

  /** The top-level bucket of that name, which is made if it is not there. */
  createBucketIfNotExists(name: Key): TxBucket {
    return this.root.createBucketIfNotExists(name);
  }

  /** Deletes a top-level bucket with everything in it. */
  deleteBucket(name: Key): void {
    this.root.deleteBucket(name);
  }

  /** Moves a bucket from one bucket to another; undefined stands for the top level. */
  moveBucket(name: Key, from: TxBucket | undefined, to: TxBucket | undefined): void {
    (from ?? this.root).moveBucket(name, to ?? this.root);
  }

  /** Has `handler` called after the commit, which stands whatever the handler does: what it throws, `commit` throws. */
  onCommit(handler: () => void): void {
    this.#assertOpen();
    this.#commitHandlers.push(handler);
  }

  /**
   * Makes the changes permanent. When it throws (unless a handler of `onCommit` did), nothing of them is, and the database can be used on; but after
   * `BOLT_OUTCOME_UNKNOWN` it has to be opened again to find out.
   */
  commit(): void {
    this.#assertUnmanaged();
    this.commitManaged();
  }

  /** Forgets the changes, or ends the reading. Does nothing when the transaction is over. */
  rollback(): void {
    this.#assertUnmanaged();
    this.rollbackManaged();
  }

  #assertUnmanaged(): void {
    if (this.managed) throw new DatadirError('USAGE', 'the transaction is ended by the function that began it');
  }

  /** @internal For the database. */
  commitManaged(): void {
    this.#assertOpen();
    if (!this.writable) throw new DatadirError('BOLT_TX_NOT_WRITABLE', 'a transaction that only reads is rolled back');
    try {
      if (this.#failure !== undefined) {
        const message = 'a change was left incomplete by damage; the transaction can only be rolled back';
        throw new DatadirError('BOLT_DAMAGED', message, { cause: this.#failure });
      }
      const buckets = [...this.root.opened()];
      for (const { tree } of buckets) rebalanceTree(tree);
      for (const bucket of buckets.reverse()) bucket.spill();
      this.#host.commit(this, this.root.tree.rootPage, this.#dirty);
    } catch (error) {
      this.#end(true);
      throw error;
    }
    this.#end(false);
    for (const handler of this.#commitHandlers) handler();
  }

  /** @internal For the database. */
  rollbackManaged(): void {
    if (!this.#closed) this.#end(true);
  }

  #end(undo: boolean): void {
    this.#closed = true;
    this.#dirty.clear();
    this.#host.ended(this, undo);
  }

  /** Rolls back what was not committed. */
  [Symbol.dispose](): void {
    this.rollbackManaged();
  }
}
