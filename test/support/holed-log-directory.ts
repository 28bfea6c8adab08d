/**
 * A log directory in memory whose files keep what was written and not the zeros behind it: a segment has 64 MB of them.
 */
import type { ByteFile } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import type { LogDirectory } from '../../src/wal/log-directory.ts';

export interface HoledLogDirectory extends LogDirectory {
  /** What was written to a file from its beginning on, and how long the file is. */
  read(name: string): { readonly written: Uint8Array; readonly size: number };
}

export function holedLogDirectory(): HoledLogDirectory {
  const files = new Map<string, ReturnType<typeof holedFile>>();
  const find = (name: string): ReturnType<typeof holedFile> => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`there is no ${name}`);
    return file;
  };
  return {
    list: () => [...files.keys()],
    create(name) {
      const file = holedFile();
      files.set(name, file);
      return file;
    },
    open: find,
    rename(from, to) {
      files.set(to, find(from));
      files.delete(from);
    },
    remove: (name) => files.delete(name),
    sync() {},
    read(name) {
      const file = find(name);
      return { written: file.written(), size: file.size };
    },
  };
}

function holedFile(): ByteFile & { written(): Uint8Array } {
  const inner = memoryFile();
  let size = 0;
  return {
    get size() {
      return size;
    },
    readInto(target, offset) {
      const length = Math.max(0, Math.min(target.length, size - offset));
      const room = target.subarray(0, length);
      room.fill(0);
      if (offset < inner.size) inner.readInto(room, offset);
      return length;
    },
    write(offset, bytes) {
      inner.write(offset, bytes);
      size = Math.max(size, offset + bytes.length);
    },
    truncate(to) {
      if (to < inner.size) inner.truncate(to);
      size = to;
    },
    sync() {},
    close() {},
    written: () => inner.bytes(),
  };
}
