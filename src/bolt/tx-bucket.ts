/**
 * A bucket within a transaction: everything that can be read of it and changed in it.
 */
import { DatadirError } from '../errors.ts';
import { ANCESTORS_COMPARED, type Key, keyBytes, quoteKey } from './bucket.ts';
import type { Entry } from './element.ts';
import { LEAF_IS_BUCKET, LONGEST_NAME, MAX_KEY_SIZE, MAX_VALUE_SIZE } from './format.ts';
import { Node } from './node.ts';
import { encodeInline, isInlineable, spillTree } from './spill.ts';
import { TxCursor } from './tx-cursor.ts';
import { SearchKey, TxPath } from './tx-path.ts';
import { encodeBucketHeader, openTree, type TreeContext, type TxTree } from './tx-tree.ts';

/** What a bucket needs of the transaction it belongs to. */
export interface BucketOwner extends TreeContext {
  readonly writable: boolean;
  /** Throws when the transaction is over. */
  assertOpen(): void;
  /** Runs a change of several parts: when it fails in the middle, the transaction can no longer be committed. */
  wholly(change: () => void): void;
}

/** A bucket had from a transaction. Of no use after the transaction, nor after it was deleted. */
export class TxBucket {
  /** The name; empty for the root bucket. */
  readonly name: Uint8Array;
  /** @internal For the modules of the writer. */
  readonly tree: TxTree;
  readonly #owner: BucketOwner;
  readonly #path: TxPath;
  #parent: TxBucket | undefined;
  /** Buckets with pages that it was opened below. */
  readonly #nesting: number;
  #deleted = false;
  /** Buckets in this one that are in use, by name. */
  readonly #opened = new Map<string, TxBucket>();

  /** @internal For the transaction; buckets are had from `Transaction.bucket` and `TxBucket.bucket`. */
  constructor(owner: BucketOwner, tree: TxTree, name: Uint8Array, parent: TxBucket | undefined) {
    this.#owner = owner;
    this.tree = tree;
    this.name = name;
    this.#parent = parent;
    this.#nesting = parent === undefined ? 0 : parent.#nesting + (parent.tree.rootPage === 0 ? 0 : 1);
    this.#path = new TxPath(tree);
  }

