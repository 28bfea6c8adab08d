/**
 * Just enough of the formats of segments and of protocol buffers to change a log in a chosen place, in memory. Trusts its
 * input: only ever pointed at healthy files. Shares nothing with the reader under test, so that a mistake in one does not
 * hide in the other.
 */
import type { ZeroTailedFile } from './edited-log.ts';

export const METADATA = 1;
export const ENTRY = 2;
export const STATE = 3;
export const CRC = 4;
export const SNAPSHOT = 5;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0x82f63b78 : n >>> 1;
  return n >>> 0;
});

/** CRC-32C of `bytes` that follow bytes of the CRC `seed`. */
export function referenceCrc(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

/** A field of a message: a varint, or bytes. */
export interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
  /** Where the value begins in the message. */
  readonly at: number;
}

export function varint(value: bigint | number): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80);
  return [...out, Number(rest)];
}

/** The fields of a message of varints and bytes, in file order. Bytes are views of `message`. */
export function fieldsOf(message: Uint8Array): Field[] {
  const found: Field[] = [];
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new Error('the message is cut off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(next());
    if ((tag & 7) === 0) {
      const start = at;
      found.push({ number: tag >> 3, value: next(), at: start });
    } else {
      const length = Number(next());
      found.push({ number: tag >> 3, value: message.subarray(at, at + length), at });
      at += length;
    }
  }
  return found;
}

export function encodeFields(fields: readonly Pick<Field, 'number' | 'value'>[]): Uint8Array {
  return concat(
    fields.flatMap(({ number, value }) =>
      typeof value === 'bigint'
        ? [Uint8Array.from([...varint(number << 3), ...varint(value)])]
        : [Uint8Array.from([...varint((number << 3) | 2), ...varint(value.length)]), value],
    ),
  );
}

/** The varint in the first field of that number. */
export function numberIn(message: Uint8Array, number: number): bigint {
  const value = fieldsOf(message).find((field) => field.number === number)?.value;
  if (typeof value !== 'bigint') throw new Error(`the message has no varint in field ${number}`);
  return value;
}

/** The bytes in the first field of that number; empty if there is none. */
export function bytesIn(message: Uint8Array, number: number): Uint8Array {
  const value = fieldsOf(message).find((field) => field.number === number)?.value ?? new Uint8Array();
  if (typeof value === 'bigint') throw new Error(`field ${number} of the message is a varint`);
  return value;
}

/** The message with another value in that field, if it has the field. */
export function withField(message: Uint8Array, number: number, value: bigint | Uint8Array): Uint8Array {
  return encodeFields(fieldsOf(message).map((field) => (field.number === number ? { number, value } : field)));
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What is needed to write a record: `crc` counts for records of type crc only, the chain gives that of the others. */
export interface RecordToWrite {
  readonly type: number;
  readonly data?: Uint8Array | undefined;
  readonly crc?: number;
}

/** A record where it lies in its segment. */
export interface Frame extends RecordToWrite {
  /** Offset of the length field. */
  readonly at: number;
  /** Length of the record without padding. */
  readonly size: number;
  readonly padding: number;
  /** Offset behind the padding. */
  readonly end: number;
  readonly crc: number;
  /** Offset of the data, where there is any. */
  readonly dataAt: number | undefined;
}

/** The frame of one record, with this value in its crc field. */
function encodeFrame(type: number, crc: number, data?: Uint8Array): Uint8Array {
  const record = concat([
    Uint8Array.from([8, ...varint(type), 16, ...varint(crc)]),
    ...(data ? [Uint8Array.from([26, ...varint(data.length)]), data] : []),
  ]);
  const padding = (8 - (record.length % 8)) % 8;
  const frame = new Uint8Array(8 + record.length + padding);
  const field = BigInt(record.length) | (padding === 0 ? 0n : BigInt(0x80 | padding) << 56n);
  new DataView(frame.buffer).setBigUint64(0, field, true);
  frame.set(record, 8);
  return frame;
}

/** Segment bytes of these records with a right CRC chain, which starts with 0 or with the first crc record. */
export function encodeRecords(records: readonly RecordToWrite[]): { bytes: Uint8Array; crc: number } {
  let running = 0;
  const frames = records.map(({ type, data, crc = 0 }) => {
    if (type === CRC) running = crc;
    else if (data) running = referenceCrc(data, running);
    return encodeFrame(type, running, data);
  });
  return { bytes: concat(frames), crc: running };
}

/** A copy of a segment, to be changed. */
export class SegmentEdit {
  /** As much of the segment as may be other than zero; `at` and `fill` make it longer. */
  #bytes: Uint8Array;
  /** Length of the file. */
  #size: number;
  readonly frames: readonly Frame[];
  /** Offset behind the last record. */
  readonly end: number;

  constructor(file: ZeroTailedFile) {
    this.#bytes = file.bytes.slice();
    this.#size = file.size;
    const frames: Frame[] = [];
    let at = 0;
    for (; at + 8 <= this.#size; at = frames.at(-1)!.end) {
      this.#reach(at + 8);
      const field = this.#view().getBigUint64(at, true);
      if (field === 0n) break;
      const size = Number(field & 0x00ff_ffff_ffff_ffffn);
      const padding = field >> 63n ? Number((field >> 56n) & 7n) : 0;
      const end = at + 8 + size + padding;
      this.#reach(end);
      // A copy of its own: views of the bytes would change with them, or be left behind when these get longer.
      const fields = fieldsOf(this.#bytes.slice(at + 8, at + 8 + size));
      const [type, crc, data] = [1, 2, 3].map((number) => fields.find((field) => field.number === number));
      frames.push({
        at,
        size,
        padding,
        end,
        type: Number(type?.value),
        crc: Number(crc?.value),
        data: data?.value as Uint8Array | undefined,
        dataAt: data && at + 8 + data.at,
      });
    }
    this.frames = frames;
    this.end = at;
  }

  #view(): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  }

  #reach(end: number): void {
    if (end > this.#size) throw new Error(`offset ${end} is behind the end of the segment`);
    if (end <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.min(this.#size, Math.max(end, this.#bytes.length + 4096)));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }

  /** The changed file. */
  get file(): ZeroTailedFile {
    return { bytes: this.#bytes, size: this.#size };
  }

  ofType(type: number): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** Changes the byte at `offset`. */
  change(offset: number, change: (byte: number) => number): void {
    this.#reach(offset + 1);
    this.#bytes[offset] = change(this.#bytes[offset]!);
  }

  fill(value: number, start: number, end: number): void {
    this.#reach(end);
    this.#bytes.fill(value, start, end);
  }

  /** Changes the length field of the frame. */
  changeLength(frame: Frame, change: (field: bigint) => bigint): void {
    const view = this.#view();
    view.setBigUint64(frame.at, BigInt.asUintN(64, change(view.getBigUint64(frame.at, true))), true);
  }

  /** Writes the segment anew with these records and a right CRC chain. The file keeps its length, if they fit. */
  rebuild(records: readonly RecordToWrite[]): void {
    this.#bytes = encodeRecords(records).bytes;
    this.#size = Math.max(this.#size, this.#bytes.length);
  }
}
