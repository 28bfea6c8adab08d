/**
 * Regular files as byte sources (Node).
 *
 * Opening never waits and never disturbs: what is not a regular file is refused before it is opened, since opening a
 * FIFO wakes its writer and opening a device can do anything.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { DatadirError } from '../errors.ts';
import { assertOffset, type ByteSource } from './byte-source.ts';
import { ioError, pathError } from './system-error.ts';

/** A regular file that is open for reading. */
export interface FileSource extends ByteSource {
  readonly path: string;
  /** The open file's descriptor; another thread of this process can read from it while the source is open. */
  readonly descriptor: number;
  currentSize(): number;
}

/**
 * Opens a regular file for reading.
 *
 * Throws `NOT_FOUND`, `NO_PERMISSION`, `NOT_A_REGULAR_FILE` (at once, also for a FIFO that nobody writes to), `USAGE` for
 * what cannot be a path, else `IO_FAILED`. The caller closes the source.
 */
export function openFileSource(path: string): FileSource {
  const { descriptor, size } = openRegularFile(path, constants.O_RDONLY);
  return new DescriptorSource(descriptor, size, path, true);
}

/**
 * A source over a file that is open already, such as one that another thread has opened. `close()` leaves the descriptor
 * open unless `closeDescriptor` is given.
 */
export function fileSourceFromDescriptor(
  descriptor: number,
  size: number,
  path: string,
  options: { readonly closeDescriptor?: boolean } = {},
): FileSource {
  return new DescriptorSource(descriptor, size, path, options.closeDescriptor ?? false);
}

/**
 * Opens `path` with the given flags after making sure that it is a regular file, or that it does not exist and the flags
 * allow to create it.
 */
export function openRegularFile(path: string, flags: number, mode?: number): { descriptor: number; size: number } {
  try {
    // Whatever has the name of a file to be made is in the way, and the open itself says so.
    const mustNotExist = (flags & constants.O_EXCL) !== 0;
    const stats = mustNotExist ? undefined : statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) assertRegular(stats, path);
    // The name may stand for something else by now: do not wait for it, and look again. Windows has no O_NONBLOCK.
    const descriptor = openSync(path, flags | (constants.O_NONBLOCK ?? 0), mode);
    try {
      const opened = fstatSync(descriptor);
      assertRegular(opened, path);
      return { descriptor, size: opened.size };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  } catch (error) {
    throw error instanceof DatadirError ? error : pathError(error, path, 'cannot be opened');
  }
}

/** One system call reads at most this much: Node takes the length as a signed 32-bit number. */
const MAX_READ = 0x4000_0000;

/** The read side of an open file; the writable file of `byte-file.ts` builds on it. */
export class DescriptorSource implements FileSource {
  readonly path: string;
  readonly #closeDescriptor: boolean;
  #descriptor: number;
  #size: number;

  constructor(descriptor: number, size: number, path: string, closeDescriptor: boolean) {
    this.#descriptor = descriptor;
    this.#size = size;
    this.path = path;
    this.#closeDescriptor = closeDescriptor;
  }

  get size(): number {
    return this.#size;
  }

  protected setSize(size: number): void {
    this.#size = size;
  }

  get descriptor(): number {
    // The system gives a closed descriptor's number to the next file that is opened.
    if (this.#descriptor < 0) throw new DatadirError('INTERNAL', `${this.path}: used after close`, { path: this.path });
    return this.#descriptor;
  }

  readInto(target: Uint8Array, offset: number): number {
    assertOffset(offset);
    const descriptor = this.descriptor;
    const length = target.length;
    let done = 0;
    while (done < length) {
      const wanted = Math.min(length - done, MAX_READ);
      let count: number;
      try {
        count = readSync(descriptor, target, done, wanted, offset + done);
      } catch (error) {
        throw ioError(error, this.path, `read of ${wanted} bytes`, offset + done);
      }
      if (count === 0) {
        if (offset + done < this.#size) throw this.#shrank(offset + done);
        break;
      }
      done += count;
    }
    return done;
  }

  currentSize(): number {
    try {
      return fstatSync(this.descriptor).size;
    } catch (error) {
      throw error instanceof DatadirError ? error : ioError(error, this.path, 'asking for the size');
    }
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = -1;
    if (descriptor < 0 || !this.#closeDescriptor) return;
    try {
      closeSync(descriptor);
    } catch (error) {
      throw ioError(error, this.path, 'close');
    }
  }

  #shrank(end: number): DatadirError {
    return new DatadirError('FILE_SHRANK', `${this.path}: ends at ${end}, had ${this.#size} bytes when it was opened`, {
      path: this.path,
      offset: end,
      expected: `${this.#size}`,
      actual: `${end}`,
    });
  }
}

function assertRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  const words = `${path}: ${describeKind(stats)}, not a regular file`;
  throw new DatadirError('NOT_A_REGULAR_FILE', words, { path });
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
