/**
 * What changes in a bucket other than `key`: new values by key, and keys that go. The last change of a key counts.
 */
import type { BucketName } from '../../backend/format.ts';
import { compareKeys } from '../../bolt/compare-keys.ts';

/** A key, and its new value or null if it goes. */
export interface BucketChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

export class BucketChanges {
  readonly bucket: BucketName;
  readonly #changes = new Map<string, BucketChange>();
  #cleared = false;

  constructor(bucket: BucketName) {
    this.bucket = bucket;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#changes.set(keyText(key), { key: key.slice(), value: value.slice() });
  }

  delete(key: Uint8Array): void {
    this.#changes.set(keyText(key), { key: key.slice(), value: null });
  }

  /** Everything that was in it goes, changes that were made before included. */
  clear(): void {
    this.#cleared = true;
    this.#changes.clear();
  }

  get cleared(): boolean {
    return this.#cleared;
  }

  /** In order of key, as bolt sorts them. */
  get sorted(): readonly BucketChange[] {
    return [...this.#changes.values()].sort((a, b) => compareKeys(a.key, b.key));
  }
}

/** The bytes as text that can be a key of a map, one character for each: they need not be UTF-8. */
export function keyText(key: Uint8Array): string {
  let text = '';
  for (const byte of key) text += String.fromCharCode(byte);
  return text;
}
