/**
 * Writing a new file so that it is there whole or not at all (Node).
 *
 * The bytes go to a hidden temporary file beside the target; it is synced, checked, and only then given its name, in a way
 * that never replaces anything. Whatever goes wrong before, the temporary is removed and the target's name stays free.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fdatasync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatadirError, isDatadirError } from '../errors.ts';
import { openByteFile } from './byte-file.ts';
import type { ByteFile } from './byte-source.ts';
import type { FileSource } from './file-source.ts';
import { throwIfAborted } from './job.ts';
import { ioError, pathError, systemCodeOf } from './system-error.ts';

/** Options of an output. */
export interface OutputOptions {
  /** Permissions of the new file, before the umask; default 0o600: etcd's data holds secrets. */
  readonly mode?: number | undefined;
  /** Whether to wait until the file and its name are on stable storage; default true. */
  readonly sync?: boolean | undefined;
}

/** Options of `writeOutput`. */
export interface WriteOutputOptions extends OutputOptions {
  /** Looks at the written file before it gets its name. What it throws becomes the cause of a `SELF_CHECK_FAILED`. */
  readonly selfCheck?: ((temporaryPath: string) => void) | undefined;
}

/** Options of `writeOutputAsync`. */
export interface WriteOutputAsyncOptions extends OutputOptions {
  /** As for `writeOutput`; may take its time. */
  readonly selfCheck?: ((temporaryPath: string) => void | Promise<void>) | undefined;
  /** Looked at once more before the file gets its name: after an abort there is no target. */
  readonly signal?: AbortSignal | undefined;
}

/** A file in the making. Ends with `publish()` or `discard()`. */
export interface Output {
  /** The name that the file will get. */
  readonly target: string;
  /** Where the bytes are until then. */
  readonly temporaryPath: string;
  /** The open temporary file; not to be used after `finish()`. */
  readonly file: ByteFile;
  /** Whether `discard()` or `removeTemporaries()` has taken it away. */
  readonly discarded: boolean;
  /** Syncs and closes the file; what follows can open it by `temporaryPath`. */
  finish(): void;
  /** Gives the finished file its name: `TARGET_EXISTS` when the name has been taken meanwhile. */
  publish(): void;
  /** Removes what was written. Does nothing after `publish()`. */
  discard(): void;
}

/** What `removeTemporaries()` takes away. */
export interface Unfinished {
  discard(): void;
}

/** Every output, of a file or a directory, that is neither published nor discarded. */
export const unfinished: Set<Unfinished> = new Set();

/**
 * Removes the temporary files of all outputs in the making. For the handlers of a program's end (`exit`, SIGINT): an
 * output that fails or is aborted while the program goes on cleans up after itself.
 */
export function removeTemporaries(): void {
  for (const output of unfinished) output.discard();
}

/**
 * Starts a new file. Throws `TARGET_EXISTS` when the target is there (a dangling symbolic link too), `NOT_FOUND` when its
 * directory is not.
 */
export function createOutput(target: string, options: OutputOptions = {}): Output {
  const output = new FileOutput(target, options);
  unfinished.add(output);
  return output;
}

/** Writes a new file: there whole, synced and checked when this returns; not there at all when it throws. */
export function writeOutput(
  target: string,
  write: (file: ByteFile, temporaryPath: string) => void,
  options: WriteOutputOptions = {},
): void {
  const output = createOutput(target, options);
  try {
    write(output.file, output.temporaryPath);
    output.finish();
    try {
      options.selfCheck?.(output.temporaryPath);
    } catch (error) {
      throw selfCheckError(error, target);
    }
    output.publish();
  } catch (error) {
    throw failed(output, error);
  }
}

/** `writeOutput` for writing that takes its time, such as a job run in slices. */
export async function writeOutputAsync(
  target: string,
  write: (file: ByteFile, temporaryPath: string) => void | Promise<void>,
  options: WriteOutputAsyncOptions = {},
): Promise<void> {
  throwIfAborted(options.signal);
  const output = new FileOutput(target, options);
  unfinished.add(output);
  try {
    await write(output.file, output.temporaryPath);
    // Both at the same time: the disk is waited for by another thread, and what was written is read from memory.
    const synced = output.finishAsync();
    synced.catch(() => {}); // heard below, unless the check fails first
    try {
      await options.selfCheck?.(output.temporaryPath);
    } catch (error) {
      throw selfCheckError(error, target);
    }
    await untilAborted(synced, options.signal);
    throwIfAborted(options.signal);
    output.publish();
  } catch (error) {
    throw failed(output, error);
  }
}

/** Waits, but no longer than until the signal fires. */
export function untilAborted(pending: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return pending;
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) resolve();
  });
}

/** Cleans up, and tells a failure from the consequence of `removeTemporaries()`. */
export function failed(output: Pick<Output, 'target' | 'discarded' | 'discard'>, error: unknown): unknown {
  if (output.discarded) return removedError(output.target, error);
  output.discard();
  return error;
}

