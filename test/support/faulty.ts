// Sources and files that fail on purpose, and the states that a crash can leave of a file.
import { DatadirError } from '../../src/errors.ts';
import type { ByteFile, ByteSource } from '../../src/io/byte-source.ts';

/** A seeded stream of numbers in [0, 1) (mulberry32): a failure can be had again by its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface FaultySourceOptions {
  /** Ranges [start, end) that give EIO when a read touches them. */
  readonly failAt?: readonly (readonly [start: number, end: number])[];
  /** The source has only so many bytes, though `size` says more: reads there give FILE_SHRANK … */
  readonly shrinkTo?: number;
  /** … but the first so many reads are still served from the whole. */
  readonly shrinkAfterReads?: number;
  /** Seed: every read is made of several of random lengths, as a system may serve it. */
  readonly shortReads?: number;
  /** Called before each read, the failing ones included. */
  readonly onRead?: (offset: number, length: number) => void;
}

/** What a faulty source has seen. */
export interface FaultySource extends ByteSource {
  readonly reads: number;
  readonly bytesRead: number;
  readonly closed: boolean;
}

/** A source that fails where it is told to. Counts reads and bytes also without any fault. */
export function faultySource(source: ByteSource, options: FaultySourceOptions = {}): FaultySource {
  const { failAt = [], shrinkTo = Number.POSITIVE_INFINITY, shrinkAfterReads = 0, shortReads, onRead } = options;
  const random = shortReads === undefined ? undefined : seededRandom(shortReads);
  const path = source.path === undefined ? {} : { path: source.path };
  let reads = 0;
  let bytesRead = 0;
  let closed = false;

  /** As a system call: may give less than asked for, 0 at the end. */
  function readSome(target: Uint8Array, offset: number): number {
    const length = random === undefined ? target.length : 1 + Math.floor(random() * target.length);
    const end = Math.min(offset + length, source.size);
    const bad = failAt.find(([badStart, badEnd]) => badStart < end && offset < badEnd);
    if (bad !== undefined && bad[0] <= offset) {
      const details = { ...path, offset, systemCode: 'EIO' };
      throw new DatadirError('IO_FAILED', `read of ${length} bytes at offset ${offset} gave EIO`, details);
    }
    const limit = Math.min(bad?.[0] ?? end, end, reads > shrinkAfterReads ? shrinkTo : end);
    return limit <= offset ? 0 : source.readInto(target.subarray(0, limit - offset), offset);
  }

  return {
    size: source.size,
    ...path,
    get reads() {
      return reads;
    },
    get bytesRead() {
      return bytesRead;
    },
    get closed() {
      return closed;
    },
    readInto(target: Uint8Array, offset: number): number {
      onRead?.(offset, target.length);
      reads++;
      let done = 0;
      while (done < target.length) {
        const count = readSome(target.subarray(done), offset + done);
        if (count === 0) {
          if (offset + done >= source.size) break;
          const details = { ...path, offset: offset + done };
          throw new DatadirError('FILE_SHRANK', `ends at ${offset + done}, had ${source.size} bytes`, details);
        }
        done += count;
      }
      bytesRead += done;
      return done;
    },
    currentSize: () =>
      Math.min(source.currentSize?.() ?? source.size, reads > shrinkAfterReads ? shrinkTo : source.size),
    close(): void {
      closed = true;
      source.close();
    },
  };
}

/** One thing that happened to a file. */
export type FileEvent =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'sync' };

export interface FaultyFileOptions {
  /** The n-th write (from 0) gives ENOSPC, and all after it; nothing of it is written. */
  readonly failWriteAfter?: number;
  /** The n-th sync (from 0) gives EIO. A truncation syncs too. */
  readonly failSyncAt?: number;
}

/** A file that records what was done to it. */
export interface FaultyFile extends ByteFile {
  readonly events: readonly FileEvent[];
}

