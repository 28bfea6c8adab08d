/**
 * Frames as etcd writes them: a length field, a record, zeros up to a multiple of 8.
 */
import { LENGTH_FIELD, PADDED_BIT } from './format.ts';

/** What a record holds when it is written. */
export interface FrameRecord {
  readonly type: number;
  /** The CRC of all data of the log up to and with this record's. */
  readonly crc: number;
  /** Absent in crc records, and in the metadata record of a log without metadata. */
  readonly data?: Uint8Array | undefined;
}

/** A frame around the bytes of a record, which are copied. */
export function encodeFrame(record: Uint8Array): Uint8Array {
  const frame = emptyFrame(record.length);
  frame.set(record, LENGTH_FIELD);
  return frame;
}

/** The frame of a record. All versions of etcd write the same bytes: both numbers always, the data if there is any. */
export function frameOf(record: FrameRecord): Uint8Array {
  const { type, data } = record;
  const crc = record.crc >>> 0;
  let size = 2 + varintLength(type) + varintLength(crc);
  if (data !== undefined) size += 1 + varintLength(data.length) + data.length;
  const frame = emptyFrame(size);
  let at = LENGTH_FIELD;
  frame[at++] = TYPE_TAG;
  at = putVarint(frame, at, type);
  frame[at++] = CRC_TAG;
  at = putVarint(frame, at, crc);
  if (data !== undefined) {
    frame[at++] = DATA_TAG;
    at = putVarint(frame, at, data.length);
    frame.set(data, at);
  }
  return frame;
}

/** A record is at most so much longer than its data. */
export const RECORD_OVERHEAD = 32;

/** Fields 1 and 2 are varints, field 3 has a length. */
const TYPE_TAG = 0x08;
const CRC_TAG = 0x10;
const DATA_TAG = 0x1a;

/** A frame for a record of `size` bytes, with everything but the record. */
function emptyFrame(size: number): Uint8Array {
  const padding = (LENGTH_FIELD - (size % LENGTH_FIELD)) % LENGTH_FIELD;
  const frame = new Uint8Array(LENGTH_FIELD + size + padding);
  const view = new DataView(frame.buffer);
  view.setUint32(0, size % 0x1_0000_0000, true);
  view.setUint32(4, Math.floor(size / 0x1_0000_0000), true);
  if (padding !== 0) frame[LENGTH_FIELD - 1] = PADDED_BIT | padding;
  return frame;
}

// Types, CRCs and lengths: 32 bits without a sign.

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value >>> 7; rest !== 0; rest >>>= 7) length++;
  return length;
}

function putVarint(target: Uint8Array, at: number, value: number): number {
  let rest = value >>> 0;
  let next = at;
  while (rest > 0x7f) {
    target[next++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[next++] = rest;
  return next;
}