  /** @internal Throws when the transaction is over, or the bucket deleted. */
  assertUsable(): void {
    this.#owner.assertOpen();
    if (this.#deleted) throw new DatadirError('BOLT_BUCKET_NOT_FOUND', `bucket ${quoteKey(this.name)} was deleted`);
  }

  /** @internal Throws also when the transaction only reads. */
  assertWritable(): void {
    this.assertUsable();
    if (!this.#owner.writable) throw new DatadirError('BOLT_TX_NOT_WRITABLE', 'the transaction only reads');
  }

  // ---- what it is -------------------------------------------------------------------------------------------------

  /** The page its tree began at when the transaction did; 0 for an inline bucket and for one that is new. */
  get rootPage(): number {
    return this.tree.rootPage;
  }

  /** Whether it has no pages of its own so far. */
  get inline(): boolean {
    return this.tree.rootPage === 0;
  }

  /** A counter that the bucket's user may set. */
  get sequence(): bigint {
    this.assertUsable();
    return this.tree.sequence;
  }

  setSequence(sequence: bigint): void {
    this.#assertPlain();
    if (sequence !== BigInt.asUintN(64, sequence)) throw new DatadirError('USAGE', `sequence ${sequence}`);
    // A bucket whose root is not in memory would not be written.
    this.tree.requireRoot();
    this.tree.sequence = sequence;
  }

  /** Adds one to the sequence and returns it. */
  nextSequence(): bigint {
    this.setSequence(BigInt.asUintN(64, this.sequence + 1n));
    return this.tree.sequence;
  }

  /** How full pages are made when they have to be split, 0.1 to 1; not stored. Default 0.5. */
  get fillPercent(): number {
    return this.tree.fillPercent;
  }
  set fillPercent(fillPercent: number) {
    if (!Number.isFinite(fillPercent)) throw new DatadirError('USAGE', `fillPercent ${fillPercent}`);
    this.tree.fillPercent = fillPercent;
  }

  // ---- keys and values --------------------------------------------------------------------------------------------

  /** A copy of the value of `key`; undefined if there is none, or if the key is the name of a bucket. */
  get(key: Key): Uint8Array | undefined {
    this.assertUsable();
    const path = this.#find(keyBytes(key));
    return path === undefined || path.isBucket ? undefined : path.copyValue();
  }

  /** Sets the value of `key`. Both are copied. */
  put(key: Key, value: Key): void {
    this.#assertPlain();
    const bytes = keyBytes(key);
    if (bytes.length === 0) throw new DatadirError('BOLT_KEY_REQUIRED', 'a key must not be empty');
    if (bytes.length > MAX_KEY_SIZE) {
      throw new DatadirError('BOLT_KEY_TOO_LARGE', `a key of ${bytes.length} bytes; at most ${MAX_KEY_SIZE}`);
    }
    const content = keyBytes(value);
    if (content.length > MAX_VALUE_SIZE) {
      throw new DatadirError('BOLT_VALUE_TOO_LARGE', `a value of ${content.length} bytes; at most ${MAX_VALUE_SIZE}`);
    }
    const found = this.#find(bytes);
    if (found?.isBucket === true) throw incompatible(`${quoteKey(bytes)} is a bucket`);
    this.#put(bytes, content, 0, found !== undefined);
  }

  /** Deletes a key; nothing happens if it is not there. */
  delete(key: Key): void {
    this.#assertPlain();
    const bytes = keyBytes(key);
    const path = this.#find(bytes);
    if (path === undefined) return;
    if (path.isBucket) throw incompatible(`${quoteKey(bytes)} is a bucket`);
    path.leafNode().removeAt(path.index);
    this.tree.changes++;
  }

  /** A new cursor, which is nowhere yet. */
  cursor(): TxCursor {
    this.assertUsable();
    return new TxCursor(this);
  }

  /** Calls `visit` for all keys in order, until it returns false. `value` is undefined for the name of a bucket. */
  forEach(visit: (key: Uint8Array, value: Uint8Array | undefined, isBucket: boolean) => unknown): void {
    for (const { key, value, isBucket } of this.entries()) if (visit(key, value, isBucket) === false) return;
  }

  /** All keys in order, as copies. */
  *entries(): Generator<Entry, void, undefined> {
    const cursor = this.cursor();
    for (let entry = cursor.first(); entry !== undefined; entry = cursor.next()) yield entry;
  }

  // ---- buckets ----------------------------------------------------------------------------------------------------

  /** The bucket of that name in this one; undefined if there is none, or if the name is that of a value. */
  bucket(name: Key): TxBucket | undefined {
    this.assertUsable();
    const bytes = keyBytes(name);
    const opened = this.#opened.get(mapKey(bytes));
    if (opened !== undefined) return opened;
    const path = this.#find(bytes);
    return path?.isBucket === true ? this.#open(bytes, path) : undefined;
  }

  /** The buckets in this one, in order of name. */
  *buckets(): Generator<TxBucket, void, undefined> {
    this.assertUsable();
    const cursor = new TxCursor(this, { values: false });
    for (let entry = cursor.first(); entry !== undefined; entry = cursor.next()) {
      const bucket = entry.isBucket ? this.bucket(entry.key) : undefined;
      if (bucket !== undefined) yield bucket;
    }
  }

  /** Makes a bucket. Throws `BOLT_BUCKET_EXISTS`, or `BOLT_INCOMPATIBLE_VALUE` when the name is that of a value. */
  createBucket(name: Key): TxBucket {
    const { bytes, bucket } = this.#nameForNew(name);
    if (bucket !== undefined) throw new DatadirError('BOLT_BUCKET_EXISTS', `there is a bucket ${quoteKey(bytes)}`);
    return this.#create(bytes);
  }

  /** The bucket of that name, which is made if it is not there. */
  createBucketIfNotExists(name: Key): TxBucket {
    const { bytes, bucket } = this.#nameForNew(name);
    return bucket ?? this.#create(bytes);
  }

  #create(name: Uint8Array): TxBucket {
    this.#put(name, encodeInline(new Node(true), 0n), LEAF_IS_BUCKET, false);
    return this.bucket(name) as TxBucket;
  }

  /** Checks a name for a bucket; gives the bucket that has it already. */
  #nameForNew(name: Key): { bytes: Uint8Array; bucket: TxBucket | undefined } {
    this.assertWritable();
    const bytes = keyBytes(name).slice();
    if (bytes.length === 0)
      throw new DatadirError('BOLT_BUCKET_NAME_REQUIRED', 'the name of a bucket must not be empty');
    if (bytes.length > LONGEST_NAME) {
      throw new DatadirError('BOLT_KEY_TOO_LARGE', `a name of ${bytes.length} bytes; at most ${LONGEST_NAME}`);
    }
    const path = this.#find(bytes);
    if (path === undefined) return { bytes, bucket: undefined };
    if (!path.isBucket) throw incompatible(`${quoteKey(bytes)} is a value, not a bucket`);
    return { bytes, bucket: this.bucket(bytes) };
  }

