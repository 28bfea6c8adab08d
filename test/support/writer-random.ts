/**
 * Random choices for sequences of transactions, the same for the same seed: keys, values, and sizes that lie where pages
 * end.
 */
import { seededRandom } from './faulty.ts';
import type { ByteText, ValueSpec } from './writer-operations.ts';

/** Choices from a seed. */
export class Choices {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    // The first numbers of neighbouring seeds are alike.
    for (let i = 0; i < 8; i++) this.#random();
  }

  /** An integer from 0 to `n` - 1. */
  below(n: number): number {
    return Math.floor(this.#random() * n);
  }
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }
  chance(probability: number): boolean {
    return this.#random() < probability;
  }
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.#random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [Name, number])[0];
  }
  /** Some of the list, in its order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability));
  }
}

/** What the keys and values of a sequence are like. */
export interface ContentStyle {
  readonly pageSize: number;
  /** `ascending` keys as etcd writes them; `random` within a range; `bytes` hard to compare; `long` for deep trees. */
  readonly keys: 'ascending' | 'random' | 'bytes' | 'long';
  /** `small`; `mixed` with now and then one of several pages; `edges`, where a node just fits or does not. */
  readonly values: 'small' | 'mixed' | 'edges';
}

export function chooseStyle(choices: Choices, pageSize: number): ContentStyle {
  return {
    pageSize,
    keys: choices.one(['ascending', 'random', 'random', 'bytes', 'long']),
    values: choices.one(['small', 'mixed', 'mixed', 'edges']),
  };
}

/** Makes the keys and values of one sequence. */
export class ContentMaker {
  readonly #choices: Choices;
  readonly #style: ContentStyle;
  #next = 0;
  #seed = 0;

  constructor(choices: Choices, style: ContentStyle) {
    this.#choices = choices;
    this.#style = style;
  }

  key(): ByteText {
    const choices = this.#choices;
    switch (this.#style.keys) {
      case 'ascending':
        return `r${String(this.#next++).padStart(8, '0')}`;
      case 'random':
        return `k${String(choices.below(5000)).padStart(choices.one([1, 4, 4]), '0')}`;
      case 'bytes': {
        const length = choices.one([1, 1, 2, 3, 8]);
        return Array.from({ length }, () =>
          String.fromCharCode(choices.one([0, 1, 0x7f, 0x80, 0xfe, 0xff, 0x41])),
        ).join('');
      }
      case 'long': {
        const most = Math.min(32_768, choices.chance(0.02) ? this.#style.pageSize * 2 : this.#style.pageSize / 6);
        const text = `${choices.below(3000)}/`;
        return text.padEnd(choices.between(text.length, Math.max(text.length, Math.floor(most))), '.');
      }
    }
  }

  value(): ValueSpec {
    return [this.#valueLength(), this.#seed++ % 100_000];
  }

  #valueLength(): number {
    const { pageSize, values } = this.#style;
    const choices = this.#choices;
    if (choices.chance(0.05)) return 0;
    if (values === 'small') return choices.below(Math.floor(pageSize / 12));
    if (values === 'mixed') {
      if (choices.chance(0.04)) return choices.below(pageSize * 3);
      return choices.below(Math.floor(pageSize / choices.one([4, 8, 32])));
    }
    // With a key of 9 bytes: an inline bucket's limit, and one to three whole pages, give or take a few bytes.
    const whole = choices.one([Math.floor(pageSize / 4), Math.floor(pageSize / 5), pageSize, pageSize * 2]);
    if (choices.chance(0.6)) return choices.below(Math.floor(pageSize / 8));
    return Math.max(0, whole - 16 - 16 - 9 + choices.between(-20, 20));
  }
}
