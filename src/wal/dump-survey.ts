/**
 * What has to be known of a log before its entries can be shown: which of them survive. And the records once more, with the
 * entries marked that do not.
 */
import type { Job, Progress } from '../io/job.ts';
import { EntryHead } from '../proto/entry-head.ts';
import { assertFollowed, type EntryRun, type EntryRuns } from './entry-runs.ts';
import { RECORD_TYPE } from './format.ts';
import type { LogDamage, LogRecord } from './log-records.ts';
import type { Wal } from './reader.ts';
import { type LogState, Survey } from './survey.ts';

/** What a log comes to, and where its surviving entries are. */
export interface SurveyedLog {
  readonly state: LogState;
  readonly runs: EntryRuns;
}

/** A record of the log. */
export interface MarkedRecord extends LogRecord {
  /** An entry that is not part of the log any more: one was written later at this index or below. */
  readonly overwritten: boolean;
}

/** About 1 ms of records. */
const RECORDS_PER_STEP = 2000;
const BYTES_PER_STEP = 1024 * 1024;

/** Walks over all records of a log in steps; `take` gets each with the position of its segment, and may end it with false. */
export class LogWalk {
  readonly #names: readonly string[];
  readonly #items: Iterator<LogRecord | LogDamage, void, undefined>;
  readonly #take: (item: LogRecord | LogDamage, segment: number) => boolean;
  /** Bytes in the segments before each. */
  readonly #before: number[] = [];
  #segment = 0;
  #done = 0;
  readonly #total: number;

  constructor(wal: Wal, take: (item: LogRecord | LogDamage, segment: number) => boolean) {
    this.#names = wal.segments.map(({ name }) => name);
    this.#items = wal.records();
    this.#take = take;
    let total = 0;
    for (const { size } of wal.segments) {
      this.#before.push(total);
      total += size;
    }
    this.#total = total;
  }

  get progress(): Progress {
    return { done: this.#done, total: this.#total };
  }

  /** True when there is nothing left to take. */
  step(): boolean {
    let bytes = 0;
    for (let i = 0; i < RECORDS_PER_STEP && bytes < BYTES_PER_STEP; i++) {
      const next = this.#items.next();
      if (next.done === true) return this.#end();
      const item = next.value;
      while (this.#names[this.#segment] !== item.segment) this.#segment++;
      this.#done = (this.#before[this.#segment] ?? 0) + item.offset;
      if (!this.#take(item, this.#segment)) return this.#end();
      if (item.kind === 'record') bytes += item.end - item.offset;
    }
    return false;
  }

  #end(): true {
    this.#done = this.#total;
    return true;
  }
}

/** Reads a log up to its first damage. */
export class SurveyJob implements Job<SurveyedLog> {
  readonly #survey = new Survey();
  readonly #walk: LogWalk;

  constructor(wal: Wal) {
    this.#walk = new LogWalk(wal, (item, segment) => this.#survey.add(item, segment));
  }

  get progress(): Progress {
    return this.#walk.progress;
  }

  step(): boolean {
    return this.#walk.step();
  }

  /** Throws `WAL_TOO_INTRICATE` if it cannot be told which entries survive. */
  get result(): SurveyedLog {
    const { state, runs } = this.#survey;
    assertFollowed(runs);
    return { state, runs };
  }
}

/** All records up to the first damage, in file order. Data are views: copy what is to be kept. */
export function* markedRecords(
  wal: Wal,
  { state, runs }: SurveyedLog,
): Generator<MarkedRecord | LogDamage, void, undefined> {
  const { damage } = state;
  const names = wal.segments.map(({ name }) => name);
  const survivors = new Survivors(runs);
  let segment = 0;
  for (const item of wal.records()) {
    while (names[segment] !== item.segment) segment++;
    // A record may be right by its CRC and still be of no use: the survey says so, the records do not.
    if (item.kind === 'damage' || (damage?.segment === item.segment && damage.offset === item.offset)) {
      yield damage ?? (item as LogDamage);
      return;
    }
    yield { ...item, overwritten: item.type === RECORD_TYPE.entry && !survivors.next(segment, item) };
  }
}

/** Tells of one entry after the other whether it survives. Survivors are in order of index in the files too. */
export class Survivors {
  readonly #runs: Iterator<EntryRun>;
  readonly #entry = new EntryHead();
  #run: EntryRun | undefined;
  /** Entries of the run that are still to come; -1 before its first. */
  #left = -1;

  constructor({ runs }: EntryRuns) {
    this.#runs = runs[Symbol.iterator]();
    this.#run = this.#runs.next().value;
  }

  /** Whether the next entry of the log survives, which is in the segment at this position. */
  next(segment: number, { offset, data = new Uint8Array() }: LogRecord): boolean {
    const run = this.#run;
    if (run === undefined) return false;
    if (this.#left < 0) {
      if (run.segment !== segment || run.offset !== offset) return false;
      this.#left = run.count;
    }
    // Without an index it is in no run, wherever it lies.
    if (!this.#entry.parse(data, 0, data.length) || this.#entry.index === 0) return false;
    if (--this.#left === 0) {
      this.#run = this.#runs.next().value;
      this.#left = -1;
    }
    return true;
  }
}
