/**
 * What a live key holds in 64 bits: two of them are compared where keeping the values themselves would take too much memory.
 *
 * Only records of one key are ever compared, so different ones are taken for equal with a chance of 2^-64 for each key that differs. Values go
 * through HalfSipHash with a secret of its own in each process, so that nobody can write two that are taken for equal.
 */
import { mixWords } from '../checksum/mix-words.ts';
import { SUB_AT } from './format.ts';
import { randomWord } from './key-index-hash.ts';
import type { KeyRecord } from './record.ts';

const TWO_TO_32 = 0x1_0000_0000;
/** Words without revisions, and with them: multiples of four. */
const SHORT = 8;
const LONG = 16;
const words = new Int32Array(LONG);

export class RecordDigest {
  /** The digest, as two unsigned numbers of 32 bits. */
  low = 0;
  high = 0;
  readonly #withRevisions: boolean;

  /** Value and lease; `withRevisions`: all other fields of the record too, but for its key. */
  constructor(withRevisions: boolean) {
    this.#withRevisions = withRevisions;
  }

  take(record: KeyRecord): void {
    const { userValueStart, userValueEnd } = record;
    words[2] = userValueEnd - userValueStart;
    words[3] = 0;
    if (record.hasLease) setBigint(4, record.lease());
    else words[4] = words[5] = 0;
    hashInto(0, record.view, userValueStart, userValueEnd);
    let count = SHORT;
    if (this.#withRevisions) {
      takeRevisions(record);
      count = LONG;
    } else words[6] = words[7] = 0;
    mixWords(words, count);
    this.low = words[0]! >>> 0;
    this.high = words[1]! >>> 0;
  }
}

function takeRevisions(record: KeyRecord): void {
  const { view, start } = record;
  words[6] = view.getInt32(start);
  words[7] = view.getInt32(start + 4);
  words[8] = view.getInt32(start + SUB_AT);
  words[9] = view.getInt32(start + SUB_AT + 4);
  if (record.exact) {
    setNumber(10, record.createRevision);
    setNumber(12, record.modRevision);
    setNumber(14, record.version);
  } else {
    const { createRevision, modRevision, version } = record.keyValue();
    setBigint(10, createRevision);
    setBigint(12, modRevision);
    setBigint(14, version);
  }
}

function setNumber(at: number, value: number): void {
  words[at] = (value % TWO_TO_32) | 0;
  words[at + 1] = Math.floor(value / TWO_TO_32) | 0;
}

function setBigint(at: number, value: bigint): void {
  words[at] = Number(BigInt.asIntN(32, value));
  words[at + 1] = Number(BigInt.asIntN(32, value >> 32n));
}

const SECRET_0 = /* @__PURE__ */ randomWord();
const SECRET_1 = /* @__PURE__ */ randomWord();
// The state between rounds, for the last ones.
const state = new Int32Array(4);

/** Puts the hash of `view[start, end)`, one round a word and three at the end, into two words. */
function hashInto(target: number, view: DataView, start: number, end: number): void {
  let a = SECRET_0;
  let b = SECRET_1 ^ 0xee;
  let c = SECRET_0 ^ 0x6c796765;
  let d = SECRET_1 ^ 0x74656462;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    d ^= word;
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
    a ^= word;
  }
  let last = (end - start) << 24;
  for (let shift = 0; at < end; at++, shift += 8) last |= view.getUint8(at) << shift;
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d ^ last;
  rounds(1);
  state[0]! ^= last;
  state[2]! ^= 0xee;
  rounds(3);
  words[target] = state[1]! ^ state[3]!;
  state[1]! ^= 0xdd;
  rounds(3);
  words[target + 1] = state[1]! ^ state[3]!;
}

function rounds(count: number): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  for (let i = 0; i < count; i++) {
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}
