/**
 * Reads a write-ahead log: its records as they lie in the files, and the entries that survive of them.
 *
 * Records are one pass over the segments. Which entries survive is known only at the end of the log, so they are two: the
 * first keeps where runs of them are (`entry-runs.ts`), the second reads those. Nothing is kept of the records themselves.
 */
import { DatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { EntryHead } from '../proto/entry-head.ts';
import { ENTRY_NORMAL, type Entry, parseEntry } from '../proto/raft.ts';
import { assertFollowed, type EntryRun, type EntryRuns } from './entry-runs.ts';
import { finish, type Steps } from './etcd/steps.ts';
import { RECORD_TYPE } from './format.ts';
import { type LogDamage, type LogRecord, segmentRecords } from './log-records.ts';
import { RecordScanner, ScanMemory } from './record-scanner.ts';
import { type NamedSegment, namedSegments, type WalFiles } from './segment-input.ts';
import type { SegmentName } from './segment-name.ts';
import { type LogState, Survey } from './survey.ts';

/** Work of one step: bytes, each record counting for some besides. */
const STEP_BYTES = 1 << 20;
const RECORD_COST = 256;

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
  /**
   * Entries below this index are passed over, at little cost: all but one about every MiB, so that whoever iterates can pause, and, if
   * `changesBelow` is true, but those that change members. Default: none.
   */
  readonly from?: bigint | undefined;
  readonly changesBelow?: boolean | undefined;
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

/**
 * Where the entries of runs are read. A log may have a run for every entry: one whose records are in memory already, behind those of the
 * run before, is read from there.
 */
class RunReading {
  readonly #memory = new ScanMemory();
  #segment = -1;
  scanner: RecordScanner | undefined;
  /** The next record of those in memory. */
  at = 0;

  /** Whether the run begins among the records in memory that have not been passed. */
  isAt({ segment, offset }: EntryRun): boolean {
    const { scanner, at } = this;
    if (scanner === undefined || segment !== this.#segment || at >= scanner.count) return false;
    return offset >= scanner.offsets[at]! && offset < scanner.endOffset;
  }

  open(source: ByteSource, { segment, offset }: EntryRun): void {
    this.scanner = new RecordScanner(source, undefined, this.#memory, offset);
    this.#segment = segment;
    this.at = 0;
  }

  /** Reads on when all records in memory have been passed. False: there are no more. */
  load(): boolean {
    const { scanner } = this;
    if (scanner === undefined) return false;
    if (this.at < scanner.count) return true;
    this.at = 0;
    return scanner.next();
  }
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
    const { after, from = 0n, changesBelow = false } = options;
    const { runs } = this.#survey(after);
    assertFollowed(runs);
    const reading = new RunReading();
    let next = after === undefined ? undefined : Number(after) + 1;
    for (const run of runs.runs) {
      const { firstIndex, count } = run;
      if (next !== undefined && firstIndex !== next) {
        const words = `entries ${next} to ${firstIndex - 1} are missing`;
        const path = this.#segments[run.segment]!.name;
        throw new DatadirError('WAL_DAMAGED', words, {
          path,
          offset: run.offset,
          expected: `${next}`,
          actual: `${firstIndex}`,
        });
      }
      if (next !== undefined) next += count;
      if (firstIndex + count > from || changesBelow) yield* this.#runEntries(run, reading, Number(from), changesBelow);
    }
  }

  *#runEntries(
    run: EntryRun,
    reading: RunReading,
    from: number,
    changesBelow: boolean,
  ): Generator<LogEntry, void, undefined> {
    const { name: segment, source } = this.#segments[run.segment]!;
    if (!reading.isAt(run)) reading.open(source, run);
    const scanner = reading.scanner as RecordScanner;
    const head = new EntryHead();
    let next = run.firstIndex;
    const end = next + run.count;
    for (; reading.load(); reading.at = scanner.count) {
      const { count, bytes, offsets, types, dataStarts, dataEnds } = scanner;
      let isFirst = true;
      for (let i = reading.at; i < count; i++) {
        if (types[i] !== RECORD_TYPE.entry || offsets[i]! < run.offset) continue;
        const start = Math.max(dataStarts[i]!, 0);
        // What was passed over when the run was found has another index.
        if (!head.parse(bytes, start, Math.max(dataEnds[i]!, 0)) || head.index !== next) continue;
        reading.at = i + 1;
        if (next >= from || isFirst || (changesBelow && head.type !== ENTRY_NORMAL)) {
          isFirst = false;
          const entry = parseEntry(bytes, start, Math.max(dataEnds[i]!, 0));
          const { term = 0n, index = 0n } = entry;
          yield { ...entry, term, index, segment, offset: offsets[i]! };
        }
        if (++next === end) return;
      }
    }
  }

  /**
   * What the log comes to from a start at `after` on, as `entries({ after })` sees it, in steps: that then begins without reading
   * everything first. Throws `WAL_DAMAGED` if no segment reaches back to there.
   */
  *stateSteps(after: bigint): Steps<LogState> {
    return (yield* this.#surveySteps(after)).state;
  }

  #survey(after?: bigint): Surveyed {
    return finish(this.#surveySteps(after));
  }

  /** Reads the log, from where a start from a snapshot at `after` begins, once. */
  *#surveySteps(after?: bigint): Steps<Surveyed> {
    const from = after === undefined ? 0 : this.#startFor(after);
    const surveyed = this.#surveyed;
    if (surveyed?.from === from && surveyed.after === (after ?? 0n)) return surveyed;
    const survey = new Survey(Number(after ?? 0n));
    const first = this.#segments[from];
    let number = from;
    let budget = STEP_BYTES;
    for (const item of first === undefined ? [] : this.records({ fromSegment: first.name })) {
      while (this.#segments[number]?.name !== item.segment) number++;
      if (!survey.add(item, number)) break;
      budget -= RECORD_COST + (item.kind === 'record' ? item.end - item.offset : 0);
      if (budget > 0) continue;
      budget = STEP_BYTES;
      yield;
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
