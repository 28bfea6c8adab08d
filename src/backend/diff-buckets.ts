/**
 * Whether the small buckets of two dbs hold the same: members, leases, users and the rest. Pairs are compared by their bytes.
 */
import { compareKeys } from '../bolt/compare-keys.ts';
import type { Cursor } from '../bolt/cursor.ts';
import type { BoltDb } from '../bolt/database.ts';
import type { Element } from '../bolt/element.ts';
import { BUCKETS, type BucketName } from './format.ts';

/** One bucket of both dbs. */
export interface BucketDiff {
  readonly name: BucketName;
  readonly equal: boolean;
  /** Pairs; null if there is no such bucket. */
  readonly pairsA: number | null;
  readonly pairsB: number | null;
  /** Pairs that only B has, that only A has, and those with another value. */
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Bucket `key` is compared by its live keys, and `meta` differs with every transaction. */
const COMPARED: readonly BucketName[] = BUCKETS.filter((name) => name !== 'key' && name !== 'meta');
/** Pairs of one step, and bytes of values. */
const STEP_PAIRS = 1000;
const STEP_BYTES = 1 << 20;
/** Longer values are compared in pieces. */
const WHOLE_VALUE = 1 << 16;

export class BucketsComparison {
  readonly result: BucketDiff[] = [];
  readonly #a: BoltDb;
  readonly #b: BoltDb;
  readonly #names: readonly BucketName[];
  #current: BucketComparison | undefined;

  /** `compared`: false compares none. */
  constructor(a: BoltDb, b: BoltDb, compared: boolean) {
    this.#a = a;
    this.#b = b;
    this.#names = compared ? COMPARED : [];
  }

  /** Compares some pairs; true when there are no more. */
  step(): boolean {
    const name = this.#names[this.result.length];
    if (name === undefined) return true;
    this.#current ??= new BucketComparison(this.#a, this.#b, name);
    if (this.#current.step()) {
      this.result.push(this.#current.result());
      this.#current = undefined;
    }
    return false;
  }
}

class BucketComparison {
  readonly #name: BucketName;
  readonly #cursorA: Cursor | undefined;
  readonly #cursorB: Cursor | undefined;
  #nextA: Element | undefined;
  #nextB: Element | undefined;
  #pairsA = 0;
  #pairsB = 0;
  #added = 0;
  #removed = 0;
  #changed = 0;

  constructor(a: BoltDb, b: BoltDb, name: BucketName) {
    this.#name = name;
    this.#cursorA = a.bucket(name)?.cursor();
    this.#cursorB = b.bucket(name)?.cursor();
    this.#nextA = this.#cursorA?.first();
    this.#nextB = this.#cursorB?.first();
  }

  step(): boolean {
    let bytes = STEP_BYTES;
    for (let pairs = 0; pairs < STEP_PAIRS && bytes > 0; pairs++) {
      const [a, b] = [this.#nextA, this.#nextB];
      if (a === undefined && b === undefined) return true;
      bytes -= (a?.valueLength ?? 0) + (b?.valueLength ?? 0);
      const order = a === undefined ? 1 : b === undefined ? -1 : compareKeys(a.key, b.key);
      if (order === 0 && !sameValue(a!, b!)) this.#changed++;
      if (order < 0) this.#removed++;
      if (order > 0) this.#added++;
      if (order <= 0) {
        this.#pairsA++;
        this.#nextA = this.#cursorA?.next();
      }
      if (order >= 0) {
        this.#pairsB++;
        this.#nextB = this.#cursorB?.next();
      }
    }
    return false;
  }

  result(): BucketDiff {
    const [added, removed, changed] = [this.#added, this.#removed, this.#changed];
    return {
      name: this.#name,
      equal: added + removed + changed === 0 && (this.#cursorA === undefined) === (this.#cursorB === undefined),
      pairsA: this.#cursorA === undefined ? null : this.#pairsA,
      pairsB: this.#cursorB === undefined ? null : this.#pairsB,
      added,
      removed,
      changed,
    };
  }
}

function sameValue(a: Element, b: Element): boolean {
  if (a.isBucket !== b.isBucket || a.valueLength !== b.valueLength) return false;
  if (a.valueLength <= WHOLE_VALUE) return compareKeys(a.rawValue(), b.rawValue()) === 0;
  const others = b.valueChunks(WHOLE_VALUE);
  for (const piece of a.valueChunks(WHOLE_VALUE)) {
    const other = others.next();
    if (other.done === true || compareKeys(piece, other.value) !== 0) return false;
  }
  return true;
}
