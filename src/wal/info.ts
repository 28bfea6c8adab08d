/**
 * What a log holds, at a glance: plain data, 64-bit numbers as decimal text, ids in hex beside.
 *
 * Two passes: the first tells which entries survive and where the newest snapshot is, the second looks at those entries.
 */
import { DatadirError } from '../errors.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import { EntryHead } from '../proto/entry-head.ts';
import { decodeEntryPayload, isV2Request } from '../proto/entry-payload.ts';
import { ENTRY_CONF_CHANGE, ENTRY_CONF_CHANGE_V2, ENTRY_NORMAL } from '../proto/raft.ts';
import type { WalSnapshot } from '../proto/wal.ts';
import { confStateJson, type DamageKind, damageJson, decodeRecord, type EntryContent, hex } from './dump-record.ts';
import { LogWalk, Survivors } from './dump-survey.ts';
import { assertFollowed } from './entry-runs.ts';
import { RECORD_TYPE } from './format.ts';
import type { LogDamage, LogRecord } from './log-records.ts';
import { MinimumVersion } from './minimum-version.ts';
import type { Wal } from './reader.ts';
import { type LogState, Survey } from './survey.ts';

/** One segment. */
export interface SegmentInfoSummary {
  readonly name: string;
  readonly size: number;
  /** Where its records end, as far as they can be read. */
  readonly end: number;
  readonly records: number;
  readonly entries: number;
  /** Index of its first and last entry record; null without entries. */
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
}

/** A snapshot record. */
export interface SnapshotRecordSummary {
  readonly index: string;
  readonly term: string;
  /** Whether it is at or below the commit index, so that a start may use it. */
  readonly valid: boolean;
  /** Who takes part, by id; absent in logs of 3.4 and in the 0/0 record of a new log. */
  readonly confState?: Readonly<Record<string, unknown>>;
}

/** Surviving entries by what they are. */
export interface EntryKindCounts {
  /** Requests of the v3 API and of the server. */
  readonly normal: number;
  readonly confChange: number;
  /** Requests of the v2 API. */
  readonly v2: number;
  /** Nothing: the first entries of new leaders. */
  readonly noop: number;
  /** Of a type that does not exist. */
  readonly other: number;
}

/** A hard state. */
export interface HardStateSummary {
  readonly term: string;
  readonly vote: string;
  readonly voteHex: string;
  readonly commit: string;
}

/** A log. */
export interface WalInfo {
  readonly segments: readonly SegmentInfoSummary[];
  /** Of the surviving entries; null if there is none. */
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
  readonly entries: number;
  readonly overwritten: number;
  readonly kinds: EntryKindCounts;
  /** The last hard state; null if there is none. */
  readonly hardState: HardStateSummary | null;
  readonly nodeId: string | null;
  readonly nodeIdHex: string | null;
  readonly clusterId: string | null;
  readonly clusterIdHex: string | null;
  /** All snapshot records, in file order. */
  readonly snapshots: readonly SnapshotRecordSummary[];
  /** The lowest version of etcd that understands the entries behind the newest valid snapshot; null if none says. */
  readonly minimumVersion: string | null;
  /** Where reading ended before the log did; a torn tail too. */
  readonly damage: { readonly segment: string; readonly offset: number; readonly kind: DamageKind } | null;
}

/** Looks at a log without a pause. */
export function walInfo(wal: Wal): WalInfo {
  return drain(new WalInfoJob(wal));
}

/** The same as a job. */
export class WalInfoJob implements Job<WalInfo> {
  readonly #wal: Wal;
  readonly #survey = new Survey();
  readonly #segments: SegmentCount[];
  readonly #kinds = { normal: 0, confChange: 0, v2: 0, noop: 0, other: 0 };
  readonly #minimum = new MinimumVersion();
  readonly #first: LogWalk;
  #second: LogWalk | undefined;
  #result: WalInfo | undefined;

  constructor(wal: Wal) {
    this.#wal = wal;
    this.#segments = wal.segments.map(({ name, size }) => new SegmentCount(name, size));
    this.#first = new LogWalk(wal, (item, segment) => this.#count(item, segment));
  }

