/**
 * etcd's low-level decoder: record after record through a list of segments, until the first error. What it calls torn, what
 * damaged and what the end depends on the release.
 */
import { crc32c } from '../../checksum/crc32c.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { readBuffer } from '../../io/byte-source.ts';
import { LENGTH_FIELD, MAX_RECORD_3_4, RECORD_TYPE, SECTOR } from '../format.ts';
import { FrameReader, WINDOW } from '../frame-reader.ts';
import type { SegmentInput } from '../segment-input.ts';
import { RecordParser } from './parse-record.ts';
import {
  chainCrcMismatch,
  MAX_ENTRY_SIZE,
  readFailed,
  recordBeyondFile,
  recordCrcMismatch,
  tornRecord,
  UNEXPECTED_EOF,
} from './words.ts';

/**
 * What ends the decoding: the end of the log; something that etcd takes for a write cut short; any other error; a panic; a
 * record larger than is read here, of which nothing can be said.
 */
export type StopKind = 'end' | 'unexpected-eof' | 'error' | 'panic' | 'unknown';

/** Why and where a reader of the log stopped. */
export interface Stop {
  readonly kind: StopKind;
  /** The text of etcd's error. */
  readonly words: string;
  /** The segment and the place in it where the next record would have begun; undefined where no segment is open. */
  readonly segment: string | undefined;
  readonly offset: number;
}

const PAUSE_EVERY = 1024 * 1024;

/** Decodes the records of `segments`. After `next()` gave undefined, `record` and `bytes` have the record. */
export class EtcdDecoder {
  readonly minor: EtcdMinor;
  readonly record: RecordParser;
  /** The chain's value: the CRC of all data so far, or what the last crc record set it to. */
  crc = 0;
  readonly #segments: readonly SegmentInput[];
  #position = 0;
  #reader: FrameReader | undefined;
  #buffer: Uint8Array | undefined;
  #offset = 0;
  #sincePause = 0;

  constructor(segments: readonly SegmentInput[], minor: EtcdMinor) {
    this.#segments = segments;
    this.minor = minor;
    this.record = new RecordParser(minor);
  }

  /** Whether about a MiB was decoded since this was last true: time for a pause. */
  get isPauseDue(): boolean {
    if (this.#sincePause < PAUSE_EVERY) return false;
    this.#sincePause = 0;
    return true;
  }

  /** Where the next record begins, in the segment that was read last. */
  get lastOffset(): number {
    return this.#offset;
  }

  /** Where the record begins that was decoded last. */
  get recordOffset(): number {
    return this.#reader?.offset ?? this.#offset;
  }

  /** Name of the segment that was read last. */
  get segment(): string | undefined {
    return this.#segments[Math.min(this.#position, this.#segments.length - 1)]?.name;
  }

  /** The bytes in which the record lies; valid until the next call. */
  get bytes(): Uint8Array {
    return this.#reader?.bytes ?? new Uint8Array();
  }

  /** Goes on to the next record; what stops it, or undefined. */
  next(): Stop | undefined {
    for (;;) {
      const segment = this.#segments[this.#position];
      if (segment === undefined) return this.stop('end', 'EOF');
      this.#reader ??= this.#open(segment);
      const reader = this.#reader;
      const status = reader.next();
      if (status === 'unreadable') return this.stop('error', readFailed(segment.name, reader.error?.systemCode));
      if (status === 'end' || status === 'zero') {
        this.#position++;
        if (this.#position === this.#segments.length) return this.stop('end', 'EOF');
        this.#reader = undefined;
        this.#offset = 0;
        continue;
      }
      if (status === 'short') return this.stop('unexpected-eof', UNEXPECTED_EOF);
      if (this.minor === '3.4') {
        if (reader.length >= MAX_RECORD_3_4 - reader.padding) return this.stop('error', MAX_ENTRY_SIZE);
        if (status === 'beyond') return this.stop('unexpected-eof', UNEXPECTED_EOF);
      }
      if (status === 'beyond') return this.stop('unexpected-eof', this.#wordsBeyond(segment, reader));
      if (status === 'too-large') return this.stop('unknown', `record of ${reader.length} bytes`);
      return this.#accept(segment, reader);
    }
  }

  /** The rule for crc records that every reader applies: an error, or the chain goes on with the record's value. */
  followChain(): Stop | undefined {
    if (this.crc !== 0 && this.record.crc !== this.crc) {
      return this.stopAtRecord('error', chainCrcMismatch(this.minor));
    }
    this.crc = this.record.crc;
    return undefined;
  }

  /** A stop at the current place. */
  stop(kind: StopKind, words: string): Stop {
    return { kind, words, segment: this.segment, offset: this.#offset };
  }

  /** A stop at the record that was decoded last. */
  stopAtRecord(kind: StopKind, words: string): Stop {
    return { kind, words, segment: this.segment, offset: this.recordOffset };
  }

  #open(segment: SegmentInput): FrameReader {
    // One buffer serves for all segments.
    if (segment.source.size >= WINDOW) this.#buffer ??= readBuffer(WINDOW * 2);
    return new FrameReader(segment.source, segment.source.size >= WINDOW ? { buffer: this.#buffer } : {});
  }

  #accept(segment: SegmentInput, reader: FrameReader): Stop | undefined {
    const { bytes, start, end } = reader;
    // Small records cost more than their bytes.
    this.#sincePause += end - start + 256;
    const { record } = this;
    const refused = record.parse(bytes, start, end);
    if (refused !== undefined) {
      if (refused.unexpectedEof || this.#isTorn(reader)) return this.stop('unexpected-eof', UNEXPECTED_EOF);
      return this.stop('error', refused.words);
    }
    if (record.type !== RECORD_TYPE.crc) {
      if (record.dataEnd > record.dataStart) this.crc = crc32c(bytes, record.dataStart, record.dataEnd, this.crc);
      if (record.crc !== this.crc) {
        if (this.#isTorn(reader)) {
          return this.stop('unexpected-eof', tornRecord(this.minor, segment.name, this.#offset));
        }
        const sums = { stored: record.crc, computed: this.crc };
        return this.stop('error', recordCrcMismatch(this.minor, sums, segment.name, this.#offset));
      }
    }
    this.#offset = reader.position;
    return undefined;
  }

  /**
   * The test for torn writes, made in the last segment only: does one of the pieces of record and padding that lie in
   * different sectors of the file consist of zeros?
   */
  #isTorn({ bytes, start, end, padding, offset }: FrameReader): boolean {
    if (this.#position !== this.#segments.length - 1) return false;
    const stop = end + padding;
    let at = start;
    let inFile = offset + LENGTH_FIELD;
    while (at < stop) {
      const pieceEnd = Math.min(at + SECTOR - (inFile % SECTOR), stop);
      inFile += pieceEnd - at;
      while (at < pieceEnd && bytes[at] === 0) at++;
      if (at === pieceEnd) return true;
      at = pieceEnd;
    }
    return false;
  }

  /** A frame that reaches past the end: the words differ if the record alone does. */
  #wordsBeyond({ name, source }: SegmentInput, { offset, padding }: FrameReader): string {
    // The reader's number is not exact above 2^53.
    const field = new Uint8Array(LENGTH_FIELD);
    try {
      source.readInto(field, offset);
    } catch {
      return UNEXPECTED_EOF;
    }
    const length = new DataView(field.buffer).getBigUint64(0, true) & 0x00ff_ffff_ffff_ffffn;
    if (length <= BigInt(source.size - offset - padding)) return UNEXPECTED_EOF;
    return recordBeyondFile(this.minor, { segment: name, offset, size: source.size }, { length, padding });
  }
}
