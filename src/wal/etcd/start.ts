/**
 * The start of an etcd server on a log, in thought: which snapshot it chooses, whether it reads the log, repairs it or gives
 * up, and in which words.
 *
 * Only the log is looked at. The db and the `.snap` files may give a server more reasons not to start.
 */
import { isDatadirError } from '../../errors.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { SegmentInput } from '../segment-input.ts';
import { SEGMENT_SUFFIX } from '../segment-name.ts';
import type { Stop } from './decoder.ts';
import { MessageParser } from './parse-message.ts';
import { isFailure, PayloadParser, type SnapshotId } from './parse-record.ts';
import { type ReadAllOutcome, readAllSteps } from './read-all.ts';
import { afterCut, type Cut, repairSteps } from './repair.ts';
import { Replay } from './replay.ts';
import { selectSegments } from './start-segment.ts';
import { finish, type Steps } from './steps.ts';
import { validSnapshotsSteps } from './valid-snapshots.ts';
import {
  bootstrapFailed,
  commitOutOfRange,
  NIL_POINTER,
  NO_NODE_ID,
  openFailed,
  readNotRepairable,
  repaired,
  repairFailed,
  unmarshalPanic,
} from './words.ts';

/** Options of `simulateStart`. */
export interface StartOptions {
  /**
   * The `.snap` files that can be read; up to 3.6 a snapshot needs one. Default: every snapshot of the log has one.
   */
  readonly snapFiles?: readonly SnapshotId[] | undefined;
  /**
   * The db's consistent index: entries above it are applied for real, which may fail in more ways. 0 if there is no db.
   * Default: as if all entries were applied.
   */
  readonly consistentIndex?: bigint | undefined;
}

/**
 * `starts`: reads the log as it is. `repairs`: cuts its end off and starts. `refuses`: ends with an error. `panics`: crashes.
 * `unknown`: holds something that is not read here.
 */
export type StartKind = 'starts' | 'repairs' | 'refuses' | 'panics' | 'unknown';

/** How far a server gets: the search for snapshots, opening and reading the log, raft's own checks, applying the entries. */
export type StartStage = 'search' | 'read' | 'raft' | 'apply';

/** What a server does with a log. */
export interface StartOutcome {
  readonly version: EtcdMinor;
  readonly outcome: StartKind;
  /** Where it stops, if it does not start. */
  readonly stage?: StartStage;
  /** What it prints, as exact as is known; empty where it starts without a word. */
  readonly words: string;
  /** The place that the words are about. */
  readonly segment?: string;
  readonly offset?: number;
  /** What a repair cut off, whatever happened afterwards. */
  readonly cut?: Cut;
  /** The snapshot it starts from; null: from the beginning. */
  readonly snapshot: SnapshotId | null;
  /** Index of the last entry, or of the snapshot if there is none behind it; 0 if the log was not read. */
  readonly lastIndex: bigint;
  /** Number of entries behind the snapshot. */
  readonly entries: number;
}

/** Starts a server of release `minor` on the log in `files`, in thought. Reads the log two to four times. */
export function simulateStart(
  files: readonly SegmentInput[],
  minor: EtcdMinor,
  options: StartOptions = {},
): StartOutcome {
  return finish(simulateStartSteps(files, minor, options));
}

/** The same in steps. */
export function* simulateStartSteps(
  files: readonly SegmentInput[],
  minor: EtcdMinor,
  options: StartOptions = {},
): Steps<StartOutcome> {
  const start = new Start(files, minor, options);
  try {
    return yield* start.run();
  } catch (error) {
    if (!isDatadirError(error, 'UNSUPPORTED')) throw error;
    return start.end('unknown', error.message);
  }
}

class Start {
  readonly #minor: EtcdMinor;
  readonly #options: StartOptions;
  #files: readonly SegmentInput[];
  #stage: StartStage = 'search';
  #snapshot: SnapshotId | null = null;
  #cut: Cut | undefined;
  #repairWords: string | undefined;
  #entries = 0;
  #lastIndex = 0n;

  constructor(files: readonly SegmentInput[], minor: EtcdMinor, options: StartOptions) {
    this.#files = files;
    this.#minor = minor;
    this.#options = options;
  }

