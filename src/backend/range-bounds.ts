/**
 * Which keys a request means, by etcd's rules: one key, or all from one to before another, in the order of unsigned bytes.
 */
import { compareKeys } from '../bolt/compare-keys.ts';
import { DatadirError } from '../errors.ts';
import { hasPrefix } from './key-path.ts';

/** A key, or a range of keys. */
export interface KeyRange {
  /** Must not be empty. */
  readonly key: Uint8Array;
  /** The first key behind the range. One zero byte: there is no end. None, or empty: `key` alone is meant. */
  readonly rangeEnd?: Uint8Array | undefined;
}

const ZERO = Uint8Array.of(0);

/** The first key behind all that begin with `prefix`; one zero byte if there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array {
  for (let last = prefix.length - 1; last >= 0; last--) {
    if (prefix[last] === 0xff) continue;
    // Not by `slice`, which is a view if the prefix is a Buffer.
    const end = new Uint8Array(prefix.subarray(0, last + 1));
    end[last]!++;
    return end;
  }
  return ZERO.slice();
}

/** All keys that begin with `prefix`; every key if that is empty. */
export function prefixRange(prefix: Uint8Array): KeyRange {
  return prefix.length === 0 ? fromKeyRange(prefix) : { key: prefix, rangeEnd: prefixEnd(prefix) };
}

/** All keys from `key` on; every key if that is empty. */
export function fromKeyRange(key: Uint8Array): KeyRange {
  return { key: key.length === 0 ? ZERO.slice() : key, rangeEnd: ZERO.slice() };
}

/** Tells whether keys are within a range. */
export class RangeBounds {
  /** The one key that is meant; undefined if it is a range. */
  readonly single: Uint8Array | undefined;
  readonly #key: Uint8Array;
  /** Undefined: without end. */
  readonly #end: Uint8Array | undefined;
  readonly #isPrefix: boolean;

  /** Throws `USAGE`, in etcd's words, for a key of no bytes: a server never has one. */
  constructor({ key, rangeEnd }: KeyRange) {
    if (key.length === 0) throw new DatadirError('USAGE', 'etcdserver: key is not provided');
    this.#key = key;
    this.single = rangeEnd === undefined || rangeEnd.length === 0 ? key : undefined;
    this.#end = rangeEnd?.length === 1 && rangeEnd[0] === 0 ? undefined : rangeEnd;
    this.#isPrefix = this.#end !== undefined && compareKeys(this.#end, prefixEnd(key)) === 0;
  }

  /** Whether key `bytes[start, end)` is in the range. */
  contains(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.single !== undefined) return end - start === this.#key.length && hasPrefix(bytes, start, end, this.#key);
    if (this.#isPrefix) return hasPrefix(bytes, start, end, this.#key);
    return (
      isBefore(bytes, start, end, this.#key) === false &&
      (this.#end === undefined || isBefore(bytes, start, end, this.#end))
    );
  }
}

/** Whether `bytes[start, end)` comes before `bound`. */
function isBefore(bytes: Uint8Array, start: number, end: number, bound: Uint8Array): boolean {
  const length = end - start;
  const shared = length < bound.length ? length : bound.length;
  for (let i = 0; i < shared; i++) {
    const difference = bytes[start + i]! - bound[i]!;
    if (difference !== 0) return difference < 0;
  }
  return length < bound.length;
}
