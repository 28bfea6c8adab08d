/**
 * Whether the consistent index tells the truth (X16). The newest put at or below it that certainly made a revision must be found in the db,
 * and no further back from the newest revision than the entries behind it can explain.
 *
 * Equal keys and values can hide that it does not, never invent it.
 */
import { readAlarms } from '../backend/alarms.ts';
import { parseAuthEnabled } from '../backend/auth.ts';
import { AUTH, REVISION_LENGTH } from '../backend/format.ts';
import { encodeRevision, parseRevision } from '../backend/revision.ts';
import { type Revisions, readRevisions } from '../backend/revisions.ts';
import { storedValue } from '../backend/stored-value.ts';
import { UnreadableList } from '../backend/unreadable.ts';
import type { Cursor } from '../bolt/cursor.ts';
import type { BoltDb } from '../bolt/database.ts';
import type { Element } from '../bolt/element.ts';
import { isDatadirError } from '../errors.ts';
import { parseKeyValue } from '../proto/mvcc.ts';
import { dataTouches } from '../proto/touched-keys.ts';
import { type CertainPut, CertainPuts, putOf } from './cross-certain-put.ts';
import { EntryPass, segmentFor } from './cross-entries.ts';
import type { DirFacts } from './cross-facts.ts';
import type { CrossReporter } from './cross-reporter.ts';

const RULE = 'whether the consistent index of the db tells the truth';
/** So many records before the place where the put should be are searched for it. */
const MAX_BEFORE = 100_000;
const RECORDS_PER_STEP = 2000;
/** Larger values are not compared. */
const MAX_VALUE = 64 << 20;

/** What is looked for. */
interface Wanted {
  readonly put: CertainPut;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** The revisions between which it must be. */
  readonly lowest: bigint;
  readonly current: bigint;
}

type Phase = 'log' | 'put' | 'db' | 'before' | 'touched' | 'done';

/** The rule, in steps. */
export class AppliedCheck {
  readonly #facts: DirFacts;
  readonly #reporter: CrossReporter;
  readonly #consistentIndex: bigint;
  readonly #puts: CertainPuts;
  #phase: Phase;
  #pass: EntryPass | undefined;
  #wanted: Wanted | undefined;
  #cursor: Cursor | undefined;
  #searched = 0;
  #touched = false;

  /** `isDamaged`: there is damage that would show here too. */
  constructor(facts: DirFacts, reporter: CrossReporter, isDamaged: boolean) {
    this.#facts = facts;
    this.#reporter = reporter;
    this.#consistentIndex = facts.consistentIndex ?? 0n;
    this.#puts = new CertainPuts(this.#consistentIndex);
    const reason = isDamaged ? 'there is other damage' : whyNot(facts);
    this.#phase = reason === undefined ? 'log' : 'done';
    if (reason !== undefined) reporter.notExamined.push(`${RULE}: ${reason}`);
  }

  /** Does a piece of it; true when it is done. */
  step(): boolean {
    if (this.#phase === 'done') return true;
    try {
      this.#phase = this.#next(this.#phase);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#phase = this.#giveUp(error.message);
    }
    return this.#phase === 'done';
  }

  #next(phase: Exclude<Phase, 'done'>): Phase {
    switch (phase) {
      case 'log':
        return this.#searchLog() ? this.#startPut() : 'log';
      case 'put':
        return this.#pass?.step() === false && this.#wanted === undefined ? 'put' : this.#startDb();
      case 'db':
        return this.#searchDb();
      case 'before':
        return this.#searchBefore();
      case 'touched':
        return this.#searchTouched();
    }
  }

