/**
 * A browser's Blob or File as a byte source.
 *
 * Browsers read a Blob synchronously only inside a Web Worker, by FileReaderSync. A call takes 0.5–1 ms whether it reads
 * 4 KiB or 64 KiB, and twice that for 256 KiB (measured with Chromium, files on disk and Blobs in memory), so small reads
 * are served from a window that is read ahead. A Blob never changes, so neither does what was read.
 */
import { DatadirError } from '../errors.ts';
import { assertOffset, type ByteSource } from './byte-source.ts';

/** As much of a Blob or File as is used here: the types of browsers and of Node differ. */
export interface BlobLike {
  readonly size: number;
  slice(start: number, end: number): BlobLike;
}

/** As much of a FileReaderSync as is used here. */
export interface BlobReaderSync {
  readAsArrayBuffer(blob: BlobLike): ArrayBuffer;
}

/** Options of `blobSource`. */
export interface BlobSourceOptions {
  /** Name for messages; default the name of a File. */
  readonly path?: string | undefined;
  /** Reads in place of the FileReaderSync that Web Workers have. */
  readonly reader?: BlobReaderSync | undefined;
}

/** What is read ahead after a jump: costs no more than the smallest read. */
const JUMP_WINDOW = 64 * 1024;
/** What is read ahead where reading goes on near the last window. */
const NEXT_WINDOW = 256 * 1024;

/**
 * A source over a Blob or File, for use in a Web Worker. Throws `UNSUPPORTED` where there is no FileReaderSync: on a
 * page's main thread and in Node, where the bytes must be read first (`await blob.arrayBuffer()`, then `memorySource`).
 */
export function blobSource(blob: BlobLike, options: BlobSourceOptions = {}): ByteSource {
  const reader = options.reader ?? defaultReader();
  const path = options.path ?? (blob as { name?: string }).name;
  const size = blob.size;
  let window = new Uint8Array(0);
  let windowStart = 0;

  function load(start: number, end: number): Uint8Array<ArrayBuffer> {
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = new Uint8Array(reader.readAsArrayBuffer(blob.slice(start, end)));
    } catch (cause) {
      // A File that was changed or removed on disk since it was chosen: browsers throw a NotReadableError or NotFoundError.
      throw failure('IO_FAILED', `read of ${end - start} bytes at offset ${start} gave ${cause}`, start, cause);
    }
    if (bytes.length === end - start) return bytes;
    throw failure('FILE_SHRANK', `ends at ${start + bytes.length}, had ${size} bytes`, start + bytes.length);
  }

  function failure(code: 'IO_FAILED' | 'FILE_SHRANK', words: string, offset: number, cause?: unknown): DatadirError {
    return new DatadirError(code, path === undefined ? words : `${path}: ${words}`, {
      offset,
      cause,
      ...(path === undefined ? {} : { path }),
    });
  }

  return {
    size,
    ...(path === undefined ? {} : { path }),
    readInto(target: Uint8Array, offset: number): number {
      assertOffset(offset);
      const end = Math.min(size, offset + target.length);
      if (offset >= end) return 0;
      if (end - offset >= NEXT_WINDOW) {
        target.set(load(offset, end));
        return end - offset;
      }
      const windowEnd = windowStart + window.length;
      if (offset < windowStart || end > windowEnd) {
        const near = offset >= windowStart && offset <= windowEnd + JUMP_WINDOW;
        const ahead = Math.max(near ? NEXT_WINDOW : JUMP_WINDOW, end - offset);
        window = load(offset, Math.min(size, offset + ahead));
        windowStart = offset;
      }
      target.set(window.subarray(offset - windowStart, end - windowStart));
      return end - offset;
    },
    close(): void {
      window = new Uint8Array(0);
    },
  };
}

function defaultReader(): BlobReaderSync {
  const { FileReaderSync } = globalThis as { FileReaderSync?: new () => BlobReaderSync };
  if (FileReaderSync !== undefined) return new FileReaderSync();
  throw new DatadirError('UNSUPPORTED', 'a Blob can be read synchronously only inside a Web Worker (FileReaderSync)');
}
