/**
 * Transactions of every kind: many buckets, nested, created, deleted with all that is in them and moved; deletes
 * anywhere; operations that must be refused.
 */
import type { ModelBucket } from './writer-model.ts';
import { applyToModel } from './writer-model.ts';
import type { ByteText, Operation, Path } from './writer-operations.ts';
import type { Choices, ContentMaker } from './writer-random.ts';

export interface MadeTransaction {
  readonly operations: readonly Operation[];
  /** What each operation has to answer. */
  readonly results: readonly string[];
  /** The content after it. */
  readonly after: ModelBucket;
}

/**
 * What bbolt 1.4.3 gets wrong, and a comparison with it has to leave out:
 * - A bucket that was changed in the same transaction, or holds one that was, loses these changes when it is moved.
 * - When a bucket that was changed in the same transaction is deleted, some of the buckets in it are passed over, and
 *   their pages are never freed.
 * - A bucket can be moved into one inside itself, and is gone then, while its pages are not free.
 * - An empty key is taken for found in an empty bucket.
 */
export interface AnythingOptions {
  readonly avoidDefectsOfBbolt: boolean;
}

/** Makes transactions of every kind. */
export class AnythingMaker {
  readonly #choices: Choices;
  readonly #content: ContentMaker;
  readonly #options: AnythingOptions;
  /** Buckets with changes of the transaction that is being made. */
  #changed = new Set<ModelBucket>();

  constructor(choices: Choices, content: ContentMaker, options: AnythingOptions) {
    this.#choices = choices;
    this.#content = content;
    this.#options = options;
  }

  next(before: ModelBucket): MadeTransaction {
    const after = before.clone();
    this.#changed = new Set();
    const operations: Operation[] = [];
    const results: string[] = [];
    for (let n = this.#choices.one([0, 1, 1, 2, 4, 8, 20]); n > 0; n--) {
      for (const operation of this.#some(after)) {
        this.#note(after, operation);
        operations.push(operation);
        results.push(applyToModel(after, operation));
      }
    }
    return { operations, results, after };
  }

