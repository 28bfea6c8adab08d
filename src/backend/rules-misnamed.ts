/**
 * Keys whose names are damaged: a record that continues or deletes a key which is not there, and the one key that is almost the same and
 * would fit.
 */
import { compareKeys } from '../bolt/compare-keys.ts';
import type { BoltDb } from '../bolt/database.ts';
import type { BackendReporter, Cause } from './check-reporter.ts';
import type { KeyIndex } from './key-index.ts';
import { KeyRecord } from './record.ts';
import { encodeRevision } from './revision.ts';
import { recordArgs, recordPlace } from './rules-record.ts';

/** So many are remembered; of one revision so many records are looked at, and so long ones. */
const MAX_PAIRS = 1000;
const MAX_RECORDS = 1000;
const MAX_RECORD = 1 << 20;
/** Of longer keys no similar ones are looked for. */
const LONGEST_COMPARED = 4096;

/** A record of a key that is not there, and the id of the key that would fit. */
interface Pair {
  readonly similar: number;
  /** The revision of the newest record of that key then. */
  readonly main: number;
  readonly other: string;
  readonly otherRevision: string;
  readonly cause: Cause;
}

export class MisnamedKeys {
  readonly #keys: KeyIndex;
  readonly #pairs: Pair[] = [];

  constructor(keys: KeyIndex) {
    this.#keys = keys;
  }

  /** Looks for the one key that differs in a single bit and fits; `last` gives the revision of its newest record. */
  look(record: KeyRecord, cause: Cause, fits: (id: number) => boolean, last: (id: number) => number): void {
    const key = record.userKey();
    if (key.length > LONGEST_COMPARED || this.#pairs.length >= MAX_PAIRS) return;
    let similar = -1;
    for (let bit = 0; bit < 8 * key.length; bit++) {
      key[bit >>> 3]! ^= 1 << (bit & 7);
      const id = this.#keys.find(key, 0, key.length);
      key[bit >>> 3]! ^= 1 << (bit & 7);
      if (id < 0 || !fits(id)) continue;
      if (similar >= 0) return;
      similar = id;
    }
    if (similar < 0) return;
    const { userKey: other, revision: otherRevision } = recordArgs(record);
    this.#pairs.push({ similar, main: last(similar), other, otherRevision, cause });
  }

  /** Reports the keys found, but for those that went on under their own name. */
  report(db: BoltDb, last: (id: number) => number, reporter: BackendReporter): void {
    for (const { similar, main, other, otherRevision, cause } of this.#pairs) {
      if (last(similar) !== main) continue;
      const found = findRecord(db, main, this.#keys.key(similar));
      if (found === undefined) continue;
      const args = { ...recordArgs(found), other, otherRevision };
      reporter.report('BACKEND_KEY_SIMILAR', args, recordPlace(found, cause));
    }
  }
}

/** The record of a key at a main revision. */
function findRecord(db: BoltDb, main: number, key: Uint8Array): KeyRecord | undefined {
  const cursor = db.bucket('key')?.cursor();
  const record = new KeyRecord();
  let element = cursor?.seek(encodeRevision({ main: BigInt(main), sub: 0n }));
  for (let left = MAX_RECORDS; element !== undefined && left > 0; left--, element = cursor?.next()) {
    const { keyLength, valueLength } = element;
    if (element.isBucket || keyLength + valueLength > MAX_RECORD) continue;
    const { pageId, offset } = element.place;
    const bytes = new Uint8Array(keyLength + valueLength);
    bytes.set(element.key);
    bytes.set(element.value() ?? [], keyLength);
    if (!record.parse(bytes, new DataView(bytes.buffer), 0, keyLength, valueLength)) continue;
    if (record.main !== main) return undefined;
    if (compareKeys(record.userKey(), key) !== 0) continue;
    record.pageId = pageId;
    record.offset = offset - keyLength;
    return record;
  }
  return undefined;
}
