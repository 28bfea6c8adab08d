/**
 * Builds a whole bolt file from sorted entries in one go: every page is written once, full, and the metas last. Memory does
 * not grow with the number of keys.
 */
import { DatadirError } from '../errors.ts';
import type { ByteFile } from '../io/byte-source.ts';
import { type Job, type RunOptions, runSliced, throwIfAborted, turn } from '../io/job.ts';
import { SelfCheckJob } from './bulk-check.ts';
import { type BuildOptions, BulkFile } from './bulk-file.ts';
import { compareKeys } from './compare-keys.ts';
import { MAX_KEY_SIZE, MAX_VALUE_SIZE } from './format.ts';
import { keyText } from './key-text.ts';
import { type BucketDigest, PairDigest } from './pair-digest.ts';

/**
 * What goes into a file, one after another: depth first, ascending by key in every bucket. The entry of a bucket stands at
 * its place among the keys of the bucket it lies in, and what is in it follows directly.
 */
export type BuildEntry = BucketBuildEntry | PairBuildEntry;

/** A bucket, by the names from the top down to its own. */
export interface BucketBuildEntry {
  readonly bucket: readonly Uint8Array[];
  /** Default 0. */
  readonly sequence?: bigint | undefined;
  readonly key?: undefined;
  readonly value?: undefined;
}

/** A key and its value, in the bucket that the names lead to. */
export interface PairBuildEntry {
  readonly bucket: readonly Uint8Array[];
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** What was built. */
export interface BuildSummary {
  /** Keys with values. */
  readonly pairs: number;
  readonly buckets: number;
  /** The digest of all of them, as a check of the file gives it. */
  readonly digest: string;
  /** Length of the file. */
  readonly size: number;
}

/**
 * Writes a bolt file into an empty `ByteFile`. What is added goes to the file as pages fill up; there is no database before
 * `finish()` has returned. After a failed write the file is of no use.
 */
export class BoltBuilder {
  readonly #file: BulkFile;
  readonly #digest = new PairDigest();
  /** Of the buckets that are open. */
  readonly #bucketDigests: BucketDigest[] = [];
  #ended = false;
  /** The path of the last entry, when its bucket is the innermost open one. */
  #lastPath: readonly Uint8Array[] | undefined;

  constructor(file: ByteFile, options: BuildOptions = {}) {
    this.#file = new BulkFile(file, options);
  }

  /**
   * Adds an entry. Its bytes are copied, the array of names must not change. Throws `BOLT_NOT_SORTED` for what does not come after
   * the last key of its bucket, `BOLT_BUCKET_NOT_FOUND` for a bucket without an entry of its own, `BOLT_KEY_REQUIRED`,
   * `BOLT_KEY_TOO_LARGE`, `BOLT_VALUE_TOO_LARGE`, `BOLT_BUCKET_NAME_REQUIRED`; nothing has been added then, and the
   * builder can go on.
   */
  add(entry: BuildEntry): void {
    this.#requireOpen();
    if (entry.key === undefined) this.#addBucket(entry.bucket, entry.sequence ?? 0n);
    else this.#addPair(entry.bucket, entry.key, entry.value);
  }

  /** Writes what is left, then both metas, and syncs the file. */
  finish(): BuildSummary {
    this.#requireOpen();
    this.#ended = true;
    this.#closeDownTo(0);
    const size = this.#file.finish();
    const { pairs, buckets, value } = this.#digest.summary();
    return { pairs, buckets, digest: value, size };
  }

  #requireOpen(): void {
    if (this.#ended) throw new DatadirError('BOLT_CLOSED', 'the file was finished, or a write to it failed');
  }

