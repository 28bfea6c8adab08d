/**
 * Which keys a user may read or write: the union of the ranges of all permissions of one kind.
 */
import { compareKeys } from '../../bolt/compare-keys.ts';

/** The keys of a permission or of a request, as etcd gives them. */
export interface PermittedRange {
  readonly key: Uint8Array;
  /** Empty: `key` alone is meant. One zero byte: all keys from `key` on. Else the first key that does not belong to it. */
  readonly rangeEnd: Uint8Array;
}

/** Keys from `begin` to before `end`; without `end`, to the last there is. */
interface Interval {
  readonly begin: Uint8Array;
  end: Uint8Array | undefined;
}

/** Whether a range reaches to the end of all keys. */
export function isOpenEnded(rangeEnd: Uint8Array): boolean {
  return rangeEnd.length === 1 && rangeEnd[0] === 0;
}

export class KeyCover {
  /** In order, with gaps between them. */
  readonly #intervals: Interval[] = [];

  constructor(ranges: readonly PermittedRange[]) {
    const intervals = ranges.map(intervalOf).filter(isSome);
    intervals.sort((a, b) => compareKeys(a.begin, b.begin));
    for (const interval of intervals) {
      const last = this.#intervals.at(-1);
      if (last === undefined || isAfter(interval.begin, last.end)) this.#intervals.push(interval);
      else if (isAfterEnd(interval.end, last.end)) last.end = interval.end;
    }
  }

  /**
   * Whether all keys of a range are in it. Of a range that ends before it begins the first key counts, as for etcd, whose search for
   * such a range may however miss the right interval: that depends on how its tree has grown.
   */
  covers({ key, rangeEnd }: PermittedRange): boolean {
    // etcd takes the empty key for one behind all others, and it is in no range.
    if (key.length === 0) return false;
    const interval = this.#lastFrom(key);
    if (interval === undefined || !isBefore(key, interval.end)) return false;
    if (rangeEnd.length === 0) return true;
    return !isAfterEnd(isOpenEnded(rangeEnd) ? undefined : rangeEnd, interval.end);
  }

  /** The last interval that begins at or before a key. */
  #lastFrom(key: Uint8Array): Interval | undefined {
    let low = 0;
    let high = this.#intervals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys((this.#intervals[middle] as Interval).begin, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return this.#intervals[low - 1];
  }
}

/** A range with an empty key has no keys, as etcd sorts the empty key behind all others. */
function intervalOf({ key, rangeEnd }: PermittedRange): Interval {
  if (rangeEnd.length === 0) return { begin: key, end: key.length === 0 ? key : followerOf(key) };
  return { begin: key, end: key.length === 0 ? key : isOpenEnded(rangeEnd) ? undefined : rangeEnd };
}

function isSome({ begin, end }: Interval): boolean {
  return isBefore(begin, end);
}

/** The key right behind a key. */
function followerOf(key: Uint8Array): Uint8Array {
  const follower = new Uint8Array(key.length + 1);
  follower.set(key);
  return follower;
}

/** Whether a key lies before an end. */
function isBefore(key: Uint8Array, end: Uint8Array | undefined): boolean {
  return end === undefined || compareKeys(key, end) < 0;
}

/** Whether a key lies behind an end, so that there is a gap. */
function isAfter(key: Uint8Array, end: Uint8Array | undefined): boolean {
  return end !== undefined && compareKeys(key, end) > 0;
}

function isAfterEnd(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (b === undefined) return false;
  return a === undefined || compareKeys(a, b) > 0;
}
