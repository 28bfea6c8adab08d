/**
 * Counts live keys as etcdutl 3.6 does: a put makes its key live, a tombstone ends it, in the order of records.
 */
import { Uint8Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import type { KeyRecord } from './record.ts';

export class LiveKeys {
  /** Keys that are live after the records so far. */
  count = 0;
  readonly #index: KeyIndex;
  readonly #live = new Uint8Column();

  /** `maxKeyBytes`: more of them cannot be in the file. */
  constructor(maxKeyBytes: number) {
    this.#index = new KeyIndex({ maxKeyBytes });
  }

  add({ bytes, userKeyStart, userKeyEnd, tombstone }: KeyRecord): void {
    const id = this.#index.add(bytes, userKeyStart, userKeyEnd);
    const live = tombstone ? 0 : 1;
    const before = this.#live.get(id);
    if (before === live) return;
    this.#live.set(id, live);
    this.count += live - before;
  }
}
