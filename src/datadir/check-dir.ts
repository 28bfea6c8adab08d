/**
 * The check of a data directory as a whole, as a job: its folders, then every part by itself (snap files, log, db), then the parts against one
 * another. How much of each is looked at depends on the level; docs/data-directory.md has the rules.
 *
 * The db says first how far it has got, and the log is read afterwards: so the log of a running etcd is never found to be behind.
 */
import { BackendCheckJob } from '../backend/check.ts';
import { StateCheck } from '../backend/check-state.ts';
import { Structure } from '../backend/check-structure.ts';
import { BoltCheckJob } from '../bolt/check.ts';
import type { Sha256Factory } from '../checksum/sha256.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import type { AnyFinding, Severity } from '../finding-table.ts';
import type { Job, Progress } from '../io/job.ts';
import { type CheckReport, type Level, MAX_FINDINGS } from '../report.ts';
import { SnapCheckJob } from '../snap/check.ts';
import type { Steps } from '../wal/etcd/index.ts';
import type { WalFiles } from '../wal/segment-input.ts';
import { consistentIndexOf, type DbFacts, readDbFacts } from './cross-db.ts';
import { type DirFacts, usableSnaps } from './cross-facts.ts';
import { LogCheck } from './cross-log-check.ts';
import { ReadErrors } from './cross-read-errors.ts';
import { CrossReporter } from './cross-reporter.ts';
import type { DataDir } from './data-dir.ts';
import { DEFAULT_RELEASE, ownReleaseSteps } from './own-release.ts';
import { Reports } from './reports.ts';
import { dirSummary, snapSummary } from './reports-summary.ts';
import { AppliedCheck } from './rules-applied.ts';
import { checkMembership } from './rules-membership.ts';
import { checkPosition } from './rules-position.ts';
import { checkPresence } from './rules-presence.ts';
import { checkSnapshots } from './rules-snapshots.ts';
import { checkStructure } from './rules-structure.ts';
import { targetFindings, versionFindings } from './rules-target.ts';

/** Options of the check of a data directory. */
export interface CheckDirOptions {
  /** Default: `full`. */
  readonly level?: Level | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** Name for the report. Default: the directory's own. */
  readonly path?: string | undefined;
  /** The release of etcd that is to start on it. Default: the one whose data it is. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** Computes a sha256. */
  readonly sha256?: Sha256Factory | undefined;
  /** The member and the cluster whose directory it should be. Default: not known. */
  readonly memberId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
  /** Reads all values of the db too and gives a digest of all pairs, see `CheckReport.bolt`. */
  readonly digest?: boolean | undefined;
}

/** Snap files that the target does not open. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set(['SNAP_UNREADABLE', 'SNAP_TOO_LARGE']);

type Phase = 'look' | 'snap' | 'log' | 'version' | 'db' | 'state' | 'cross' | 'applied' | 'done';

/** The check of one data directory, in steps. */
export class DataDirCheckJob implements Job<CheckReport> {
  readonly #dir: DataDir;
  readonly #options: CheckDirOptions;
  readonly #level: Level;
  readonly #started = performance.now();
  readonly #reports: Reports;
  readonly #cross = new CrossReporter();
  readonly #readErrors = new ReadErrors();
  #walFiles: WalFiles = { segments: [], others: [] };
  #phase: Phase = 'look';
  #inUse = false;
  #db: DbFacts = { state: 'missing' };
  #snap: SnapCheckJob | undefined;
  #log: LogCheck | undefined;
  #release: Steps<EtcdMinor> | undefined;
  #target: EtcdMinor = DEFAULT_RELEASE;
  #dbJob: Job<CheckReport> | undefined;
  #state: StateCheck | undefined;
  #facts: DirFacts | undefined;
  #applied: AppliedCheck | undefined;
  #done = 0;
  #result: CheckReport | undefined;

  constructor(dir: DataDir, options: CheckDirOptions = {}) {
    this.#dir = dir;
    this.#options = options;
    this.#level = options.level ?? 'full';
    this.#reports = new Reports(options.maxFindings);
  }

