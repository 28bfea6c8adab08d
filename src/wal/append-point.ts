/**
 * Reads a log to its end to find where the next record goes, as etcd does before it appends.
 *
 * Stricter than reading for its own sake: appending to a log that is not whole would bury what is wrong with it.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { parseEntry, parseHardState } from '../proto/raft.ts';
import { parseWalRecord, parseWalSnapshot, type WalRecord } from '../proto/wal.ts';
import { RECORD_TYPE } from './format.ts';
import { FrameReader } from './frame-reader.ts';
import { parseSegmentName, parseSegmentNameAsEtcd, type SegmentName } from './segment-name.ts';

/** The snapshot that reading begins at. */
export interface StartSnapshot {
  readonly index: bigint;
  readonly term: bigint;
}

/** A segment's name and what it says. */
export interface NamedSegment extends SegmentName {
  readonly name: string;
}

/** What the writer has to know of a log. */
export interface AppendPoint {
  /** Where in the last segment the records end. */
  readonly offset: number;
  /** The CRC of all data so far. */
  readonly crc: number;
  readonly metadata: Uint8Array | undefined;
  /** The index of the last entry that was read; 0 if none was. */
  readonly lastIndex: bigint;
}

/**
 * The segments that are read: from the last one whose name is not beyond the snapshot, or all. Throws `NOT_FOUND` when
 * there is none, `WAL_DAMAGED` when some are missing in between or a name is not as etcd writes it.
 */
export function selectSegments(names: readonly string[], from: StartSnapshot | undefined): readonly NamedSegment[] {
  const segments: NamedSegment[] = [];
  for (const name of [...names].sort()) {
    const parsed = parseSegmentName(name);
    if (parsed !== undefined) segments.push({ name, ...parsed });
    else if (parseSegmentNameAsEtcd(name) !== undefined) {
      throw damaged('etcd takes it for a segment, but does not write such names', name);
    }
  }
  let first = 0;
  if (from !== undefined) {
    first = segments.length - 1;
    while (first >= 0 && segments[first]!.index > from.index) first--;
  }
  const selected = first < 0 ? [] : segments.slice(first);
  if (selected.length === 0) {
    const words = from === undefined ? 'no segment of a log' : `no segment begins at or before index ${from.index}`;
    throw new DatadirError('NOT_FOUND', words);
  }
  let before: NamedSegment | undefined;
  for (const segment of selected) {
    // As etcd: behind segment 0 a hole is seen by the CRC only.
    if (before !== undefined && before.sequence !== 0n && segment.sequence !== before.sequence + 1n) {
      throw damaged(`segments are missing between ${before.name} and this one`, segment.name);
    }
    before = segment;
  }
  return selected;
}

/** Takes the records of one segment after the other. */
export class AppendPointReader {
  readonly #from: StartSnapshot | undefined;
  #crc = 0;
  #metadata: Uint8Array | undefined;
  #lastIndex = 0n;
  /** No entry may come that is further on than this and one more. */
  #reached: bigint;

  constructor(first: SegmentName, from: StartSnapshot | undefined) {
    this.#from = from;
    // Entries before those of the first segment may have been purged.
    const known = from?.index ?? 0n;
    const named = first.index === 0n ? 0n : first.index - 1n;
    this.#reached = known > named ? known : named;
  }

  /** Reads a segment to its end; throws `WAL_DAMAGED` if that is not reached, `IO_FAILED` if it cannot be read. */
  read(name: string, source: ByteSource): number {
    const frames = new FrameReader(source);
    for (;;) {
      const status = frames.next();
      switch (status) {
        case 'frame':
          this.#take(name, frames);
          break;
        case 'end':
        case 'zero':
          return frames.offset;
        case 'short':
          throw damaged('ends inside a length field', name, frames.offset);
        case 'beyond':
          throw damaged(`a record of ${frames.length} bytes reaches beyond the end of the file`, name, frames.offset);
        case 'too-large':
          throw damaged(`a record of ${frames.length} bytes is too large`, name, frames.offset);
        case 'unreadable':
          throw frames.error;
      }
    }
  }

  point(offset: number): AppendPoint {
    return { offset, crc: this.#crc, metadata: this.#metadata, lastIndex: this.#lastIndex };
  }

  #take(name: string, frames: FrameReader): void {
    try {
      // Offsets in messages count from the beginning of the record.
      this.#record(parseWalRecord(frames.bytes.subarray(frames.start, frames.end)));
    } catch (error) {
      if (isDatadirError(error, 'WAL_DAMAGED')) throw damaged(error.message, name, frames.offset);
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      throw damaged(`a record that cannot be parsed: ${error.message}`, name, frames.offset, error);
    }
  }

  #record({ type, crc = 0, data }: WalRecord): void {
    if (type === CRC) {
      // A value of zero is not checked: it is also that of a reader who begins in the middle.
      if (this.#crc !== 0 && this.#crc !== crc)
        throw damaged(`the CRC ${hex(crc)} does not continue ${hex(this.#crc)}`);
      this.#crc = crc;
      return;
    }
    const bytes = data ?? NOTHING;
    const running = crc32c(bytes, 0, bytes.length, this.#crc);
    if (running !== crc) throw damaged(`the CRC is ${hex(running)}, the record says ${hex(crc)}`);
    this.#crc = running;
    switch (type) {
      case METADATA:
        this.#takeMetadata(data);
        break;
      case ENTRY:
        this.#takeEntry(parseEntry(bytes).index ?? 0n);
        break;
      case STATE:
        parseHardState(bytes);
        break;
      case SNAPSHOT: {
        const { index = 0n, term = 0n } = parseWalSnapshot(bytes);
        this.#takeSnapshot(index, term);
        break;
      }
      default:
        throw damaged(`a record of the unknown type ${type ?? 0n}`);
    }
  }

  #takeMetadata(data: Uint8Array | undefined): void {
    const known = this.#metadata;
    if (known !== undefined && !sameBytes(known, data ?? NOTHING)) throw damaged('not the metadata of before');
    // What was read lies in the reader's window.
    this.#metadata = data?.slice();
  }

  #takeEntry(index: bigint): void {
    if (index > this.#reached + 1n) throw damaged(`entry ${index} where ${this.#reached + 1n} is the next one`);
    // From the snapshot on an entry takes the place of all that follow it; those before the snapshot do not count.
    if (this.#from === undefined || index > this.#from.index) this.#reached = index;
    this.#lastIndex = index;
  }

  #takeSnapshot(index: bigint, term: bigint): void {
    const from = this.#from;
    if (from === undefined) {
      // One that the leader has sent: entries go on behind it.
      if (index > this.#reached) this.#reached = index;
    } else if (index === from.index && term !== from.term) {
      throw damaged(`the snapshot at index ${index} is of term ${term}, not ${from.term}`);
    }
  }
}

const METADATA = BigInt(RECORD_TYPE.metadata);
const ENTRY = BigInt(RECORD_TYPE.entry);
const STATE = BigInt(RECORD_TYPE.state);
const CRC = BigInt(RECORD_TYPE.crc);
const SNAPSHOT = BigInt(RECORD_TYPE.snapshot);

const NOTHING = new Uint8Array(0);

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

function damaged(words: string, name?: string, offset?: number, cause?: unknown): DatadirError {
  const place = name === undefined ? '' : offset === undefined ? `${name}: ` : `${name} at ${offset}: `;
  return new DatadirError('WAL_DAMAGED', `${place}${words}`, {
    ...(name === undefined ? {} : { path: name }),
    ...(offset === undefined ? {} : { offset }),
    ...(cause === undefined ? {} : { cause }),
  });
}
