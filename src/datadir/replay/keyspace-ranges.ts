/**
 * A set of keys made of ranges: asked for each record of a db, so it is kept sorted, and ranges that touch are one.
 */
import { compareKeys, compareRanges } from '../../bolt/compare-keys.ts';

interface Range {
  readonly key: Uint8Array;
  readonly view: DataView;
  /** Null: without end. */
  readonly end: Uint8Array | null;
  readonly endView: DataView;
}

/** So many ranges wait until they are joined: the same one may come with every entry of a log. */
const WAITING = 1024;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export class KeyRanges {
  /** In order, with something between each two. */
  #ranges: Range[] = [];
  #waiting: Range[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0 && this.#waiting.length === 0;
  }

  /** How many ranges they come to. */
  get count(): number {
    this.#join();
    return this.#ranges.length;
  }

  /** Adds the keys from `key` to before `end`; null: all from it on. The bytes are copied. */
  add(key: Uint8Array, end: Uint8Array | null): void {
    if (end !== null && compareKeys(key, end) >= 0) return;
    const [first, behind] = [key.slice(), end === null ? null : end.slice()];
    this.#waiting.push({ key: first, view: viewOf(first), end: behind, endView: viewOf(behind ?? first) });
    if (this.#waiting.length >= WAITING + this.#ranges.length) this.#join();
  }

  /** Whether key `[start, start + length)` of what `view` shows is one of them. */
  contains(view: DataView, start: number, length: number): boolean {
    if (this.#waiting.length > 0) this.#join();
    const ranges = this.#ranges;
    // The last range that does not begin behind the key.
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const range = ranges[middle]!;
      if (compareRanges(range.view, 0, range.key.length, view, start, length) <= 0) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return false;
    const { end, endView } = ranges[low - 1]!;
    return end === null || compareRanges(view, start, length, endView, 0, end.length) < 0;
  }

  #join(): void {
    if (this.#waiting.length === 0) return;
    const sorted = [...this.#ranges, ...this.#waiting].sort((a, b) => compareKeys(a.key, b.key));
    this.#waiting = [];
    const joined: Range[] = [];
    for (const range of sorted) {
      const last = joined.at(-1);
      if (last === undefined || (last.end !== null && compareKeys(last.end, range.key) < 0)) joined.push(range);
      else if (last.end !== null && (range.end === null || compareKeys(last.end, range.end) < 0)) {
        joined[joined.length - 1] = { ...last, end: range.end, endView: range.endView };
      }
    }
    this.#ranges = joined;
  }
}
