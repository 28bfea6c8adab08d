/**
 * Segments built frame by frame, with anything in them: for cases that no writer would make.
 */
import type { SmallSegment } from '../../support/small-log.ts';
import { concat, referenceCrc, varint } from '../../support/wal-edit.ts';

export const SEGMENT_0 = '0000000000000000-0000000000000000.wal';
export const SEGMENT_1 = '0000000000000001-0000000000000003.wal';

/** Bytes of numbers and pieces. */
export function bytes(...parts: readonly (number | readonly number[] | Uint8Array)[]): Uint8Array {
  return concat(parts.map((part) => Uint8Array.from(typeof part === 'number' ? [part] : part)));
}

/** A field: its tag and a varint, or its tag, a length and bytes. */
export const number = (field: number | bigint, value: bigint | number): Uint8Array =>
  bytes(varint(BigInt(field) << 3n), varint(value));
export const text = (field: number | bigint, value: Uint8Array | string): Uint8Array => {
  const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return bytes(varint((BigInt(field) << 3n) | 2n), varint(content.length), content);
};
/** A tag alone. */
export const tag = (field: number | bigint, wireType: number): Uint8Array =>
  bytes(varint((BigInt(field) << 3n) | BigInt(wireType)));

/** The body of a record. */
export const record = (type: bigint | number, crc: number, data?: Uint8Array): Uint8Array =>
  bytes(number(1, type), number(2, crc), data === undefined ? [] : text(3, data));

/** How a frame is written; default: padded to a multiple of 8, as etcd does. */
export interface FrameForm {
  /** The length field. */
  readonly field?: bigint;
  readonly padding?: Uint8Array;
}

export function frame(body: Uint8Array, { field, padding }: FrameForm = {}): Uint8Array {
  const zeros = padding ?? new Uint8Array((8 - (body.length % 8)) % 8);
  const length = field ?? BigInt(body.length) | (zeros.length === 0 ? 0n : BigInt(0x80 | zeros.length) << 56n);
  const head = new Uint8Array(8);
  new DataView(head.buffer).setBigUint64(0, BigInt.asUintN(64, length), true);
  return bytes(head, body, zeros);
}

/** Builds the segments of one log; the chain of checksums goes on from one to the next. */
export class RawLog {
  /** The chain's value. */
  crc = 0;
  /** Where the next frame goes in the segment. */
  offset = 0;
  readonly #segments: { name: string; parts: Uint8Array[] }[] = [];

  constructor(name: string = SEGMENT_0) {
    this.begin(name);
  }

  /** The head, the first entry and its state: node 0x10, cluster 0x20. */
  static started(): RawLog {
    return new RawLog().head().add(5, SNAPSHOT_0).add(2, ENTRY_1).add(3, STATE_1);
  }

  begin(name: string): this {
    this.#segments.push({ name, parts: [] });
    this.offset = 0;
    return this;
  }

  /** A crc record that continues the chain, and the metadata. */
  head(): this {
    return this.chain(this.crc).add(1, METADATA);
  }

  /** A record with the right checksum. */
  add(type: bigint | number, data?: Uint8Array, form?: FrameForm): this {
    return this.body((crc) => record(type, crc, data), data, form);
  }

  /** A record of any form; `data` is what counts for the checksum. */
  body(make: (crc: number) => Uint8Array, data: Uint8Array = bytes(), form?: FrameForm): this {
    this.crc = referenceCrc(data, this.crc);
    return this.raw(frame(make(this.crc), form));
  }

  /** A crc record. */
  chain(crc: number): this {
    this.crc = crc;
    return this.raw(frame(record(4, crc)));
  }

  raw(...parts: Uint8Array[]): this {
    this.#segments.at(-1)!.parts.push(...parts);
    for (const { length } of parts) this.offset += length;
    return this;
  }

  zeros(count: number): this {
    return this.raw(new Uint8Array(count));
  }

  /** Another entry and its state, and zeros: what lies behind the place in question. */
  ending(index = 2n, zeros = 24): this {
    return this.add(2, entry(index, `v${index}`))
      .add(3, state(1n, 0x10n, index))
      .zeros(zeros);
  }

  get segments(): SmallSegment[] {
    return this.#segments.map(({ name, parts }) => ({ name, bytes: concat(parts) }));
  }
}

export const entry = (index: bigint, data: Uint8Array | string = '', term = 1n, type = 0): Uint8Array =>
  bytes(number(1, type), number(2, term), number(3, index), text(4, data));
export const state = (term: bigint, vote: bigint, commit: bigint): Uint8Array =>
  bytes(number(1, term), number(2, vote), number(3, commit));
export const snapshot = (index: bigint, term: bigint): Uint8Array => bytes(number(1, index), number(2, term));

export const METADATA: Uint8Array = bytes(number(1, 0x10), number(2, 0x20));
const SNAPSHOT_0 = snapshot(0n, 0n);
const ENTRY_1 = entry(1n, 'first');
const STATE_1 = state(1n, 0x10n, 1n);

/** Four bytes that bring the chain from `crc` to 0. */
export function bytesToZero(crc: number): Uint8Array {
  // The register after four bytes depends on register XOR bytes alone: search it bit by bit, since it is linear.
  const target = 0;
  const zero = referenceCrc(new Uint8Array(4), crc);
  const rows = Array.from({ length: 32 }, (_, bit) => {
    const probe = new Uint8Array(4);
    probe[bit >> 3] = 1 << (bit & 7);
    return { effect: (referenceCrc(probe, crc) ^ zero) >>> 0, bits: 2 ** bit };
  });
  let wanted = (zero ^ target) >>> 0;
  let chosen = 0;
  for (let bit = 31; bit >= 0; bit--) {
    const mask = 2 ** bit;
    const at = rows.findIndex(({ effect }) => Math.floor(effect / mask) % 2 === 1 && effect < 2 * mask);
    if (at === -1) continue;
    const [pivot] = rows.splice(at, 1);
    for (const row of rows) {
      if (Math.floor(row.effect / mask) % 2 === 0) continue;
      row.effect = (row.effect ^ pivot!.effect) >>> 0;
      row.bits = (row.bits ^ pivot!.bits) >>> 0;
    }
    if (Math.floor(wanted / mask) % 2 === 1) {
      wanted = (wanted ^ pivot!.effect) >>> 0;
      chosen = (chosen ^ pivot!.bits) >>> 0;
    }
  }
  const found = new Uint8Array(4);
  new DataView(found.buffer).setUint32(0, chosen, true);
  return found;
}
