/**
 * Feeds the pages that a check walks over to a digest of all pairs, values included, which the check itself would not read.
 *
 * Leaves that lie in memory as a whole are fed at once. What does not (a value may be gigabytes long, and so may the name of a
 * bucket) is fed in pieces, so that a step of the check stays short: one leaf at a time, and the walk waits for it.
 */
import { Crc128Stream } from '../checksum/crc128-stream.ts';
import { FoldKernel } from '../checksum/sparse-fold.ts';
import { DatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import type { PendingBucket } from './check-page.ts';
import {
  BUCKET_HEADER_SIZE,
  BUCKET_ROOT,
  BUCKET_SEQUENCE,
  ELEMENT_SIZE,
  LEAF_FLAGS,
  LEAF_IS_BUCKET,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  PAGE_COUNT,
  PAGE_HEADER_SIZE,
} from './format.ts';
import { PagePieces } from './page-pieces.ts';
import { type BucketDigest, PairDigest } from './pair-digest.ts';

/** Bytes that are not in memory are read in pieces of this size. */
const PIECE = 1 << 18;
/** What an element costs of a step, in bytes. */
const ELEMENT_COST = 32;
/** At most so many elements are gone over at once. */
const MAX_RUN = 4096;
/** For files smaller than this it is not worth while to have memory that needs no copying. */
const LARGE_FILE = 4 << 20;
const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/** The elements of a leaf, or of the page in an inline bucket, that have yet to be fed. */
interface Elements {
  /** Where that page begins, from the start of the leaf. */
  readonly base: number;
  readonly count: number;
  readonly bucket: BucketDigest;
  next: number;
}

export class DigestFeed {
  readonly digest: PairDigest;
  readonly #source: ByteSource;
  readonly #kernel: FoldKernel | undefined;
  #buffer: Uint8Array | undefined;
  // The leaf: where it is in the file, and what of it is in memory.
  #offset = 0;
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #inHand = 0;
  // Apart, as in the examination: one goes through the array while the other goes through the data.
  readonly #arrays: PagePieces;
  readonly #headers: PagePieces;
  #leaf: Elements | undefined;
  #inline: Elements | undefined;
  #pending: readonly PendingBucket[] = [];
  #nextPending = 0;
  // Bytes of the leaf to be fed next: of pairs, or of a name.
  #from = 0;
  #to = 0;
  #bucket: BucketDigest | undefined;
  #name: Crc128Stream | undefined;
  #nameLength = 0;

  /** `windows`: how much memory of `allocate` is going to be asked for. */
  constructor(source: ByteSource, size: number, windows: number) {
    this.#source = source;
    const kernel = size < LARGE_FILE ? undefined : FoldKernel.create(windows + PIECE);
    this.#kernel = kernel;
    this.digest = kernel === undefined ? new PairDigest() : new PairDigest(() => kernel);
    this.#arrays = new PagePieces(source);
    this.#headers = new PagePieces(source);
  }

  /** Memory to read into, from which bytes can be fed without a copy. */
  allocate(length: number): Uint8Array<ArrayBuffer> {
    return this.#kernel?.allocate(length) ?? readBuffer(length);
  }

  /** Whether there is something left to be fed before anything else may be. */
  get active(): boolean {
    return this.#from < this.#to || this.#leaf !== undefined;
  }

  /**
   * Begins with a leaf without buckets, keys and values without gaps, at `offset` of the file, of which `available` bytes,
   * the array of elements among them, are in memory. Feeds what is there.
   */
  plainLeaf(
    bucket: BucketDigest,
    offset: number,
    bytes: Uint8Array,
    view: DataView,
    at: number,
    available: number,
  ): void {
    const count = view.getUint16(at + PAGE_COUNT, true);
    const start = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    const end = start + bucket.elements(view, at + PAGE_HEADER_SIZE, count);
    if (end <= available) {
      bucket.range(bytes, at + start, at + end);
      return;
    }
    bucket.range(bytes, at + start, at + available);
    this.#offset = offset;
    this.#inHand = 0;
    this.#bucket = bucket;
    this.#from = available;
    this.#to = end;
  }

  /**
   * Begins with any leaf that is as it should be, and gives those of its buckets that have pages of their own, which are
   * `pending`, their digest.
   */
  leaf(
    bucket: BucketDigest,
    offset: number,
    count: number,
    bytes: Uint8Array,
    view: DataView,
    at: number,
    available: number,
    pending: readonly PendingBucket[],
  ): void {
    this.#offset = offset;
    this.#bytes = bytes;
    this.#at = at;
    this.#inHand = available;
    this.#arrays.open(offset, bytes, view, at, available);
    this.#headers.open(offset, bytes, view, at, available);
    this.#leaf = { base: 0, count, bucket, next: 0 };
    this.#pending = pending;
    this.#nextPending = 0;
  }

  /**
   * Feeds about `budget` bytes and returns how many they were. The bytes given to `leaf` are not looked at again after
   * that. Throws like the source, also when the file is too short.
   */
  step(budget: number): number {
    let left = budget;
    while (left > 0 && this.active) {
      if (this.#from < this.#to) left -= this.#feedPiece();
      else if (this.#name !== undefined) left -= this.#beginBucket(this.#name);
      else if (this.#inline !== undefined) left -= this.#nextElements(this.#inline);
      else left -= this.#nextElements(this.#leaf as Elements);
    }
    this.#bytes = NOTHING;
    this.#inHand = 0;
    if (this.active) {
      this.#arrays.open(this.#offset, NOTHING, NO_VIEW, 0, 0);
      this.#headers.open(this.#offset, NOTHING, NO_VIEW, 0, 0);
    }
    return budget - left;
  }

  #feedPiece(): number {
    if (this.#from < this.#inHand) {
      const end = Math.min(this.#to, this.#inHand);
      return this.#take(this.#bytes, this.#at + this.#from, this.#at + end);
    }
    this.#buffer ??= this.allocate(PIECE);
    const length = Math.min(PIECE, this.#to - this.#from);
    const offset = this.#offset + this.#from;
    const got = this.#source.readInto(this.#buffer.subarray(0, length), offset);
    if (got < length) throw new DatadirError('FILE_SHRANK', 'the file ends inside a page', { offset: offset + got });
    return this.#take(this.#buffer, 0, length);
  }

  #take(bytes: Uint8Array, start: number, end: number): number {
    if (this.#name !== undefined) this.#name.update(bytes, start, end);
    else this.#bucket?.range(bytes, start, end);
    this.#from += end - start;
    return end - start;
  }

  /** Goes over elements up to the next bucket, or the next gap. */
  #nextElements(elements: Elements): number {
    const { base, count, bucket } = elements;
    const first = elements.next;
    const array = base + PAGE_HEADER_SIZE;
    this.#bucket = bucket;
    while (elements.next < count && elements.next - first < MAX_RUN) {
      const element = array + elements.next * ELEMENT_SIZE;
      const at = this.#arrays.ensure(element, ELEMENT_SIZE);
      const { view } = this.#arrays;
      const start = element + view.getUint32(at + LEAF_POSITION, true);
      const keyLength = view.getUint32(at + LEAF_KEY_SIZE, true);
      const isBucket = (view.getUint32(at + LEAF_FLAGS, true) & LEAF_IS_BUCKET) !== 0;
      // A run goes on as long as the next pair begins where the one before has ended.
      if (elements.next > first && (isBucket || start !== this.#to)) break;
      elements.next++;
      if (elements.next === first + 1) this.#from = start;
      if (isBucket) {
        this.#name = new Crc128Stream();
        this.#nameLength = keyLength;
        this.#to = start + keyLength;
        break;
      }
      const valueLength = view.getUint32(at + LEAF_VALUE_SIZE, true);
      bucket.lengths(keyLength, valueLength);
      this.#to = start + keyLength + valueLength;
    }
    if (elements.next === first) this.#endElements(elements);
    return ELEMENT_COST * (1 + elements.next - first);
  }

  #endElements({ bucket }: Elements): void {
    if (this.#inline === undefined) this.#leaf = undefined;
    else {
      this.#inline = undefined;
      bucket.end();
    }
  }

  /** The name of a bucket has been fed, and its header follows. */
  #beginBucket(name: Crc128Stream): number {
    const parent = (this.#leaf as Elements).bucket;
    const header = this.#to;
    const at = this.#headers.ensure(header, BUCKET_HEADER_SIZE);
    const { view } = this.#headers;
    const sequence = view.getBigUint64(at + BUCKET_SEQUENCE, true);
    const isInline = view.getBigUint64(at + BUCKET_ROOT, true) === 0n;
    const bucket = this.digest.bucketNamed(parent, name.value(), this.#nameLength, sequence);
    this.#name = undefined;
    if (isInline) {
      const base = header + BUCKET_HEADER_SIZE;
      const page = this.#headers.ensure(base, PAGE_HEADER_SIZE);
      const count = this.#headers.view.getUint16(page + PAGE_COUNT, true);
      this.#inline = { base, count, bucket, next: 0 };
    } else {
      const pending = this.#pending[this.#nextPending++];
      if (pending !== undefined) pending.digest = bucket;
    }
    return ELEMENT_COST;
  }
}