  *run(): Steps<StartOutcome> {
    const minor = this.#minor;
    // Without any such file a server does not look for a log, and begins a new one.
    if (!this.#files.some(({ name }) => name.endsWith(SEGMENT_SUFFIX))) return this.end('starts', '');
    const { snapshots, stop } = yield* validSnapshotsSteps(this.#files, minor);
    if (stop.kind === 'panic' || stop.kind === 'unknown') return this.#stopped(stop, stop.words);
    if (stop.kind === 'error') return this.#stopped(stop, bootstrapFailed(minor, stop.words));
    this.#snapshot = chooseSnapshot(snapshots, minor, this.#options.snapFiles);

    this.#stage = 'read';
    const read = yield* this.#read();
    if ('outcome' in read) return read;
    const { metadata, state, entries } = read.result;
    const first = this.#snapshot?.index ?? 0n;
    this.#entries = entries;
    this.#lastIndex = first + BigInt(entries);

    this.#stage = 'raft';
    const nodeId = new PayloadParser(minor).nodeId(metadata ?? new Uint8Array());
    if (isFailure(nodeId)) return this.end('panics', unmarshalPanic(nodeId.words));
    if (minor === '3.7' && this.#snapshot === null) return this.end('panics', NIL_POINTER);
    if (nodeId === 0n) return this.end('panics', NO_NODE_ID);
    const isEmpty = state.term === 0n && state.vote === 0n && state.commit === 0n;
    if (!isEmpty && (state.commit < first || state.commit > this.#lastIndex)) {
      return this.end('panics', commitOutOfRange(nodeId, state.commit, first, this.#lastIndex));
    }
    this.#stage = 'apply';
    const panic = read.replay.firstPanic(nodeId, state.commit);
    if (panic !== undefined) return this.end('panics', panic.words, panic.segment, panic.offset);
    return this.#repairWords === undefined ? this.end('starts', '') : this.end('repairs', this.#repairWords);
  }

  /** Reads the log, after at most one repair. */
  *#read(): Steps<{ readonly result: ReadAllOutcome; readonly replay: Replay } | StartOutcome> {
    const minor = this.#minor;
    const snapshot = this.#snapshot ?? { index: 0n, term: 0n };
    for (;;) {
      const segments = selectSegments(this.#files, snapshot.index, minor);
      if (typeof segments === 'string') return this.end('refuses', openFailed(minor, segments));
      const replay = new Replay(new MessageParser(minor), this.#options.consistentIndex);
      const result = yield* readAllSteps(segments, snapshot, 'write', minor, replay);
      const { error } = result;
      if (error === undefined) return { result, replay };
      if (error.kind === 'panic' || error.kind === 'unknown') return this.#stopped(error, error.words);
      if (error.kind !== 'unexpected-eof' || this.#repairWords !== undefined) {
        return this.#stopped(error, readNotRepairable(minor, error.words));
      }
      const outcome = yield* repairSteps(this.#files, minor);
      if (outcome.stop.kind === 'unknown') return this.#stopped(outcome.stop, outcome.stop.words);
      if (!outcome.repaired) return this.#stopped(error, repairFailed(minor, error.words));
      this.#repairWords = repaired(minor, error.words);
      if (outcome.cut !== undefined) {
        this.#cut = outcome.cut;
        this.#files = afterCut(this.#files, outcome.cut);
      }
    }
  }

  #stopped({ kind, segment, offset }: Stop, words: string): StartOutcome {
    const outcome = kind === 'panic' ? 'panics' : kind === 'unknown' ? 'unknown' : 'refuses';
    return this.end(outcome, words, segment, offset);
  }

  end(outcome: StartKind, words: string, segment?: string, offset?: number): StartOutcome {
    return {
      version: this.#minor,
      outcome,
      words,
      ...(outcome === 'starts' || outcome === 'repairs' ? {} : { stage: this.#stage }),
      ...(segment === undefined ? {} : { segment }),
      ...(segment === undefined || offset === undefined ? {} : { offset }),
      ...(this.#cut === undefined ? {} : { cut: this.#cut }),
      snapshot: this.#snapshot,
      lastIndex: this.#lastIndex,
      entries: this.#entries,
    };
  }
}

/**
 * The snapshot a server starts from. 3.7 takes the last in the log. Older ones take the newest `.snap` file, by term and
 * index, that is also in the log; one of index 0 has no file.
 */
export function chooseSnapshot(
  snapshots: readonly SnapshotId[],
  minor: EtcdMinor,
  snapFiles: readonly SnapshotId[] | undefined,
): SnapshotId | null {
  if (minor === '3.7') return snapshots.at(-1) ?? null;
  const same = (a: SnapshotId, b: SnapshotId): boolean => a.index === b.index && a.term === b.term;
  let chosen: SnapshotId | null = null;
  for (const snapshot of snapshots) {
    if (snapFiles === undefined ? snapshot.index === 0n : !snapFiles.some((file) => same(file, snapshot))) continue;
    const isNewer =
      chosen === null ||
      snapshot.term > chosen.term ||
      (snapshot.term === chosen.term && snapshot.index > chosen.index);
    if (isNewer) chosen = snapshot;
  }
  return chosen;
}
