/**
 * What a live key holds in 64 bits: two of them are compared where keeping the values themselves would take too much memory.
 *
 * Only records of one key are ever compared, so different ones are taken for equal with a chance of 2^-64 for each key that differs. Values go
 * through HalfSipHash with a secret of its own in each process, so that nobody can write two that are taken for equal.
 */
import { halfSipHash64, randomWord } from '../checksum/half-sip-hash.ts';
import { mixWords } from '../checksum/mix-words.ts';
import { SUB_AT } from './format.ts';
import type { KeyRecord } from './record.ts';

const TWO_TO_32 = 0x1_0000_0000;
/** Words without revisions, and with them: multiples of four. */
const SHORT = 8;
const LONG = 16;
const words = new Int32Array(LONG);
const SECRET_0 = /* @__PURE__ */ randomWord();
const SECRET_1 = /* @__PURE__ */ randomWord();

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
    halfSipHash64(words, 0, record.view, userValueStart, userValueEnd - userValueStart, SECRET_0, SECRET_1);
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
