/**
 * Reads the frames of one segment, one after the other, through a window: the only place that reads log files.
 *
 * It knows length fields and nothing of what a record holds. Where frames are cut off or cannot be read it says so and
 * stays there; whether that is a torn write or damage is for others to decide.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { LENGTH_FIELD, LENGTH_HIGH_MASK, MAX_RECORD, PADDED_BIT, PADDING_MASK } from './format.ts';

/**
 * What `next()` came upon: a frame; the end of the file at the end of a frame; a length field of zero, which ends the log;
 * 1 to 7 bytes where a length field should be; a frame that reaches past the end of the file; a record larger than is
 * read here; bytes that could not be read.
 */
export type FrameStatus = 'frame' | 'end' | 'zero' | 'short' | 'beyond' | 'too-large' | 'unreadable';

/** Options of a `FrameReader`. */
export interface FrameReaderOptions {
  /** Where the first frame begins; default 0. */
  readonly start?: number | undefined;
  /** How much is read at a time; default 1 MiB. A record that is larger gets more for as long as it is needed. */
  readonly windowSize?: number | undefined;
  /** Memory to read into, at least twice the window: what was read lies in it. Default: its own. */
  readonly buffer?: Uint8Array | undefined;
}

/** How much is read at a time. */
export const WINDOW: number = 1024 * 1024;

/** The frames of a segment. After `next()` said `frame` its fields tell where the record is, until the next call. */
export class FrameReader {
  readonly source: ByteSource;
  /** Where the frame begins in the file. After another status than `frame`: where one would have to begin. */
  offset: number;
  /** Where the next frame begins. */
  position: number;
  /** The record is `bytes[start, end)`, its padding `bytes[end, end + padding)`. */
  bytes: Uint8Array;
  start = 0;
  end = 0;
  padding = 0;
  /** The length that the length field gives, also of a frame that is not there as a whole. */
  length = 0;
  /** Why bytes could not be read, after `unreadable`. */
  error: DatadirError | undefined;
  /** Bytes read from the source so far. */
  bytesRead = 0;

  readonly #windowSize: number;
  /** The window's own memory; a record too large for it lies elsewhere for a while. */
  readonly #home: Uint8Array;
  // The window: what lies at `bytes[#from, #to)` are the bytes of the file from `#fileOffset` on.
  #from = 0;
  #to = 0;
  #fileOffset: number;

  constructor(source: ByteSource, options: FrameReaderOptions = {}) {
    const { start = 0, windowSize = WINDOW, buffer } = options;
    this.source = source;
    this.offset = start;
    this.position = start;
    this.#fileOffset = start;
    // A length field must fit.
    this.#windowSize = Math.max(windowSize, LENGTH_FIELD);
    const fits = Math.min(this.#windowSize, Math.max(source.size - start, LENGTH_FIELD));
    this.#home = buffer ?? readBuffer(fits * 2);
    this.bytes = this.#home;
    this.#from = this.#to = this.bytes.length >> 1;
  }

  /** Goes on to the next frame. */
  next(): FrameStatus {
    // Outside of the window is nothing for one who may read on.
    return this.#advance(true) as FrameStatus;
  }

  /** Goes on to the next frame, unless bytes had to be read for that: `bytes` stays as it is. */
  nextInWindow(): FrameStatus | 'outside' {
    return this.#advance(false);
  }

  #advance(mayRead: boolean): FrameStatus | 'outside' {
    const offset = this.position;
    this.offset = offset;
    const left = this.source.size - offset;
    if (left < LENGTH_FIELD) {
      this.length = 0;
      return left <= 0 ? 'end' : 'short';
    }
    let at = this.#from + (offset - this.#fileOffset);
    if (at < this.#from || at + LENGTH_FIELD > this.#to) {
      if (!mayRead) return 'outside';
      const status = this.#load(offset, LENGTH_FIELD);
      if (status !== undefined) return status;
      at = this.#from;
    }
    const { bytes } = this;
    const low = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
    const high = (bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)) >>> 0;
    if (low === 0 && high === 0) {
      this.length = 0;
      return 'zero';
    }
    const top = high >>> 24;
    const padding = (top & PADDED_BIT) === 0 ? 0 : top & PADDING_MASK;
    const length = low + (high & LENGTH_HIGH_MASK) * 0x1_0000_0000;
    this.length = length;
    this.padding = padding;
    if (length > left - LENGTH_FIELD - padding) return 'beyond';
    if (length > MAX_RECORD) return 'too-large';
    const frame = LENGTH_FIELD + length + padding;
    if (at + frame > this.#to) {
      if (!mayRead) return 'outside';
      const status = this.#load(offset, frame);
      if (status !== undefined) return status;
      at = this.#from;
    }
    this.start = at + LENGTH_FIELD;
    this.end = this.start + length;
    this.position = offset + frame;
    return 'frame';
  }

  /** Goes on at another place of the file. */
  seek(position: number): void {
    this.position = position;
  }

  /**
   * Brings the bytes of the file from `offset` on into the window, at least `needed` of them, which are there. What the
   * window already has of them goes before its middle, so that what is read always lands at the same, aligned place.
   */
  #load(offset: number, needed: number): 'unreadable' | undefined {
    const at = this.#from + (offset - this.#fileOffset);
    const carry = at >= this.#from && at < this.#to ? this.#to - at : 0;
    const wanted = Math.min(Math.max(this.#windowSize, needed - carry), this.source.size - offset - carry);
    if (this.#read(offset, carry, wanted, needed)) return undefined;
    // Perhaps only what lies further on cannot be read.
    if (wanted > needed - carry && this.#read(offset, carry, needed - carry, needed)) return undefined;
    // Nothing of the window is to be believed any more.
    this.#from = this.#to = 0;
    this.#fileOffset = offset;
    return 'unreadable';
  }

  /** Reads `wanted` bytes behind the `carry` that the window has from `offset` on. False, and `error` set, if there are too few. */
  #read(offset: number, carry: number, wanted: number, needed: number): boolean {
    const middle = this.#home.length >> 1;
    let target = this.#home;
    let at = middle;
    if (carry > middle || wanted > target.length - middle) {
      // Larger than the window: memory of its own, for bytes that the file is known to have.
      target = readBuffer(carry + wanted);
      at = carry;
    }
    if (carry > 0) target.set(this.bytes.subarray(this.#to - carry, this.#to), at - carry);
    this.bytes = target;
    this.#from = at - carry;
    this.#to = at;
    this.#fileOffset = offset;
    try {
      const count = this.source.readInto(target.subarray(at, at + wanted), offset + carry);
      this.bytesRead += count;
      this.#to += count;
      if (carry + count >= needed) return true;
      const end = offset + carry + count;
      const message = `ends at ${end}, had ${this.source.size} bytes when it was opened`;
      this.error = new DatadirError('FILE_SHRANK', message, { offset: end });
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.error = error;
    }
    return false;
  }
}