  /** Marks the buckets that an operation is about as changed; too many are no harm. */
  #note(model: ModelBucket, { op, at, ...rest }: Operation): void {
    if (op === 'get' || op === 'scan' || op === 'fill') return;
    const path =
      op === 'create' || op === 'createIfMissing' || op === 'deleteBucket' || op === 'move' ? at.slice(0, -1) : at;
    for (const changed of 'to' in rest ? [path, rest.to] : [path]) {
      const bucket = model.find(changed);
      if (bucket !== undefined) this.#changed.add(bucket);
    }
  }

  #isChanged(bucket: ModelBucket): boolean {
    for (const { bucket: inside } of bucket.all()) if (this.#changed.has(inside)) return true;
    return false;
  }

  #some(model: ModelBucket): Operation[] {
    const choices = this.#choices;
    const all = [...model.all()];
    const kind = choices.weighted({
      puts: 8,
      deletes: 5,
      thin: 2,
      empty: 0.5,
      cursorDelete: 2,
      create: 4,
      deleteBucket: 1.5,
      move: 1.5,
      sequence: 1,
      fill: 1,
      read: 2,
      refused: 1,
    });
    // The bucket of top-level buckets holds buckets only.
    const { path, bucket } = choices.one(all);
    const place = path.length > 0 ? path : undefined;
    if (place === undefined && !['create', 'deleteBucket', 'move', 'read'].includes(kind)) {
      return [{ op: 'createIfMissing', at: [this.#name()] }];
    }
    const at = path;
    const key = (): ByteText =>
      bucket.keys.length > 0 && choices.chance(0.7) ? choices.one(bucket.keys) : this.#content.key();
    const plain = bucket.keys.filter((name) => bucket.child(name) === undefined);
    switch (kind) {
      case 'puts':
        return Array.from({ length: choices.one([1, 1, 2, 5, 25]) }, () => ({
          op: 'put',
          at,
          key: choices.chance(0.2) ? key() : this.#content.key(),
          value: this.#content.value(),
        }));
      case 'deletes':
        return [{ op: 'delete', at, key: key() }];
      case 'thin':
        return choices.some(plain, choices.one([0.1, 0.5])).map((name) => ({ op: 'delete', at, key: name }));
      case 'empty':
        return plain.map((name) => ({ op: 'delete', at, key: name }));
      case 'cursorDelete':
        return [{ op: 'cursorDelete', at, key: key() }];
      case 'create':
        if (path.length >= 5 || all.length > 40) return [];
        return [{ op: choices.one(['create', 'createIfMissing']), at: [...path, this.#name()] }];
      case 'deleteBucket':
        return this.#deleteBucket(path, bucket);
      case 'move':
        return this.#move(path, bucket, all);
      case 'sequence':
        if (choices.chance(0.5)) return [{ op: 'nextSequence', at }];
        return [
          { op: 'setSequence', at, sequence: choices.one(['0', '7', '9007199254740993', '18446744073709551614']) },
        ];
      case 'fill':
        return [{ op: 'fill', at, percent: choices.one([0.1, 0.3, 0.5, 0.9, 1]) }];
      case 'read':
        return [choices.chance(0.5) ? { op: 'scan', at } : { op: 'get', at, key: key() }];
      case 'refused':
        return [this.#refused(path, bucket)];
    }
  }

  /** Few names, so that they meet; some sort before and some after the keys. */
  #name(): ByteText {
    return this.#choices.one(['a', 'b', 'c', 'k3', 'k40', 'r00000010', 'z', '\xff\xfe', '\x00', 'x'.repeat(90)]);
  }

  #childName(bucket: ModelBucket): ByteText {
    const { childNames } = bucket;
    return childNames.length > 0 && this.#choices.chance(0.9) ? this.#choices.one(childNames) : this.#name();
  }

  #deleteBucket(path: Path, bucket: ModelBucket): Operation[] {
    const name = this.#childName(bucket);
    const child = bucket.child(name);
    const defect = child !== undefined && [...child.all()].some(({ bucket: inside }) => inside.childNames.length > 0);
    if (this.#options.avoidDefectsOfBbolt && defect && this.#isChanged(child as ModelBucket)) return [];
    return [{ op: 'deleteBucket', at: [...path, name] }];
  }

  #move(path: Path, bucket: ModelBucket, all: readonly { path: Path; bucket: ModelBucket }[]): Operation[] {
    const name = this.#childName(bucket);
    const child = bucket.child(name);
    const to = this.#choices.one(all);
    if (this.#options.avoidDefectsOfBbolt && child !== undefined) {
      if (this.#isChanged(child)) return [];
      for (const { bucket: inside } of child.all()) if (inside === to.bucket) return [];
    }
    if (to.path.length > 6) return [];
    return [{ op: 'move', at: [...path, name], to: to.path }];
  }

  #refused(path: Path, bucket: ModelBucket): Operation {
    const choices = this.#choices;
    const at = path;
    const value = this.#content.value();
    const child = this.#childName(bucket);
    const plain = bucket.keys.find((name) => bucket.child(name) === undefined) ?? 'k1';
    return choices.one<Operation>([
      { op: 'put', at, key: '', value },
      { op: 'put', at, key: 'x'.repeat(32_769), value },
      { op: 'put', at, key: child, value },
      { op: 'delete', at, key: child },
      { op: 'create', at: [...path, ''] },
      { op: 'createIfMissing', at: [...path, ''] },
      { op: 'create', at: [...path, plain] },
      { op: 'deleteBucket', at: [...path, plain] },
      { op: 'deleteBucket', at: [...path, 'not there'] },
      { op: 'move', at: [...path, child], to: path },
      { op: 'move', at: [...path, plain], to: [] },
      { op: 'put', at: [...path, 'not there'], key: 'k', value },
    ]);
  }
}
