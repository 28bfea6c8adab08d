/**
 * Logs by path: the directory of a log, a new log, and one to append to (Node).
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatadirError, isDatadirError } from '../errors.ts';
import { openByteFile } from '../io/byte-file.ts';
import { openFileSource } from '../io/file-source.ts';
import { attempt, syncDirectory } from '../io/output.ts';
import { ioError, pathError, systemCodeOf } from '../io/system-error.ts';
import type { Metadata } from '../proto/wal.ts';
import type { LogDirectory } from '../wal/log-directory.ts';
import { SEGMENT_SUFFIX, segmentName } from '../wal/segment-name.ts';
import { type CreateWalOptions, createWal, type OpenWalOptions, openWal, type WalWriter } from '../wal/writer.ts';
import { seeSegmentLock } from './wal-directory-lock.ts';

/** Whether a log is opened although another program seems to have it. */
export interface IgnoreLockOptions {
  /** Opens a log although a lock is seen on one of its segments. Two writers destroy a log. Default false. */
  readonly ignoreLock?: boolean | undefined;
}

/**
 * Makes a new log at `path`, a directory that does not exist or is empty (else `TARGET_EXISTS`): there whole and synced, or
 * not at all. It is made in `PATH.tmp` beside it.
 */
export function createWalDirectory(
  path: string,
  metadata: Metadata | Uint8Array | undefined,
  options: CreateWalOptions,
): WalWriter {
  const target = resolve(path);
  const temporary = `${target}.tmp`;
  assertUsable(target, path);
  removeLeftOver(temporary);
  makeDirectory(temporary, path);
  try {
    createWal(fileLogDirectory(temporary), metadata, options).close();
    publish(temporary, target, path, options.noSync ?? false);
  } catch (error) {
    attempt(() => removeNew(temporary));
    throw error;
  }
  return openWal(fileLogDirectory(target), options);
}

/**
 * Opens the log at `path` for appending, as `openWal`: this changes it in place. On Linux the locks that etcd holds on its
 * segments can be seen: `FILE_LOCKED` then. Nothing seen does not mean that no etcd is running, and no lock is taken here.
 */
export function openWalDirectory(path: string, options: OpenWalOptions & IgnoreLockOptions): WalWriter {
  const directory = fileLogDirectory(resolve(path));
  if (options.ignoreLock !== true) assertNotLocked(directory, path);
  return openWal(directory, options);
}

/** The directory at `path`, which must be there when it is used. */
export function fileLogDirectory(path: string): LogDirectory {
  const at = (name: string): string => join(path, name);
  return {
    path,
    list(): string[] {
      try {
        return readdirSync(path);
      } catch (error) {
        throw pathError(error, path, 'cannot be listed');
      }
    },
    create: (name) => openByteFile(at(name), { create: 'exclusive' }),
    open: (name) => openByteFile(at(name)),
    rename(from: string, to: string): void {
      try {
        // Nobody else writes here: a name that is taken stays so between the two calls, and one that is free too.
        if (lstatSync(at(to), { throwIfNoEntry: false }) !== undefined) throw taken(at(to));
        renameSync(at(from), at(to));
      } catch (error) {
        throw isDatadirError(error) ? error : pathError(error, at(from), 'cannot be renamed');
      }
    },
    remove(name: string): void {
      try {
        unlinkSync(at(name));
      } catch (error) {
        throw pathError(error, at(name), 'cannot be removed');
      }
    },
    sync: () => syncNames(path),
  };
}

function assertNotLocked(directory: LogDirectory, path: string): void {
  for (const name of directory.list()) {
    if (!name.endsWith(SEGMENT_SUFFIX)) continue;
    const source = openFileSource(join(path, name));
    try {
      if (!seeSegmentLock(source.descriptor, source.path)) continue;
      const words = `${source.path}: locked, an etcd seems to be running`;
      throw new DatadirError('FILE_LOCKED', words, { path: source.path });
    } finally {
      source.close();
    }
  }
}

/** The target may be there as an empty directory, as etcd's own data directories have it; its rename replaces that. */
function assertUsable(target: string, path: string): void {
  let names: string[];
  try {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) throw taken(path);
    names = readdirSync(target);
  } catch (error) {
    throw isDatadirError(error) ? error : pathError(error, path, 'cannot be looked at');
  }
  if (names.length > 0) throw taken(path, `is not empty: it has ${names[0]}`);
}

/** Removes what an interrupted creation has left, if it is nothing else. */
function removeLeftOver(temporary: string): void {
  try {
    removeNew(temporary);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw taken(temporary, 'is in the way');
  }
}

/** Removes a directory that holds a first segment and nothing else. */
function removeNew(path: string): void {
  const first = segmentName(0n, 0n);
  const names = readdirSync(path);
  if (names.every((name) => name === first)) for (const name of names) unlinkSync(join(path, name));
  rmdirSync(path);
}

function makeDirectory(temporary: string, path: string): void {
  try {
    mkdirSync(temporary, { mode: 0o700 });
  } catch (error) {
    // The directory above is missing or may not be written to: that is the fact to report.
    throw pathError(error, dirname(path), `${basename(temporary)} cannot be made in it`);
  }
}

/** Gives the new directory its name, which is free or that of an empty one, and takes it back if that cannot be synced. */
function publish(temporary: string, target: string, path: string, noSync: boolean): void {
  try {
    // Of a directory that has got content meanwhile neither call takes anything away.
    attempt(() => rmdirSync(target));
    renameSync(temporary, target);
  } catch (error) {
    const code = systemCodeOf(error);
    throw code === 'ENOTEMPTY' || code === 'ENOTDIR' ? taken(path) : pathError(error, path, 'cannot be given its name');
  }
  if (noSync) return;
  try {
    syncNames(dirname(target));
  } catch (error) {
    attempt(() => removeNew(target));
    throw error;
  }
}

function syncNames(path: string): void {
  try {
    syncDirectory(path);
  } catch (error) {
    throw ioError(error, path, 'sync of the directory');
  }
}

function taken(path: string, words = 'exists already'): DatadirError {
  return new DatadirError('TARGET_EXISTS', `${path}: ${words}`, { path });
}
