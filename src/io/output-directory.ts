/**
 * Writing new directories so that they are there whole or not at all (Node).
 *
 * As with single files (`output.ts`): everything goes into a hidden temporary directory beside the target, is synced and
 * checked, and only then gets its name. Whatever goes wrong before, the temporary is removed and the name stays free.
 *
 * An empty directory that is there already may be filled, if the caller says so: it may be a mounted volume, which nothing can be
 * renamed to. The temporary then lies in it, and what it holds is moved up when it is whole.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatadirError } from '../errors.ts';
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
  /** Makes a file in it, or in one of its folders, which is synced and closed when the directory is whole. */
  create(name: string): ByteFile;
  /** Makes a folder in it, and those above; returns its path. Who writes files there by other means syncs them himself. */
  makeFolder(name: string): string;
}

/** Options of `writeOutputDirectory`. */
export interface WriteOutputDirectoryOptions extends OutputOptions {
  /** Looks at the directory before it gets its name. What it throws becomes the cause of a `SELF_CHECK_FAILED`. */
  readonly selfCheck?: ((temporaryPath: string) => void | Promise<void>) | undefined;
  /** Looked at once more before the directory gets its name: after an abort there is no target. */
  readonly signal?: AbortSignal | undefined;
  /** An empty directory at the target is filled. Default false: it is in the way. */
  readonly intoEmpty?: boolean | undefined;
}

/** One of several directories that are made together. */
export interface DirectoryTarget {
  readonly path: string;
  readonly intoEmpty?: boolean | undefined;
  /** Directories above that are missing are made too. Default false: `NOT_FOUND`. */
  readonly makeParents?: boolean | undefined;
}

/** Options of `writeOutputDirectories`. */
export interface WriteOutputDirectoriesOptions extends Omit<WriteOutputDirectoryOptions, 'selfCheck' | 'intoEmpty'> {
  readonly selfCheck?: ((temporaryPaths: readonly string[]) => void | Promise<void>) | undefined;
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
  const { selfCheck, intoEmpty, ...others } = options;
  await writeOutputDirectories([{ path: target, intoEmpty }], ([directory]) => write(directory as NewDirectory), {
    ...others,
    ...(selfCheck && { selfCheck: ([path]) => selfCheck(path as string) }),
  });
}

/** As `writeOutputDirectory`, for several directories of which there are all or none in the end. */
export async function writeOutputDirectories(
  targets: readonly DirectoryTarget[],
  write: (directories: readonly NewDirectory[]) => void | Promise<void>,
  options: WriteOutputDirectoriesOptions = {},
): Promise<void> {
  const { selfCheck, signal } = options;
  throwIfAborted(signal);
  const output = new DirectoryOutputs();
  unfinished.add(output);
  try {
    for (const target of targets) output.begin(target, options);
    await write(output.directories);
    // Both at the same time, as for single files.
    const synced = output.finish();
    synced.catch(() => {}); // heard below, unless the check fails first
    try {
      await selfCheck?.(output.directories.map(({ temporaryPath }) => temporaryPath));
    } catch (error) {
      throw selfCheckError(error, output.target);
    }
    await untilAborted(synced, signal);
    throwIfAborted(signal);
    output.publish();
  } catch (error) {
    throw failed(output, error);
  }
}

/** All of them together. */
class DirectoryOutputs implements Unfinished {
  readonly directories: DirectoryOutput[] = [];
  discarded = false;

  /** Who is named when something goes wrong. */
  get target(): string {
    return this.directories[0]?.target ?? '';
  }

  begin(target: DirectoryTarget, options: OutputOptions): void {
    this.directories.push(new DirectoryOutput(target, options));
  }

  async finish(): Promise<void> {
    for (const directory of this.directories) await directory.finish();
  }

  publish(): void {
    if (this.discarded) throw removedError(this.target);
    const published: DirectoryOutput[] = [];
    try {
      for (const directory of this.directories) {
        directory.publish();
        published.push(directory);
      }
    } catch (error) {
      // Who hears of a failure must find all names free.
      for (const directory of published) directory.takeBack();
      throw error;
    }
    unfinished.delete(this);
  }

  discard(): void {
    if (this.discarded) return;
    this.discarded = true;
    unfinished.delete(this);
    for (const directory of this.directories) directory.discard();
    // One of them may have made a directory above that another one was still in.
    for (const directory of this.directories.toReversed()) directory.removeParents();
  }
}

class DirectoryOutput implements NewDirectory {
  readonly target: string;
  readonly temporaryPath: string;
  /** Absolute, so that the program may change its working directory meanwhile. */
  readonly #finalPath: string;
  /** Whether the target is an empty directory that is filled. */
  readonly #fills: boolean;
  readonly #sync: boolean;
  readonly #mode: number;
  readonly #files: (ByteFile & FileSource)[] = [];
  /** Folders in it, by name. */
  readonly #folders = new Set<string>();
  /** Directories above it that were made for it, the outermost first. */
  readonly #parents: readonly string[];
  /** What was moved up into a directory that is filled. */
  #moved: readonly string[] = [];
  #state: 'writing' | 'published' | 'discarded' = 'writing';

