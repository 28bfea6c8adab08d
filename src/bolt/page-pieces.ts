/**
 * A stretch of a file that is looked at piece by piece: a logical page may be gigabytes long, of which a check needs the
 * element array and the keys only.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';

const PIECE = 16 * 1024;

/** A key of which at least the first bytes are in memory. */
export interface Key {
  /** All of it, or the first `KEY_HEAD` bytes of a longer one. */
  readonly head: Uint8Array;
  readonly headView: DataView;
  readonly length: number;
  /** Where it lies in the file. */
  readonly offset: number;
}

/** Longer keys are compared piece by piece from the file: only names of buckets can be longer than 32768 bytes. */
export const KEY_HEAD = 65536;

export class PagePieces {
  /** The bytes in hand: those of `[from, to)` of the stretch begin at index `at`. */
  bytes: Uint8Array;
  view: DataView;
  #at = 0;
  #from = 0;
  #to = 0;
  #offset = 0;
  #own: Uint8Array<ArrayBuffer> | undefined;
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Starts on the stretch at `offset` of the file; its first `available` bytes are in `bytes` from index `at` on. */
  open(offset: number, bytes: Uint8Array, view: DataView, at: number, available: number): void {
    this.#offset = offset;
    this.bytes = bytes;
    this.view = view;
    this.#at = at;
    this.#from = 0;
    this.#to = available;
  }

  /** Starts on a part of the stretch that `other` is on. */
  openWithin(other: PagePieces, start: number): void {
    this.#offset = other.#offset + start;
    this.bytes = other.bytes;
    this.view = other.view;
    this.#at = other.#at + (start - other.#from);
    this.#from = 0;
    this.#to = Math.max(0, other.#to - start);
    // A part that begins before what the other has in hand must be read anew.
    if (start < other.#from) this.#to = 0;
  }

  /** File offset of a place in the stretch. */
  fileOffset(start: number): number {
    return this.#offset + start;
  }

  has(start: number, length: number): boolean {
    return start >= this.#from && start + length <= this.#to;
  }

  /** Brings `[start, start + length)` into hand and returns its index in `bytes`. `length` is at most KEY_HEAD. */
  ensure(start: number, length: number): number {
    if (start < this.#from || start + length > this.#to) this.#load(start, length);
    return this.#at + (start - this.#from);
  }

  #load(start: number, length: number): void {
    this.#own ??= new Uint8Array(KEY_HEAD + PIECE);
    const offset = this.#offset + start;
    const got = this.#read(this.#own, Math.min(this.#own.length, Math.max(length, PIECE)), length, offset);
    if (got < length) throw new DatadirError('FILE_SHRANK', 'the file ends inside a page', { offset: offset + got });
    this.bytes = this.#own;
    this.view = new DataView(this.#own.buffer);
    this.#at = 0;
    this.#from = start;
    this.#to = start + got;
  }

  /** Reads `wanted` bytes, or, when a bad place is among them, those that are needed: it need not be one of these. */
  #read(target: Uint8Array, wanted: number, needed: number, offset: number): number {
    try {
      return this.#source.readInto(target.subarray(0, wanted), offset);
    } catch (error) {
      if (!isDatadirError(error) || wanted === needed) throw error;
      return this.#source.readInto(target.subarray(0, needed), offset);
    }
  }

  /** A copy of the key at `[start, start + length)`, of a long one its head. */
  key(start: number, length: number): Key {
    const headLength = Math.min(length, KEY_HEAD);
    const at = this.ensure(start, headLength);
    return makeKey(this.bytes.slice(at, at + headLength), length, this.#offset + start);
  }
}

export function makeKey(head: Uint8Array, length: number, offset: number): Key {
  return { head, headView: new DataView(head.buffer, head.byteOffset, head.length), length, offset };
}
