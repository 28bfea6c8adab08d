/**
 * A cursor over a model's bucket, by the rules of ours: `next` and `prev` go on from the key it is at, whatever was changed
 * meanwhile, and at either end it stays where it is.
 */
import type { ModelBucket } from './writer-model.ts';
import type { ByteText, OperationResult } from './writer-operations.ts';

export interface ModelEntry {
  readonly key: ByteText;
  readonly value: Uint8Array | undefined;
  readonly isBucket: boolean;
}

export class ModelCursor {
  readonly #bucket: ModelBucket;
  #key: ByteText | undefined;

  constructor(bucket: ModelBucket) {
    this.#bucket = bucket;
  }

  first(): ModelEntry | undefined {
    this.#key = undefined;
    return this.#to(0);
  }

  last(): ModelEntry | undefined {
    this.#key = undefined;
    return this.#to(this.#bucket.keys.length - 1);
  }

  seek(key: ByteText): ModelEntry | undefined {
    this.#key = key;
    return this.#to(this.#bucket.lowerBound(key));
  }

  next(): ModelEntry | undefined {
    if (this.#key === undefined) return undefined;
    const at = this.#bucket.lowerBound(this.#key);
    return this.#to(this.#bucket.keys[at] === this.#key ? at + 1 : at);
  }

  prev(): ModelEntry | undefined {
    return this.#key === undefined ? undefined : this.#to(this.#bucket.lowerBound(this.#key) - 1);
  }

  /** What deleting there answers. */
  delete(): OperationResult {
    if (this.#key === undefined || !this.#bucket.entries.has(this.#key)) return 'e:USAGE';
    if (this.#bucket.child(this.#key)) return 'e:BOLT_INCOMPATIBLE_VALUE';
    this.#bucket.remove(this.#key);
    return '';
  }

  #to(index: number): ModelEntry | undefined {
    const key = this.#bucket.keys[index];
    if (key === undefined) return undefined;
    this.#key = key;
    return { key, value: this.#bucket.value(key), isBucket: this.#bucket.child(key) !== undefined };
  }
}
