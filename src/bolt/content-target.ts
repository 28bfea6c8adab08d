/**
 * What can be given everything in a bolt file: `bulk-walk.ts` and `bulk-read.ts` read, a target takes. Buckets come depth
 * first and what is in each in the order of keys; keys and lengths are lawful.
 *
 * Bytes that a target is given are valid during the call only, but for names and keys that come as arrays of their own. A
 * place is a page and the byte offset in the file.
 */
export interface ContentTarget {
  /** A bucket begins in the innermost one that is open; at the top when none is. The name is the target's. */
  openBucket(name: Uint8Array, sequence: bigint, pageId: number, offset: number): void;
  /**
   * Does a piece of what the target itself puts at the end of the innermost open bucket; true when nothing is left of it. Who reads in steps
   * calls it before `closeBucket` until it gives true, one call a step.
   */
  atEnd?(): boolean;
  /** The innermost open bucket ends. */
  closeBucket(): void;
  /**
   * All pairs of a leaf page at `at` of `bytes` that is exactly as bbolt writes it: keys and values in one piece behind the
   * elements, no buckets. `offset` is that of the page's header.
   */
  addLeaf(bytes: Uint8Array, view: DataView, at: number, count: number, pageId: number, offset: number): void;
  /** One pair; `offset` is that of its key, which is the target's. */
  addPair(key: Uint8Array, value: Uint8Array, pageId: number, offset: number): void;
  /** Whether a value of this length is to be given in pieces, by the three methods below. */
  isLarge(valueLength: number): boolean;
  beginLarge(key: Uint8Array, valueLength: number, pageId: number, offset: number): void;
  /** Lets `read` fill the next bytes of the value, at most `length`, and returns how many it was asked for: one or more. */
  fillLarge(length: number, read: (room: Uint8Array) => void): number;
  endLarge(): void;
}
