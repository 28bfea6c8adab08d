/**
 * A pass over the entries of a log as they lie in its segments, in steps, without an object for each.
 */
import type { DatadirError } from '../errors.ts';
import { EntryHead } from '../proto/entry-head.ts';
import { RECORD_TYPE } from '../wal/format.ts';
import { RecordScanner, ScanMemory } from '../wal/record-scanner.ts';
import { type NamedSegment, namedSegments, type SegmentInput } from '../wal/segment-input.ts';

/** Where a record lies. */
export interface EntrySpot {
  /** Position of the segment in the list of segments. */
  readonly segment: number;
  readonly offset: number;
}

/** Takes an entry, whose payload is `bytes[entry.dataStart, entry.dataEnd)`. Valid during the call only. False: that was enough. */
type EntryVisitor = (entry: EntryHead, bytes: Uint8Array, segment: number, offset: number) => boolean;

/** The pass. Entries that later ones replace are among them. It ends at the first record that cannot be read. */
export class EntryPass {
  readonly #segments: readonly NamedSegment[];
  readonly #visit: EntryVisitor;
  readonly #memory = new ScanMemory();
  readonly #entry = new EntryHead();
  #number: number;
  #start: number;
  #scanner: RecordScanner | undefined;
  #error: DatadirError | undefined;

  /** Begins with the record at `from`, or with the first one. */
  constructor(files: readonly SegmentInput[], visit: EntryVisitor, from: EntrySpot = { segment: 0, offset: 0 }) {
    this.#segments = namedSegments(files);
    this.#visit = visit;
    this.#number = from.segment;
    this.#start = from.offset;
  }

  /** Why reading ended before the log did; undefined if it has not, or for another reason. */
  get error(): DatadirError | undefined {
    return this.#error;
  }

  /** Reads about 1 MiB; true when there is nothing left. */
  step(): boolean {
    const segment = this.#segments[this.#number];
    if (segment === undefined) return true;
    // The check of the log has verified the CRCs.
    this.#scanner ??= new RecordScanner(segment.source, undefined, this.#memory, this.#start);
    const scanner = this.#scanner;
    if (scanner.next() && !this.#tell(scanner)) {
      this.#number = this.#segments.length;
      return true;
    }
    if (scanner.ended === undefined) return false;
    this.#scanner = undefined;
    this.#start = 0;
    this.#error = scanner.error;
    if (scanner.ended !== 'end' && scanner.ended !== 'zero') this.#number = this.#segments.length;
    else this.#number++;
    return this.#number >= this.#segments.length;
  }

  #tell({ count, bytes, offsets, types, dataStarts, dataEnds }: RecordScanner): boolean {
    const entry = this.#entry;
    for (let i = 0; i < count; i++) {
      if (types[i] !== RECORD_TYPE.entry) continue;
      if (!entry.parse(bytes, Math.max(dataStarts[i]!, 0), Math.max(dataEnds[i]!, 0))) continue;
      if (!this.#visit(entry, bytes, this.#number, offsets[i]!)) return false;
    }
    return true;
  }
}

/** The segment that a start from a snapshot at `index` begins with; 0 if there is none. */
export function segmentFor(files: readonly SegmentInput[], index: bigint): number {
  return Math.max(
    0,
    namedSegments(files).findLastIndex(({ parsed }) => parsed.index <= index),
  );
}