  #giveUp(reason: string): 'done' {
    this.#reporter.notExamined.push(`${RULE}: ${reason}`);
    return 'done';
  }

  #searchLog(): boolean {
    const { segments } = this.#facts;
    // The segment may have begun right before.
    const from = Math.max(0, segmentFor(segments, this.#consistentIndex) - 1);
    this.#pass ??= new EntryPass(
      segments,
      (entry, bytes, segment, offset) => {
        this.#puts.add(entry, bytes, segment, offset);
        return true;
      },
      { segment: from, offset: 0 },
    );
    return this.#pass.step();
  }

  /** Reads the entry that was found once more: its key and value were not kept. */
  #startPut(): Phase {
    const unread = this.#pass?.error;
    if (unread !== undefined) return this.#giveUp(unread.message);
    const put = this.#puts.newest;
    if (put === undefined) return this.#giveUp('no entry near it certainly made a revision');
    const { segments } = this.#facts;
    const { current } = this.#revisions();
    const lowest = current - BigInt(put.behind);
    this.#pass = new EntryPass(
      segments,
      ({ dataStart, dataEnd }, bytes) => {
        const { key, value } = putOf(bytes, dataStart, dataEnd) ?? {};
        if (key !== undefined && value !== undefined && value.length <= MAX_VALUE) {
          this.#wanted = { put, key: key.slice(), value: value.slice(), lowest, current };
        }
        return false;
      },
      put,
    );
    return 'put';
  }

  #revisions(): Revisions {
    return this.#facts.dir.backend.read((db) => readRevisions(db));
  }

  get #db(): BoltDb {
    return this.#facts.dir.backend.db;
  }

  #startDb(): Phase {
    if (this.#wanted === undefined) return this.#giveUp('the entry that it is told by cannot be read again');
    this.#cursor = this.#db.bucket('key')?.cursor();
    this.#searched = 0;
    return 'db';
  }

  /** From the lowest revision that the put can have up to the newest. */
  #searchDb(): Phase {
    const { lowest, put } = this.#wanted!;
    const cursor = this.#cursor;
    let element =
      this.#searched === 0 ? cursor?.seek(encodeRevision({ main: max(lowest, 0n), sub: 0n })) : cursor?.next();
    for (let left = RECORDS_PER_STEP; element !== undefined; element = cursor?.next()) {
      this.#searched++;
      if (this.#isWanted(element) !== undefined) {
        this.#reporter.examined.push(`${RULE}, by entry ${put.index}`);
        return 'done';
      }
      if (--left === 0) return 'db';
    }
    this.#searched = 0;
    return 'before';
  }

  /** The same backwards from there: found there, entries above the index are in the db already. */
  #searchBefore(): Phase {
    const { lowest, put } = this.#wanted!;
    const cursor = this.#cursor;
    let element = this.#searched === 0 ? this.#lastBefore(lowest) : cursor?.prev();
    for (let left = RECORDS_PER_STEP; element !== undefined; element = cursor?.prev()) {
      const revision = this.#isWanted(element);
      if (revision !== undefined) {
        const args = {
          consistentIndex: `${this.#consistentIndex}`,
          index: `${put.index}`,
          revision: `${revision}`,
          lowest: `${lowest}`,
        };
        this.#reporter.report('DIR_INDEX_TOO_LOW', args, { file: this.#facts.dir.dbPath });
        return 'done';
      }
      if (++this.#searched >= MAX_BEFORE) break;
      if (--left === 0) return 'before';
    }
    const { segments } = this.#facts;
    this.#pass = new EntryPass(segments, (entry, bytes) => this.#lookAt(entry, bytes), put);
    return 'touched';
  }

  #lastBefore(lowest: bigint): ReturnType<Cursor['prev']> {
    const cursor = this.#db.bucket('key')?.cursor();
    this.#cursor = cursor;
    cursor?.seek(encodeRevision({ main: max(lowest, 0n), sub: 0n }));
    return cursor?.prev();
  }

  /** The revision of the record if it is what the put has written. */
  #isWanted(element: Element): bigint | undefined {
    const wanted = this.#wanted!;
    const { keyLength, valueLength } = element;
    if (keyLength !== REVISION_LENGTH || valueLength < wanted.value.length || valueLength > MAX_VALUE) return undefined;
    const revision = parseRevision(element.key);
    const value = element.value();
    if ('problem' in revision || value === undefined) return undefined;
    try {
      const pair = parseKeyValue(value);
      const same = pair.lease === 0n && sameBytes(pair.key, wanted.key) && sameBytes(pair.value, wanted.value);
      return same ? revision.main : undefined;
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      return undefined;
    }
  }

  #lookAt(entry: { index: number; type: number; dataStart: number; dataEnd: number }, bytes: Uint8Array): boolean {
    const { put, key } = this.#wanted!;
    const { index, type, dataStart, dataEnd } = entry;
    if (index <= put.index || BigInt(index) > this.#consistentIndex || type !== 0 || dataStart < 0) return true;
    // What no longer is a part of the log can only make it less certain.
    this.#touched = dataTouches(bytes.subarray(dataStart, dataEnd), { key }).length > 0;
    return !this.#touched;
  }

  /** Whether a later entry may have replaced or deleted the key: then its record may have been compacted. */
  #searchTouched(): Phase {
    if (this.#pass?.step() === false) return 'touched';
    const unread = this.#pass?.error;
    if (unread !== undefined) return this.#giveUp(unread.message);
    const { put, lowest, current } = this.#wanted!;
    if (this.#touched) return this.#giveUp(`what entry ${put.index} wrote may have been compacted`);
    const args = {
      consistentIndex: `${this.#consistentIndex}`,
      index: `${put.index}`,
      lowest: `${max(lowest, 1n)}`,
      revision: `${current}`,
    };
    this.#reporter.report('DIR_INDEX_TOO_HIGH', args, { file: this.#facts.dir.dbPath });
    return 'done';
  }
}

/** Why the rule cannot be applied; undefined if it can. */
function whyNot({ dir, db, log, inUse, consistentIndex }: DirFacts): string | undefined {
  if (inUse) return 'a running etcd writes to both';
  if (log === undefined) return 'there is no log';
  if (db.state !== 'read' || consistentIndex === undefined) return 'it cannot be read';
  if (consistentIndex === 0n) return 'there is none';
  if (!log.isWhole || consistentIndex > log.lastIndex) return 'the log does not have all entries';
  try {
    return dir.backend.read((bolt) => {
      const enabled = storedValue(bolt, 'auth', AUTH.enabled, parseAuthEnabled, new UnreadableList());
      if (enabled === true) return 'authentication is on, so that no write is certain to have succeeded';
      if (readAlarms(bolt).alarms.length > 0) return 'there is an alarm, so that no write is certain to have succeeded';
      return undefined;
    });
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return error.message;
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
