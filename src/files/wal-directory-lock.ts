/**
 * Sees, on Linux and without any effect, whether a segment is locked (Node).
 *
 * etcd takes a lock of the open file (`F_OFD_SETLK`) or, where there are none, one of `flock`. `/proc/locks` lists both; the
 * first kind has no owner there (pid -1) and so is listed in every PID namespace.
 */
import { fstatSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDatadirError } from '../errors.ts';
import { type FileIdentity, type LockLine, matchLock, parseLocks } from '../io/lock-table.ts';
import { ioError } from '../io/system-error.ts';

const OFD = /^\d+:\s+OFDLCK(\s+\S+\s+(?:READ|WRITE)\s+-?\d+\s+[\da-f]+:[\da-f]+:\d+\s)/;

const TABLE = '/proc/locks';

/**
 * Whether somebody has a lock on the file that is open as `descriptor`, or on one of the same number on another device that
 * may be the same. Takes the kernel 10 to 20 ms the first time. `procLocks` is another place for `/proc/locks`, for tests.
 */
export function seeSegmentLock(descriptor: number, path: string, procLocks: string = TABLE): boolean {
  let table: string;
  try {
    table = readFileSync(procLocks, 'utf8');
  } catch {
    return false;
  }
  return isLocked(table, descriptor, path);
}

/** The same; another thread waits for the kernel. */
export async function seeSegmentLockAsync(descriptor: number, path: string): Promise<boolean> {
  try {
    return isLocked(await readFile(TABLE, 'utf8'), descriptor, path);
  } catch (error) {
    if (isDatadirError(error)) throw error;
    return false;
  }
}

function isLocked(table: string, descriptor: number, path: string): boolean {
  let identity: FileIdentity;
  try {
    identity = fstatSync(descriptor, { bigint: true });
  } catch (error) {
    throw ioError(error, path, 'asking for the inode');
  }
  return segmentLocks(table).some((lock) => matchLock(lock, identity) !== 'no');
}

/** The locks of both kinds in a text. */
export function segmentLocks(table: string): LockLine[] {
  // Of the same form but for their first word.
  const lines = table.split('\n').map((line) => line.replace(OFD, (_, rest: string) => `1: FLOCK${rest}`));
  return parseLocks(lines.join('\n'));
}
