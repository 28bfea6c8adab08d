/**
 * Sees, on Linux and without any effect, whether a segment is locked (Node).
 *
 * etcd takes a lock of the open file (`F_OFD_SETLK`) or, where there are none, one of `flock`. `/proc/locks` lists both; the
 * first kind has no owner there (pid -1) and so is listed in every PID namespace.
 */
import { fstatSync, readFileSync } from 'node:fs';
import { type FileIdentity, type LockLine, matchLock, parseLocks } from '../io/lock-table.ts';
import { ioError } from '../io/system-error.ts';

const OFD = /^\d+:\s+OFDLCK(\s+\S+\s+(?:READ|WRITE)\s+-?\d+\s+[\da-f]+:[\da-f]+:\d+\s)/;

/**
 * Whether somebody has a lock on the file that is open as `descriptor`, or on one of the same number on another device that
 * may be the same. `procLocks` is another place for `/proc/locks`, for tests.
 */
export function seeSegmentLock(descriptor: number, path: string, procLocks = '/proc/locks'): boolean {
  let table: string;
  try {
    table = readFileSync(procLocks, 'utf8');
  } catch {
    return false;
  }
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
