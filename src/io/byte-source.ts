/**
 * Where bytes come from and go to: the two interfaces that all format code is written against, and the one over memory.
 *
 * Reading is synchronous and positioned: an `await` per page costs more than the read itself. Files (`file-source.ts`)
 * and browser Blobs (`blob-source.ts`) implement the same interface, so there is one code path for all of them.
 */
import { DatadirError } from '../errors.ts';

/** Bytes that can be read at any position. */
export interface ByteSource {
  /** Length in bytes, taken once when the source was made. */
  readonly size: number;
  /** Name for messages, usually the path. */
  readonly path?: string;
  /**
   * Fills `target` with the bytes from `offset` on and returns how many there were: fewer than asked for only at the end
   * of the source. The caller owns `target`. Throws a `DatadirError` (`IO_FAILED`, `FILE_SHRANK`) and nothing else.
   */
  readInto(target: Uint8Array, offset: number): number;
  /** The length now, for a source that may have grown since it was made (a file that is being written). */
  currentSize?(): number;
  close(): void;
}

/**
 * Bytes that can also be changed in place. Its `size` follows every `write` and `truncate`. All methods throw a
 * `DatadirError` (`IO_FAILED` with the system's code, such as `ENOSPC`) and nothing else.
 */
export interface ByteFile extends ByteSource {
  /** Writes all of `bytes` at `offset`; a gap between the end and `offset` reads as zeros. */
  write(offset: number, bytes: Uint8Array): void;
  /** Cuts or lengthens (with zeros) to `size`, and returns when that and everything written before is on stable storage. */
  truncate(size: number): void;
  /** Returns when everything written is on stable storage. */
  sync(): void;
}

/** A source over bytes in memory. The bytes are not copied: they must not change while the source is in use. */
export function memorySource(bytes: Uint8Array, path?: string): ByteSource {
  return {
    size: bytes.length,
    ...(path === undefined ? {} : { path }),
    readInto(target: Uint8Array, offset: number): number {
      assertOffset(offset);
      if (offset >= bytes.length) return 0;
      const end = Math.min(bytes.length, offset + target.length);
      target.set(bytes.subarray(offset, end));
      return end - offset;
    },
    close(): void {},
  };
}

/** A wrong offset is a bug of the caller: format code checks every number it reads before using it. */
export function assertOffset(offset: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new DatadirError('INTERNAL', `read at offset ${offset}`);
}

/**
 * A buffer to read into, placed where the kernel copies fastest.
 *
 * Offset 0 of a large ArrayBuffer lies 16 bytes past a memory page boundary. Reads to there were measured 4–5 times
 * slower than reads to 64 bytes further on; on other CPUs reads of 4 KiB, 64 KiB and 1 MiB took the same time wherever
 * the target lay, so leaving 64 bytes unused helps or costs nothing.
 */
export function readBuffer(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length + READ_BUFFER_OFFSET).subarray(READ_BUFFER_OFFSET);
}

const READ_BUFFER_OFFSET = 64;
