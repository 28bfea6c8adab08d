/**
 * A database as plain maps: what the writer has to agree with, whatever pages it uses. Answers every operation with the
 * words that bbolt's rules demand.
 */
import {
  type ByteText,
  describeValue,
  EntryDigest,
  type ListedBucket,
  NO_BUCKET,
  type Operation,
  type OperationResult,
  type Path,
  toBytes,
  type ValueSpec,
  valueBytes,
} from './writer-operations.ts';

const MAX_KEY = 32_768;

/** A bucket: its sequence, and its entries by key. */
export class ModelBucket {
  sequence = 0n;
  readonly entries: Map<ByteText, ValueSpec | ModelBucket> = new Map();
  #sorted: ByteText[] | undefined = [];
  /** Kept until an entry changes: all content is compared very often. */
  #digest: EntryDigest | undefined;

  /** Keys in order. Do not change the list. */
  get keys(): readonly ByteText[] {
    // By code unit, which for these texts is by byte.
    this.#sorted ??= [...this.entries.keys()].sort((a, b) => (a < b ? -1 : 1));
    return this.#sorted;
  }

  set(key: ByteText, value: ValueSpec | ModelBucket): void {
    if (!this.entries.has(key)) this.#sorted = undefined;
    this.#digest = undefined;
    this.entries.set(key, value);
  }

  remove(key: ByteText): void {
    if (!this.entries.delete(key)) return;
    this.#sorted = undefined;
    this.#digest = undefined;
  }

  /** The bucket of that name; undefined if there is none. */
  child(name: ByteText): ModelBucket | undefined {
    const found = this.entries.get(name);
    return found instanceof ModelBucket ? found : undefined;
  }

  /** Names of the buckets in it, in order. */
  get childNames(): readonly ByteText[] {
    return this.keys.filter((key) => this.entries.get(key) instanceof ModelBucket);
  }

  find(path: Path): ModelBucket | undefined {
    let bucket: ModelBucket | undefined = this;
    for (const name of path) bucket = bucket?.child(name);
    return bucket;
  }

  /** Index in `keys` of the first key that is not less than `key`. */
  lowerBound(key: ByteText): number {
    const { keys } = this;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] as ByteText) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A copy that shares nothing: what a reader of this moment, or a rollback, has to see. */
  clone(): ModelBucket {
    const copy = new ModelBucket();
    copy.sequence = this.sequence;
    for (const [key, value] of this.entries) {
      copy.entries.set(key, value instanceof ModelBucket ? value.clone() : value);
    }
    copy.#sorted = this.#sorted;
    copy.#digest = this.#digest;
    return copy;
  }

  /** It and all buckets inside it, each with its path. */
  *all(path: Path = []): Generator<{ path: Path; bucket: ModelBucket }> {
    yield { path, bucket: this };
    for (const name of this.childNames) yield* (this.child(name) as ModelBucket).all([...path, name]);
  }

  /** The value of a plain entry; undefined for a bucket and where there is nothing. */
  value(key: ByteText): Uint8Array | undefined {
    const found = this.entries.get(key);
    return found === undefined || found instanceof ModelBucket ? undefined : valueBytes(found);
  }

  /** Of all its entries. Do not add to it. */
  digest(): EntryDigest {
    if (this.#digest === undefined) {
      this.#digest = new EntryDigest();
      for (const key of this.keys) this.#digest.add(toBytes(key), this.value(key));
    }
    return this.#digest;
  }
}

/** All buckets of a model, as `listTransaction` lists those of a transaction; not whether they are inline. */
export function listModel(model: ModelBucket): ListedBucket[] {
  return Array.from(model.all(), ({ path, bucket }) => {
    const { entries, crc } = bucket.digest();
    return { path, sequence: `${bucket.sequence}`, keys: entries, crc };
  });
}

/** Does an operation in the model. */
export function applyToModel(model: ModelBucket, operation: Operation): OperationResult {
  switch (operation.op) {
    case 'create':
    case 'createIfMissing':
    case 'deleteBucket':
    case 'move': {
      const parent = model.find(operation.at.slice(0, -1));
      if (parent === undefined) return NO_BUCKET;
      const name = operation.at.at(-1) as ByteText;
      const found = parent.entries.get(name);
      if (operation.op === 'create' || operation.op === 'createIfMissing') {
        if (name === '') return 'e:BOLT_BUCKET_NAME_REQUIRED';
        if (found instanceof ModelBucket) return operation.op === 'create' ? 'e:BOLT_BUCKET_EXISTS' : '';
        if (found !== undefined) return 'e:BOLT_INCOMPATIBLE_VALUE';
        parent.set(name, new ModelBucket());
        return '';
      }
      const target = operation.op === 'move' ? model.find(operation.to) : parent;
      if (target === undefined) return NO_BUCKET;
      if (found === undefined) return 'e:BOLT_BUCKET_NOT_FOUND';
      if (!(found instanceof ModelBucket)) return 'e:BOLT_INCOMPATIBLE_VALUE';
      if (operation.op === 'move') {
        if (target === parent) return 'e:BOLT_SAME_BUCKET';
        // bbolt would cut it off with all that is in it.
        for (const { bucket } of found.all()) if (bucket === target) return 'e:BOLT_SAME_BUCKET';
        const there = target.entries.get(name);
        if (there !== undefined)
          return there instanceof ModelBucket ? 'e:BOLT_BUCKET_EXISTS' : 'e:BOLT_INCOMPATIBLE_VALUE';
        target.set(name, found);
      }
      parent.remove(name);
      return '';
    }
    default:
      return applyToBucket(model.find(operation.at), operation);
  }
}

type InBucket = Exclude<Operation, { op: 'create' | 'createIfMissing' | 'deleteBucket' | 'move' }>;

function applyToBucket(bucket: ModelBucket | undefined, operation: InBucket): OperationResult {
  if (bucket === undefined) return NO_BUCKET;
  switch (operation.op) {
    case 'put':
      if (operation.key === '') return 'e:BOLT_KEY_REQUIRED';
      if (operation.key.length > MAX_KEY) return 'e:BOLT_KEY_TOO_LARGE';
      if (bucket.child(operation.key)) return 'e:BOLT_INCOMPATIBLE_VALUE';
      bucket.set(operation.key, operation.value);
      return '';
    case 'delete':
      if (bucket.child(operation.key)) return 'e:BOLT_INCOMPATIBLE_VALUE';
      bucket.remove(operation.key);
      return '';
    case 'cursorDelete': {
      const key = bucket.keys[bucket.lowerBound(operation.key)];
      if (key === undefined) return '';
      if (bucket.child(key)) return 'e:BOLT_INCOMPATIBLE_VALUE';
      bucket.remove(key);
      return '';
    }
    case 'setSequence':
      bucket.sequence = BigInt(operation.sequence);
      return '';
    case 'nextSequence':
      bucket.sequence = BigInt.asUintN(64, bucket.sequence + 1n);
      return `${bucket.sequence}`;
    case 'fill':
      return '';
    case 'get':
      return describeValue(bucket.value(operation.key));
    case 'scan':
      return `${bucket.digest()}`;
  }
}
