/**
 * Puts the ids of a `KeyIndex` in the order of their keys, in steps.
 *
 * Quicksort in three parts over four bytes of each key at a time: those with smaller, equal and larger ones. The equal part goes on
 * with the next four bytes, so no byte is compared twice, however long the prefixes are that keys share. The four bytes of each key are
 * at hand in an array beside the ids. Pivots are random: nobody can write a file that makes it slow.
 */
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import type { KeyArena } from './key-index-arena.ts';

/** So many keys are dealt with in a step; parts that are larger are only interrupted while keys are looked at. */
const STEP_KEYS = 1 << 15;
/** Parts up to here are sorted by insertion. */
const SMALL = 12;
/** Numbers of a task on the stack: from, to, depth, and for loading also how far it has come. */
const TASK = 5;
const SORTED_BY_WORD = -1;

export class KeySort implements Job<Uint32Array> {
  readonly #arena: KeyArena;
  readonly #address: (id: number) => number;
  readonly #ids: Uint32Array;
  /** Of each id at its place: the next four bytes of its key, as a number. */
  readonly #words: Uint32Array;
  /**
   * What is to be done: ids [from, to) whose keys agree in `depth` bytes. Either their words are still to be loaded (`next` and
   * `front` say how far that is) or they are there.
   */
  readonly #tasks: number[] = [];
  #settled = 0;

  constructor(size: number, arena: KeyArena, address: (id: number) => number) {
    this.#arena = arena;
    this.#address = address;
    try {
      this.#ids = new Uint32Array(size);
      this.#words = new Uint32Array(size);
    } catch (cause) {
      throw new DatadirError('UNSUPPORTED', 'the order of the keys does not fit into memory', { cause });
    }
    for (let id = 0; id < size; id++) this.#ids[id] = id;
    this.#tasks.push(0, size, 0, 0, 0);
  }

  /** In keys: those that have their place. */
  get progress(): Progress {
    return { done: this.#settled, total: this.#ids.length };
  }

  get result(): Uint32Array {
    if (this.#tasks.length > 0) throw new DatadirError('INTERNAL', 'the keys are not sorted yet');
    return this.#ids;
  }

  step(): boolean {
    const tasks = this.#tasks;
    for (let budget = STEP_KEYS; budget > 0 && tasks.length > 0; ) {
      const front = tasks.pop()!;
      const next = tasks.pop()!;
      const depth = tasks.pop()!;
      const to = tasks.pop()!;
      const from = tasks.pop()!;
      if (next === SORTED_BY_WORD) {
        this.#sort(from, to, depth);
        budget -= to - from;
      } else {
        const until = Math.min(to, next + budget);
        budget -= until - next + TASK;
        this.#load(from, to, depth, next, front, until);
      }
    }
    return tasks.length === 0;
  }

  /** Loads the words at `depth`. Keys that end before come first: they are prefixes of all others. */
  #load(from: number, to: number, depth: number, next: number, front: number, until: number): void {
    const arena = this.#arena;
    const ids = this.#ids;
    const words = this.#words;
    let ended = front;
    for (let at = next; at < until; at++) {
      const id = ids[at]!;
      arena.locate(this.#address(id));
      const { view, length } = arena;
      const start = arena.start + depth;
      const rest = length - depth;
      if (rest >= 4) words[at] = view.getUint32(start);
      else if (rest > 0) {
        let word = view.getUint8(start) << 24;
        if (rest > 1) word |= view.getUint8(start + 1) << 16;
        if (rest > 2) word |= view.getUint8(start + 2) << 8;
        words[at] = word;
      } else {
        ids[at] = ids[ended]!;
        words[at] = words[ended]!;
        ids[ended] = id;
        words[ended] = length;
        ended++;
      }
    }
    if (until < to) {
      this.#tasks.push(from, to, depth, until, ended);
      return;
    }
    // The few that have ended differ in how many zeros they lack to the end of the word before.
    this.#insertByWord(from, ended);
    this.#settled += ended - from;
    if (to - ended === 1) this.#settled++;
    else if (to > ended) this.#tasks.push(ended, to, depth, SORTED_BY_WORD, 0);
  }

  #sort(from: number, to: number, depth: number): void {
    const ids = this.#ids;
    const words = this.#words;
    if (to - from <= SMALL) {
      this.#insertByWord(from, to);
      for (let first = from; first < to; ) {
        let last = first + 1;
        while (last < to && words[last] === words[first]) last++;
        this.#goDeeper(first, last, depth);
        first = last;
      }
      return;
    }
    const pivot = this.#pivot(from, to);
    let less = from;
    let at = from;
    let more = to;
    while (at < more) {
      const word = words[at]!;
      if (word === pivot) {
        at++;
        continue;
      }
      const id = ids[at]!;
      const other = word < pivot ? less++ : --more;
      ids[at] = ids[other]!;
      words[at] = words[other]!;
      ids[other] = id;
      words[other] = word;
      if (word < pivot) at++;
    }
    if (less > from) this.#tasks.push(from, less, depth, SORTED_BY_WORD, 0);
    if (to > more) this.#tasks.push(more, to, depth, SORTED_BY_WORD, 0);
    this.#goDeeper(less, more, depth);
  }

  #goDeeper(from: number, to: number, depth: number): void {
    if (to - from === 1) this.#settled++;
    else this.#tasks.push(from, to, depth + 4, from, from);
  }

  #pivot(from: number, to: number): number {
    const words = this.#words;
    const any = (): number => words[from + Math.floor(Math.random() * (to - from))]!;
    const a = any();
    const b = any();
    const c = any();
    return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
  }

  #insertByWord(from: number, to: number): void {
    const ids = this.#ids;
    const words = this.#words;
    for (let i = from + 1; i < to; i++) {
      const word = words[i]!;
      const id = ids[i]!;
      let at = i;
      for (; at > from && words[at - 1]! > word; at--) {
        words[at] = words[at - 1]!;
        ids[at] = ids[at - 1]!;
      }
      words[at] = word;
      ids[at] = id;
    }
  }
}
