/**
 * The hashes of a whole db: CRC-32C over the names of all top-level buckets and all keys and values in them, in order, with nothing in
 * between. `snapshot status` hashes everything; `Maintenance.Hash` leaves out some values of bucket `meta`, which ones depends on
 * the release of the server that hashes.
 *
 * All of them are had from one pass: up to `meta` they are the same, in `meta` each has a sum of its own, and what follows is summed
 * once and combined with each.
 */
import { combineCrc32c } from '../checksum/crc32c-combine.ts';
import { Crc32cStream } from '../checksum/crc32c-stream.ts';
import { type FoldKernel, sharedKernel } from '../checksum/sparse-fold.ts';
import { META } from './format.ts';

/** The releases whose rules differ; 3.7 has that of 3.6. */
export type HashRule = '3.4' | '3.5' | '3.6';

/** All hashes of a db, unsigned. */
export interface DbHashes {
  /** Of everything: the hash of `snapshot status`, the same in all releases. */
  readonly everything: number;
  /** `Maintenance.Hash` by the rule of each release. */
  readonly byRule: Readonly<Record<HashRule, number>>;
}

/** What each rule leaves out of `meta`. The first is that of `snapshot status`. */
const IGNORED: readonly ReadonlySet<string>[] = [
  new Set<string>(),
  new Set<string>([META.consistentIndex]),
  new Set<string>([META.consistentIndex, META.term]),
  new Set<string>([META.consistentIndex, META.term, META.storageVersion]),
];
const LONGEST_IGNORED = Math.max(...[...IGNORED[3]!].map((name) => name.length));

const decoder = new TextDecoder('latin1');

export class DbHashing {
  readonly #kernel: () => FoldKernel | undefined;
  /** Up to `meta`, and again behind it. */
  #common: Crc32cStream;
  /** By rule, in and behind `meta`: of everything up to its end. */
  #byRule: readonly Crc32cStream[] | undefined;
  /** Bytes behind `meta`. */
  #behind = 0;
  #inMeta = false;
  /** The streams that take what belongs to the last pair. */
  #taking: readonly Crc32cStream[] = [];

  /** `kernel`: in whose memory ranges lie, if they do. */
  constructor(kernel: FoldKernel | undefined) {
    this.#kernel = kernel === undefined ? sharedKernel : () => kernel;
    this.#common = this.#stream(0);
  }

  /** A top-level bucket begins; `label` is its name as text, if it is one of etcd's. */
  openBucket(name: Uint8Array, label: string): void {
    if (label === 'meta') {
      const before = this.#common.value();
      this.#byRule = IGNORED.map(() => this.#stream(before));
      this.#common = this.#stream(0);
      this.#inMeta = true;
      for (const stream of this.#byRule) stream.update(name);
    } else {
      this.#inMeta = false;
      this.range(name, 0, name.length);
    }
  }

  /** Keys and values of a bucket other than `meta`, any number of them. */
  range(bytes: Uint8Array, start: number, end: number): void {
    this.#common.update(bytes, start, end);
    if (this.#byRule !== undefined) this.#behind += end - start;
  }

  /** A key and its value, or the beginning of it. */
  pair(key: Uint8Array, value: Uint8Array): void {
    if (!this.#inMeta || this.#byRule === undefined) {
      this.range(key, 0, key.length);
      this.range(value, 0, value.length);
      return;
    }
    const name = key.length > LONGEST_IGNORED ? '' : decoder.decode(key);
    this.#taking = this.#byRule.filter((_, rule) => !IGNORED[rule]!.has(name));
    for (const stream of this.#taking) {
      stream.update(key);
      stream.update(value);
    }
  }

  /** More of the value of the last pair. */
  more(bytes: Uint8Array): void {
    if (this.#inMeta) for (const stream of this.#taking) stream.update(bytes);
    else this.range(bytes, 0, bytes.length);
  }

  result(): DbHashes {
    const common = this.#common.value();
    const [everything, rule34, rule35, rule36] = this.#byRule?.map((stream) =>
      combineCrc32c(stream.value(), common, this.#behind),
    ) ?? [common, common, common, common];
    return {
      everything: everything!,
      byRule: { '3.4': rule34!, '3.5': rule35!, '3.6': rule36! },
    };
  }

  #stream(seed: number): Crc32cStream {
    return new Crc32cStream(seed, this.#kernel);
  }
}
