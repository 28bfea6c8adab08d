/**
 * Parses a message as the generated code of an etcd release does, for what it refuses and how: gogo/protobuf up to 3.6,
 * google.golang.org/protobuf from 3.7 on.
 *
 * The two differ in what matters here. gogo reports a message that ends too early as the very error with which a file ends
 * too early, so that etcd takes the one for the other; refuses a known field with another wire type; takes the low 32 bits
 * of a field number. google has one error for everything, and takes a known field with another wire type for an unknown one.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { WIRE_BYTES, WIRE_FIXED32, WIRE_FIXED64, WIRE_GROUP, WIRE_GROUP_END, WIRE_VARINT } from '../../proto/wire.ts';
import { isKnown, type Schema } from './message-schema.ts';
import { UNEXPECTED_EOF } from './words.ts';

/** Why a message was refused. */
export interface ParseFailure {
  /** It is the error `unexpected EOF`. */
  readonly unexpectedEof: boolean;
  readonly words: string;
}

const EOF: ParseFailure = { unexpectedEof: true, words: UNEXPECTED_EOF };
const OVERFLOW: ParseFailure = failure('proto: integer overflow');
const NEGATIVE_LENGTH: ParseFailure = failure('proto: negative length found during unmarshaling');
const END_OF_GROUP: ParseFailure = failure('proto: unexpected end of group');
// In the words of a 3.7 binary the space may be a no-break space: its authors make it vary from build to build.
const INVALID: ParseFailure = failure('proto: cannot parse invalid wire-format data');
const TOO_DEEP: ParseFailure = failure('proto: exceeded maximum recursion depth');
const NOT_UTF8: ParseFailure = failure('string field contains invalid UTF-8');

function failure(words: string): ParseFailure {
  return { unexpectedEof: false, words };
}

/** Field numbers of which values are kept. */
const KEPT = 128;
const MAX_VARINT_LENGTH = 10;
/** Messages inside messages, and groups inside groups, that google's runtime follows. */
const RECURSION_LIMIT = 10_000;
const MAX_FIELD_NUMBER = 0x1fff_ffff;

const strictUtf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One parser serves for many messages: the values of the last one can be asked for until the next is parsed. */
export class MessageParser {
  readonly minor: EtcdMinor;
  /** The known fields of the outermost message that were messages. */
  readonly messages: Set<number> = new Set();
  readonly #google: boolean;

  // The fields of the outermost message, by number; those whose stamp is the current one are there.
  readonly #stamps = new Uint32Array(KEPT);
  readonly #lows = new Uint32Array(KEPT);
  readonly #highs = new Uint32Array(KEPT);
  readonly #starts = new Uint32Array(KEPT);
  readonly #ends = new Uint32Array(KEPT);
  #stamp = 0;

  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  // The varint read last.
  #low = 0;
  #high = 0;

  constructor(minor: EtcdMinor) {
    this.minor = minor;
    this.#google = minor === '3.7';
  }

  /** Whether the outermost message had the field. */
  has(field: number): boolean {
    return this.#stamps[field] === this.#stamp;
  }

