/**
 * The tail of a log: which entries etcd applies to the db when it starts.
 *
 * Not those up to the stored commit index, which is written late. A lone voter commits all that it has in its log; one of several keeps
 * what a majority has, which its own directory does not tell.
 */
import { readCluster } from '../../backend/cluster.ts';
import { readMembers } from '../../backend/members.ts';
import { readMeta } from '../../backend/meta.ts';
import { DatadirError, isDatadirError } from '../../errors.ts';
import { compareMinors, type EtcdMinor } from '../../etcd-version.ts';
import { drain, type Job, type Progress } from '../../io/job.ts';
import { decodeEntryPayload } from '../../proto/entry-payload.ts';
import { type ConfState, ENTRY_CONF_CHANGE, ENTRY_CONF_CHANGE_V2 } from '../../proto/raft.ts';
import { WalCheckJob } from '../../wal/check.ts';
import { Configuration } from '../../wal/configuration.ts';
import { type StartOutcome, type Steps, simulateStartSteps } from '../../wal/etcd/index.ts';
import type { LogDamage } from '../../wal/log-records.ts';
import type { LogEntry } from '../../wal/reader.ts';
import type { LogState } from '../../wal/survey.ts';
import type { DataDir } from '../data-dir.ts';
import { ownReleaseSteps, type ReleaseHints } from '../own-release.ts';
import { type BaseKind, chooseBase, type OwnDb, openOwnDb, type ReplayBase, refused } from './base.ts';
import { readSnapFilesSteps, type SnapPlace } from './base-snaps.ts';
import type { ReplayFinding } from './findings.ts';

/** `auto`: what is certain to be kept. `committed`: no more than the stored commit index. `all`: everything in the log. */
export type TailMode = 'auto' | 'committed' | 'all';

/** Options of everything that plans a replay. */
export interface TailOptions {
  /** Which entries; default `auto`. */
  readonly tail?: TailMode | undefined;
  /** The release that applies them; default: that of the data. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** Begin with nothing although there is a db, as where it is damaged: the log must reach back to the first entry. Default false. */
  readonly withoutDb?: boolean | undefined;
}

/** Which entries are applied, and to what. */
export interface Tail {
  readonly mode: TailMode;
  readonly version: EtcdMinor;
  /** The first and the last entry to apply; there is none if `last` is below `first`. */
  readonly first: bigint;
  readonly last: bigint;
  /** Whether the member decides alone what is committed. */
  readonly loneVoter: boolean;
  /** Entries above the stored commit of which it is not known, or was not asked, whether they are kept. */
  readonly notCommitted: { readonly count: bigint; readonly first: bigint; readonly last: bigint } | undefined;
  readonly base: BaseKind;
  /** How many of the entries may make a revision. */
  readonly bound: number;
  /** The last entry that the db has; 0 for none. */
  readonly consistentIndex: bigint;
  /** The stored commit index. */
  readonly commit: bigint;
  /** The last entry of the log that can be used. */
  readonly logEnd: bigint;
  /** The snapshot that a start begins with; entries are read from behind it. 0: from the first one. */
  readonly start: bigint;
  readonly memberId: bigint | undefined;
  readonly findings: readonly ReplayFinding[];
}

/** A tail with what the replay goes on with. */
export interface PlannedTail extends Tail {
  readonly from: ReplayBase;
  /** Who takes part as of the db's last entry. */
  readonly configuration: Configuration;
}

/** Finds the tail without a pause. Throws as `TailJob` does. */
export function planTail(dir: DataDir, options: TailOptions = {}): Tail {
  return drain(new TailJob(dir, options));
}

/**
 * Finds the tail in steps: reads the log a few times, and of the db its bucket `meta` and the members. Throws `REPLAY_REFUSED` where no
 * legal beginning is there, `FILE_LOCKED` while an etcd runs on the directory.
 */
export class TailJob implements Job<PlannedTail> {
  readonly #steps: Steps<PlannedTail>;
  readonly #total: number;
  #done = 0;
  #result: PlannedTail | undefined;

  constructor(dir: DataDir, options: TailOptions = {}) {
    this.#steps = planTailSteps(dir, options);
    this.#total = dir.files.wal.items.length;
  }