  constructor(
    { path: target, intoEmpty = false, makeParents = false }: DirectoryTarget,
    { mode = 0o600, sync = true }: OutputOptions,
  ) {
    this.target = target;
    this.#mode = mode;
    this.#sync = sync;
    this.#fills = intoEmpty && isEmptyDirectory(target);
    const { finalPath, temporaryPath } = this.#fills ? choosePaths(join(target, 'member')) : choosePaths(target);
    this.#finalPath = this.#fills ? resolve(target) : finalPath;
    this.temporaryPath = temporaryPath;
    this.#parents = makeParents ? makeMissing(dirname(finalPath)) : [];
    try {
      mkdirSync(temporaryPath, { mode: 0o700 });
    } catch (error) {
      this.removeParents();
      // The directory above is missing or may not be written to: that is the fact to report.
      throw pathError(error, this.#fills ? target : dirname(target), 'no directory can be made in it');
    }
  }

  create(name: string): ByteFile {
    this.#assertWriting();
    const file = openByteFile(join(this.temporaryPath, name), { create: 'exclusive', mode: this.#mode });
    this.#files.push(file);
    return file;
  }

  makeFolder(name: string): string {
    this.#assertWriting();
    const path = join(this.temporaryPath, name);
    try {
      mkdirSync(path, { mode: 0o700, recursive: true });
    } catch (error) {
      throw pathError(error, path, 'cannot be made');
    }
    const parts = name.split('/');
    for (const [i] of parts.entries()) this.#folders.add(parts.slice(0, i + 1).join('/'));
    return path;
  }

  /** Syncs and closes all files; another thread waits for the disk. */
  async finish(): Promise<void> {
    for (const file of this.#files) {
      this.#assertWriting();
      if (this.#sync) await syncFile(file);
    }
    this.#assertWriting();
    for (const file of this.#files.splice(0)) file.close();
  }

  publish(): void {
    this.#assertWriting();
    try {
      if (this.#sync) for (const path of this.#allFolders()) syncDirectory(path);
      if (this.#fills) this.#moved = fillDirectory(this.temporaryPath, this.#finalPath);
      else nameDirectory(this.temporaryPath, this.#finalPath);
    } catch (error) {
      throw pathError(error, this.target, 'cannot be given its name');
    }
    this.#state = 'published';
    try {
      if (this.#sync) {
        syncDirectory(this.#fills ? this.#finalPath : dirname(this.#finalPath));
        for (const path of this.#parents) syncDirectory(dirname(path));
      }
    } catch (error) {
      // Who hears of a failure must find the name free.
      this.takeBack();
      throw ioError(error, this.target, 'sync of its directory');
    }
  }

  /** Removes what was published. */
  takeBack(): void {
    if (this.#state !== 'published') return;
    this.#state = 'discarded';
    if (!this.#fills) removeAll(this.#finalPath);
    for (const name of this.#moved) removeAll(join(this.#finalPath, name));
    this.removeParents();
  }

  discard(): void {
    if (this.#state !== 'writing') return;
    this.#state = 'discarded';
    for (const file of this.#files) attempt(() => file.close());
    removeAll(this.temporaryPath);
    this.removeParents();
  }

  /** What was made above it goes. Others may have come to use it: only empty directories do. */
  removeParents(): void {
    for (const path of this.#parents.toReversed()) attempt(() => rmdirSync(path));
  }

  #assertWriting(): void {
    if (this.#state === 'discarded') throw removedError(this.target);
  }

  /** The innermost first. */
  #allFolders(): string[] {
    const names = [...this.#folders].sort((a, b) => b.split('/').length - a.split('/').length);
    return [...names.map((name) => join(this.temporaryPath, name)), this.temporaryPath];
  }
}

/** Throws `TARGET_EXISTS` if something is in the way of a new directory. */
export function assertFree(path: string, intoEmpty: boolean): void {
  if (!intoEmpty || !isEmptyDirectory(path)) choosePaths(path);
}

/** Makes a directory and those above it; gives those that were not there, the outermost first. */
function makeMissing(path: string): string[] {
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
  } catch (error) {
    for (const made of missing.toReversed()) attempt(() => rmdirSync(made));
    throw pathError(error, path, 'cannot be made');
  }
  return missing;
}

/** Whether it is there, and holds nothing. Throws `TARGET_EXISTS` if it holds something. */
function isEmptyDirectory(path: string): boolean {
  let names: string[];
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    names = readdirSync(path);
  } catch (error) {
    throw pathError(error, path, 'cannot be looked at');
  }
  if (names.length === 0) return true;
  throw new DatadirError('TARGET_EXISTS', `${path}: not empty, it has ${names[0]}`, { path });
}

/** Moves everything up from a folder of the directory, which holds nothing else, and gives the names; after a failure it is as it was. */
function fillDirectory(from: string, to: string): readonly string[] {
  const others = readdirSync(to).filter((name) => join(to, name) !== from);
  if (others.length > 0) throw Object.assign(new Error(`${others[0]} was put there meanwhile`), { code: 'EEXIST' });
  const moved: string[] = [];
  try {
    for (const name of readdirSync(from)) {
      renameSync(join(from, name), join(to, name));
      moved.push(name);
    }
    rmdirSync(from);
    return moved;
  } catch (error) {
    for (const name of moved) attempt(() => renameSync(join(to, name), join(from, name)));
    throw error;
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
