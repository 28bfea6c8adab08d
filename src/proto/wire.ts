/**
 * The wire layer of protocol buffers: tags, varints, lengths, groups. Nothing here knows a message.
 *
 * Values are exact on all 64 bits and every length is checked against what is there. As etcd's own decoders do, a varint of
 * ten bytes may carry bits above the 64th, which are dropped; a longer one is refused.
 */
import { DatadirError } from '../errors.ts';

export const WIRE_VARINT = 0;
export const WIRE_FIXED64 = 1;
export const WIRE_BYTES = 2;
export const WIRE_GROUP = 3;
export const WIRE_GROUP_END = 4;
export const WIRE_FIXED32 = 5;

/** A varint of 64 bits never takes more. */
const MAX_VARINT_LENGTH = 10;
/** Groups inside groups; etcd writes none at all. */
const MAX_GROUP_DEPTH = 100;

const TWO_TO_32 = 0x1_0000_0000;

// A byte order mark is part of the text, as it is in Go.
const textDecoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });
const textEncoder = /* @__PURE__ */ new TextEncoder();

/** The error that every decoder of this folder throws; `offset` is an index into the bytes that were given. */
export function protoInvalid(reason: string, offset: number): DatadirError {
  return new DatadirError('PROTO_INVALID', `${reason} at byte ${offset}`, { offset });
}

/**
 * Reads the fields in `bytes[start, end)` one after another:
 *
 *     while (!reader.done) {
 *       const tag = reader.tag();
 *       if (tag === 0x08) index = reader.uint64();
 *       else reader.skip(tag);
 *     }
 *
 * What was skipped is remembered: `unknown()` gives it back for a re-encoding.
 */
