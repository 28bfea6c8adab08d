/**
 * Finds good records behind a bad spot, and tells what was lost with it.
 *
 * Every record carries the running CRC after itself, so a chain can be picked up anywhere: a record is genuine if its CRC
 * continues that of the record before. Two in a row that fit are proof; a single one proves nothing, unless it continues
 * the last good record before the spot.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { isDatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { EntryHead, HardStateHead } from '../proto/entry-head.ts';
import { RecordHead } from '../proto/record-head.ts';
import { LENGTH_FIELD, PADDED_BIT, PADDING_MASK, RECORD_TYPE } from './format.ts';
import { FrameReader } from './frame-reader.ts';

/** What lies behind a bad spot. */
export interface Beyond {
  /** Records that continue one another. */
  readonly records: number;
  readonly entries: number;
  /** Index of the first and the last entry among them; 0 without entries. */
  readonly firstIndex: number;
  readonly lastIndex: number;
  readonly states: number;
  /** Highest commit index of the states. */
  readonly commit: number;
  readonly snapshots: number;
  /**
   * Whether they were written in one go. A save is entries of rising index, then at most one state, and one with entries is
   * on the disk before the next begins; so is the head of a segment. With several behind the spot, data was lost that had
   * been on the disk.
   */
  readonly saves: 'none' | 'one' | 'several';
  /** Where the first of them begins; -1 if there is none. */
  readonly offset: number;
  /** The first of them continues the last good record: nothing is missing between. */
  readonly continuesDirectly: boolean;
  /** Bytes from the spot on that are not zero. */
  readonly nonZero: number;
  /** The search came to an end before the file did. */
  readonly givenUp: boolean;
}

const PIECE = 1024 * 1024;
/** Around a place that cannot be read. */
const SMALL_PIECE = 4096;
/** A length field and the longest head of a record: three tags, type, crc, length of the data. */
const HEAD = 24;
/** In all, so many times the bytes behind the spot are read and hashed at most. */
const WORK_FACTOR = 8;
/** And so many frames tried. */
const MAX_TRIES = 1 << 20;

/** The search, in steps. */
export class BeyondSearch {
  readonly #source: ByteSource;
  readonly #frames: FrameReader;
  readonly #window: Uint8Array<ArrayBuffer>;
  /** The same memory in words. */
  readonly #words: Int32Array;
  readonly #step: number;
  readonly #onlyFirst: boolean;
  readonly #lastCrc: number;
  #position: number;
  #piece = PIECE;
  #budget: number;
  #tries = MAX_TRIES;
  readonly #record = new RecordHead();
  readonly #entry = new EntryHead();
  readonly #state = new HardStateHead();

  #records = 0;
  #entries = 0;
  #firstIndex = 0;
  #lastIndex = 0;
  #states = 0;
  #commit = 0;
  #snapshots = 0;
  #offset = -1;
  #continuesDirectly = false;
  #nonZero = 0;
  #givenUp = false;
  // Where in a save the records found so far have come to.
  #phase: 'start' | 'head' | 'entries' | 'state' | 'snapshot' = 'start';
  #several = false;

  /**
   * Searches from `offset` on; `lastCrc` is the running CRC of the last good record before. With `onlyFirst` it ends with the
   * first records that it finds; `inHead` says that the spot is in the head of the segment.
   */
  constructor(
    source: ByteSource,
    offset: number,
    lastCrc: number,
    { onlyFirst = false, inHead = false }: { onlyFirst?: boolean; inHead?: boolean } = {},
  ) {
    this.#onlyFirst = onlyFirst;
    if (inHead) this.#phase = 'head';
    this.#source = source;
    this.#position = offset;
    this.#lastCrc = lastCrc;
    // Frames are aligned, but for those of etcd 2.
    this.#step = offset % LENGTH_FIELD === 0 ? LENGTH_FIELD : 1;
    this.#budget = WORK_FACTOR * Math.max(0, source.size - offset) + PIECE;
    this.#window = readBuffer(PIECE + HEAD);
    this.#words = new Int32Array(this.#window.buffer, this.#window.byteOffset, this.#window.length >> 2);
    this.#frames = new FrameReader(source, { start: offset });
  }