  /** How far it is cannot be told: steps are counted. */
  get progress(): Progress {
    return { done: this.#done, total: Math.max(this.#done, this.#total) };
  }

  get result(): PlannedTail {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the tail has not been found yet');
    return this.#result;
  }

  step(): boolean {
    this.#done++;
    const { done, value } = this.#steps.next();
    if (done === true) this.#result = value;
    return done === true;
  }
}

/**
 * The entries from `first` to `last` of the tail, in order, each valid until the next is asked for. Some that come before are among them,
 * so that whoever iterates can pause: they are to be passed over.
 */
export function* tailEntries(dir: DataDir, tail: Tail): Generator<LogEntry, void, undefined> {
  if (tail.last < tail.first) return;
  for (const entry of dir.wal.entries({ after: tail.start, from: tail.first })) {
    if (entry.index > tail.last) return;
    yield entry;
  }
}

/** The same as steps of a job: pauses about every MiB. */
export function* planTailSteps(dir: DataDir, options: TailOptions = {}): Steps<PlannedTail> {
  if (dir.inUse) {
    const words = 'a running etcd has the directory: stop it first';
    throw new DatadirError('FILE_LOCKED', `${dir.path}: ${words}`, { path: dir.path });
  }
  const { kind } = dir.layout;
  if (kind !== 'member' && kind !== 'both' && !dir.hasWal) {
    throw new DatadirError('UNKNOWN_KIND', `${dir.path}: not a data directory, there is no member in it`, {
      path: dir.path,
    });
  }
  const { tail: mode = 'auto' } = options;
  const own = options.withoutDb === true ? NOT_USED : openOwnDb(dir);
  const version = options.etcdVersion ?? (yield* ownReleaseSteps(releaseHints(dir, own)));
  if (!dir.hasWal) return withoutLog(dir, own, version, mode);
  const snaps = compareMinors(version, '3.7') < 0 ? yield* readSnapFilesSteps(dir) : [];
  const outcome = yield* simulateStartSteps(dir.walFiles.segments, version, {
    snapFiles: snaps,
    consistentIndex: own.base?.consistentIndex ?? 0n,
  });
  return yield* new TailPlan(dir, own, version, snaps, outcome, mode).steps();
}

const NOT_USED: OwnDb = { base: undefined, reason: 'it was asked not to be' };

/** What the db and the log tell of the release. */
function releaseHints(dir: DataDir, { base }: OwnDb): ReleaseHints {
  const stored = base?.file?.read((db) => ({ clusterVersion: readCluster(db).version, meta: readMeta(db) }));
  return { ...stored, segments: () => dir.walFiles.segments };
}

/** A db alone: nothing can be applied to it. */
function withoutLog(dir: DataDir, own: OwnDb, version: EtcdMinor, mode: TailMode): PlannedTail {
  const { base } = own;
  if (base === undefined) throw refused(dir, `there is no log, and the db cannot be used (${own.reason})`);
  const { consistentIndex } = base;
  const findings: ReplayFinding[] = [];
  if (consistentIndex > 0n) findings.push(logBehind(dir, 0n, consistentIndex));
  return {
    mode,
    version,
    first: consistentIndex + 1n,
    last: consistentIndex,
    loneVoter: false,
    notCommitted: undefined,
    base: base.kind,
    bound: 0,
    consistentIndex,
    commit: 0n,
    logEnd: 0n,
    start: 0n,
    memberId: undefined,
    findings,
    from: base,
    configuration: new Configuration(),
  };
}

/** Entries that are looked at in a step. */
const STEP_ENTRIES = 256;
/** Requests that may make a revision. */
const MAKES_REVISION: ReadonlySet<string> = new Set(['put', 'delete_range', 'txn', 'lease_revoke']);

function logBehind(dir: DataDir, lastIndex: bigint, consistentIndex: bigint): ReplayFinding {
  const args = { lastIndex: `${lastIndex}`, consistentIndex: `${consistentIndex}` };
  return { code: 'REPLAY_LOG_BEHIND', severity: 'corrupt', args, file: dir.files.wal.path };
}

/** A tail in the making, once the start of a server is known. */
class TailPlan {
  readonly #dir: DataDir;
  readonly #own: OwnDb;
  readonly #version: EtcdMinor;
  readonly #snaps: readonly SnapPlace[];
  readonly #outcome: StartOutcome;
  readonly #mode: TailMode;
  readonly #findings: ReplayFinding[] = [];
  #log!: LogState;
  /** Where entries are read from. */
  #start = 0n;

  constructor(
    dir: DataDir,
    own: OwnDb,
    version: EtcdMinor,
    snaps: readonly SnapPlace[],
    outcome: StartOutcome,
    mode: TailMode,
  ) {
    this.#dir = dir;
    this.#own = own;
    this.#version = version;
    this.#snaps = snaps;
    this.#outcome = outcome;
    this.#mode = mode;
  }