  #addPair(path: readonly Uint8Array[], key: Uint8Array, value: Uint8Array): void {
    if (path.length === 0) {
      throw new DatadirError('BOLT_BUCKET_NAME_REQUIRED', `key ${keyText(key)}: a key must be in a bucket`);
    }
    if (key.length === 0) throw new DatadirError('BOLT_KEY_REQUIRED', `${pathText(path)}: a key is empty`);
    if (key.length > MAX_KEY_SIZE) {
      const words = `a key may have ${MAX_KEY_SIZE} bytes`;
      throw new DatadirError('BOLT_KEY_TOO_LARGE', `${pathText(path)}, key ${keyText(key)}: ${words}`);
    }
    if (value.length > MAX_VALUE_SIZE) {
      const words = `a value of ${value.length} bytes, it may have ${MAX_VALUE_SIZE}`;
      throw new DatadirError('BOLT_VALUE_TOO_LARGE', `${pathText(path)}, key ${keyText(key)}: ${words}`);
    }
    this.#requireOpenBuckets(path, path.length);
    this.#requireOrder(path, path.length, key);
    this.#write(() => {
      this.#closeDownTo(path.length);
      this.#file.tree.add(0, key, value);
    });
    const digest = this.#bucketDigests.at(-1) as BucketDigest;
    digest.lengths(key.length, value.length);
    digest.range(key, 0, key.length);
    digest.range(value, 0, value.length);
    this.#lastPath = path;
  }

  #addBucket(path: readonly Uint8Array[], sequence: bigint): void {
    const name = path.at(-1);
    if (name === undefined || name.length === 0) {
      throw new DatadirError('BOLT_BUCKET_NAME_REQUIRED', `${pathText(path)}: the name of a bucket is empty`);
    }
    if (sequence < 0n || sequence >= 1n << 64n) {
      throw new DatadirError('USAGE', `${pathText(path)}: a sequence of ${sequence} does not fit into 64 bits`);
    }
    const depth = path.length - 1;
    this.#requireOpenBuckets(path, depth);
    this.#requireOrder(path, depth, name);
    this.#write(() => this.#closeDownTo(depth));
    this.#file.openBucket(name.slice(), sequence);
    this.#bucketDigests.push(this.#digest.bucket(this.#bucketDigests.at(-1), name, sequence));
    this.#lastPath = path;
  }

  /** Throws unless the first `depth` names are those of the buckets that are open. */
  #requireOpenBuckets(path: readonly Uint8Array[], depth: number): void {
    if (path === this.#lastPath && depth === path.length) return;
    for (let i = 0; i < depth; i++) {
      const name = path[i] as Uint8Array;
      const open = this.#file.openName(i);
      if (open !== undefined && compareKeys(name, open) === 0) continue;
      // A bucket that was left cannot be gone back to; any other has not been there at all.
      this.#requireOrder(path, i, name);
      const words = 'no entry of this bucket came before what is in it';
      throw new DatadirError('BOLT_BUCKET_NOT_FOUND', `${pathText(path.slice(0, i + 1))}: ${words}`);
    }
  }

  /** Throws unless `key` comes after everything in the open bucket at that depth. */
  #requireOrder(path: readonly Uint8Array[], depth: number, key: Uint8Array): void {
    // A bucket that is still open in it is its last key.
    const inner = this.#file.openName(depth);
    const order = inner === undefined ? this.#file.treeAt(depth).compareWithLast(key) : compareKeys(key, inner);
    if (order > 0) return;
    const where = depth === 0 ? '' : `${pathText(path.slice(0, depth))}, `;
    const words = order === 0 ? 'there is one already' : 'it comes after a greater one';
    throw new DatadirError('BOLT_NOT_SORTED', `${where}key ${keyText(key)}: ${words}`);
  }

  #closeDownTo(depth: number): void {
    while (this.#file.depth > depth) {
      this.#file.closeBucket();
      this.#bucketDigests.pop()?.end();
    }
  }

  #write(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#ended = true;
      throw error;
    }
  }
}

/** Options of `buildBolt`. */
export type BuildBoltOptions = BuildOptions & RunOptions;

/** Entries, one by one, or in batches when they come with a wait. */
export type BuildEntries = Iterable<BuildEntry> | AsyncIterable<BuildEntry | readonly BuildEntry[]>;

/**
 * Builds a bolt file from sorted entries in an empty `ByteFile`, in slices, and checks it by reading it again: it must be
 * healthy and hold what went in, else `SELF_CHECK_FAILED`. Throws what `BoltBuilder.add` throws; the file is of no use then.
 * `onProgress` counts bytes of keys and values; how many there will be is not known.
 */
export async function buildBolt(
  target: ByteFile,
  entries: BuildEntries,
  options: BuildBoltOptions = {},
): Promise<BuildSummary> {
  const summary = await addEntries(new BoltBuilder(target, options), entries, options);
  await runSliced(new SelfCheckJob(target, summary), { signal: options.signal });
  return summary;
}

/** Gives all entries to a builder and finishes it, in slices. */
export async function addEntries(
  builder: BoltBuilder,
  entries: BuildEntries,
  options: RunOptions = {},
): Promise<BuildSummary> {
  const { signal, onProgress } = options;
  let bytes = 0;
  const add = (entry: BuildEntry): void => {
    builder.add(entry);
    bytes += (entry.key?.length ?? 0) + (entry.value?.length ?? 0);
  };
  if (Symbol.asyncIterator in entries) {
    throwIfAborted(signal);
    let next = performance.now() + TURN_MS;
    for await (const batch of entries) {
      if (isBatch(batch)) for (const entry of batch) add(entry);
      else add(batch);
      if (performance.now() < next) continue;
      // What comes without a real wait would keep the event loop from hearing anything.
      await turn();
      next = performance.now() + TURN_MS;
      throwIfAborted(signal);
      onProgress?.({ done: bytes, total: bytes });
    }
    throwIfAborted(signal);
    return builder.finish();
  }
  const iterator = entries[Symbol.iterator]();
  try {
    const job: Job<BuildSummary> = {
      get progress() {
        return { done: bytes, total: bytes };
      },
      get result() {
        return builder.finish();
      },
      step() {
        for (let i = 0; i < ENTRIES_PER_STEP; i++) {
          const { value, done } = iterator.next();
          if (done === true) return true;
          add(value);
        }
        return false;
      },
    };
    return await runSliced(job, options);
  } catch (error) {
    iterator.return?.();
    throw error;
  }
}

const ENTRIES_PER_STEP = 64;
const TURN_MS = 10;

function isBatch(batch: BuildEntry | readonly BuildEntry[]): batch is readonly BuildEntry[] {
  return Array.isArray(batch);
}

function pathText(path: readonly Uint8Array[]): string {
  return `bucket ${path.map((name) => keyText(name)).join(' / ') || '""'}`;
}
