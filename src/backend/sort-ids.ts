/**
 * Puts ids in the order of a number that each has, in steps. Ids with the same number stay in the order they were in.
 */
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';

/** Ids that are moved in a step. */
const STEP_IDS = 1 << 15;

/** Merges pairs of runs that are in order, of 1, 2, 4, … ids, until one is left. The array is sorted in place; memory: 4 bytes an id. */
export class IdSort implements Job<Uint32Array> {
  readonly #ids: Uint32Array;
  readonly #numberOf: (id: number) => number;
  readonly #sign: 1 | -1;
  #from: Uint32Array;
  #to: Uint32Array;
  #width = 1;
  /** Where the next id goes. */
  #at = 0;
  /** The two runs that are being merged: where their next ids are, and where they end. */
  #left = 0;
  #middle = 0;
  #right = 0;
  #end = 0;
  #moved = 0;

  constructor(ids: Uint32Array, numberOf: (id: number) => number, descending: boolean) {
    this.#ids = ids;
    this.#numberOf = numberOf;
    this.#sign = descending ? -1 : 1;
    this.#from = ids;
    try {
      this.#to = new Uint32Array(ids.length);
    } catch (cause) {
      throw new DatadirError('UNSUPPORTED', 'the order of the keys does not fit into memory', { cause });
    }
  }

  /** In ids moved. */
  get progress(): Progress {
    const rounds = Math.ceil(Math.log2(Math.max(this.#ids.length, 2)));
    return { done: this.#moved, total: Math.max(rounds * this.#ids.length, this.#moved) };
  }

  get result(): Uint32Array {
    if (this.#width < this.#ids.length) throw new DatadirError('INTERNAL', 'the ids are not sorted yet');
    return this.#ids;
  }

  step(): boolean {
    const { length } = this.#ids;
    for (let budget = STEP_IDS; budget > 0 && this.#width < length; ) {
      if (this.#at === this.#end) this.#nextRuns(length);
      const until = Math.min(this.#end, this.#at + budget);
      budget -= until - this.#at;
      this.#moved += until - this.#at;
      this.#merge(until);
      if (until === length) this.#nextRound();
    }
    return this.#width >= length;
  }

  #nextRuns(length: number): void {
    this.#left = this.#at;
    this.#middle = Math.min(this.#at + this.#width, length);
    this.#right = this.#middle;
    this.#end = Math.min(this.#middle + this.#width, length);
  }

  #nextRound(): void {
    this.#at = 0;
    this.#end = 0;
    this.#width *= 2;
    [this.#from, this.#to] = [this.#to, this.#from];
    if (this.#width >= this.#ids.length && this.#from !== this.#ids) this.#ids.set(this.#from);
  }

  #merge(until: number): void {
    const from = this.#from;
    const to = this.#to;
    const numberOf = this.#numberOf;
    const sign = this.#sign;
    const middle = this.#middle;
    const end = this.#end;
    let left = this.#left;
    let right = this.#right;
    for (let at = this.#at; at < until; at++) {
      const takesLeft = right >= end || (left < middle && (numberOf(from[left]!) - numberOf(from[right]!)) * sign <= 0);
      to[at] = from[takesLeft ? left++ : right++]!;
    }
    this.#left = left;
    this.#right = right;
    this.#at = until;
  }
}
