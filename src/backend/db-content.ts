/**
 * Everything in a db on its way past: counts and hashes all of it, and shows the records of bucket `key` to who wants them.
 *
 * etcd knows no buckets in buckets. Should there be one, it counts and is hashed as bbolt's `ForEach` gives it to etcd: a key without
 * a value. What is in it is not looked at, as etcd does not.
 */
import type { ContentTarget } from '../bolt/content-target.ts';
import { ELEMENT_SIZE, LEAF_KEY_SIZE, LEAF_POSITION, LEAF_VALUE_SIZE, PAGE_HEADER_SIZE } from '../bolt/format.ts';
import type { FoldKernel } from '../checksum/sparse-fold.ts';
import { type DbHashes, DbHashing } from './db-hashing.ts';
import { MAX_RECORD, type RecordVisitor, type UnreadableRecords } from './keyspace-scan.ts';
import { KeyRecord } from './record.ts';

/** Larger values are taken in pieces, each of which is so long at most. */
const PIECE = 1 << 18;
const NOTHING = new Uint8Array(0);
const decoder = new TextDecoder('latin1');
/** Longer names are none of etcd's. */
const LONGEST_BUCKET = 16;

export class DbContent implements ContentTarget {
  /** Pairs in all buckets. */
  records = 0;
  /** Those of bucket `key`. */
  keyRecords = 0;
  /** Those of bucket `members`. */
  members = 0;
  /** Records of bucket `key` that are none, and were not shown. Counted only if there is a visitor. */
  readonly unreadable: UnreadableRecords = { count: 0, pageId: 0, offset: 0 };
  readonly #hashing: DbHashing;
  readonly #visit: RecordVisitor | undefined;
  readonly #record = new KeyRecord();
  readonly #piece = new Uint8Array(PIECE);
  #depth = 0;
  /** The top-level bucket that is open. */
  #bucket = '';
  // A record that comes in pieces: where they go, and how much of it is there.
  #large: Uint8Array<ArrayBuffer> = NOTHING;
  #largeLength = 0;
  #largeKeyLength = 0;

  /** `visit` sees the records of bucket `key` that can be read. `kernel`: in whose memory leaves lie, if they do. */
  constructor(kernel: FoldKernel | undefined, visit?: RecordVisitor) {
    this.#hashing = new DbHashing(kernel);
    this.#visit = visit;
  }

  /** Of everything so far. */
  hashes(): DbHashes {
    return this.#hashing.result();
  }

  openBucket(name: Uint8Array, _sequence: bigint, pageId: number, offset: number): void {
    this.#depth++;
    if (this.#depth === 1) {
      this.#bucket = name.length > LONGEST_BUCKET ? '' : decoder.decode(name);
      this.#hashing.openBucket(name, this.#bucket);
    } else if (this.#depth === 2) {
      this.#count(1);
      this.#hashing.pair(name, NOTHING);
      if (this.#isKey && this.#visit !== undefined) this.#passOver(pageId, offset);
    }
  }

  closeBucket(): void {
    this.#depth--;
  }

  addLeaf(bytes: Uint8Array, view: DataView, at: number, count: number, pageId: number, offset: number): void {
    if (this.#depth !== 1) return;
    this.#count(count);
    const data = at + PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    const last = data - ELEMENT_SIZE;
    const end =
      last +
      view.getUint32(last + LEAF_POSITION, true) +
      view.getUint32(last + LEAF_KEY_SIZE, true) +
      view.getUint32(last + LEAF_VALUE_SIZE, true);
    if (this.#bucket === 'meta') this.#addPairs(bytes, view, at, count);
    else {
      this.#hashing.range(bytes, data, end);
      if (this.#isKey && this.#visit !== undefined) this.#showLeaf(bytes, view, at, count, pageId, offset);
    }
  }

  #addPairs(bytes: Uint8Array, view: DataView, at: number, count: number): void {
    let start = at + PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    for (let i = 0, element = at + PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
      const valueAt = start + view.getUint32(element + LEAF_KEY_SIZE, true);
      const end = valueAt + view.getUint32(element + LEAF_VALUE_SIZE, true);
      this.#hashing.pair(bytes.subarray(start, valueAt), bytes.subarray(valueAt, end));
      start = end;
    }
  }

  #showLeaf(bytes: Uint8Array, view: DataView, at: number, count: number, pageId: number, offset: number): void {
    const record = this.#record;
    const visit = this.#visit as RecordVisitor;
    record.pageId = pageId;
    let start = at + PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    for (let i = 0, element = at + PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
      const keyLength = view.getUint32(element + LEAF_KEY_SIZE, true);
      const valueLength = view.getUint32(element + LEAF_VALUE_SIZE, true);
      record.offset = offset + start - at;
      if (record.parse(bytes, view, start, keyLength, valueLength)) visit(record);
      else this.#passOver(pageId, record.offset);
      start += keyLength + valueLength;
    }
  }

  addPair(key: Uint8Array, value: Uint8Array, pageId: number, offset: number): void {
    if (this.#depth !== 1) return;
    this.#count(1);
    this.#hashing.pair(key, value);
    if (!this.#isKey || this.#visit === undefined) return;
    const bytes = new Uint8Array(key.length + value.length);
    bytes.set(key);
    bytes.set(value, key.length);
    this.#show(bytes, key.length, pageId, offset);
  }

  #show(bytes: Uint8Array<ArrayBuffer>, keyLength: number, pageId: number, offset: number): void {
    const record = this.#record;
    record.pageId = pageId;
    record.offset = offset;
    if (record.parse(bytes, new DataView(bytes.buffer), 0, keyLength, bytes.length - keyLength)) this.#visit?.(record);
    else this.#passOver(pageId, offset);
  }

  isLarge(valueLength: number): boolean {
    return valueLength > PIECE;
  }

  beginLarge(key: Uint8Array, valueLength: number, pageId: number, offset: number): void {
    if (this.#depth !== 1) return;
    this.#count(1);
    this.#hashing.pair(key, NOTHING);
    if (!this.#isKey || this.#visit === undefined) return;
    this.#record.pageId = pageId;
    this.#record.offset = offset;
    const length = key.length + valueLength;
    if (length > MAX_RECORD) {
      this.#passOver(pageId, offset);
      return;
    }
    // The bytes are in the file, as those who read it have made sure.
    this.#large = new Uint8Array(length);
    this.#large.set(key);
    this.#largeLength = this.#largeKeyLength = key.length;
  }

  fillLarge(length: number, read: (room: Uint8Array) => void): number {
    const kept = this.#large.length > 0;
    const at = this.#largeLength;
    const size = Math.min(length, PIECE);
    const room = kept ? this.#large.subarray(at, at + size) : this.#piece.subarray(0, size);
    read(room);
    if (kept) this.#largeLength += size;
    if (this.#depth === 1) this.#hashing.more(room);
    return size;
  }

  endLarge(): void {
    if (this.#large.length === 0) return;
    const { pageId, offset } = this.#record;
    this.#show(this.#large, this.#largeKeyLength, pageId, offset);
    this.#large = NOTHING;
  }

  get #isKey(): boolean {
    return this.#bucket === 'key';
  }

  #count(pairs: number): void {
    this.records += pairs;
    if (this.#bucket === 'key') this.keyRecords += pairs;
    else if (this.#bucket === 'members') this.members += pairs;
  }

  #passOver(pageId: number, offset: number): void {
    const { unreadable } = this;
    if (unreadable.count++ > 0) return;
    unreadable.pageId = pageId;
    unreadable.offset = offset;
  }
}