  get progress(): Progress {
    const first = this.#first.progress;
    const done = first.done + (this.#second?.progress.done ?? 0);
    return { done, total: 2 * first.total };
  }

  step(): boolean {
    if (this.#second === undefined) {
      if (this.#first.step()) this.#second = this.#secondWalk();
      return false;
    }
    if (!this.#second.step()) return false;
    this.#result ??= this.#summarize();
    return true;
  }

  get result(): WalInfo {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the job has not ended');
    return this.#result;
  }

  #count(item: LogRecord | LogDamage, segment: number): boolean {
    if (!this.#survey.add(item, segment)) return false;
    if (item.kind === 'record') this.#segments[segment]?.add(item);
    return true;
  }

  /** Looks at the surviving entries. */
  #secondWalk(): LogWalk {
    const { state, runs } = this.#survey;
    assertFollowed(runs);
    const survivors = new Survivors(runs);
    const { damage } = state;
    const snapshot = newestValid(state)?.index ?? 0n;
    return new LogWalk(this.#wal, (item, segment) => {
      if (item.kind === 'damage' || (damage?.segment === item.segment && damage.offset === item.offset)) return false;
      if (item.type !== RECORD_TYPE.entry || !survivors.next(segment, item)) return true;
      const content = decodeRecord(item);
      if (content.type === 'entry') this.#look(content, content.index > snapshot);
      return true;
    });
  }

  #look({ entryType: type, data }: EntryContent, counts: boolean): void {
    const kinds = this.#kinds;
    if (type === ENTRY_CONF_CHANGE || type === ENTRY_CONF_CHANGE_V2) kinds.confChange++;
    else if (type !== ENTRY_NORMAL) kinds.other++;
    else if (data.length === 0) kinds.noop++;
    else if (isV2Request(data)) kinds.v2++;
    else kinds.normal++;
    // Decoding takes time: only what is asked.
    if (counts) this.#minimum.add(decodeEntryPayload({ type, data }));
  }

  #summarize(): WalInfo {
    const { state } = this.#survey;
    const { metadata, hardState, damage } = state;
    const has = state.entries > 0;
    return {
      segments: this.#segments.map((segment) => segment.summary),
      firstIndex: has ? `${state.firstIndex}` : null,
      lastIndex: has ? `${state.lastIndex}` : null,
      entries: state.entries,
      overwritten: state.overwritten,
      kinds: { ...this.#kinds },
      hardState: hardState === undefined ? null : hardStateSummary(hardState),
      nodeId: metadata === undefined ? null : `${metadata.nodeId ?? 0n}`,
      nodeIdHex: metadata === undefined ? null : hex(metadata.nodeId ?? 0n),
      clusterId: metadata === undefined ? null : `${metadata.clusterId ?? 0n}`,
      clusterIdHex: metadata === undefined ? null : hex(metadata.clusterId ?? 0n),
      snapshots: state.snapshots.map((snapshot) => snapshotSummary(snapshot, hardState?.commit ?? 0n)),
      minimumVersion: this.#minimum.result,
      damage: damage === undefined ? null : damageJson(damage),
    };
  }
}

/** The snapshot that a start begins with: the newest at or below the commit index. */
export function newestValid({ validSnapshots }: LogState): WalSnapshot | undefined {
  let newest: WalSnapshot | undefined;
  for (const each of validSnapshots) if ((each.index ?? 0n) >= (newest?.index ?? 0n)) newest = each;
  return newest;
}

/** Counts the records of a segment. */
class SegmentCount {
  readonly #name: string;
  readonly #size: number;
  readonly #entry = new EntryHead();
  #end = 0;
  #records = 0;
  #entries = 0;
  #firstIndex: number | undefined;
  #lastIndex: number | undefined;

  constructor(name: string, size: number) {
    this.#name = name;
    this.#size = size;
  }

  add({ type, end, data = new Uint8Array() }: LogRecord): void {
    this.#records++;
    this.#end = end;
    if (type !== RECORD_TYPE.entry || !this.#entry.parse(data, 0, data.length)) return;
    this.#entries++;
    this.#firstIndex ??= this.#entry.index;
    this.#lastIndex = this.#entry.index;
  }

  get summary(): SegmentInfoSummary {
    return {
      name: this.#name,
      size: this.#size,
      end: this.#end,
      records: this.#records,
      entries: this.#entries,
      firstIndex: this.#firstIndex === undefined ? null : `${this.#firstIndex}`,
      lastIndex: this.#lastIndex === undefined ? null : `${this.#lastIndex}`,
    };
  }
}

function snapshotSummary({ index = 0n, term = 0n, confState }: WalSnapshot, commit: bigint): SnapshotRecordSummary {
  const members = confState === undefined ? {} : { confState: confStateJson(confState) };
  return { index: `${index}`, term: `${term}`, valid: index <= commit, ...members };
}

function hardStateSummary({ term, vote, commit }: NonNullable<LogState['hardState']>): HardStateSummary {
  return { term: `${term}`, vote: `${vote}`, voteHex: hex(vote), commit: `${commit}` };
}
