// A log directory in memory that records what is done to it, fails where it is told to, and knows what a crash can leave.
import { DatadirError } from '../../src/errors.ts';
import type { ByteFile } from '../../src/io/byte-source.ts';
import { type LogDirectory, memoryLogDirectory } from '../../src/wal/log-directory.ts';
import { seededRandom } from './faulty.ts';

/** One thing that was done. `file` numbers the files in the order of their creation, since names change. */
export type DirectoryEvent =
  | { readonly kind: 'create'; readonly file: number; readonly name: string }
  | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'rename'; readonly file: number; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly file: number; readonly name: string }
  | { readonly kind: 'sync-directory' };

export interface RecordingDirectory extends LogDirectory {
  readonly events: readonly DirectoryEvent[];
  /** What is there now. */
  files(): Map<string, Uint8Array>;
  /** The n-th change from now on (from 0) gives EIO. Of a write its first half is done. */
  failAt(n: number): void;
}

export function recordingDirectory(initial: ReadonlyMap<string, Uint8Array> = new Map()): RecordingDirectory {
  const inner = memoryLogDirectory(Object.fromEntries(initial));
  const events: DirectoryEvent[] = [];
  const numbers = new Map<string, number>([...initial.keys()].map((name, i) => [name, i]));
  let created = initial.size;
  let failIn = Number.POSITIVE_INFINITY;

  function step(what: string): void {
    if (failIn-- === 0) throw new DatadirError('IO_FAILED', `${what} gave EIO`, { systemCode: 'EIO' });
  }
  function wrap(file: ByteFile, number: number): ByteFile {
    return {
      get size() {
        return file.size;
      },
      readInto: (target, offset) => file.readInto(target, offset),
      write(offset, bytes) {
        const write = (part: Uint8Array): void => {
          file.write(offset, part);
          events.push({ kind: 'write', file: number, offset, bytes: part.slice() });
        };
        try {
          step('write');
        } catch (error) {
          write(bytes.subarray(0, bytes.length >> 1));
          throw error;
        }
        write(bytes);
      },
      truncate(size) {
        step('truncate');
        file.truncate(size);
        events.push({ kind: 'truncate', file: number, size }, { kind: 'sync', file: number });
      },
      sync() {
        step('sync');
        events.push({ kind: 'sync', file: number });
      },
      close() {},
    };
  }
  const numberOf = (name: string): number => numbers.get(name) as number;

  return {
    events,
    failAt(n) {
      failIn = n;
    },
    files: () => new Map(inner.list().map((name) => [name, inner.read(name)])),
    list: () => inner.list(),
    create(name) {
      step('create');
      const file = inner.create(name);
      numbers.set(name, created);
      events.push({ kind: 'create', file: created, name });
      return wrap(file, created++);
    },
    open: (name) => wrap(inner.open(name), numberOf(name)),
    rename(from, to) {
      step('rename');
      inner.rename(from, to);
      const file = numberOf(from);
      numbers.delete(from);
      numbers.set(to, file);
      events.push({ kind: 'rename', file, from, to });
    },
    remove(name) {
      step('remove');
      inner.remove(name);
      events.push({ kind: 'remove', file: numberOf(name), name });
    },
    sync() {
      step('sync of the directory');
      events.push({ kind: 'sync-directory' });
    },
  };
}

/**
 * States that a crash after `events` can leave: names as the last sync of the directory left them or with some of the
 * changes after it, and of each file what was synced plus some of what was written after that. First the one with nothing
 * and the one with everything that was not synced, then prefixes and random subsets.
 */
export function* crashStates(
  events: readonly DirectoryEvent[],
  samples: number,
  seed: number,
): Generator<Map<string, Uint8Array>> {
  const unsyncedNames = names(events);
  const unsyncedWrites = writes(events);
  const every = [...unsyncedNames, ...unsyncedWrites];
  yield state(events, new Set());
  yield state(events, new Set(every));
  for (let length = 1; length < unsyncedWrites.length; length++) {
    yield state(events, new Set([...unsyncedNames, ...unsyncedWrites.slice(0, length)]));
  }
  const random = seededRandom(seed);
  for (let i = 0; i < samples; i++) {
    // Names change one after the other, writes reach the disk in any order.
    const changed = unsyncedNames.slice(0, Math.floor(random() * (unsyncedNames.length + 1)));
    yield state(events, new Set([...changed, ...unsyncedWrites.filter(() => random() < 0.5)]));
  }
}

const isName = (event: DirectoryEvent): boolean =>
  event.kind === 'create' || event.kind === 'rename' || event.kind === 'remove';

/** Changes of names after the last sync of the directory, as indices. */
function names(events: readonly DirectoryEvent[]): number[] {
  const synced = events.findLastIndex(({ kind }) => kind === 'sync-directory');
  return [...events.keys()].filter((i) => i > synced && isName(events[i]));
}

/** Writes after the last sync of their file, as indices. Truncations are synced by the library. */
function writes(events: readonly DirectoryEvent[]): number[] {
  return [...events.keys()].filter((i) => {
    const event = events[i];
    if (event.kind !== 'write') return false;
    return !events.some((later, j) => j > i && later.kind === 'sync' && later.file === event.file);
  });
}

function state(events: readonly DirectoryEvent[], survived: ReadonlySet<number>): Map<string, Uint8Array> {
  const lost = new Set([...names(events), ...writes(events)].filter((i) => !survived.has(i)));
  const contents = new Map<number, Uint8Array>();
  const named = new Map<string, number>();
  const resize = (file: number, size: number): Uint8Array => {
    const resized = new Uint8Array(size);
    resized.set((contents.get(file) ?? new Uint8Array(0)).subarray(0, size));
    contents.set(file, resized);
    return resized;
  };
  for (const [i, event] of events.entries()) {
    if (lost.has(i)) continue;
    if (event.kind === 'create') named.set(event.name, event.file);
    else if (event.kind === 'remove') named.delete(event.name);
    else if (event.kind === 'truncate') resize(event.file, event.size);
    else if (event.kind === 'rename') {
      named.delete(event.from);
      named.set(event.to, event.file);
    } else if (event.kind === 'write') {
      const size = contents.get(event.file)?.length ?? 0;
      resize(event.file, Math.max(size, event.offset + event.bytes.length)).set(event.bytes, event.offset);
    }
  }
  return new Map([...named].map(([name, file]) => [name, contents.get(file) ?? new Uint8Array(0)]));
}