  /** Searches about 1 MiB; true when it is finished. */
  step(): boolean {
    const from = this.#position;
    const { size } = this.#source;
    if (from >= size || this.#givenUp || (this.#onlyFirst && this.#offset >= 0)) return true;
    // Aligned, so that no frame is passed over with the next piece.
    const piece = this.#piece === PIECE ? PIECE : SMALL_PIECE - (from % SMALL_PIECE);
    let length: number;
    try {
      length = this.#source.readInto(this.#window.subarray(0, Math.min(piece + HEAD, size - from)), from);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      if (this.#piece === PIECE) this.#piece = SMALL_PIECE;
      else this.#position += piece;
      return false;
    }
    if ((from + piece) % PIECE === 0) this.#piece = PIECE;
    const until = Math.min(piece, length);
    if (until === 0) {
      // Shorter than it was.
      this.#position = size;
      return false;
    }
    const bytes = this.#window;
    if (allZero(this.#words, until)) {
      this.#position = from + until;
      return false;
    }
    for (let at = 0; at < until; at++) if (bytes[at] !== 0) this.#nonZero++;
    for (let at = 0; at < until; at += this.#step) {
      // What every record begins with.
      if (bytes[at + LENGTH_FIELD] !== 0x08 || !this.#plausible(bytes, at, length, from)) continue;
      if (--this.#tries < 0 || this.#budget < 0) {
        this.#givenUp = true;
        return true;
      }
      const end = this.#follow(from + at);
      if (end < 0) continue;
      if (this.#onlyFirst) return true;
      if (end > from + until) {
        this.#position = end;
        return false;
      }
      at = end - from - this.#step;
    }
    this.#position = from + until;
    return false;
  }

  /** Whether a frame may begin there, by its length field and the head of its record. */
  #plausible(bytes: Uint8Array, at: number, length: number, from: number): boolean {
    const record = at + LENGTH_FIELD;
    const top = bytes[at + 7]!;
    if (top !== 0 && (top <= PADDED_BIT || top > (PADDED_BIT | PADDING_MASK))) return false;
    if (record >= length || bytes[record] !== 0x08) return false;
    const low = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
    const high = bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16);
    if (high !== 0 || low > this.#source.size - from - record) return false;
    return this.#readRecord(bytes, record, record + low, length);
  }

  /** Follows the chain that may begin at `offset`; returns where it ends, or -1 if nothing shows that it is one. */
  #follow(offset: number): number {
    const frames = this.#frames;
    const readBefore = frames.bytesRead;
    frames.seek(offset);
    if (!this.#nextRecord()) return -1;
    const record = this.#record;
    // What was seen of the first counts only once something shows that it is genuine.
    const first = this.#look();
    const direct = this.#fits(this.#lastCrc);
    let running = record.crc;
    let end = frames.position;
    let proven = direct;
    if (proven) this.#count(first);
    while (this.#nextRecord()) {
      const fits = record.type === RECORD_TYPE.crc ? record.crc === running : this.#fits(running);
      if (!fits) break;
      if (!proven) this.#count(first);
      proven = true;
      if (this.#onlyFirst) break;
      this.#count(this.#look());
      running = record.crc;
      end = frames.position;
    }
    this.#budget -= frames.bytesRead - readBefore;
    if (!proven) return -1;
    if (this.#offset < 0) {
      this.#offset = offset;
      this.#continuesDirectly = direct;
    }
    return end;
  }

  #nextRecord(): boolean {
    const frames = this.#frames;
    return frames.next() === 'frame' && this.#readRecord(frames.bytes, frames.start, frames.end, frames.end);
  }

  /** Reads a record that is just as etcd writes them, of a type that there is. */
  #readRecord(bytes: Uint8Array, start: number, end: number, limit: number): boolean {
    const record = this.#record;
    if (!record.readPlain(bytes, start, end, limit)) return false;
    return record.type >= RECORD_TYPE.metadata && record.type <= RECORD_TYPE.snapshot;
  }

  /** Whether the record continues one with this CRC. */
  #fits(seed: number): boolean {
    const { type, crc, dataStart, dataEnd } = this.#record;
    if (type === RECORD_TYPE.crc) return false;
    if (dataStart < 0) return crc === seed;
    this.#budget -= dataEnd - dataStart;
    return crc32c(this.#frames.bytes, dataStart, dataEnd, seed) === crc;
  }

  #look(): SeenRecord {
    const { bytes } = this.#frames;
    const { type } = this.#record;
    const start = Math.max(this.#record.dataStart, 0);
    const end = Math.max(this.#record.dataEnd, 0);
    if (type === RECORD_TYPE.entry && this.#entry.parse(bytes, start, end)) return { type, value: this.#entry.index };
    if (type === RECORD_TYPE.state && this.#state.parse(bytes, start, end)) return { type, value: this.#state.commit };
    return { type, value: 0 };
  }

  #count({ type, value }: SeenRecord): void {
    this.#records++;
    if (type === RECORD_TYPE.entry) {
      this.#entries++;
      // A save never replaces entries of its own.
      if (value <= this.#lastIndex && value > 0) this.#several = true;
      if (this.#firstIndex === 0) this.#firstIndex = value;
      this.#lastIndex = value;
      this.#saw('entries');
    } else if (type === RECORD_TYPE.state) {
      this.#states++;
      this.#commit = Math.max(this.#commit, value);
      this.#saw('state');
    } else if (type === RECORD_TYPE.snapshot) {
      this.#snapshots++;
      this.#saw('snapshot');
    } else if (type === RECORD_TYPE.metadata) this.#phase = 'head';
  }

  /** Tells one save from several by the order of records. */
  #saw(what: 'entries' | 'state' | 'snapshot'): void {
    const phase = this.#phase;
    // The head may end with a state.
    if (phase === 'head' && what === 'state') return;
    if (phase === 'snapshot' || phase === 'head') this.#several = true;
    else if (what === 'snapshot') {
      if (phase !== 'start') this.#several = true;
      this.#phase = 'snapshot';
    } else if (what === 'entries') {
      if (phase === 'state') this.#several = true;
      this.#phase = 'entries';
    } else if (phase === 'entries') this.#phase = 'state';
  }

  get result(): Beyond {
    return {
      records: this.#records,
      entries: this.#entries,
      firstIndex: this.#firstIndex,
      lastIndex: this.#lastIndex,
      states: this.#states,
      commit: this.#commit,
      snapshots: this.#snapshots,
      saves: this.#records === 0 ? 'none' : this.#several ? 'several' : 'one',
      offset: this.#offset,
      continuesDirectly: this.#continuesDirectly,
      nonZero: this.#nonZero,
      givenUp: this.#givenUp,
    };
  }
}

/** An entry and its index, a state and its commit index, or another record. */
interface SeenRecord {
  readonly type: number;
  readonly value: number;
}

/** Whether the first `length` bytes, rounded up to a word, are zero. Most of what lies behind the end of a log is. */
function allZero(words: Int32Array, length: number): boolean {
  const end = (length + 3) >> 2;
  let at = 0;
  for (; at + 8 <= end; at += 8) {
    const first = words[at]! | words[at + 1]! | words[at + 2]! | words[at + 3]!;
    const second = words[at + 4]! | words[at + 5]! | words[at + 6]! | words[at + 7]!;
    if ((first | second) !== 0) return false;
  }
  for (; at < end; at++) if (words[at] !== 0) return false;
  return true;
}