/** What a self-check has thrown, as the error of the whole operation. */
export function selfCheckError(error: unknown, target: string): unknown {
  if (isDatadirError(error, 'ABORTED', 'SELF_CHECK_FAILED')) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new DatadirError('SELF_CHECK_FAILED', `${target}: not made, what was written is wrong: ${words}`, {
    path: target,
    cause: error,
  });
}

/** For who goes on with an output that was taken away. */
export function removedError(target: string, cause?: unknown): DatadirError {
  return new DatadirError('ABORTED', `${target}: not made, the writing was given up`, { path: target, cause });
}

class FileOutput implements Output {
  readonly target: string;
  readonly temporaryPath: string;
  readonly file: ByteFile & FileSource;
  /** Absolute, so that the program may change its working directory meanwhile. */
  readonly #finalPath: string;
  readonly #sync: boolean;
  #state: 'writing' | 'finished' | 'published' | 'discarded' = 'writing';

  constructor(target: string, options: OutputOptions) {
    const { mode = 0o600, sync = true } = options;
    this.target = target;
    this.#sync = sync;
    const { finalPath, temporaryPath } = choosePaths(target);
    this.#finalPath = finalPath;
    this.temporaryPath = temporaryPath;
    try {
      this.file = openByteFile(temporaryPath, { create: 'exclusive', mode });
    } catch (error) {
      // The directory is missing or may not be written to: that is the fact to report, not the temporary in it.
      throw pathError((error as Error).cause, dirname(target), 'no file can be made in it');
    }
  }

  get discarded(): boolean {
    return this.#state === 'discarded';
  }

  finish(): void {
    if (this.#state === 'discarded') throw removedError(this.target);
    if (this.#state !== 'writing') return;
    if (this.#sync) this.file.sync();
    this.file.close();
    this.#state = 'finished';
  }

  /** As `finish()`, but another thread waits for the disk. */
  async finishAsync(): Promise<void> {
    if (this.#sync && this.#state === 'writing') {
      await syncFile(this.file);
    }
    if (this.#state === 'discarded') throw removedError(this.target);
    if (this.#state !== 'writing') return;
    this.file.close();
    this.#state = 'finished';
  }

  publish(): void {
    this.finish();
    if (this.#state !== 'finished') return;
    try {
      nameWithoutReplacing(this.temporaryPath, this.#finalPath);
    } catch (error) {
      throw pathError(error, this.target, 'cannot be given its name');
    }
    try {
      if (this.#sync) syncDirectory(dirname(this.#finalPath));
    } catch (error) {
      // Who hears of a failure must find the name free.
      remove(this.#finalPath);
      throw ioError(error, this.target, 'sync of its directory');
    }
    this.#state = 'published';
    unfinished.delete(this);
  }

  discard(): void {
    if (this.#state === 'published' || this.#state === 'discarded') return;
    this.#state = 'discarded';
    unfinished.delete(this);
    // An open file cannot be removed on Windows.
    attempt(() => this.file.close());
    remove(this.temporaryPath);
  }
}

/** Waits in another thread until what was written to a file is on stable storage. */
export function syncFile({ descriptor, path }: FileSource): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => {
      if (error === null) resolve();
      else reject(ioError(error, path, 'sync'));
    });
  });
}

/** Looks at the target's name, for an early answer, and makes up a name for the temporary beside it. */
export function choosePaths(target: string): { finalPath: string; temporaryPath: string } {
  const finalPath = resolve(target);
  let taken: boolean;
  try {
    taken = lstatSync(finalPath, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw pathError(error, target, 'cannot be looked at');
  }
  if (taken) throw new DatadirError('TARGET_EXISTS', `${target}: exists already`, { path: target });
  // Not derived from the target's name, which may be as long as a name can be.
  return { finalPath, temporaryPath: join(dirname(finalPath), `.etcd-datadir-${randomUUID()}.tmp`) };
}

/** What `link` gives on file systems without hard links. */
const NO_HARD_LINKS = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'UNKNOWN']);

/** `rename` that fails with EEXIST where it would replace something; after a failure both names are as they were. */
function nameWithoutReplacing(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_HARD_LINKS.has(systemCodeOf(error) ?? '')) throw error;
    // Take the name with an empty file, which only we can have made, and replace that.
    closeSync(openSync(to, 'wx', 0o600));
    try {
      renameSync(from, to);
    } catch (renameError) {
      remove(to);
      throw renameError;
    }
    return;
  }
  remove(from);
}

/** What file systems give that cannot sync a directory, or for a directory that may be written but not read. */
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'EPERM', 'EACCES', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'ENOSYS']);

/** Returns when the names in a directory are on stable storage, on file systems that can tell. */
export function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NO_DIRECTORY_SYNC.has(systemCodeOf(error) ?? '')) throw error;
  }
}

/** Removes what is there; a failure to do so must not hide the reason why it is removed. */
function remove(path: string): void {
  attempt(() => rmSync(path, { force: true }));
}

/** Tidies up after a failure. */
export function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Nothing more can be done.
  }
}