export class WireReader {
  /** What is read; offsets of errors count in it. */
  readonly source: Uint8Array;
  readonly end: number;
  position: number;
  /** Where the field began whose tag was read last. */
  #fieldStart: number;
  /** Skipped ranges as start, end, start, end; neighbours are joined. */
  #skipped: number[] | undefined;
  /** The varint read last, as two halves. */
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.source = bytes;
    this.position = start;
    this.end = end;
    this.#fieldStart = start;
  }

  get done(): boolean {
    return this.position >= this.end;
  }

  /** The next field's number times 8 plus its wire type. */
  tag(): number {
    this.#fieldStart = this.position;
    this.#varint();
    if (this.#high !== 0) throw protoInvalid('field number above 536870911', this.#fieldStart);
    const tag = this.#low >>> 0;
    if (tag < 8) throw protoInvalid('field number 0', this.#fieldStart);
    return tag;
  }

  uint64(): bigint {
    this.#varint();
    const low = this.#low >>> 0;
    const high = this.#high >>> 0;
    // Up to 53 bits one conversion will do, which is much cheaper than arithmetic with bigint.
    return high < 0x20_0000 ? BigInt(high * TWO_TO_32 + low) : (BigInt(high) << 32n) | BigInt(low);
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  /** The low 32 bits of a varint. */
  uint32(): number {
    this.#varint();
    return this.#low >>> 0;
  }

  /** The low 32 bits of a varint as a signed number: for enums. */
  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  bool(): boolean {
    this.#varint();
    return (this.#low | this.#high) !== 0;
  }

  /** The content of a field with a length, as a view. */
  bytes(): Uint8Array {
    const end = this.length();
    const view = this.source.subarray(this.position, end);
    this.position = end;
    return view;
  }

  /** UTF-8; what is not becomes U+FFFD. */
  string(): string {
    return textDecoder.decode(this.bytes());
  }

  /**
   * Reads a length and returns where the content ends that begins at `position`. For messages inside messages: parse
   * `[position, end)`, then set `position` to it.
   */
  length(): number {
    const at = this.position;
    this.#varint();
    const length = this.#low >>> 0;
    if (this.#high !== 0 || length > this.end - this.position) {
      const stated = BigInt.asUintN(64, (BigInt(this.#high) << 32n) | BigInt(length));
      throw protoInvalid(`length ${stated} reaches beyond the message`, at);
    }
    return this.position + length;
  }

  /** Passes over the field whose tag was just read, and remembers it as unknown. */
  skip(tag: number): void {
    this.pass(tag);
    this.#skipped ??= [];
    const skipped = this.#skipped;
    if (skipped.length > 0 && skipped[skipped.length - 1] === this.#fieldStart) skipped.pop();
    else skipped.push(this.#fieldStart);
    skipped.push(this.position);
  }

  /** Passes over the field whose tag was just read, and forgets it. */
  pass(tag: number): void {
    switch (tag & 7) {
      case WIRE_VARINT:
        this.#varint();
        return;
      case WIRE_FIXED64:
        this.#advance(8);
        return;
      case WIRE_BYTES:
        this.position = this.length();
        return;
      case WIRE_GROUP:
        this.#skipGroup(tag >>> 3);
        return;
      case WIRE_FIXED32:
        this.#advance(4);
        return;
      case WIRE_GROUP_END:
        throw protoInvalid('end of a group that never began', this.#fieldStart);
      default:
        throw protoInvalid(`wire type ${tag & 7} does not exist`, this.#fieldStart);
    }
  }

  /** Fails because the field of `tag` is known but has another wire type than it should. */
  wrongType(tag: number): never {
    throw protoInvalid(`field ${tag >>> 3} has wire type ${tag & 7}`, this.#fieldStart);
  }

  /** Everything that was skipped, in order, or undefined if nothing was. */
  unknown(): Uint8Array | undefined {
    const skipped = this.#skipped;
    if (skipped === undefined) return undefined;
    return joinRanges(this.source, skipped);
  }

  #skipGroup(field: number): void {
    const outer = this.#fieldStart;
    const open = [field];
    while (open.length > 0) {
      if (this.position >= this.end) throw protoInvalid('group without an end', outer);
      const tag = this.tag();
      if ((tag & 7) === WIRE_GROUP) {
        if (open.length === MAX_GROUP_DEPTH) throw protoInvalid('groups nested too deeply', this.#fieldStart);
        open.push(tag >>> 3);
      } else if ((tag & 7) === WIRE_GROUP_END) {
        if (open.pop() !== tag >>> 3) throw protoInvalid('end of another group', this.#fieldStart);
      } else this.pass(tag);
    }
    this.#fieldStart = outer;
  }

  #advance(length: number): void {
    if (length > this.end - this.position) throw protoInvalid('message ends inside a field', this.position);
    this.position += length;
  }

  #varint(): void {
    const bytes = this.source;
    const start = this.position;
    const available = this.end - start;
    const limit = available < MAX_VARINT_LENGTH ? available : MAX_VARINT_LENGTH;
    let low = 0;
    let high = 0;
    for (let i = 0; i < limit; i++) {
      const byte = bytes[start + i]!;
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (i * 7);
      else if (i === 4) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (i * 7 - 32);
      if (byte < 0x80) {
        this.#low = low;
        this.#high = high;
        this.position = start + i + 1;
        return;
      }
    }
    if (available >= MAX_VARINT_LENGTH) throw protoInvalid('varint of more than 10 bytes', start);
    throw protoInvalid('message ends inside a varint', start);
  }
}

/** The ranges (start, end, start, end …) of `bytes` one behind the other: a view if there is only one, else a copy. */
export function joinRanges(bytes: Uint8Array, ranges: readonly number[]): Uint8Array {
  if (ranges.length === 2) return bytes.subarray(ranges[0], ranges[1]);
  let length = 0;
  for (let i = 0; i < ranges.length; i += 2) length += ranges[i + 1]! - ranges[i]!;
  const joined = new Uint8Array(length);
  let at = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    joined.set(bytes.subarray(ranges[i], ranges[i + 1]), at);
    at += ranges[i + 1]! - ranges[i]!;
  }
  return joined;
}

/** Builds a message field by field. */
export class WireWriter {
  #bytes = new Uint8Array(64);
  #length = 0;

  /** An integer or enum field; negative values take ten bytes, as int32 and int64 do. */
  varint(field: number, value: bigint | number): void {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw notAnInteger(value);
    this.#room(2 * MAX_VARINT_LENGTH);
    this.#tag(field, WIRE_VARINT);
    this.#number(value);
  }

  bool(field: number, value: boolean): void {
    this.varint(field, value ? 1 : 0);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#room(2 * MAX_VARINT_LENGTH + value.length);
    this.#tag(field, WIRE_BYTES);
    this.#number(value.length);
    this.raw(value);
  }

  string(field: number, value: string): void {
    this.bytes(field, textEncoder.encode(value));
  }

  /** A message inside this one, encoded already. */
  message(field: number, encoded: Uint8Array): void {
    this.bytes(field, encoded);
  }

  /** Whole fields, encoded already: how unknown ones get back to where they were. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #tag(field: number, wireType: number): void {
    this.#number(field * 8 + wireType);
  }

  #number(value: bigint | number): void {
    let low: number;
    let high: number;
    if (typeof value === 'number' && value >= 0) {
      low = (value % TWO_TO_32) >>> 0;
      high = Math.floor(value / TWO_TO_32);
    } else {
      const big = BigInt(value);
      if (big > 0xffff_ffff_ffff_ffffn || big < -0x8000_0000_0000_0000n) throw notAnInteger(value);
      low = Number(BigInt.asUintN(32, big));
      high = Number(BigInt.asUintN(32, big >> 32n));
    }
    const bytes = this.#bytes;
    let at = this.#length;
    while (high !== 0 || low > 0x7f) {
      bytes[at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    bytes[at++] = low;
    this.#length = at;
  }

  #room(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

function notAnInteger(value: bigint | number): DatadirError {
  return new DatadirError('USAGE', `${value} is not an integer of 64 bits`);
}