  /** Deletes a bucket with everything in it. Throws `BOLT_BUCKET_NOT_FOUND` or `BOLT_INCOMPATIBLE_VALUE`. */
  deleteBucket(name: Key): void {
    this.assertWritable();
    const bytes = keyBytes(name).slice();
    // It and all buckets in it, each before those in it; they may be nested deeper than the stack is.
    const doomed = [this.#requireBucket(bytes)];
    this.#owner.wholly(() => {
      for (const next of doomed) {
        for (const child of next.buckets()) doomed.push(child);
        next.#opened.clear();
        next.tree.freePages();
      }
      this.#remove(bytes);
    });
    for (const bucket of doomed) bucket.#deleted = true;
  }

  /**
   * Moves a bucket of this one into another bucket of the same transaction. Throws as `deleteBucket` and `createBucket`
   * do, and `BOLT_SAME_BUCKET` when it would be moved to where it is, or into itself.
   */
  moveBucket(name: Key, target: TxBucket): void {
    this.assertWritable();
    target.assertWritable();
    if (target.#owner !== this.#owner) {
      throw new DatadirError('BOLT_DIFFERENT_TX', 'the buckets belong to different transactions');
    }
    const bytes = keyBytes(name).slice();
    const bucket = this.#requireBucket(bytes);
    if (target === this) throw new DatadirError('BOLT_SAME_BUCKET', 'the bucket is there already');
    for (let above: TxBucket | undefined = target; above !== undefined; above = above.#parent) {
      if (above === bucket) throw new DatadirError('BOLT_SAME_BUCKET', 'a bucket cannot be moved into itself');
    }
    const taken = target.#find(bytes);
    if (taken !== undefined) {
      if (taken.isBucket) throw new DatadirError('BOLT_BUCKET_EXISTS', `there is a bucket ${quoteKey(bytes)}`);
      throw incompatible(`${quoteKey(bytes)} is a value there`);
    }
    const value = (this.#find(bytes) as TxPath).copyValue();
    this.#owner.wholly(() => {
      this.#remove(bytes);
      target.#put(bytes, value, LEAF_IS_BUCKET, false);
    });
    // What was changed in it goes along: its element is written anew at commit.
    target.#opened.set(mapKey(bytes), bucket);
    bucket.#parent = target;
  }

  #requireBucket(name: Uint8Array): TxBucket {
    const path = this.#find(name);
    if (path === undefined) throw new DatadirError('BOLT_BUCKET_NOT_FOUND', `there is no bucket ${quoteKey(name)}`);
    if (!path.isBucket) throw incompatible(`${quoteKey(name)} is a value, not a bucket`);
    return this.bucket(name) as TxBucket;
  }

  #open(name: Uint8Array, path: TxPath): TxBucket {
    const tree = openTree(this.#owner, path.copyValue(), path.pageId);
    const bucket = new TxBucket(this.#owner, tree, name.slice(), this);
    bucket.#assertNoLoop();
    // Those of a writing transaction may be changed, and must then be found again.
    if (this.#owner.writable) this.#opened.set(mapKey(name), bucket);
    return bucket;
  }

  /** A damaged bucket may have a bucket above it as its root; whoever goes down into it would never come to an end. */
  #assertNoLoop(): void {
    const { rootPage } = this.tree;
    if (rootPage === 0) return;
    let left = ANCESTORS_COMPARED;
    for (let above = this.#parent; above !== undefined && left > 0; above = above.#parent, left--) {
      if (above.tree.rootPage === rootPage) {
        const message = `page ${rootPage} is the root of a bucket and of a bucket in it`;
        throw this.#owner.loader.damaged(message, { pageId: rootPage });
      }
    }
    const { loader } = this.#owner;
    if (this.#nesting > loader.presentPages) {
      throw loader.damaged('buckets are nested deeper than the file has pages', { pageId: rootPage });
    }
  }

  /** Only the root bucket has nothing but buckets in it. */
  #assertPlain(): void {
    this.assertWritable();
    if (this.#parent === undefined) throw incompatible('the root bucket holds buckets only');
  }

  #find(key: Uint8Array): TxPath | undefined {
    const wanted = new SearchKey(key);
    this.#path.renew();
    this.#path.enterAt(wanted);
    return this.#path.isAt(wanted) ? this.#path : undefined;
  }

  /** Sets an element to copies of key and value; the path was just brought to its place. */
  #put(key: Uint8Array, value: Uint8Array, flags: number, replace: boolean): void {
    const path = this.#path;
    path.leafNode().putAt(path.index, replace, this.#owner.pairs.store(key, value, flags));
    this.tree.changes++;
  }

  #remove(name: Uint8Array): void {
    const path = this.#find(name) as TxPath;
    path.leafNode().removeAt(path.index);
    this.tree.changes++;
    this.#opened.delete(mapKey(name));
  }

  // ---- commit -----------------------------------------------------------------------------------------------------

  /** @internal This bucket and all in use below it, each before those in it. */
  *opened(): Generator<TxBucket, void, undefined> {
    const waiting: TxBucket[] = [this];
    for (let bucket = waiting.pop(); bucket !== undefined; bucket = waiting.pop()) {
      yield bucket;
      // Not by spreading: there may be more of them than a call can have arguments.
      for (const child of bucket.#opened.values()) waiting.push(child);
    }
  }

  /** @internal Gives changed pages their new place and tells the parent. The buckets in it must have been spilled before. */
  spill(): void {
    const { tree } = this;
    const parent = this.#parent;
    if (parent === undefined || !isInlineable(tree)) {
      spillTree(tree);
      if (parent !== undefined && tree.rootNode !== undefined) {
        parent.#update(this.name, encodeBucketHeader(tree.rootPage, tree.sequence));
      }
      return;
    }
    const root = tree.requireRoot();
    tree.freeNode(root);
    tree.rootPage = 0;
    parent.#update(this.name, encodeInline(root, tree.sequence));
  }

  #update(name: Uint8Array, value: Uint8Array): void {
    const found = this.#find(name);
    this.#put(name, value, LEAF_IS_BUCKET, found !== undefined);
  }
}

function incompatible(message: string): DatadirError {
  return new DatadirError('BOLT_INCOMPATIBLE_VALUE', message);
}

const latin1 = new TextDecoder('latin1');

/** Bytes as text, one to one, as key of a map. */
function mapKey(bytes: Uint8Array): string {
  return latin1.decode(bytes);
}
