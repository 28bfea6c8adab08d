/**
 * Reads a write-ahead log: its records as they lie in the files, and the entries that survive of them.
 *
 * Records are one pass over the segments. Which entries survive is known only at the end of the log, so they are two: the
 * first keeps where runs of them are (`entry-runs.ts`), the second reads those. Nothing is kept of the records themselves.
 */
import { DatadirError } from '../errors.ts';
import { type Entry, parseEntry } from '../proto/raft.ts';
import { assertFollowed, type EntryRun, type EntryRuns } from './entry-runs.ts';
import { RECORD_TYPE } from './format.ts';
import { type LogDamage, type LogRecord, segmentRecords } from './log-records.ts';
import { RecordScanner, ScanMemory } from './record-scanner.ts';
import { type NamedSegment, namedSegments, type WalFiles } from './segment-input.ts';
import type { SegmentName } from './segment-name.ts';
import { type LogState, Survey } from './survey.ts';

/** Options of `Wal.records`. */
export interface RecordsOptions {
  /** Go on behind damage, with the next records that continue one another. Default: the records end there. */
  readonly goOn?: boolean | undefined;
  /** Begin with this segment, by name. Default: the first. */
  readonly fromSegment?: string | undefined;
}

/** An entry and where it lies. */
export interface LogEntry extends Entry {
  readonly segment: string;
  readonly offset: number;
  readonly term: bigint;
  readonly index: bigint;
}

/** Options of `Wal.entries`. */
export interface EntriesOptions {
  /**
   * Only entries above this index, from the segment on that a start from a snapshot at this index begins with. Throws
   * `WAL_DAMAGED` if they do not begin right behind it, or have a gap. Default: all that the log has.
   */
  readonly after?: bigint | undefined;
}

/** A segment's name, size and what its name says. */
export interface SegmentInfo extends SegmentName {
  readonly name: string;
  readonly size: number;
}

/** What the log from a segment on comes to, entries above an index only. */
interface Surveyed {
  readonly from: number;
  readonly after: bigint;
  readonly state: LogState;
  readonly runs: EntryRuns;
}

/** A log that is open for reading. */
export class Wal {
  readonly #segments: readonly NamedSegment[];
  #surveyed: Surveyed | undefined;

  /** Takes the files of a directory; their sources are closed by `close()`. */
  constructor({ segments }: WalFiles) {
    this.#segments = namedSegments(segments);
  }

  /** The segments in the order in which they are read. */
  get segments(): readonly SegmentInfo[] {
    return this.#segments.map(({ name, source, parsed }) => ({ name, size: source.size, ...parsed }));
  }

  /** What the log comes to, up to its first damage. Reads all of it, the first time. */
  get state(): LogState {
    return this.#survey().state;
  }

  /** All records in file order. Data are views: copy what is to be kept. */
  *records(options: RecordsOptions = {}): Generator<LogRecord | LogDamage, void, undefined> {
    const { goOn = false, fromSegment } = options;
    const from = fromSegment === undefined ? 0 : this.#position(fromSegment);
    // Of its own: several iterations may be under way.
    const memory = new ScanMemory();
    let previousCrc: number | undefined;
    for (const { name, source } of this.#segments.slice(from)) {
      previousCrc = yield* segmentRecords({ name, source, previousCrc, goOn }, memory);
      if (previousCrc === undefined && !goOn) return;
    }
  }

  /** The entries that survive, in order of index. Reads the log twice, the first time. Data are views: copy what is to be kept. */
  *entries(options: EntriesOptions = {}): Generator<LogEntry, void, undefined> {
    const { after } = options;
    const { runs } = this.#survey(after);
    assertFollowed(runs);
    const memory = new ScanMemory();
    let next = after === undefined ? undefined : after + 1n;
    for (const run of runs.runs) {
      for (const entry of this.#runEntries(run, memory)) {
        if (next !== undefined && entry.index !== next) {
          const words = `entries ${next} to ${entry.index - 1n} are missing`;
          throw new DatadirError('WAL_DAMAGED', words, { path: entry.segment, offset: entry.offset });
        }
        if (next !== undefined) next = entry.index + 1n;
        yield entry;
      }
    }
  }

  *#runEntries(run: EntryRun, memory: ScanMemory): Generator<LogEntry, void, undefined> {
    const { name: segment, source } = this.#segments[run.segment]!;
    const scanner = new RecordScanner(source, undefined, memory, run.offset);
    let next = BigInt(run.firstIndex);
    const end = next + BigInt(run.count);
    while (scanner.next()) {
      const { count, bytes, offsets, types, dataStarts, dataEnds } = scanner;
      for (let i = 0; i < count; i++) {
        if (types[i] !== RECORD_TYPE.entry) continue;
        const entry = parseEntry(bytes, Math.max(dataStarts[i]!, 0), Math.max(dataEnds[i]!, 0));
        const { term = 0n, index = 0n } = entry;
        // What was passed over when the run was found.
        if (index !== next) continue;
        yield { ...entry, term, index, segment, offset: offsets[i]! };
        if (++next === end) return;
      }
    }
  }

  /** Reads the log, from where a start from a snapshot at `after` begins, once. */
  #survey(after?: bigint): Surveyed {
    const from = after === undefined ? 0 : this.#startFor(after);
    const surveyed = this.#surveyed;
    if (surveyed?.from === from && surveyed.after === (after ?? 0n)) return surveyed;
    const survey = new Survey(Number(after ?? 0n));
    const first = this.#segments[from];
    let number = from;
    for (const item of first === undefined ? [] : this.records({ fromSegment: first.name })) {
      while (this.#segments[number]?.name !== item.segment) number++;
      if (!survey.add(item, number)) break;
    }
    this.#surveyed = { from, after: after ?? 0n, state: survey.state, runs: survey.runs };
    return this.#surveyed;
  }

  /** The segment that a start from a snapshot at `index` begins with. */
  #startFor(index: bigint): number {
    const position = this.#segments.findLastIndex(({ parsed }) => parsed.index <= index);
    if (position >= 0) return position;
    throw new DatadirError('WAL_DAMAGED', `no segment reaches back to index ${index}`);
  }

  #position(name: string): number {
    const position = this.#segments.findIndex((segment) => segment.name === name);
    if (position >= 0) return position;
    throw new DatadirError('NOT_FOUND', `${name}: no such segment`, { path: name });
  }

  close(): void {
    for (const { source } of this.#segments) source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Opens a log for reading: the files of its directory, or one segment of it. */
export function readWal(files: WalFiles): Wal {
  return new Wal(files);
}
