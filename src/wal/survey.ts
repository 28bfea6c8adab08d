/**
 * What the records of a log come to, told one by one: metadata, the last hard state, snapshots, and which entries survive.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import { EntryHead } from '../proto/entry-head.ts';
import { parseHardState } from '../proto/raft.ts';
import { type Metadata, parseMetadata, parseWalSnapshot, type WalSnapshot } from '../proto/wal.ts';
import { EntryRuns } from './entry-runs.ts';
import { RECORD_TYPE } from './format.ts';
import type { LogDamage, LogRecord } from './log-records.ts';

/** What the whole of a log comes to. */
export interface LogState {
  readonly metadata: Metadata | undefined;
  /** The last hard state. */
  readonly hardState: { readonly term: bigint; readonly vote: bigint; readonly commit: bigint } | undefined;
  /** All snapshot records in file order. */
  readonly snapshots: readonly WalSnapshot[];
  /** Those at or below the commit index: the ones that a start may use. */
  readonly validSnapshots: readonly WalSnapshot[];
  /** Surviving entries, and those that were overwritten. */
  readonly entries: number;
  readonly overwritten: number;
  /** 0n without entries. */
  readonly firstIndex: bigint;
  readonly lastIndex: bigint;
  /** Where reading ended before the log did; a torn tail too. */
  readonly damage: LogDamage | undefined;
}

/** Many times what a log of years has: all are kept in memory. */
const MAX_SNAPSHOTS = 100_000;

/** Follows the records of a log. */
export class Survey {
  readonly runs: EntryRuns = new EntryRuns();
  readonly #entry = new EntryHead();
  readonly #snapshots: WalSnapshot[] = [];
  #metadata: Metadata | undefined;
  #hardState: LogState['hardState'];
  #damage: LogDamage | undefined;
  readonly #after: number;

  /** Entries at and below `after` are passed over, and replace none, as in a start from a snapshot there. */
  constructor(after = 0) {
    this.#after = after;
  }

  /** Takes the next record, of segment number `segment`. False if the log cannot be read on from there. */
  add(item: LogRecord | LogDamage, segment: number): boolean {
    if (item.kind === 'damage') {
      this.#damage = item;
      return false;
    }
    const { type, offset, data = new Uint8Array() } = item;
    try {
      if (type === RECORD_TYPE.entry) {
        if (!this.#entry.parse(data, 0, data.length)) return this.#unusable(item);
        if (this.#entry.index > this.#after) this.runs.add(segment, offset, this.#entry.index, this.#entry.term);
      } else if (type === RECORD_TYPE.state) {
        const { term = 0n, vote = 0n, commit = 0n } = parseHardState(data);
        this.#hardState = { term, vote, commit };
      } else if (type === RECORD_TYPE.snapshot) {
        const { index, term, confState } = parseWalSnapshot(data);
        if (this.#snapshots.length >= MAX_SNAPSHOTS) {
          throw new DatadirError('WAL_TOO_INTRICATE', `more than ${MAX_SNAPSHOTS} snapshot records`, { offset });
        }
        this.#snapshots.push({ index, term, confState });
      } else if (type === RECORD_TYPE.metadata) {
        if (item.data !== undefined) this.#metadata ??= parseMetadata(data);
      } else if (type !== RECORD_TYPE.crc) return this.#unusable(item);
      return true;
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      return this.#unusable(item);
    }
  }

  #unusable({ segment, offset }: LogRecord): false {
    this.#damage = { kind: 'damage', segment, offset, reason: 'unparsable' };
    return false;
  }

  get state(): LogState {
    const commit = this.#hardState?.commit ?? 0n;
    return {
      metadata: this.#metadata,
      hardState: this.#hardState,
      snapshots: this.#snapshots,
      validSnapshots: this.#snapshots.filter(({ index = 0n }) => index <= commit),
      entries: this.runs.entries,
      overwritten: this.runs.overwritten,
      firstIndex: BigInt(this.runs.firstIndex),
      lastIndex: BigInt(this.runs.lastIndex),
      damage: this.#damage,
    };
  }
}
