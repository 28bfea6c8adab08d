/**
 * The directory of a log as its writer sees it: a handful of files by name, on a disk, in memory, or failing on purpose.
 */
import { DatadirError } from '../errors.ts';
import type { ByteFile } from '../io/byte-source.ts';
import { type MemoryFile, memoryFile } from '../io/memory-file.ts';

/** Names are without directories. All methods throw a `DatadirError` and nothing else. */
export interface LogDirectory {
  /** Name for messages, usually the path. */
  readonly path?: string;
  /** The names of everything in it, in any order. */
  list(): string[];
  /** Makes an empty file and opens it: `TARGET_EXISTS` if the name is taken. */
  create(name: string): ByteFile;
  /** Opens a file for reading and writing: `NOT_FOUND` if there is none. */
  open(name: string): ByteFile;
  /** Gives a file another name: `TARGET_EXISTS` if that is taken. */
  rename(from: string, to: string): void;
  remove(name: string): void;
  /** Returns when the names of all files are on stable storage. */
  sync(): void;
}

/** A directory in memory. */
export interface MemoryLogDirectory extends LogDirectory {
  /** A copy of a file's content. */
  read(name: string): Uint8Array;
}

/** A directory in memory, at first with copies of `files`. */
export function memoryLogDirectory(files: Readonly<Record<string, Uint8Array>> = {}): MemoryLogDirectory {
  const held = new Map<string, MemoryFile>();
  for (const [name, bytes] of Object.entries(files)) held.set(name, memoryFile(bytes, name));

  function find(name: string): MemoryFile {
    const file = held.get(name);
    if (file === undefined) throw new DatadirError('NOT_FOUND', `${name}: no such file`, { path: name });
    return file;
  }
  function assertFree(name: string): void {
    if (held.has(name)) throw new DatadirError('TARGET_EXISTS', `${name}: exists already`, { path: name });
  }

  return {
    list: () => [...held.keys()],
    create(name: string): ByteFile {
      assertFree(name);
      const file = memoryFile(undefined, name);
      held.set(name, file);
      return file;
    },
    open: find,
    rename(from: string, to: string): void {
      const file = find(from);
      assertFree(to);
      held.delete(from);
      held.set(to, file);
    },
    remove(name: string): void {
      find(name);
      held.delete(name);
    },
    sync(): void {},
    read: (name) => find(name).bytes(),
  };
}
