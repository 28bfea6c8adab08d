/**
 * Puts ids in the order of the values that they stand for, in steps. Holds all the values, those that are the same once: they go into an
 * index, which sorts them.
 */
import type { Job, Progress } from '../io/job.ts';
import { Uint32Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { IdSort } from './sort-ids.ts';

/** Values that are read in a step. */
const STEP_VALUES = 256;
const STEP_BYTES = 1 << 20;

export class ValueSort implements Job<Uint32Array> {
  readonly #ids: Uint32Array;
  readonly #readValue: (position: number) => Uint8Array;
  readonly #descending: boolean;
  readonly #values: KeyIndex;
  readonly #valueOf = new Uint32Column();
  #taken = 0;
  #sorting: Job<Uint32Array> | undefined;
  #last: IdSort | undefined;

  /** `readValue` gives the value of the id at a position; `maxBytes`: more cannot be in the file. The array is sorted in place. */
  constructor(
    ids: Uint32Array,
    readValue: (position: number) => Uint8Array,
    options: { readonly maxBytes: number; readonly descending: boolean },
  ) {
    this.#ids = ids;
    this.#readValue = readValue;
    this.#descending = options.descending;
    this.#values = new KeyIndex({ maxKeyBytes: options.maxBytes });
  }

  /** In values that were read. */
  get progress(): Progress {
    return { done: this.#taken, total: this.#ids.length };
  }

  get result(): Uint32Array {
    return (this.#last as IdSort).result;
  }

  step(): boolean {
    if (this.#last !== undefined) return this.#last.step();
    if (this.#sorting === undefined) {
      if (this.#take()) this.#sorting = this.#values.sorting();
    } else if (this.#sorting.step()) {
      const ranks = new Uint32Array(this.#values.size);
      this.#sorting.result.forEach((value, rank) => {
        ranks[value] = rank;
      });
      this.#last = new IdSort(this.#ids, (id) => ranks[this.#valueOf.get(id)]!, this.#descending);
    }
    return false;
  }

  #take(): boolean {
    const ids = this.#ids;
    const end = Math.min(ids.length, this.#taken + STEP_VALUES);
    for (let bytes = 0; this.#taken < end && bytes < STEP_BYTES; this.#taken++) {
      const value = this.#readValue(this.#taken);
      this.#valueOf.set(ids[this.#taken]!, this.#values.add(value, 0, value.length));
      bytes += value.length;
    }
    return this.#taken === ids.length;
  }
}
