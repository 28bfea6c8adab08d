/**
 * Sees, on Linux and without any effect, who holds the lock of a file (Node).
 *
 * There are two places to look. `/proc/locks` lists all locks, but names who *took* each: a process that may have ended
 * and left the lock to another (the helper of `file-lock.ts` does just that), and it leaves out locks whose taker is not
 * in this PID namespace or, inside one, has ended. `/proc/PID/fdinfo` tells what each descriptor holds, for processes that
 * this user may look into. So something seen is a fact, and nothing seen is not "not in use".
 */
import { fstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type FileIdentity, type LockLine, matchLock, parseLocks } from './lock-table.ts';
import { ioError, systemCodeOf } from './system-error.ts';

/** A process that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  /** Its name, if that can be read. */
  readonly command?: string;
  /** It is this very process. */
  readonly self?: true;
}

/** What can be seen of a file's lock. */
export interface LockSighting {
  /** `none-seen` does not mean that there is none; `unknown`: there is nowhere to look. */
  readonly state: 'exclusive' | 'shared' | 'none-seen' | 'unknown';
  /** False when the lock may be that of another file with the same inode number. */
  readonly certain: boolean;
  /** Who holds it, as far as that can be told. */
  readonly holders: readonly LockHolder[];
}

/** How many descriptors of other processes are looked at, at most: about a second. */
const MAX_DESCRIPTORS = 50_000;

/** Looks for locks on the file that is open as `descriptor`. `procRoot` is another place for `/proc`, for tests. */
export function seeLock(descriptor: number, path: string, procRoot = '/proc'): LockSighting {
  const table = readText(`${procRoot}/locks`);
  if (table === undefined) return { state: 'unknown', certain: false, holders: [] };
  const identity = identityOf(descriptor, path);
  const self = readSelf(procRoot);
  const listed = onFile(parseLocks(table), identity);
  if (listed.locks.length === 0) {
    const found = searchHolders(procRoot, identity);
    return sighting(found.locks, found.certain, holdersOf(found.pids, procRoot, self));
  }
  return sighting(listed.locks, listed.certain, holdersOf(pidsOf(listed.locks, identity, procRoot), procRoot, self));
}

function sighting(locks: readonly LockLine[], certain: boolean, holders: LockHolder[]): LockSighting {
  if (locks.length === 0) return { state: 'none-seen', certain: false, holders: [] };
  return { state: locks.some(({ exclusive }) => exclusive) ? 'exclusive' : 'shared', certain, holders };
}

/** The locks on the file; only when there are none, those that may be. */
function onFile(locks: readonly LockLine[], identity: FileIdentity): { locks: LockLine[]; certain: boolean } {
  const certain = locks.filter((lock) => matchLock(lock, identity) === 'certainly');
  if (certain.length > 0) return { locks: certain, certain: true };
  return { locks: locks.filter((lock) => matchLock(lock, identity) === 'perhaps'), certain: false };
}

/** The processes that hold the listed locks now. */
function pidsOf(locks: readonly LockLine[], identity: FileIdentity, procRoot: string): number[] {
  const pids = new Set<number>();
  let handedOn = false;
  for (const { pid } of locks) {
    // Its number may be another process's by now: what it holds is looked at where that is allowed.
    const held = pid === 0 ? 'ended' : heldBy(pid, identity, procRoot);
    if (held === 'not allowed' || (typeof held === 'object' && held.locks.length > 0)) pids.add(pid);
    else handedOn = true;
  }
  if (handedOn) for (const pid of searchHolders(procRoot, identity).pids) pids.add(pid);
  return [...pids];
}

/** Looks through the descriptors of all processes that this user may look into. */
function searchHolders(
  procRoot: string,
  identity: FileIdentity,
): { pids: number[]; locks: LockLine[]; certain: boolean } {
  const pids = { certain: [] as number[], perhaps: [] as number[] };
  const locks: LockLine[] = [];
  const budget = { left: MAX_DESCRIPTORS };
  for (const name of processes(procRoot)) {
    const held = heldBy(Number(name), identity, procRoot, budget);
    if (typeof held !== 'object' || held.locks.length === 0) continue;
    pids[held.certain ? 'certain' : 'perhaps'].push(Number(name));
    locks.push(...held.locks);
    if (budget.left <= 0) break;
  }
  const { locks: best, certain } = onFile(locks, identity);
  return { pids: certain ? pids.certain : pids.perhaps, locks: best, certain };
}

/** The locks that a process has on the file through any of its descriptors. */
function heldBy(
  pid: number,
  identity: FileIdentity,
  procRoot: string,
  budget: { left: number } = { left: MAX_DESCRIPTORS },
): { locks: LockLine[]; certain: boolean } | 'not allowed' | 'ended' {
  const folder = `${procRoot}/${pid}/fdinfo`;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const code = systemCodeOf(error);
    return code === 'EACCES' || code === 'EPERM' ? 'not allowed' : 'ended';
  }
  const locks: LockLine[] = [];
  for (const name of names) {
    if (budget.left-- <= 0) break;
    const text = readText(`${folder}/${name}`);
    if (text?.includes('FLOCK')) locks.push(...parseLocks(text));
  }
  return onFile(locks, identity);
}

function holdersOf(pids: readonly number[], procRoot: string, self: number | undefined): LockHolder[] {
  return pids.map((pid) => {
    const command = commandOf(pid, procRoot);
    return { pid, ...(command === undefined ? {} : { command }), ...(pid === self ? { self: true as const } : {}) };
  });
}

/** A process chooses its own name: what a terminal could act on is left out. Arguments may hold secrets, and are not read. */
function commandOf(pid: number, procRoot: string): string | undefined {
  const name = readText(`${procRoot}/${pid}/comm`)
    ?.trim()
    .replace(/[\p{C}\p{Z}]/gu, '?')
    .slice(0, 64);
  return name === '' ? undefined : name;
}

function readSelf(procRoot: string): number | undefined {
  try {
    return Number(readlinkSync(`${procRoot}/self`));
  } catch {
    return undefined;
  }
}

function identityOf(descriptor: number, path: string): FileIdentity {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch (error) {
    throw ioError(error, path, 'asking for the inode');
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function processes(procRoot: string): string[] {
  try {
    return readdirSync(procRoot).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
