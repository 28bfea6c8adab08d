/**
 * What a writing transaction can be told to do, as data: the same list goes to our Transaction, to the plain model
 * (writer-model.ts) and to the real bbolt (test/interop/drive-bolt.ts), and all three answer with the same words.
 */
import { crc32 } from 'node:zlib';
import type { Transaction } from '../../src/bolt/transaction.ts';
import type { TxBucket } from '../../src/bolt/tx-bucket.ts';
import { isDatadirError } from '../../src/errors.ts';

/** Bytes as text that JSON can hold: the characters 0 to 255 stand for bytes. Compares as the bytes do. */
export type ByteText = string;

/** Names of buckets from the top; empty for the bucket of top-level buckets. */
export type Path = readonly ByteText[];

/** A value is `length` bytes that depend on `seed`, so that large ones take no room in a recording. */
export type ValueSpec = readonly [length: number, seed: number];

export type Operation =
  | { readonly op: 'create'; readonly at: Path }
  | { readonly op: 'createIfMissing'; readonly at: Path }
  | { readonly op: 'deleteBucket'; readonly at: Path }
  /** Moves the bucket `at` into the bucket `to`. */
  | { readonly op: 'move'; readonly at: Path; readonly to: Path }
  | { readonly op: 'put'; readonly at: Path; readonly key: ByteText; readonly value: ValueSpec }
  | { readonly op: 'delete'; readonly at: Path; readonly key: ByteText }
  /** Deletes, through a cursor, the first entry from `key` on. */
  | { readonly op: 'cursorDelete'; readonly at: Path; readonly key: ByteText }
  | { readonly op: 'setSequence'; readonly at: Path; readonly sequence: string }
  | { readonly op: 'nextSequence'; readonly at: Path }
  | { readonly op: 'fill'; readonly at: Path; readonly percent: number }
  | { readonly op: 'get'; readonly at: Path; readonly key: ByteText }
  /** Goes over all entries of the bucket. */
  | { readonly op: 'scan'; readonly at: Path };

/**
 * What an operation answers: `''` when it was done, `e:CODE` when it was refused, and for those that read what they
 * found: a sequence; `none` or `length:crc32` of a value; `entries:crc32` of a scan.
 */
export type OperationResult = string;

/** A bucket on the path of an operation is not there. No error of the library: `bucket()` gives undefined. */
export const NO_BUCKET: OperationResult = 'e:NO_BUCKET';

export const toBytes = (text: ByteText): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
export const toText = (bytes: Uint8Array): ByteText =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** The bytes of a value. */
export function valueBytes([length, seed]: ValueSpec): Uint8Array {
  return new Uint8Array(Buffer.alloc(length, `${seed}-`, 'latin1'));
}

/** What `get` answers to a value. */
export const describeValue = (value: Uint8Array | undefined): OperationResult =>
  value === undefined ? 'none' : `${value.length}:${crc32(value)}`;

/**
 * Checksum over entries in their order, each as u32le(length of key) key u32le(length of value) value; a bucket as the
 * length 2^32-1, without its content.
 */
export class EntryDigest {
  entries = 0;
  crc = 0;
  readonly #size = new Uint8Array(4);

  add(key: Uint8Array, value: Uint8Array | undefined): void {
    this.#part(key.length, key);
    this.#part(value?.length ?? 0xffff_ffff, value);
    this.entries++;
  }

  #part(length: number, bytes: Uint8Array | undefined): void {
    new DataView(this.#size.buffer).setUint32(0, length, true);
    this.crc = crc32(this.#size, this.crc);
    if (bytes !== undefined) this.crc = crc32(bytes, this.crc);
  }

  toString(): OperationResult {
    return `${this.entries}:${this.crc}`;
  }
}

/** What is said of one bucket when all content is compared. */
export interface ListedBucket {
  readonly path: Path;
  readonly sequence: string;
  /** Undefined where it is not known: a model has no pages. */
  readonly inline?: boolean;
  /** Entries, buckets included. */
  readonly keys: number;
  readonly crc: number;
}

function find(tx: Transaction, path: Path): TxBucket | undefined {
  let bucket: TxBucket | undefined = tx.root;
  for (const name of path) bucket = bucket?.bucket(toBytes(name));
  return bucket;
}

/** Does an operation in our transaction. Errors of the library are the answer; any other is thrown. */
export function applyToTransaction(tx: Transaction, operation: Operation): OperationResult {
  try {
    return run(tx, operation);
  } catch (error) {
    if (isDatadirError(error) && error.code !== 'INTERNAL') return `e:${error.code}`;
    throw error;
  }
}

function run(tx: Transaction, operation: Operation): OperationResult {
  switch (operation.op) {
    case 'create':
    case 'createIfMissing':
    case 'deleteBucket':
    case 'move': {
      const parent = find(tx, operation.at.slice(0, -1));
      if (parent === undefined) return NO_BUCKET;
      const name = toBytes(operation.at.at(-1) as ByteText);
      if (operation.op === 'create') parent.createBucket(name);
      else if (operation.op === 'createIfMissing') parent.createBucketIfNotExists(name);
      else if (operation.op === 'deleteBucket') parent.deleteBucket(name);
      else {
        const target = find(tx, operation.to);
        if (target === undefined) return NO_BUCKET;
        parent.moveBucket(name, target);
      }
      return '';
    }
    default: {
      const bucket = find(tx, operation.at);
      return bucket === undefined ? NO_BUCKET : runOn(bucket, operation);
    }
  }
}

type InBucket = Exclude<Operation, { op: 'create' | 'createIfMissing' | 'deleteBucket' | 'move' }>;

function runOn(bucket: TxBucket, operation: InBucket): OperationResult {
  switch (operation.op) {
    case 'put':
      bucket.put(toBytes(operation.key), valueBytes(operation.value));
      return '';
    case 'delete':
      bucket.delete(toBytes(operation.key));
      return '';
    case 'cursorDelete': {
      const cursor = bucket.cursor();
      if (cursor.seek(toBytes(operation.key)) !== undefined) cursor.delete();
      return '';
    }
    case 'setSequence':
      bucket.setSequence(BigInt(operation.sequence));
      return '';
    case 'nextSequence':
      return `${bucket.nextSequence()}`;
    case 'fill':
      bucket.fillPercent = operation.percent;
      return '';
    case 'get':
      return describeValue(bucket.get(toBytes(operation.key)));
    case 'scan':
      return `${digestOf(bucket)}`;
  }
}

function digestOf(bucket: TxBucket): EntryDigest {
  const digest = new EntryDigest();
  bucket.forEach((key, value) => {
    digest.add(key, value);
  });
  return digest;
}

/** All buckets of a transaction: each, then those in it, in order of their names. */
export function listTransaction(tx: Transaction): ListedBucket[] {
  const listed: ListedBucket[] = [];
  const add = (bucket: TxBucket, path: Path): void => {
    const { entries, crc } = digestOf(bucket);
    listed.push({ path, sequence: `${bucket.sequence}`, inline: bucket.inline, keys: entries, crc });
    for (const child of bucket.buckets()) add(child, [...path, toText(child.name)]);
  };
  add(tx.root, []);
  return listed;
}
