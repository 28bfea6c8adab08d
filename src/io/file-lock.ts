/**
 * The lock that keeps two programs from writing to one bolt file: the one that bbolt, and so etcd, takes (Node).
 *
 * Node has no call for it. On Linux the lock belongs to the open file, not to the process, and a child inherits open files:
 * the `flock` program locks our descriptor and ends, and the lock stays with us until the descriptor is closed, by us or by
 * the end of the process, however sudden. The BSDs (macOS) can lock while opening; Windows can open a file that nobody else
 * has open. docs/locking.md tells more.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, fstatSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { DatadirError, isDatadirError } from '../errors.ts';
import { byteFileFromDescriptor, openForBoth } from './byte-file.ts';
import type { ByteFile } from './byte-source.ts';
import type { FileSource } from './file-source.ts';
import { type LockHolder, type LockSighting, seeLock } from './lock-sighting.ts';
import { ioError, systemCodeOf } from './system-error.ts';

/** How a file is guarded against other programs. */
export interface LockOptions {
  /** `exclusive` (default): nobody else may have the lock; `none`: the caller knows that nobody else uses the file. */
  readonly lock?: 'exclusive' | 'none' | undefined;
  /** How long another program's lock is waited for, with the thread blocked. Default 0: not at all. */
  readonly lockTimeoutMs?: number | undefined;
}

/** What came of an attempt to take the lock; `impossible` with the reason, as in `flock: not found`. */
export type LockAttempt = 'taken' | 'held' | { readonly impossible: string };

/** What locking needs of the machine. A parameter so that the ways of other systems can be tested on this one. */
export interface LockSystem {
  /** As `process.platform`. */
  readonly platform: string;
  flock(descriptor: number): LockAttempt;
  see(descriptor: number, path: string): LockSighting;
  open(path: string, flags: number): { descriptor: number };
  now(): number;
  wait(ms: number): void;
}

/** Between two attempts, as in bbolt. */
const RETRY_MS = 50;

/**
 * Opens a file that is there for reading and writing and locks it, or throws: `FILE_LOCKED` when another program has the lock,
 * `LOCK_UNKNOWN` when it can neither be taken nor seen, and as `openByteFile`. Closing the file gives the lock up.
 */