/** A file that fails where it is told to and records every write, truncation and sync that succeeded. */
export function faultyFile(file: ByteFile, options: FaultyFileOptions = {}): FaultyFile {
  const { failWriteAfter = Number.POSITIVE_INFINITY, failSyncAt = -1 } = options;
  const path = file.path === undefined ? {} : { path: file.path };
  const events: FileEvent[] = [];
  let writes = 0;
  let syncs = 0;

  function sync(): void {
    if (syncs++ === failSyncAt) {
      throw new DatadirError('IO_FAILED', 'sync gave EIO', { ...path, systemCode: 'EIO' });
    }
    events.push({ kind: 'sync' });
  }

  return {
    ...path,
    get size() {
      return file.size;
    },
    events,
    readInto: (target, offset) => file.readInto(target, offset),
    currentSize: () => file.currentSize?.() ?? file.size,
    write(offset: number, bytes: Uint8Array): void {
      if (writes++ >= failWriteAfter) {
        const words = `write of ${bytes.length} bytes at offset ${offset} gave ENOSPC`;
        throw new DatadirError('IO_FAILED', words, { ...path, offset, systemCode: 'ENOSPC' });
      }
      file.write(offset, bytes);
      // The caller's buffer will be used again.
      events.push({ kind: 'write', offset, bytes: bytes.slice() });
    },
    truncate(size: number): void {
      file.truncate(size);
      events.push({ kind: 'truncate', size });
      sync();
    },
    sync(): void {
      file.sync();
      sync();
    },
    close: () => file.close(),
  };
}

export interface CrashStateOptions {
  /** What the file held before the first event; default nothing. */
  readonly initial?: Uint8Array;
  /** Between two syncs with more events than this, subsets are drawn at random instead of taken all; default 8. */
  readonly exhaustiveUpTo?: number;
  /** How many subsets are drawn then; default 200. */
  readonly samples?: number;
  /** Writes may also be torn between sectors of this size: each write alone, at each of its sectors; default not at all. */
  readonly sectorSize?: number;
  /** Of the random draws; default 1. */
  readonly seed?: number;
}

/** A state that a crash can leave. */
export interface CrashState {
  readonly bytes: Uint8Array;
  /** How many syncs had returned, and so how much must have survived. */
  readonly syncs: number;
  /** Which events after the last of these syncs reached the disk, as indices into all events. */
  readonly survived: readonly number[];
  /** Set when one of the survivors is torn: it, and how many of its bytes were written. */
  readonly torn?: { readonly event: number; readonly length: number };
}

/**
 * Every state that a crash can leave of a file: all that was synced, and of what came after it any subset, since a disk
 * may write in any order. The prefixes, and so the state without any crash, are among them.
 */
export function* crashStates(events: readonly FileEvent[], options: CrashStateOptions = {}): Generator<CrashState> {
  const { exhaustiveUpTo = 8, samples = 200, sectorSize, seed = 1 } = options;
  const random = seededRandom(seed);
  let base = options.initial ?? new Uint8Array(0);
  let syncs = 0;
  for (let start = 0; start <= events.length; ) {
    let end = start;
    while (end < events.length && events[end].kind !== 'sync') end++;
    const indices = Array.from({ length: end - start }, (_, i) => start + i);
    for (const survived of subsets(indices, exhaustiveUpTo, samples, random)) {
      yield { bytes: applyEvents(base, events, survived), syncs, survived };
    }
    if (sectorSize !== undefined) {
      for (const event of indices) {
        const { bytes } = events[event] as { bytes?: Uint8Array };
        for (let length = sectorSize; length < (bytes?.length ?? 0); length += sectorSize) {
          const survived = indices.filter((index) => index <= event);
          const torn = { event, length };
          yield { bytes: applyEvents(base, events, survived, torn), syncs, survived, torn };
        }
      }
    }
    base = applyEvents(base, events, indices);
    syncs++;
    start = end + 1;
  }
}

function* subsets(
  indices: readonly number[],
  exhaustiveUpTo: number,
  samples: number,
  random: () => number,
): Generator<number[]> {
  if (indices.length <= exhaustiveUpTo) {
    for (let mask = 0; mask < 2 ** indices.length; mask++) yield indices.filter((_, i) => mask & (1 << i));
    return;
  }
  for (let length = 0; length <= indices.length; length++) yield indices.slice(0, length);
  for (const lost of indices) yield indices.filter((index) => index !== lost);
  for (const only of indices) yield [only];
  for (let i = 0; i < samples; i++) yield indices.filter(() => random() < 0.5);
}

function applyEvents(
  base: Uint8Array,
  events: readonly FileEvent[],
  indices: readonly number[],
  torn?: { readonly event: number; readonly length: number },
): Uint8Array {
  let bytes: Uint8Array = base;
  const resize = (size: number): void => {
    const resized = new Uint8Array(size);
    resized.set(bytes.subarray(0, size));
    bytes = resized;
  };
  resize(base.length);
  for (const index of indices) {
    const event = events[index];
    if (event.kind === 'truncate') resize(event.size);
    if (event.kind !== 'write') continue;
    const written = torn?.event === index ? event.bytes.subarray(0, torn.length) : event.bytes;
    if (event.offset + written.length > bytes.length) resize(event.offset + written.length);
    bytes.set(written, event.offset);
  }
  return bytes;
}