  *steps(): Steps<PlannedTail> {
    const from = yield* this.#findBase();
    const { consistentIndex } = from;
    const { metadata, hardState } = this.#log;
    const commit = hardState?.commit ?? 0n;
    const known = commit > consistentIndex ? commit : consistentIndex;
    const configuration = this.#configurationAtStart(from);
    const { logEnd, atCommit, boundKnown, boundAll } = yield* this.#readEntries(configuration, consistentIndex, known);
    const memberId = metadata?.nodeId;
    const loneVoter = atCommit.isLoneVoter(memberId);
    yield* this.#judgeLog(logEnd, known);
    if (logEnd < consistentIndex) this.#findings.push(logBehind(this.#dir, logEnd, consistentIndex));

    const beyond = logEnd > known ? logEnd - known : 0n;
    const takesAll = this.#mode === 'all' || (this.#mode === 'auto' && loneVoter);
    const isCertain = this.#mode !== 'committed' && loneVoter;
    const notCommitted = beyond === 0n || isCertain ? undefined : { count: beyond, first: known + 1n, last: logEnd };
    if (notCommitted !== undefined) this.#sayNotCommitted(notCommitted, takesAll);
    const end = takesAll || logEnd < known ? logEnd : known;
    return {
      mode: this.#mode,
      version: this.#version,
      first: consistentIndex + 1n,
      last: end > consistentIndex ? end : consistentIndex,
      loneVoter,
      notCommitted,
      base: from.kind,
      bound: takesAll ? boundAll : boundKnown,
      consistentIndex,
      commit,
      logEnd,
      start: this.#start,
      memberId,
      findings: this.#findings,
      from,
      configuration,
    };
  }

  /** Chooses the db, and from where on the log is read. */
  *#findBase(): Steps<ReplayBase> {
    const snapshot = this.#outcome.snapshot?.index ?? 0n;
    const isOwn = this.#own.base !== undefined && snapshot <= this.#own.base.consistentIndex;
    // Only who needs the whole log reads all of it.
    const whole = isOwn ? undefined : yield* this.#stateFrom(0n);
    const wholeLog = whole !== undefined && whole.firstIndex === 1n;
    const base = chooseBase(this.#dir, this.#own, { snapshot, wholeLog });
    if (base.kind === 'none' && this.#own !== NOT_USED) this.#sayRebuilt(snapshot);
    for (const start of this.#starts(base, snapshot)) {
      const log = yield* this.#stateFrom(start);
      if (log === undefined) continue;
      this.#log = log;
      this.#start = start;
      return base;
    }
    throw refused(this.#dir, `no segment of the log reaches back to the snapshot at ${snapshot}, nor to any newer one`);
  }

  /** What the log comes to from there on; undefined if it does not reach back so far. */
  *#stateFrom(start: bigint): Steps<LogState | undefined> {
    try {
      return yield* this.#dir.wal.stateSteps(start);
    } catch (error) {
      if (!isDatadirError(error, 'WAL_DAMAGED')) throw error;
      return undefined;
    }
  }

  /** Where the log can be read from: where .snap files are lost, also from newer snapshots that the db has got past. */
  *#starts({ kind, consistentIndex }: ReplayBase, snapshot: bigint): Generator<bigint, void, undefined> {
    yield kind === 'none' ? 0n : snapshot;
    if (kind === 'none') return;
    for (const { index = 0n } of this.#dir.wal.state.validSnapshots.toReversed()) {
      if (index <= consistentIndex) yield index;
    }
  }

