/**
 * What a data directory is read from: its folders, and the things in them by name. Files are opened when they are needed.
 */
import type { ByteSource } from '../io/byte-source.ts';

/** A thing in a folder. */
export interface FolderItem {
  /** The name without directories. */
  readonly name: string;
  readonly type: 'file' | 'directory' | 'other';
  /** Opens a file for reading; the caller closes it. Throws a `DatadirError` if that cannot be done. */
  open(): ByteSource;
}

/** A folder as it was when the directory was opened. */
export interface Folder {
  /** For findings: from the data directory on, `member/wal`; the whole path of a log that lies elsewhere. */
  readonly path: string;
  readonly state: 'directory' | 'missing' | 'not-a-directory' | 'unreadable';
  /** Why it cannot be read. */
  readonly reason?: string | undefined;
  /** In order of name; empty for what is no directory. */
  readonly items: readonly FolderItem[];
}

/** A data directory. */
export interface DataDirFiles {
  /** Its path, for messages and reports. */
  readonly path: string;
  readonly root: Folder;
  readonly member: Folder;
  readonly snap: Folder;
  readonly wal: Folder;
  /** Whether the log lies outside of the directory (`--wal-dir`). */
  readonly separateWal: boolean;
  /** Whether another program is seen to use it; not there where that cannot be told. */
  lookForUse?(): boolean;
}

/** The thing of that name, of whatever type; undefined if there is none. */
export function itemNamed(folder: Folder, name: string): FolderItem | undefined {
  return folder.items.find((item) => item.name === name);
}

/** A folder that is not there. */
export function missingFolder(path: string): Folder {
  return { path, state: 'missing', items: [] };
}