  /** The value of a varint field; 0 when absent. */
  uint64(field: number): bigint {
    if (!this.has(field)) return 0n;
    return (BigInt(this.#highs[field]!) << 32n) | BigInt(this.#lows[field]!);
  }

  /** The low 32 bits of a varint field, unsigned; 0 when absent. */
  uint32(field: number): number {
    return this.has(field) ? this.#lows[field]! : 0;
  }

  /** Whether a varint field has a value below 2^31. */
  isSmall(field: number): boolean {
    return !this.has(field) || (this.#highs[field] === 0 && this.#lows[field]! < 0x8000_0000);
  }

  /** Where the content of a bytes, string or message field lies: `bytes[start, end)`; both 0 when absent. */
  start(field: number): number {
    return this.has(field) ? this.#starts[field]! : 0;
  }
  end(field: number): number {
    return this.has(field) ? this.#ends[field]! : 0;
  }

  /** Parses `bytes[start, end)`. Undefined: accepted. */
  parse(bytes: Uint8Array, start: number, end: number, schema: Schema): ParseFailure | undefined {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.messages.clear();
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (this.#stamp === 0) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
    return this.#google ? this.#parseGoogle(schema) : this.#parseGogo(start, schema);
  }

  #keepVarint(field: number, depth: number): void {
    if (depth > 0 || field >= KEPT) return;
    this.#stamps[field] = this.#stamp;
    this.#lows[field] = this.#low;
    this.#highs[field] = this.#high;
  }

  #keepRange(field: number, depth: number, start: number, end: number): void {
    if (depth > 0 || field >= KEPT) return;
    this.#stamps[field] = this.#stamp;
    this.#starts[field] = start;
    this.#ends[field] = end;
  }

  /** Reads a varint; gogo drops the bits above the 64th, google refuses them. */
  #varint(): ParseFailure | undefined {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    let low = 0;
    let high = 0;
    for (let i = 0; i < MAX_VARINT_LENGTH; i++) {
      if (at >= end) return this.#google ? INVALID : EOF;
      const byte = bytes[at++]!;
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (i * 7);
      else if (i === 4) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (i * 7 - 32);
      if (byte < 0x80) {
        if (i === 9 && byte > 1 && this.#google) return INVALID;
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        this.#at = at;
        return undefined;
      }
    }
    return this.#google ? INVALID : OVERFLOW;
  }

  #parseGogo(start: number, schema: Schema): ParseFailure | undefined {
    // Ends and beginnings of the messages around the current one.
    const outer: { end: number; start: number; schema: Schema }[] = [];
    for (;;) {
      while (this.#at >= this.#end) {
        const around = outer.pop();
        if (around === undefined) return undefined;
        ({ start, schema } = around);
        this.#end = around.end;
      }
      const fieldStart = this.#at;
      let failed = this.#varint();
      if (failed !== undefined) return failed;
      const wire = this.#low & 7;
      const number = (this.#low >>> 3) | (this.#high << 29);
      if (wire === WIRE_GROUP_END) return failure(`proto: ${schema.name}: wiretype end group for non-group`);
      if (number <= 0) {
        const tag = (BigInt(this.#high) << 32n) | BigInt(this.#low);
        return failure(`proto: ${schema.name}: illegal tag ${number} (wire type ${tag})`);
      }
      const field = schema.fields.get(number);
      if (field === undefined || !isKnown(field, this.minor)) {
        this.#at = fieldStart;
        failed = this.#skipGogo(start);
        if (failed !== undefined) return failed;
        continue;
      }
      const { kind } = field;
      const isVarint = kind === 'varint' || kind === 'varints';
      if (isVarint && wire === WIRE_VARINT) {
        failed = this.#varint();
        if (failed !== undefined) return failed;
        this.#keepVarint(number, outer.length);
        continue;
      }
      if (wire !== WIRE_BYTES || kind === 'varint') {
        return failure(`proto: wrong wireType = ${wire} for field ${field.name}`);
      }
      failed = this.#varint();
      if (failed !== undefined) return failed;
      if (this.#high >= 0x8000_0000 || this.#sumOverflows(this.#at - start)) return NEGATIVE_LENGTH;
      if (this.#high !== 0 || this.#low > this.#end - this.#at) return EOF;
      const end = this.#at + this.#low;
      if (kind === 'varints') {
        // The last number may reach beyond the packed field: only the end of the message is looked at.
        while (this.#at < end) {
          failed = this.#varint();
          if (failed !== undefined) return failed;
        }
        continue;
      }
      this.#keepRange(number, outer.length, this.#at, end);
      if (typeof kind === 'string') {
        this.#at = end;
        continue;
      }
      if (outer.length === 0) this.messages.add(number);
      outer.push({ end: this.#end, start, schema });
      this.#end = end;
      start = this.#at;
      schema = kind;
    }
  }

  /** Whether the number read last, added to `offset`, is above what a signed number of 64 bits holds. */
  #sumOverflows(offset: number): boolean {
    return this.#high === 0x7fff_ffff && this.#low + offset > 0xffff_ffff;
  }

  /** Passes over the unknown field at `#at`, with all that is in it if it is a group. */
  #skipGogo(messageStart: number): ParseFailure | undefined {
    const fieldStart = this.#at;
    const end = this.#end;
    let depth = 0;
    while (this.#at < end) {
      let failed = this.#varint();
      if (failed !== undefined) return failed;
      switch (this.#low & 7) {
        case WIRE_VARINT:
          failed = this.#varint();
          if (failed !== undefined) return failed;
          break;
        case WIRE_FIXED64:
          this.#at += 8;
          break;
        case WIRE_FIXED32:
          this.#at += 4;
          break;
        case WIRE_BYTES:
          failed = this.#varint();
          if (failed !== undefined) return failed;
          if (this.#high >= 0x8000_0000 || this.#sumOverflows(this.#at - fieldStart)) return NEGATIVE_LENGTH;
          if (depth === 0 && this.#sumOverflows(this.#at - messageStart)) return NEGATIVE_LENGTH;
          if (this.#high !== 0 || this.#low > end - this.#at) return EOF;
          this.#at += this.#low;
          break;
        case WIRE_GROUP:
          depth++;
          break;
        case WIRE_GROUP_END:
          if (depth === 0) return END_OF_GROUP;
          depth--;
          break;
        default:
          return failure(`proto: illegal wireType ${this.#low & 7}`);
      }
      if (depth === 0) return this.#at > end ? EOF : undefined;
    }
    return EOF;
  }

  #parseGoogle(schema: Schema): ParseFailure | undefined {
    const outer: { end: number; schema: Schema }[] = [];
    for (;;) {
      while (this.#at >= this.#end) {
        const around = outer.pop();
        if (around === undefined) return undefined;
        this.#end = around.end;
        schema = around.schema;
      }
      if (this.#varint() !== undefined) return INVALID;
      const wire = this.#low & 7;
      const number = (this.#low >>> 3) + this.#high * 0x2000_0000;
      if (number < 1 || number > MAX_FIELD_NUMBER || wire === WIRE_GROUP_END) return INVALID;
      const field = schema.fields.get(number);
      const kind = field !== undefined && isKnown(field, this.minor) ? field.kind : undefined;
      const isVarint = kind === 'varint' || kind === 'varints';
      if (isVarint && wire === WIRE_VARINT) {
        if (this.#varint() !== undefined) return INVALID;
        this.#keepVarint(number, outer.length);
        continue;
      }
      if (kind === undefined || kind === 'varint' || wire !== WIRE_BYTES) {
        if (!this.#skipGoogle(number, wire)) return INVALID;
        continue;
      }
      const end = this.#lengthGoogle();
      if (end === undefined) return INVALID;
      if (kind === 'varints') {
        const messageEnd = this.#end;
        this.#end = end;
        while (this.#at < end) if (this.#varint() !== undefined) return INVALID;
        this.#end = messageEnd;
        continue;
      }
      this.#keepRange(number, outer.length, this.#at, end);
      if (typeof kind === 'string') {
        if (kind === 'string' && !isUtf8(this.#bytes, this.#at, end)) return NOT_UTF8;
        this.#at = end;
        continue;
      }
      if (outer.length + 2 > RECURSION_LIMIT) return TOO_DEEP;
      if (outer.length === 0) this.messages.add(number);
      outer.push({ end: this.#end, schema });
      this.#end = end;
      schema = kind;
    }
  }

  /** Reads a length and gives where what it measures ends. */
  #lengthGoogle(): number | undefined {
    if (this.#varint() !== undefined) return undefined;
    if (this.#high !== 0 || this.#low > this.#end - this.#at) return undefined;
    return this.#at + this.#low;
  }

  #skipGoogle(number: number, wire: number): boolean {
    const open: number[] = [];
    for (;;) {
      switch (wire) {
        case WIRE_VARINT:
          if (this.#varint() !== undefined) return false;
          break;
        case WIRE_FIXED64:
        case WIRE_FIXED32: {
          const length = wire === WIRE_FIXED64 ? 8 : 4;
          if (length > this.#end - this.#at) return false;
          this.#at += length;
          break;
        }
        case WIRE_BYTES: {
          const end = this.#lengthGoogle();
          if (end === undefined) return false;
          this.#at = end;
          break;
        }
        case WIRE_GROUP:
          if (open.length > RECURSION_LIMIT) return false;
          open.push(number);
          break;
        case WIRE_GROUP_END:
          if (open.pop() !== number) return false;
          break;
        default:
          return false;
      }
      if (open.length === 0) return true;
      if (this.#varint() !== undefined) return false;
      wire = this.#low & 7;
      number = (this.#low >>> 3) + this.#high * 0x2000_0000;
      // Inside groups larger numbers are let through than outside.
      if (number < 1 || number > 0x7fff_ffff) return false;
    }
  }
}

function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at]! < 0x80) at++;
  if (at === end) return true;
  try {
    strictUtf8.decode(bytes.subarray(at, end));
    return true;
  } catch {
    return false;
  }
}
