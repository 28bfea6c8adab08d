/**
 * What a live key holds in 64 bits: two of them are compared where keeping the values themselves would take too much memory.
 *
 * Only records of one key are ever compared, so different ones are taken for equal with a chance of 2^-64 for each key that differs. It is
 * a checksum against accidents: who can choose both values can make two with the same one.
 */
import { crc128, type Register128 } from '../checksum/crc128.ts';
import { mixWords } from '../checksum/mix-words.ts';
import { SUB_AT } from './format.ts';
import type { KeyRecord } from './record.ts';

const TWO_TO_32 = 0x1_0000_0000;
const words = new Int32Array(20);
const register: Register128 = { a: 0, b: 0, c: 0, d: 0 };

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
    const { bytes, userValueStart, userValueEnd } = record;
    register.a = register.b = register.c = register.d = -1;
    crc128(register, bytes, userValueStart, userValueEnd);
    words[0] = register.a;
    words[1] = register.b;
    words[2] = register.c;
    words[3] = register.d;
    words[4] = userValueEnd - userValueStart;
    words[5] = 0;
    if (record.hasLease) setBigint(6, record.lease());
    else words[6] = words[7] = 0;
    let count = 8;
    if (this.#withRevisions) {
      this.#takeRevisions(record);
      count = 20;
    }
    mixWords(words, count);
    this.low = words[0]! >>> 0;
    this.high = words[1]! >>> 0;
  }

  #takeRevisions(record: KeyRecord): void {
    const { view, start } = record;
    words[8] = view.getInt32(start);
    words[9] = view.getInt32(start + 4);
    words[10] = view.getInt32(start + SUB_AT);
    words[11] = view.getInt32(start + SUB_AT + 4);
    if (record.exact) {
      setNumber(12, record.createRevision);
      setNumber(14, record.modRevision);
      setNumber(16, record.version);
    } else {
      const { createRevision, modRevision, version } = record.keyValue();
      setBigint(12, createRevision);
      setBigint(14, modRevision);
      setBigint(16, version);
    }
    words[18] = words[19] = 0;
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
