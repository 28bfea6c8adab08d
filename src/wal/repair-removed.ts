/**
 * What a repair leaves out of a log, counted: bytes, and the records among them that can still be read.
 */
import { isDatadirError } from '../errors.ts';
import { readBuffer } from '../io/byte-source.ts';
import type { Job, Progress } from '../io/job.ts';
import { EntryHead, HardStateHead } from '../proto/entry-head.ts';
import { RECORD_TYPE } from './format.ts';
import { type LogDamage, type LogRecord, segmentRecords } from './log-records.ts';
import { ScanMemory } from './record-scanner.ts';
import type { SegmentInput } from './segment-input.ts';

/**
 * Why a part is left out. `old`: a start from the newest snapshot does not read it, as after a purge. `empty`: a segment
 * without records. `torn`: a write that was not finished. `behind-end`: bytes behind the end of the log, which are never
 * read. `damaged`: from a damaged record on. `behind-damage`: a segment behind that.
 */
export type RemovalReason = 'old' | 'empty' | 'torn' | 'behind-end' | 'damaged' | 'behind-damage';

/** A part that is left out. 64-bit numbers are decimal text. */
export interface RemovedPart {
  readonly segment: string;
  readonly reason: RemovalReason;
  /** Where it begins; 0 is the whole segment. */
  readonly offset: number;
  /** Bytes up to the last that is not zero. */
  readonly bytes: number;
  /** Records in it that can be read, and entries among them. */
  readonly records: number;
  readonly entries: number;
  /** Lowest and highest of the entries; null without entries. */
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
  readonly firstTerm: string | null;
  readonly lastTerm: string | null;
  /** Highest commit index and term of the hard states in it; null without one. */
  readonly commit: string | null;
  readonly stateTerm: string | null;
}

/** What is to be looked at. */
export interface Removal {
  readonly segment: SegmentInput;
  readonly reason: RemovalReason;
  readonly offset: number;
}

const PIECE = 1 << 20;
const RECORDS = 2048;
/** So often reading is picked up again behind damage. */
const MAX_DAMAGE = 1000;

/** Counts what is in a part, in steps. */
export class RemovedScan implements Job<RemovedPart> {
  readonly #removal: Removal;
  readonly #buffer: Uint8Array;
  readonly #records: Iterator<LogRecord | LogDamage, unknown>;
  readonly #entry = new EntryHead();
  readonly #state = new HardStateHead();
  #position: number;
  /** Behind the last byte that is not zero. */
  #used: number;
  #damage = 0;
  #count = 0;
  #entries = 0;
  #indexes: Range | undefined;
  #terms: Range | undefined;
  #commit = -1;
  #stateTerm = -1;

  constructor(removal: Removal, memory: ScanMemory = new ScanMemory()) {
    const { segment, offset } = removal;
    this.#removal = removal;
    this.#buffer = readBuffer(Math.min(PIECE, Math.max(0, segment.source.size - offset)));
    this.#position = offset;
    this.#used = offset;
    this.#records = segmentRecords({ ...segment, previousCrc: undefined, goOn: true }, memory);
  }

  get progress(): Progress {
    const { size } = this.#removal.segment.source;
    return { done: Math.min(this.#position, size), total: size };
  }

  step(): boolean {
    const { source } = this.#removal.segment;
    if (this.#position < source.size) {
      this.#stepBytes();
      return false;
    }
    if (this.#used === this.#removal.offset) return true;
    for (let i = 0; i < RECORDS; i++) {
      const next = this.#records.next();
      if (next.done === true) return true;
      if (next.value.kind === 'record') this.#see(next.value);
      else if (++this.#damage > MAX_DAMAGE) return true;
    }
    return false;
  }

  #stepBytes(): void {
    const { source } = this.#removal.segment;
    const from = this.#position;
    const piece = this.#buffer.subarray(0, Math.min(PIECE, source.size - from));
    this.#position += PIECE;
    try {
      let end = source.readInto(piece, from);
      while (end > 0 && piece[end - 1] === 0) end--;
      if (end > 0) this.#used = from + end;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      // What cannot be read may be anything.
      this.#used = from + piece.length;
    }
  }

  #see({ offset, type, data = new Uint8Array() }: LogRecord): void {
    if (offset < this.#removal.offset) return;
    this.#count++;
    if (type === RECORD_TYPE.entry && this.#entry.parse(data, 0, data.length)) {
      this.#entries++;
      this.#indexes = extend(this.#indexes, this.#entry.index);
      this.#terms = extend(this.#terms, this.#entry.term);
    } else if (type === RECORD_TYPE.state && this.#state.parse(data, 0, data.length)) {
      this.#commit = Math.max(this.#commit, this.#state.commit);
      this.#stateTerm = Math.max(this.#stateTerm, this.#state.term);
    }
  }

  get result(): RemovedPart {
    const { segment, reason, offset } = this.#removal;
    const text = (value: number | undefined): string | null => (value === undefined ? null : `${value}`);
    return {
      segment: segment.name,
      reason,
      offset,
      bytes: this.#used - offset,
      records: this.#count,
      entries: this.#entries,
      firstIndex: text(this.#indexes?.low),
      lastIndex: text(this.#indexes?.high),
      firstTerm: text(this.#terms?.low),
      lastTerm: text(this.#terms?.high),
      commit: this.#commit < 0 ? null : `${this.#commit}`,
      stateTerm: this.#stateTerm < 0 ? null : `${this.#stateTerm}`,
    };
  }
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function extend(range: Range | undefined, value: number): Range {
  return range === undefined
    ? { low: value, high: value }
    : { low: Math.min(range.low, value), high: Math.max(range.high, value) };
}
