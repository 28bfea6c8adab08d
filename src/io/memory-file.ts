/**
 * A file in memory: what the writers need, without a disk. Runs anywhere.
 */
import { DatadirError } from '../errors.ts';
import { assertOffset, type ByteFile } from './byte-source.ts';

/** A file in memory. */
export interface MemoryFile extends ByteFile {
  /** A copy of the whole content. */
  bytes(): Uint8Array<ArrayBuffer>;
}

/** A growing file in memory, at first with a copy of `initial`. Takes up to twice the memory of its largest size. */
export function memoryFile(initial: Uint8Array = new Uint8Array(0), path?: string): MemoryFile {
  // Everything in the store past `size` is zero, so that growing needs no clearing.
  let store = new Uint8Array(initial);
  let size = store.length;

  function reserve(needed: number): void {
    if (needed <= store.length) return;
    let larger: Uint8Array<ArrayBuffer>;
    try {
      larger = new Uint8Array(Math.max(needed, Math.min(store.length * 2, needed + MAX_SPARE), 4096));
    } catch (cause) {
      const words = `no memory for a file of ${needed} bytes`;
      throw new DatadirError('IO_FAILED', words, {
        systemCode: 'ENOSPC',
        cause,
        ...(path === undefined ? {} : { path }),
      });
    }
    larger.set(store.subarray(0, size));
    store = larger;
  }

  return {
    get size(): number {
      return size;
    },
    ...(path === undefined ? {} : { path }),
    readInto(target: Uint8Array, offset: number): number {
      assertOffset(offset);
      if (offset >= size) return 0;
      const end = Math.min(size, offset + target.length);
      target.set(store.subarray(offset, end));
      return end - offset;
    },
    currentSize: () => size,
    write(offset: number, bytes: Uint8Array): void {
      assertOffset(offset);
      if (bytes.length === 0) return;
      reserve(offset + bytes.length);
      store.set(bytes, offset);
      size = Math.max(size, offset + bytes.length);
    },
    truncate(newSize: number): void {
      assertOffset(newSize);
      reserve(newSize);
      if (newSize < size) store.fill(0, newSize, size);
      size = newSize;
    },
    sync(): void {},
    bytes: () => store.slice(0, size),
    close(): void {},
  };
}

/** Large files grow by this much at a time rather than by half of themselves. */
const MAX_SPARE = 64 * 1024 * 1024;
