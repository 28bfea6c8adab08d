/**
 * Reads a log to its end to find where the next record goes, as etcd does before it appends.
 *
 * Stricter than reading for its own sake: appending to a log that is not whole would bury what is wrong with it.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { parseEntry, parseHardState } from '../proto/raft.ts';
import { parseWalSnapshot } from '../proto/wal.ts';
import { RECORD_TYPE } from './format.ts';
import { type LogDamage, type LogRecord, segmentRecords } from './log-records.ts';
import { sameBytes } from './metadata-rule.ts';
import { ScanMemory } from './record-scanner.ts';
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

/** What is wrong where records cannot be read on. */
const REASONS: Readonly<Record<LogDamage['reason'], string>> = {
  short: 'the file ends inside a length field',
  beyond: 'a record reaches beyond the end of the file',
  'too-large': 'a record is too large',
  unreadable: 'it cannot be read',
  unparsable: 'a record cannot be parsed',
  crc: 'the CRC of a record is wrong',
  chain: 'a crc record does not continue the chain',
  hole: 'zeros, with records behind them',
};

/** Takes the records of one segment after the other. */
export class AppendPointReader {
  readonly #from: StartSnapshot | undefined;
  readonly #memory = new ScanMemory();
  #crc: number | undefined;
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

  /** Reads a segment to its end, and returns where that is; throws `WAL_DAMAGED` if it is not reached. */
  read(name: string, source: ByteSource): number {
    const records = segmentRecords({ name, source, previousCrc: this.#crc, goOn: false }, this.#memory);
    let end = 0;
    for (;;) {
      const { done, value } = records.next();
      if (done === true) {
        this.#crc = value;
        return end;
      }
      if (value.kind === 'damage') {
        if (value.error !== undefined) throw value.error;
        throw damaged(REASONS[value.reason], name, value.offset);
      }
      this.#take(value);
      end = value.end;
    }
  }

  point(offset: number): AppendPoint {
    return { offset, crc: this.#crc ?? 0, metadata: this.#metadata, lastIndex: this.#lastIndex };
  }

  #take(record: LogRecord): void {
    try {
      this.#record(record);
    } catch (error) {
      const { segment, offset } = record;
      if (isDatadirError(error, 'WAL_DAMAGED')) throw damaged(error.message, segment, offset);
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      throw damaged(`what is in a record cannot be parsed: ${error.message}`, segment, offset, error);
    }
  }

  #record({ type, data }: LogRecord): void {
    const bytes = data ?? NOTHING;
    switch (type) {
      case RECORD_TYPE.crc:
        break;
      case RECORD_TYPE.metadata:
        this.#takeMetadata(data);
        break;
      case RECORD_TYPE.entry:
        this.#takeEntry(parseEntry(bytes).index ?? 0n);
        break;
      case RECORD_TYPE.state:
        parseHardState(bytes);
        break;
      case RECORD_TYPE.snapshot: {
        const { index = 0n, term = 0n } = parseWalSnapshot(bytes);
        this.#takeSnapshot(index, term);
        break;
      }
      default:
        throw damaged(`a record of the unknown type ${type}`);
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

const NOTHING = new Uint8Array(0);

function damaged(words: string, name?: string, offset?: number, cause?: unknown): DatadirError {
  const place = name === undefined ? '' : offset === undefined ? `${name}: ` : `${name} at ${offset}: `;
  return new DatadirError('WAL_DAMAGED', `${place}${words}`, {
    ...(name === undefined ? {} : { path: name }),
    ...(offset === undefined ? {} : { offset }),
    ...(cause === undefined ? {} : { cause }),
  });
}
