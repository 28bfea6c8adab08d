/**
 * Regular files that can be changed in place (Node).
 */
import { constants, fdatasyncSync, fsyncSync, ftruncateSync, writeSync } from 'node:fs';
import { assertOffset, type ByteFile } from './byte-source.ts';
import { DescriptorSource, type FileSource, openRegularFile } from './file-source.ts';
import { ioError } from './system-error.ts';

/** How a file is opened for writing. */
export interface OpenByteFileOptions {
  /** Whether the file must be there (`never`, the default), may be missing, or must not exist (else `TARGET_EXISTS`). */
  readonly create?: 'never' | 'if-missing' | 'exclusive' | undefined;
  /** Permissions of a file that is created, before the umask; default 0o600, as etcd's own files have. */
  readonly mode?: number | undefined;
}

/** Opens a regular file for reading and writing. Throws as `openFileSource` does, and `TARGET_EXISTS`. */
export function openByteFile(path: string, options: OpenByteFileOptions = {}): ByteFile & FileSource {
  const { descriptor, size } = openForBoth(path, options);
  return byteFileFromDescriptor(descriptor, size, path);
}

/** The descriptor of a regular file opened for reading and writing; `flags` are further ones of the system's own. */
export function openForBoth(
  path: string,
  options: OpenByteFileOptions,
  flags = 0,
): { descriptor: number; size: number } {
  const { create = 'never', mode = 0o600 } = options;
  return openRegularFile(path, constants.O_RDWR | CREATE_FLAGS[create] | flags, mode);
}

/** The file that is open as `descriptor`, which it closes. */
export function byteFileFromDescriptor(descriptor: number, size: number, path: string): ByteFile & FileSource {
  return new DescriptorFile(descriptor, size, path, true);
}

const CREATE_FLAGS = {
  never: 0,
  'if-missing': constants.O_CREAT,
  exclusive: constants.O_CREAT | constants.O_EXCL,
} as const;

/** One system call writes at most this much. */
const MAX_WRITE = 0x4000_0000;

class DescriptorFile extends DescriptorSource implements ByteFile {
  write(offset: number, bytes: Uint8Array): void {
    assertOffset(offset);
    const descriptor = this.descriptor;
    let done = 0;
    try {
      while (done < bytes.length) {
        done += writeSync(descriptor, bytes, done, Math.min(bytes.length - done, MAX_WRITE), offset + done);
      }
    } catch (error) {
      throw ioError(error, this.path, `write of ${bytes.length - done} bytes`, offset + done);
    } finally {
      // Also when a part was written before the failure: the bytes are there.
      if (done > 0 && offset + done > this.size) this.setSize(offset + done);
    }
  }

  truncate(size: number): void {
    assertOffset(size);
    const descriptor = this.descriptor;
    try {
      ftruncateSync(descriptor, size);
      this.setSize(size);
      fsyncSync(descriptor);
    } catch (error) {
      throw ioError(error, this.path, `truncation to ${size} bytes`);
    }
  }

  sync(): void {
    const descriptor = this.descriptor;
    try {
      fdatasyncSync(descriptor);
    } catch (error) {
      throw ioError(error, this.path, 'sync');
    }
  }
}