export function openForWriting(
  path: string,
  options: LockOptions = {},
  system: LockSystem = SYSTEM,
): ByteFile & FileSource {
  const deadline = deadlineOf(options, system);
  const flags = OPEN_FLAGS[system.platform];
  for (;;) {
    const locksOnOpen = options.lock !== 'none' && flags !== undefined;
    const descriptor = locksOnOpen ? openLocked(path, flags, deadline, system) : system.open(path, 0).descriptor;
    try {
      if (options.lock !== 'none' && !locksOnOpen) takeLock(descriptor, path, deadline, system);
      // The holder may have given the name to another file meanwhile, as etcd does when it defragments; not on Windows.
      if (options.lock === 'none' || system.platform === 'win32' || isStill(descriptor, path)) {
        return byteFileFromDescriptor(descriptor, sizeOf(descriptor, path), path);
      }
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    closeSync(descriptor);
  }
}

function deadlineOf({ lockTimeoutMs = 0 }: LockOptions, system: LockSystem): number {
  if (!(lockTimeoutMs >= 0)) throw new DatadirError('USAGE', `lockTimeoutMs ${lockTimeoutMs}: must be 0 or more`);
  return system.now() + lockTimeoutMs;
}

/** Takes the lock of an open file, or throws. */
function takeLock(descriptor: number, path: string, deadline: number, system: LockSystem): void {
  for (;;) {
    const attempt =
      system.platform === 'linux' ? system.flock(descriptor) : { impossible: `no way is known on ${system.platform}` };
    if (attempt === 'taken') return;
    if (attempt !== 'held') {
      const sighting = system.see(descriptor, path);
      const held = sighting.certain && (sighting.state === 'exclusive' || sighting.state === 'shared');
      if (!held) throw unknown(path, attempt.impossible, sighting);
    }
    // To look again costs more than an attempt: it is done only to name the holder.
    waitOrThrow(deadline, system, () => locked(path, system.see(descriptor, path)));
  }
}

/** Flags that lock a file while it is opened. Neither has a name in `fs.constants`. */
const OPEN_FLAGS: Readonly<Record<string, number>> = {
  // O_EXLOCK: the lock of `flock`; all files are opened with O_NONBLOCK, so it is not waited for.
  darwin: 0x20,
  freebsd: 0x20,
  netbsd: 0x20,
  openbsd: 0x20,
  // UV_FS_O_EXLOCK: nobody else may have the file open.
  win32: 0x1000_0000,
};
const NOTHING_SEEN: LockSighting = { state: 'unknown', certain: false, holders: [] };
const HELD_CODES = new Set(['EAGAIN', 'EWOULDBLOCK', 'EBUSY']);
const NO_LOCKS_CODES = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOLCK']);

function openLocked(path: string, flags: number, deadline: number, system: LockSystem): number {
  for (;;) {
    try {
      return system.open(path, flags).descriptor;
    } catch (error) {
      const code = isDatadirError(error) ? (error.systemCode ?? '') : '';
      if (NO_LOCKS_CODES.has(code)) throw unknown(path, code, NOTHING_SEEN);
      if (!HELD_CODES.has(code)) throw error;
      waitOrThrow(deadline, system, () => locked(path, NOTHING_SEEN));
    }
  }
}

function waitOrThrow(deadline: number, system: LockSystem, error: () => DatadirError): void {
  const left = deadline - system.now();
  if (left <= 0) throw error();
  system.wait(Math.min(RETRY_MS, left));
}

// ---- the words of the errors --------------------------------------------------------------------------------------

function locked(path: string, { certain, holders }: LockSighting): DatadirError {
  const who = holders.map(holderText).join(', ');
  let words = 'another program has locked it; which one cannot be seen from here';
  if (who !== '') words = certain ? `locked by ${who}` : `another program has locked it, perhaps ${who}`;
  return new DatadirError('FILE_LOCKED', `${path}: ${words}`, { path, ...(who === '' ? {} : { actual: who }) });
}

function holderText({ pid, command, self }: LockHolder): string {
  if (self === true) return `this process itself, through another handle (pid ${pid})`;
  return command === undefined ? `pid ${pid}` : `${command} (pid ${pid})`;
}

function unknown(path: string, reason: string, { state, holders }: LockSighting): DatadirError {
  const who = holders.map(holderText).join(', ');
  let seen = 'nobody was seen to have it';
  if (state === 'unknown') seen = 'it cannot be seen here who has it';
  else if (state !== 'none-seen') seen = `${who === '' ? 'somebody' : who} has it, or that of another file`;
  return new DatadirError(
    'LOCK_UNKNOWN',
    `${path}: its lock cannot be taken (${reason}), and ${seen}: whether etcd or another program uses the file is not ` +
      "known; if certainly none does, { lock: 'none' } goes on without the lock",
    { path },
  );
}

// ---- Linux --------------------------------------------------------------------------------------------------------

/** Where the program is on most systems, whatever PATH says; then PATH. */
const FLOCK_PATHS = ['/usr/bin/flock', '/bin/flock'];
/** The call itself does not wait; but the file may lie on a file system whose server is gone. */
const FLOCK_TIMEOUT_MS = 30_000;

/** Lets `flock` (util-linux, busybox, toybox) lock a descriptor of ours, which it gets as its number 3, and nothing else. */
export function runFlock(descriptor: number, paths: readonly string[] = FLOCK_PATHS): LockAttempt {
  const program = paths.find((path) => existsSync(path)) ?? 'flock';
  let result: { status: number | null; signal: string | null; stderr: string | null; error?: Error };
  try {
    result = spawnSync(program, ['-n', '-x', '3'], {
      stdio: ['ignore', 'ignore', 'pipe', descriptor],
      encoding: 'utf8',
      timeout: FLOCK_TIMEOUT_MS,
    });
  } catch (error) {
    // Node's own permission model forbids children with an exception.
    return { impossible: `${program}: ${systemCodeOf(error) ?? String(error)}` };
  }
  const { status, signal, error, stderr } = result;
  if (error !== undefined) {
    const code = systemCodeOf(error) ?? error.message;
    return { impossible: code === 'ENOENT' ? 'there is no flock program here' : `${program}: ${code}` };
  }
  const said = (stderr ?? '').trim().split('\n', 1)[0] ?? '';
  if (status === 0) return 'taken';
  // A program that does not know the option, or a file system without locks, may end with 1 too, but not silently.
  if (status === 1 && said === '') return 'held';
  return { impossible: said === '' ? `${program} ended with ${status ?? signal}` : said.slice(0, 200) };
}

// ---- the file itself ----------------------------------------------------------------------------------------------

/** Whether the name still stands for the open file. */
function isStill(descriptor: number, path: string): boolean {
  try {
    const named = statSync(path, { bigint: true, throwIfNoEntry: false });
    const opened = fstatSync(descriptor, { bigint: true });
    return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
  } catch (error) {
    throw ioError(error, path, 'asking for the inode');
  }
}

function sizeOf(descriptor: number, path: string): number {
  try {
    return fstatSync(descriptor).size;
  } catch (error) {
    throw ioError(error, path, 'asking for the size');
  }
}

const SYSTEM: LockSystem = {
  platform: platform(),
  flock: runFlock,
  see: seeLock,
  open: (path, flags) => openForBoth(path, {}, flags),
  now: () => performance.now(),
  wait: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};
