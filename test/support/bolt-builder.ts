/**
 * Bolt files and sources that no real database gives: too large to be stored, or never the same twice. Pages themselves are
 * built by `bolt-pages.ts`.
 */
import type { ByteSource } from '../../src/io/byte-source.ts';
import { BoltEdit } from './bolt-edit.ts';
import { boltFile, bucket, leaf } from './bolt-pages.ts';

/** A source of any size that is zeros but for a few places. Counts what is read of it. */
export interface SparseSource extends ByteSource {
  readonly reads: number;
  readonly bytesRead: number;
}

/** A source of `size` bytes, zero but for `parts`, which lie at the offsets given. */
export function sparseSource(size: number, parts: ReadonlyMap<number, Uint8Array>): SparseSource {
  let reads = 0;
  let bytesRead = 0;
  return {
    size,
    get reads() {
      return reads;
    },
    get bytesRead() {
      return bytesRead;
    },
    readInto(target: Uint8Array, offset: number): number {
      const length = Math.max(0, Math.min(target.length, size - offset));
      reads++;
      bytesRead += length;
      target.fill(0, 0, length);
      for (const [start, bytes] of parts) {
        const from = Math.max(offset, start);
        const to = Math.min(offset + length, start + bytes.length);
        if (from < to) target.set(bytes.subarray(from - start, to - start), from - offset);
      }
      return length;
    },
    close(): void {},
  };
}

/** The same file after one more transaction, in which nothing but the meta was written. */
export function nextTransaction(bytes: Uint8Array): Uint8Array {
  const edit = new BoltEdit(bytes);
  const txid = edit.u64(edit.at(edit.newerMeta, 64)) + 1n;
  edit.bytes.copyWithin(edit.at(edit.olderMeta), edit.at(edit.newerMeta), edit.at(edit.newerMeta + 1));
  edit.setU64(edit.at(edit.olderMeta), edit.olderMeta);
  edit.setU64(edit.at(edit.olderMeta, 64), txid);
  edit.sealMeta(edit.olderMeta);
  return edit.bytes;
}

/** A file that changes while it is read: `stateAt(n)` is what it holds when the n-th read (from 0) comes. */
export function changingSource(stateAt: (read: number) => Uint8Array): ByteSource & { readonly reads: number } {
  let reads = 0;
  return {
    size: stateAt(0).length,
    get reads() {
      return reads;
    },
    currentSize: () => stateAt(reads).length,
    readInto(target: Uint8Array, offset: number): number {
      const bytes = stateAt(reads++).subarray(offset, offset + target.length);
      target.set(bytes);
      return bytes.length;
    },
    close(): void {},
  };
}

/** The same file after another transaction: the older of its metas has become the newest. Pages are as they were. */
export function laterState(before: Uint8Array): Uint8Array {
  const edit = new BoltEdit(before);
  edit.setU64(edit.at(edit.olderMeta, 64), edit.u64(edit.at(edit.newerMeta, 64)) + 1n);
  edit.sealMeta(edit.olderMeta);
  return edit.bytes;
}

/** A chain of buckets, each the only key of the one around it, of page size 512. The innermost has one plain key. */
export function nestedBuckets(depth: number): Uint8Array {
  // One link is built as a file, and its page copied with other numbers.
  const pattern = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['key', 'value']) });
  const bytes = new Uint8Array((depth + 3) * 512);
  const view = new DataView(bytes.buffer);
  for (let page = 2; page < depth + 2; page++) {
    bytes.set(pattern.subarray(2 * 512, 3 * 512), page * 512);
    view.setUint32(page * 512, page, true);
    view.setUint32(page * 512 + 33, page + 1, true); // behind header (16), element (16) and key (1)
  }
  bytes.set(pattern.subarray(3 * 512, 4 * 512), (depth + 2) * 512);
  view.setUint32((depth + 2) * 512, depth + 2, true);
  bytes.set(boltFile({ 2: leaf() }, { highWaterMark: depth + 3 }).subarray(0, 1024));
  return bytes;
}
