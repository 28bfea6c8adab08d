/**
 * A log by path (Node): given its directory, the member's directory, the data directory, or one of its segments.
 */
import { basename, dirname, join } from 'node:path';
import { DatadirError } from '../errors.ts';
import { type FileSource, openFileSource } from '../io/file-source.ts';
import { isSegmentFile, type WalFiles } from '../wal/segment-input.ts';
import { folderIn, isDirectory, listNames } from './member-folder.ts';
import { seeSegmentLock, seeSegmentLockAsync } from './wal-directory-lock.ts';

/** The files of a log, open for reading. */
export interface WalFolder {
  /** The directory that the log lies in. */
  readonly directory: string;
  readonly files: WalFiles;
  /** It is one segment, of which the others were not asked for. */
  readonly alone: boolean;
  /** Whether a lock is seen on the last segment: an etcd writes to it. Looks when it is asked. */
  readonly inUse: boolean;
  /** The same, without waiting for the kernel. */
  lookForUse(): Promise<boolean>;
  close(): void;
}

/**
 * Opens the log at `path`. Throws `UNKNOWN_KIND` for a directory that is neither a log's nor has one in its place in a data
 * directory.
 */
export function openWalFolder(path: string): WalFolder {
  if (!isDirectory(path)) return openFiles(dirname(path), [basename(path)], [basename(path)], true);
  const directory = folderIn(path, 'wal') ?? path;
  const names = listNames(directory);
  const segments = names.filter(isSegmentFile);
  if (segments.length === 0 && directory === path && basename(path) !== 'wal') {
    throw new DatadirError('UNKNOWN_KIND', `${path}: neither the directory of a log nor a data directory`, { path });
  }
  return openFiles(directory, names, segments, false);
}

/** Whether `openWalFolder` takes a directory for one of a log itself. */
export function isWalDirectory(names: readonly string[]): boolean {
  return names.some(isSegmentFile);
}

function openFiles(
  directory: string,
  names: readonly string[],
  segments: readonly string[],
  alone: boolean,
): WalFolder {
  const opened: FileSource[] = [];
  const close = (): void => {
    for (const source of opened) source.close();
  };
  try {
    for (const name of segments) opened.push(openFileSource(join(directory, name)));
    const last = segments.toSorted().at(-1);
    const tail = opened[segments.indexOf(last ?? '')];
    return {
      directory,
      files: {
        segments: segments.map((name, i) => ({ name, source: opened[i]! })),
        others: alone ? [] : names.filter((name) => !isSegmentFile(name)),
      },
      alone,
      get inUse(): boolean {
        return tail !== undefined && seeSegmentLock(tail.descriptor, tail.path);
      },
      lookForUse: async () => tail !== undefined && (await seeSegmentLockAsync(tail.descriptor, tail.path)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
