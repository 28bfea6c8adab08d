/**
 * A digest of everything that is in a bolt file, whatever pages it lies in: the same for a file and its compaction, for
 * any page size and fill percentage.
 *
 * For each bucket (inline ones like all others) there are two streams over its plain pairs in the order of keys, each
 * with a CRC of 128 bits: one of the lengths, eight bytes a pair, one of the bytes of keys and values without anything
 * between them. At its end a bucket is one number of 64 bits, mixed from both CRCs, the number of its pairs, its sequence and a
 * hash of the names on its path. The sum of these numbers does not depend on the order of buckets; mixed once more
 * with the numbers of pairs and buckets it is the digest.
 *
 * Names of buckets are in the digest through the paths, so bucket elements are not part of their parent's streams. The root
 * bucket, which has no pairs, is not in it, nor is anything of the layout: page numbers, transaction id, freelist.
 *
 * How good it is: two different lists of pairs in a bucket, or two paths, give the same CRC with a chance of 2^-128, the mix
 * and the sum of 64 bits are as good as random; so by accident different content has the same digest with a chance of about
 * 2^-64. It is no protection against somebody who wants it to be the same.
 */
import { crc128, type Register128 } from '../checksum/crc128.ts';
import { Crc128Stream } from '../checksum/crc128-stream.ts';
import { mixWords } from '../checksum/mix-words.ts';
import { type FoldKernel, sharedKernel } from '../checksum/sparse-fold.ts';
import { DatadirError } from '../errors.ts';
import type { DigestSummary } from '../report.ts';
import { ELEMENT_SIZE, LEAF_KEY_SIZE, LEAF_VALUE_SIZE } from './format.ts';

export type { DigestSummary };

/** Lengths wait here until there are enough of them to be worth a call: two words a pair. */
const LENGTH_WORDS = 2048;
const TWO_32 = 0x1_0000_0000;

/** Room for what `mixWords` is given; nothing is kept in it from one call to the next. */
const words = new Int32Array(16);

/** The digest of one database. Feed it every bucket, in any order, several at a time if need be. */
export class PairDigest {
  /** The root bucket, as the parent of the others. It is not fed, and not ended. */
  readonly root: BucketDigest;
  #pairs = 0;
  #buckets = 0;
  #low = 0;
  #high = 0;
  readonly #kernel: () => FoldKernel | undefined;
  // One buffer for all buckets, however many are open: it holds lengths of one of them.
  readonly #lengths = new Int32Array(LENGTH_WORDS);
  readonly #lengthBytes = new Uint8Array(this.#lengths.buffer);
  #lengthCount = 0;
  #lengthOwner: BucketDigest | undefined;

  /** `kernel`: whose memory the bytes to be fed lie in, if they do. Without, one is shared and bytes are copied. */
  constructor(kernel: () => FoldKernel | undefined = sharedKernel) {
    this.#kernel = kernel;
    this.root = new BucketDigest(this, kernel, 0, 0, 0n);
  }

  /** Pairs in the buckets that have ended. */
  get pairs(): number {
    return this.#pairs;
  }

  /** Buckets that have ended. */
  get buckets(): number {
    return this.#buckets;
  }

  /** Begins the bucket `name` in `parent` (undefined: at the top), which may have ended before. */
  bucket(parent: BucketDigest | undefined, name: Uint8Array, sequence: bigint): BucketDigest {
    const register: Register128 = { a: -1, b: -1, c: -1, d: -1 };
    crc128(register, name, 0, name.length);
    return this.bucketNamed(parent, register, name.length, sequence);
  }

