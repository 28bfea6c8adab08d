/**
 * One record of bucket `key`, a revision and the key-value under it, read without making an object each: for passes over
 * millions of them.
 *
 * What etcd writes is decoded in one plain loop. Everything unusual (unknown fields, padded varints, large numbers) goes through
 * the parser of `proto/mvcc.ts`, so both always agree. Numbers are plain: a cluster does not reach 2^53 revisions in a thousand years.
 * Where a file says so all the same, they are rounded, `exact` is false, and `keyValue()` has them as they are.
 */
import { isDatadirError } from '../errors.ts';
import { type KeyValue, parseKeyValue } from '../proto/mvcc.ts';
import {
  MARK_AT,
  REVISION_LENGTH,
  SEPARATOR,
  SEPARATOR_AT,
  SUB_AT,
  TOMBSTONE_LENGTH,
  TOMBSTONE_MARK,
} from './format.ts';
import type { Revision, RevisionProblem } from './revision.ts';

/** Why a record cannot be read: its revision key is none, or its value no key-value message. */
export type RecordProblem = RevisionProblem | 'value';

const TWO_TO_32 = 0x1_0000_0000;
const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/** A record. The same object serves for all records of a pass: what it says is valid until the next one. */
export class KeyRecord {
  /** Where the bytes are: revision key, then value. */
  bytes: Uint8Array = NOTHING;
  view: DataView = NO_VIEW;
  start = 0;
  valueStart = 0;
  end = 0;

  main = 0;
  sub = 0;
  tombstone = false;
  /** A key of 18 bytes that does not end in `t`: taken for a put, as etcd 3.6 does. */
  oddMark = false;

  // The message. Of bytes only the place is kept: `bytes[userKeyStart, userKeyEnd)`.
  userKeyStart = 0;
  userKeyEnd = 0;
  createRevision = 0;
  modRevision = 0;
  version = 0;
  userValueStart = 0;
  userValueEnd = 0;
  hasLease = false;
  /** Whether all numbers above are exact. */
  exact = true;

  /** Why it could not be read; the fields of the message mean nothing then. */
  problem: RecordProblem | undefined;

  // Where it lies in the file, set by the pass.
  pageId = 0;
  /** Of the revision key. */
  offset = 0;

  /** Reads the record whose revision key is `bytes[start, start + keyLength)` and whose value follows it. False: `problem` says why. */
  parse(bytes: Uint8Array, view: DataView, start: number, keyLength: number, valueLength: number): boolean {
    this.bytes = bytes;
    this.view = view;
    this.start = start;
    this.valueStart = start + keyLength;
    this.end = this.valueStart + valueLength;
    this.tombstone = false;
    this.oddMark = false;
    this.problem = this.#parseKey(view, start, keyLength) ?? this.#parseValue(bytes, this.valueStart, this.end);
    return this.problem === undefined;
  }

  #parseKey(view: DataView, at: number, length: number): RevisionProblem | undefined {
    if (length !== REVISION_LENGTH) {
      if (length !== TOMBSTONE_LENGTH) return 'length';
      this.tombstone = view.getUint8(at + MARK_AT) === TOMBSTONE_MARK;
      this.oddMark = !this.tombstone;
    }
    if (view.getUint8(at + SEPARATOR_AT) !== SEPARATOR) return 'separator';
    const mainHigh = view.getUint32(at);
    const subHigh = view.getUint32(at + SUB_AT);
    if ((mainHigh | subHigh) >= 0x8000_0000 || (mainHigh | subHigh) < 0) return 'negative';
    this.main = mainHigh * TWO_TO_32 + view.getUint32(at + 4);
    this.sub = subHigh * TWO_TO_32 + view.getUint32(at + SUB_AT + 4);
    this.exact = mainHigh < 0x20_0000 && subHigh < 0x20_0000;
    return undefined;
  }

  #parseValue(bytes: Uint8Array, start: number, end: number): 'value' | undefined {
    let at = start;
    let keyStart = start;
    let keyEnd = start;
    let create = 0;
    let mod = 0;
    let version = 0;
    let valueStart = start;
    let valueEnd = start;
    let hasLease = false;
    while (at < end) {
      const tag = bytes[at++]!;
      // A varint of at most seven bytes: 49 bits.
      let number = 0;
      let scale = 1;
      let byte = 0x80;
      const limit = at + 7 < end ? at + 7 : end;
      while (at < limit) {
        byte = bytes[at++]!;
        number += (byte & 0x7f) * scale;
        if (byte < 0x80) break;
        scale *= 128;
      }
      if (byte >= 0x80) {
        // Lease ids have all 64 bits, so this is no rarity: only whether there is one matters here.
        if (tag !== 0x30) return this.#parseSlowly();
        const last = at + 3 < end ? at + 3 : end;
        while (at < last && byte >= 0x80) byte = bytes[at++]!;
        if (byte >= 0x80) return this.#parseSlowly();
        hasLease = true;
      } else if (tag === 0x0a) {
        if (number > end - at) return 'value';
        keyStart = at;
        at += number;
        keyEnd = at;
      } else if (tag === 0x2a) {
        if (number > end - at) return 'value';
        valueStart = at;
        at += number;
        valueEnd = at;
      } else if (tag === 0x10) create = number;
      else if (tag === 0x18) mod = number;
      else if (tag === 0x20) version = number;
      else if (tag === 0x30) hasLease = number !== 0;
      else return this.#parseSlowly();
    }
    this.userKeyStart = keyStart;
    this.userKeyEnd = keyEnd;
    this.createRevision = create;
    this.modRevision = mod;
    this.version = version;
    this.userValueStart = valueStart;
    this.userValueEnd = valueEnd;
    this.hasLease = hasLease;
    return undefined;
  }

  #parseSlowly(): 'value' | undefined {
    try {
      const { key, createRevision, modRevision, version, value, lease } = this.keyValue();
      const base = this.bytes.byteOffset;
      this.userKeyStart = key.length === 0 ? this.valueStart : key.byteOffset - base;
      this.userKeyEnd = this.userKeyStart + key.length;
      this.createRevision = Number(createRevision);
      this.modRevision = Number(modRevision);
      this.version = Number(version);
      this.userValueStart = value.length === 0 ? this.valueStart : value.byteOffset - base;
      this.userValueEnd = this.userValueStart + value.length;
      this.hasLease = lease !== 0n;
      const numbers = [this.createRevision, this.modRevision, this.version];
      if (!numbers.every(Number.isSafeInteger)) this.exact = false;
      return undefined;
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      return 'value';
    }
  }

  /** All of the message, exactly; views of the page. */
  keyValue(): KeyValue {
    return parseKeyValue(this.bytes, this.valueStart, this.end);
  }

  /** The revision, exactly. The revision key must have been read. */
  revision(): Revision {
    return { main: this.view.getBigInt64(this.start), sub: this.view.getBigInt64(this.start + SUB_AT) };
  }

  /** Lease id, 0 for none. */
  lease(): bigint {
    return this.hasLease ? this.keyValue().lease : 0n;
  }

  /** A copy of the user key. */
  userKey(): Uint8Array {
    return this.bytes.slice(this.userKeyStart, this.userKeyEnd);
  }

  /** The revision key as it is stored: a view. */
  revisionKey(): Uint8Array {
    return this.bytes.subarray(this.start, this.valueStart);
  }
}