  /** Who took part at the snapshot that the log is read from, as this release finds it. */
  #configurationAtStart(from: ReplayBase): Configuration {
    if (this.#start === 0n && from.kind === 'none') return new Configuration();
    const stored = from.file?.read((db) => ({ members: readMembers(db), meta: readMeta(db) }));
    const members = stored?.members.members ?? [];
    const ofBucket: Pick<ConfState, 'voters' | 'learners'> = {
      voters: members.flatMap(({ id, isLearner }) => (isLearner ? [] : [id])),
      learners: members.flatMap(({ id, isLearner }) => (isLearner ? [id] : [])),
    };
    if (compareMinors(this.#version, '3.7') >= 0) return new Configuration(ofBucket);
    if (this.#start === 0n) return new Configuration();
    const ofSnap = this.#snaps.find(({ index }) => index === this.#start)?.confState;
    const ofRecord = this.#log.snapshots.findLast(({ index }) => index === this.#start)?.confState;
    const found = [ofSnap, ofRecord, stored?.meta.confState].find((state) => (state?.voters.length ?? 0) > 0);
    return new Configuration(found ?? ofBucket);
  }

  /**
   * Goes through the entries once: how far they can be used, who takes part at the commit, and how many may make a revision.
   * `configuration` is brought up to the db's last entry.
   */
  *#readEntries(configuration: Configuration, consistentIndex: bigint, known: bigint) {
    const limit = this.#readableEnd;
    const { lastIndex } = this.#log;
    let logEnd = lastIndex > this.#start ? lastIndex : this.#start;
    if (limit !== undefined && limit < logEnd) logEnd = limit;
    let boundKnown = 0;
    let boundAll = 0;
    let atCommit: Configuration | undefined;
    let budget = STEP_ENTRIES;
    const entries = { after: this.#start, from: consistentIndex + 1n, changesBelow: true };
    try {
      for (const entry of this.#dir.wal.entries(entries)) {
        const { index, type } = entry;
        if (index > logEnd) break;
        const isChange = type === ENTRY_CONF_CHANGE || type === ENTRY_CONF_CHANGE_V2;
        if (isChange || index > consistentIndex) {
          const payload = decodeEntryPayload(entry);
          if (payload.kind === 'internal' && MAKES_REVISION.has(payload.requestName ?? '')) {
            boundAll++;
            if (index <= known) boundKnown++;
          } else if (payload.kind === 'conf-change' || payload.kind === 'conf-change-v2') {
            if (index > consistentIndex) atCommit ??= configuration.clone();
            if (index <= known) (atCommit ?? configuration).apply(payload);
          }
        }
        if (--budget > 0) continue;
        budget = STEP_ENTRIES;
        yield;
      }
    } catch (error) {
      // What lies behind a hole is not used.
      if (!isDatadirError(error, 'WAL_DAMAGED') || error.expected === undefined) throw error;
      const beforeHole = BigInt(error.expected) - 1n;
      if (beforeHole < logEnd) logEnd = beforeHole;
    }
    return { logEnd, boundKnown, boundAll, atCommit: atCommit ?? configuration };
  }

  /** Up to where the release reads the log, if it starts. */
  get #readableEnd(): bigint | undefined {
    const { outcome, lastIndex } = this.#outcome;
    return outcome === 'starts' || outcome === 'repairs' ? lastIndex : undefined;
  }

  *#judgeLog(logEnd: bigint, known: bigint): Steps<void> {
    const { outcome, stage, words } = this.#outcome;
    const file = this.#dir.files.wal.path;
    if (outcome !== 'starts' && outcome !== 'repairs' && stage !== 'apply') {
      const args = { version: this.#version, words };
      this.#findings.push({ code: 'REPLAY_NO_START', severity: 'refuse', args, file });
    }
    const { damage, lastIndex } = this.#log;
    const isShort = logEnd < known;
    if (damage === undefined && lastIndex <= logEnd && !isShort) return;
    const isLoss = isShort || damage === undefined || (yield* this.#showsLoss(damage));
    const args = { lastIndex: `${logEnd}`, needed: `${isShort ? known : logEnd}` };
    this.#findings.push({
      code: 'REPLAY_LOG_CUT',
      severity: isLoss ? 'corrupt' : 'repairable',
      args,
      file: damage === undefined ? file : `${file}/${damage.segment}`,
      ...(damage === undefined ? {} : { offset: damage.offset }),
    });
  }

  /** Whether the check of the log takes the damage at its end for a loss, or more than that for damage. */
  *#showsLoss({ segment, offset }: LogDamage): Steps<boolean> {
    const job = new WalCheckJob(this.#dir.walFiles, { mustReach: this.#own.base?.consistentIndex });
    while (!job.step()) yield;
    return job.result.findings.some(
      (finding) => finding.severity === 'corrupt' && finding.file === segment && (finding.offset ?? 0) >= offset,
    );
  }

  #sayRebuilt(snapshot: bigint): void {
    const { base, reason } = this.#own;
    const words =
      base === undefined
        ? `the db cannot be used (${reason})`
        : `the db has the entries up to ${base.consistentIndex} only, and the log begins with a snapshot at ${snapshot}`;
    const file = this.#dir.dbPath;
    this.#findings.push({ code: 'REPLAY_REBUILT', severity: 'repairable', args: { reason: words }, file });
  }

  #sayNotCommitted({ count, first, last }: NonNullable<Tail['notCommitted']>, taken: boolean): void {
    const args = {
      entries: `${count}`,
      first: `${first}`,
      last: `${last}`,
      taken: taken ? ('yes' as const) : ('no' as const),
    };
    this.#findings.push({ code: 'REPLAY_NOT_COMMITTED', severity: 'info', args, file: this.#dir.files.wal.path });
  }
}
