/**
 * Writing a new directory so that it is there whole or not at all (Node).
 *
 * As with single files (`output.ts`): everything goes into a hidden temporary directory beside the target, is synced and
 * checked, and only then gets its name. Whatever goes wrong before, the temporary is removed and the name stays free.
 */
import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { openByteFile } from './byte-file.ts';
import type { ByteFile } from './byte-source.ts';
import type { FileSource } from './file-source.ts';
import { throwIfAborted } from './job.ts';
import {
  attempt,
  choosePaths,
  failed,
  type OutputOptions,
  removedError,
  selfCheckError,
  syncDirectory,
  syncFile,
  type Unfinished,
  unfinished,
  untilAborted,
} from './output.ts';
import { ioError, pathError } from './system-error.ts';

/** A directory in the making. */
export interface NewDirectory {
  /** Where it is until it gets its name. */
  readonly temporaryPath: string;
  /** Makes a file in it, which is synced and closed when the directory is whole. */
  create(name: string): ByteFile;
}

/** Options of `writeOutputDirectory`. */
export interface WriteOutputDirectoryOptions extends OutputOptions {
  /** Looks at the directory before it gets its name. What it throws becomes the cause of a `SELF_CHECK_FAILED`. */
  readonly selfCheck?: ((temporaryPath: string) => void | Promise<void>) | undefined;
  /** Looked at once more before the directory gets its name: after an abort there is no target. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a new directory of files (mode 0600, or `mode`; the directory itself can be entered by its owner only): there
 * whole, synced and checked when this returns; not there at all when it throws. Throws `TARGET_EXISTS` when the target is
 * there, be it empty, and `NOT_FOUND` when the directory above is not.
 */
export async function writeOutputDirectory(
  target: string,
  write: (directory: NewDirectory) => void | Promise<void>,
  options: WriteOutputDirectoryOptions = {},
): Promise<void> {
  const { selfCheck, signal } = options;
  throwIfAborted(signal);
  const output = new DirectoryOutput(target, options);
  unfinished.add(output);
  try {
    await write(output);
    // Both at the same time, as for single files.
    const synced = output.finish();
    synced.catch(() => {}); // heard below, unless the check fails first
    try {
      await selfCheck?.(output.temporaryPath);
    } catch (error) {
      throw selfCheckError(error, target);
    }
    await untilAborted(synced, signal);
    throwIfAborted(signal);
    output.publish();
  } catch (error) {
    throw failed(output, error);
  }
}

class DirectoryOutput implements NewDirectory, Unfinished {
  readonly target: string;
  readonly temporaryPath: string;
  /** Absolute, so that the program may change its working directory meanwhile. */
  readonly #finalPath: string;
  readonly #sync: boolean;
  readonly #mode: number;
  readonly #files: (ByteFile & FileSource)[] = [];
  #state: 'writing' | 'published' | 'discarded' = 'writing';

  constructor(target: string, { mode = 0o600, sync = true }: OutputOptions) {
    this.target = target;
    this.#mode = mode;
    this.#sync = sync;
    const { finalPath, temporaryPath } = choosePaths(target);
    this.#finalPath = finalPath;
    this.temporaryPath = temporaryPath;
    try {
      mkdirSync(temporaryPath, { mode: 0o700 });
    } catch (error) {
      // The directory above is missing or may not be written to: that is the fact to report.
      throw pathError(error, dirname(target), 'no directory can be made in it');
    }
  }

  get discarded(): boolean {
    return this.#state === 'discarded';
  }

  create(name: string): ByteFile {
    if (this.discarded) throw removedError(this.target);
    const file = openByteFile(join(this.temporaryPath, name), { create: 'exclusive', mode: this.#mode });
    this.#files.push(file);
    return file;
  }

  /** Syncs and closes all files; another thread waits for the disk. */
  async finish(): Promise<void> {
    for (const file of this.#files) {
      if (this.discarded) throw removedError(this.target);
      if (this.#sync) await syncFile(file);
    }
    if (this.discarded) throw removedError(this.target);
    for (const file of this.#files.splice(0)) file.close();
  }

  publish(): void {
    if (this.discarded) throw removedError(this.target);
    try {
      if (this.#sync) syncDirectory(this.temporaryPath);
      nameDirectory(this.temporaryPath, this.#finalPath);
    } catch (error) {
      throw pathError(error, this.target, 'cannot be given its name');
    }
    try {
      if (this.#sync) syncDirectory(dirname(this.#finalPath));
    } catch (error) {
      // Who hears of a failure must find the name free.
      removeAll(this.#finalPath);
      throw ioError(error, this.target, 'sync of its directory');
    }
    this.#state = 'published';
    unfinished.delete(this);
  }

  discard(): void {
    if (this.#state !== 'writing') return;
    this.#state = 'discarded';
    unfinished.delete(this);
    for (const file of this.#files) attempt(() => file.close());
    removeAll(this.temporaryPath);
  }
}

/** `rename` that fails with EEXIST where it would replace something; after a failure both names are as they were. */
function nameDirectory(from: string, to: string): void {
  // Windows replaces no directory, not even an empty one.
  if (platform() === 'win32') {
    renameSync(from, to);
    return;
  }
  // Take the name with an empty directory, which only we can have made, and replace that.
  mkdirSync(to, { mode: 0o700 });
  try {
    renameSync(from, to);
  } catch (error) {
    attempt(() => rmdirSync(to));
    throw error;
  }
}

function removeAll(path: string): void {
  attempt(() => rmSync(path, { recursive: true, force: true }));
}