  /** As `bucket`, for a name that is too long to have in hand: by the value of a `Crc128Stream` of it. */
  bucketNamed(
    parent: BucketDigest | undefined,
    name: Readonly<Register128>,
    nameLength: number,
    sequence: bigint,
  ): BucketDigest {
    const { pathLow, pathHigh } = parent ?? this.root;
    words[0] = pathLow;
    words[1] = pathHigh;
    words[2] = nameLength;
    words[3] = 0;
    setRegister(4, name);
    mixWords(words, 8);
    return new BucketDigest(this, this.#kernel, words[0]!, words[1]!, sequence);
  }

  /** The digest of the buckets that have ended, 16 hexadecimal digits. */
  value(): string {
    words[0] = this.#low;
    words[1] = this.#high;
    words[2] = this.#pairs % TWO_32;
    words[3] = this.#pairs / TWO_32;
    words[4] = this.#buckets % TWO_32;
    words[5] = this.#buckets / TWO_32;
    words[6] = 0;
    words[7] = 0;
    mixWords(words, 8);
    return hex(words[1]!) + hex(words[0]!);
  }

  /** All of it as plain data. */
  summary(): DigestSummary {
    return { pairs: this.#pairs, buckets: this.#buckets, value: this.value() };
  }

  /** The lengths of a pair. For `BucketDigest`. */
  addLengths(bucket: BucketDigest, keyLength: number, valueLength: number): void {
    if (this.#lengthOwner !== bucket || this.#lengthCount === LENGTH_WORDS) this.flushLengths(bucket);
    this.#lengths[this.#lengthCount++] = keyLength;
    this.#lengths[this.#lengthCount++] = valueLength;
  }

  /** The lengths of all elements of a leaf, and what they come to. For `BucketDigest`. */
  addElements(bucket: BucketDigest, view: DataView, at: number, count: number): number {
    if (this.#lengthOwner !== bucket) this.flushLengths(bucket);
    const lengths = this.#lengths;
    let length = this.#lengthCount;
    let total = 0;
    for (let i = 0, element = at; i < count; i++, element += ELEMENT_SIZE) {
      if (length === LENGTH_WORDS) {
        this.#lengthCount = length;
        this.flushLengths(bucket);
        length = 0;
      }
      const keyLength = view.getUint32(element + LEAF_KEY_SIZE, true);
      const valueLength = view.getUint32(element + LEAF_VALUE_SIZE, true);
      lengths[length++] = keyLength;
      lengths[length++] = valueLength;
      total += keyLength + valueLength;
    }
    this.#lengthCount = length;
    return total;
  }

  /** Gives waiting lengths to the bucket they are of; the buffer is `next`'s then. For `BucketDigest`. */
  flushLengths(next: BucketDigest | undefined): void {
    if (this.#lengthCount > 0) this.#lengthOwner?.takeLengths(this.#lengthBytes, this.#lengthCount * 4);
    this.#lengthCount = 0;
    this.#lengthOwner = next;
  }

  /** Gives a bucket what waits of its lengths. For `BucketDigest`. */
  settleLengths(bucket: BucketDigest): void {
    if (this.#lengthOwner === bucket) this.flushLengths(undefined);
  }

  /** Adds a bucket that has ended. For `BucketDigest`. */
  addBucket(pairs: number, low: number, high: number): void {
    this.#pairs += pairs;
    this.#buckets++;
    const sum = this.#low + (low >>> 0);
    this.#low = sum >>> 0;
    this.#high = (this.#high + (high >>> 0) + (sum >= TWO_32 ? 1 : 0)) >>> 0;
  }
}

/**
 * The digest of one bucket. Its pairs are given in the order of keys, their lengths and their bytes independently of each other: bytes
 * of many pairs at once, or one value in many pieces.
 */
export class BucketDigest {
  readonly pathLow: number;
  readonly pathHigh: number;
  readonly #digest: PairDigest;
  readonly #sequence: bigint;
  readonly #bytes: Crc128Stream;
  readonly #lengths: Crc128Stream;
  #pairs = 0;
  // Bytes that the lengths call for, less those that were given.
  #missing = 0;

  /** Made by `PairDigest`. */
  constructor(
    digest: PairDigest,
    kernel: () => FoldKernel | undefined,
    pathLow: number,
    pathHigh: number,
    sequence: bigint,
  ) {
    this.#digest = digest;
    this.#bytes = new Crc128Stream(kernel);
    this.#lengths = new Crc128Stream(kernel);
    this.pathLow = pathLow;
    this.pathHigh = pathHigh;
    this.#sequence = sequence;
  }

  /** The lengths of the next pair. */
  lengths(keyLength: number, valueLength: number): void {
    this.#digest.addLengths(this, keyLength, valueLength);
    this.#pairs++;
    this.#missing += keyLength + valueLength;
  }

  /**
   * The lengths of the next `count` pairs from an array of leaf elements at `at` of `view`, none of which may be a
   * bucket. Returns how many bytes these pairs have.
   */
  elements(view: DataView, at: number, count: number): number {
    const total = this.#digest.addElements(this, view, at, count);
    this.#pairs += count;
    this.#missing += total;
    return total;
  }

  /** The next bytes of keys and values: `bytes[start, end)`. Nothing of them is kept. */
  range(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes.update(bytes, start, end);
    this.#missing -= end - start;
  }

  /** Every pair has been given: the bucket is added to the digest of the database. */
  end(): void {
    this.#digest.settleLengths(this);
    if (this.#missing !== 0) {
      throw new DatadirError('INTERNAL', `${this.#missing} bytes of pairs are missing in the digest of a bucket`);
    }
    words[0] = this.pathLow;
    words[1] = this.pathHigh;
    words[2] = Number(this.#sequence & 0xffff_ffffn);
    words[3] = Number(this.#sequence >> 32n);
    setRegister(4, this.#bytes.value());
    setRegister(8, this.#lengths.value());
    words[12] = this.#pairs % TWO_32;
    words[13] = this.#pairs / TWO_32;
    words[14] = 0;
    words[15] = 0;
    mixWords(words, 16);
    this.#digest.addBucket(this.#pairs, words[0]!, words[1]!);
  }

  /** Lengths of this bucket that have waited. For `PairDigest`. */
  takeLengths(bytes: Uint8Array, length: number): void {
    this.#lengths.update(bytes, 0, length);
  }
}

function setRegister(at: number, { a, b, c, d }: Readonly<Register128>): void {
  words[at] = a;
  words[at + 1] = b;
  words[at + 2] = c;
  words[at + 3] = d;
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