  get progress(): Progress {
    let done = 0;
    let total = 0;
    for (const part of [this.#snap, this.#log, this.#dbJob]) {
      done += part?.progress.done ?? 0;
      total += part?.progress.total ?? 0;
    }
    // The db, which comes last, is not open yet.
    if (this.#dbJob === undefined && this.#phase !== 'done') total += this.#dbSize();
    this.#done = Math.max(this.#done, done);
    return { done: this.#done, total: Math.max(total, this.#done) };
  }

  get result(): CheckReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#phase !== 'done') this.#phase = this.#next(this.#phase);
    if (this.#phase === 'done') this.#result ??= this.#report();
    return this.#phase === 'done';
  }

  /** Does a piece of a phase; gives the phase that comes next. */
  #next(phase: Exclude<Phase, 'done'>): Phase {
    switch (phase) {
      case 'look':
        return this.#look();
      case 'snap':
        return this.#snap?.step() === false ? 'snap' : this.#startLog();
      case 'log':
        return this.#log?.step() === false ? 'log' : 'version';
      case 'version':
        return this.#findRelease() ? this.#startDb() : 'version';
      case 'db':
        return this.#dbJob?.step() === false ? 'db' : this.#startState();
      case 'state':
        return this.#state?.step() === false ? 'state' : 'cross';
      case 'cross':
        return this.#compare();
      case 'applied':
        return this.#applied?.step() === false ? 'applied' : 'done';
    }
  }

  /** The folders, and what the db says of itself. */
  #look(): Phase {
    const dir = this.#dir;
    if (!checkStructure(dir, this.#cross)) {
      this.#target = this.#options.etcdVersion ?? DEFAULT_RELEASE;
      return 'cross';
    }
    this.#inUse = dir.inUse;
    if (this.#inUse) this.#cross.report('DIR_IN_USE', {});
    this.#db = readDbFacts(dir);
    if (this.#level === 'sanity') this.#cross.notExamined.push('.snap files');
    else if (dir.files.snap.state !== 'unreadable') {
      const maxFindings = this.#partFindings();
      this.#snap = new SnapCheckJob(dir.snapFiles, { level: this.#level, maxFindings, inDataDir: true });
    }
    return 'snap';
  }

  /** Enough of what each part finds to judge it from here, however few findings are wanted. */
  #partFindings(): number {
    return Math.max(MAX_FINDINGS, this.#options.maxFindings ?? 0);
  }

  #startLog(): Phase {
    const dir = this.#dir;
    if (!dir.hasWal) return 'log';
    const { memberId, clusterId } = this.#options;
    const consistentIndex = consistentIndexOf(this.#db);
    const snapFiles = this.#snap === undefined ? undefined : usableSnaps(this.#snap.result.snap);
    this.#walFiles = this.#readErrors.watch(dir.walFiles, this.#inUse);
    this.#log = new LogCheck(
      this.#walFiles,
      {
        level: this.#level,
        maxFindings: this.#partFindings(),
        nodeId: memberId,
        clusterId,
        mustReach: this.#inUse ? undefined : consistentIndex,
        beside: { consistentIndex, snapFiles },
      },
      this.#inUse,
    );
    return 'log';
  }

  /** The release that is to be started: as asked for, or the one whose data it is. True when it is known. */
  #findRelease(): boolean {
    const { etcdVersion } = this.#options;
    if (etcdVersion !== undefined) {
      this.#target = etcdVersion;
      return true;
    }
    const { clusterVersion, meta } = this.#db;
    const snapVersion = this.#snap?.result.snap?.newest?.version;
    const segments = (): WalFiles['segments'] => this.#walFiles.segments;
    this.#release ??= ownReleaseSteps({ clusterVersion, meta, snapVersion, segments });
    const { done, value } = this.#release.next();
    if (done === true) this.#target = value;
    return done === true;
  }

  #startDb(): Phase {
    if (this.#db.state !== 'read' && this.#db.state !== 'damaged') return 'cross';
    const { dbPath: path, db } = this.#dir;
    const level = this.#level;
    const maxFindings = this.#partFindings();
    if (level === 'sanity') this.#dbJob = new BoltCheckJob(db, { level, maxFindings, path });
    else {
      const nodeId = this.#log?.result.wal?.nodeId ?? null;
      const memberId = nodeId === null ? undefined : BigInt(nodeId);
      const { sha256, digest } = this.#options;
      const etcdVersion = this.#target;
      this.#dbJob = new BackendCheckJob(db, { level, maxFindings, path, memberId, sha256, digest, etcdVersion });
    }
    return 'db';
  }

  /** On level deep the check of the db has looked at all of its buckets. */
  #startState(): Phase {
    const report = this.#dbJob?.result;
    if (this.#level === 'deep' || report?.bolt === undefined || this.#db.state !== 'read') return 'cross';
    this.#state = new StateCheck(this.#dir.backend, new Structure(report), this.#target, this.#partFindings());
    return 'state';
  }

  /** Everything was looked at by itself: compares. */
  #compare(): Phase {
    const facts: DirFacts = {
      dir: this.#dir,
      segments: this.#walFiles.segments,
      level: this.#level,
      inUse: this.#inUse,
      target: this.#target,
      db: this.#db,
      consistentIndex: consistentIndexOf(this.#db),
      log: this.#log?.facts,
      wal: this.#log?.result.wal,
      snap: this.#snap?.result.snap,
      logFindings: this.#log?.result.findings ?? [],
    };
    this.#facts = facts;
    const { layout, files } = this.#dir;
    if ((layout.kind === 'member' || layout.kind === 'both') && files.member.state === 'directory') {
      const reporter = this.#cross;
      checkPresence(facts, reporter);
      checkPosition(facts, reporter);
      checkMembership(facts, reporter);
      if (this.#level !== 'sanity') checkSnapshots(facts, reporter);
    }
    // Damage is no reason to choose another release.
    const isToldAsDamage = this.#cross.findings.some(({ code }) => code === 'DIR_NOT_A_MEMBER');
    for (const finding of targetFindings(facts, this.#target)) {
      if (finding.code !== 'DIR_MEMBERS_UNFIT' || !isToldAsDamage) this.#cross.findings.push(finding);
    }
    // Where the db itself was not looked at for it.
    if (this.#level !== 'deep' && this.#state === undefined) {
      this.#cross.findings.push(...versionFindings(facts, this.#target));
    }
    if (this.#level !== 'deep') return 'done';
    const isDamaged = [...this.#cross.findings, ...(this.#dbJob?.result.findings ?? [])].some(isDamage);
    this.#applied = new AppliedCheck(facts, this.#cross, isDamaged);
    return 'applied';
  }

  #report(): CheckReport {
    const facts = this.#facts as DirFacts;
    const { path = this.#dir.path } = this.#options;
    const reports = this.#reports;
    const { files } = this.#dir;
    const cross = this.#cross;
    this.#reportReadErrors();
    reports.add({ ...cross, counts: {} });
    const bolt = this.#dbJob?.result;
    if (bolt !== undefined) {
      reports.add(bolt, { name: 'db' });
      if (bolt.verdict === 'in-use') reports.notExamined.push('db: it was written to all the time');
    }
    if (this.#state !== undefined) reports.add(this.#state.result, { name: 'db', file: this.#dir.dbPath });
    const log = this.#log?.result;
    if (log !== undefined) reports.add(log, { name: 'log', folder: files.wal.path });
    const snap = this.#snap?.result;
    if (snap !== undefined) {
      reports.add(snap, { name: 'snap files', folder: files.snap.path, judge: (finding) => this.#judgeSnap(finding) });
    }
    const versions = ETCD_MINORS.map((version) => ({
      version,
      findings: [...versionFindings(facts, version), ...targetFindings(facts, version)],
    }));
    return {
      schema: 1,
      path,
      kind: 'data-dir',
      level: this.#level,
      verdict: reports.verdict,
      findings: reports.findings,
      counts: reports.counts,
      examined: reports.examined,
      notExamined: reports.notExamined,
      bytesRead: reports.bytesRead,
      elapsedMs: Math.round(performance.now() - this.#started),
      ...(bolt?.bolt === undefined ? {} : { bolt: bolt.bolt }),
      ...(bolt?.backend === undefined ? {} : { backend: bolt.backend }),
      ...(log?.wal === undefined ? {} : { wal: log.wal }),
      ...(snap?.snap === undefined ? {} : { snap: snapSummary(facts, snap.snap) }),
      dataDir: dirSummary(facts, versions),
    };
  }

  /** What could be read once and not again is not healthy, whatever was found in it. */
  #reportReadErrors(): void {
    const findings: readonly AnyFinding[] = this.#log?.result.findings ?? [];
    const told = new Set(findings.flatMap(({ code, file }) => (code === 'WAL_UNREADABLE' ? [file] : [])));
    for (const [name, { message }] of this.#readErrors.errors) {
      if (told.has(name)) continue;
      const file = `${this.#dir.files.wal.path}/${name}`;
      this.#cross.report('DIR_UNREADABLE', { reason: message }, { file });
    }
  }

  /** 3.7 does not open `.snap` files, so it is no matter that they cannot be read. */
  #judgeSnap({ code, severity }: AnyFinding): Severity {
    return this.#target === '3.7' && NOT_LOOKED_AT.has(code) ? 'info' : severity;
  }

  #dbSize(): number {
    if (this.#db.state !== 'read' || this.#level === 'sanity') return 0;
    try {
      return this.#dir.db.size * (this.#level === 'deep' ? 2 : 1);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return 0;
    }
  }
}

const isDamage = ({ severity }: AnyFinding): boolean => severity === 'corrupt' || severity === 'unknown';
