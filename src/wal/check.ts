/**
 * The check of a write-ahead log: names → every segment's frames, CRC chain and records → where a start would begin → how bad
 * each broken rule and bad spot is, knowing that → what each release of etcd would do.
 *
 * Records are read once. A log that is not plainly healthy is read a few times more to find out what etcd would do.
 */

import { crcText } from '../checksum/crc-text.ts';
import { DatadirError } from '../errors.ts';
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import type { Severity } from '../finding-table.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import { type CheckReport, FindingList, type Level } from '../report.ts';
import { checkNames } from './check-names.ts';
import { WalReporter } from './check-reporter.ts';
import { type ScannedSegment, SegmentScan, segmentSummary } from './check-segment.ts';
import { damageSummary, reportSpot } from './check-spots.ts';
import { type SnapshotId, type StartOutcome, type Steps, simulateStartSteps } from './etcd/index.ts';
import { examinedText, notExaminedText } from './examined.ts';
import { MAX_RECORD_3_4 } from './format.ts';
import { LogFacts } from './log-facts.ts';
import { argsOf, type LogEnd, LogRules, voteOf } from './log-rules.ts';
import { MetadataRule } from './metadata-rule.ts';
import { ScanMemory } from './record-scanner.ts';
import type { NamedSegment, WalFiles } from './segment-input.ts';
import { findStart, type StartPoint } from './start-point.ts';
import { type StartSummary, startSummary, type WalSummary } from './summary.ts';

/** Options of a check. */
export interface CheckWalOptions {
  /** Name for the report. */
  readonly path?: string | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** `sanity` looks at the last segment only. Default: `full`. */
  readonly level?: Level | undefined;
  /** The index that the log must reach whatever its hard state says: the consistent index of the db beside it. */
  readonly mustReach?: bigint | undefined;
  /** Whose log it should be. */
  readonly nodeId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
  /** It is one segment, of which the others are not known: what only a whole log can be asked is left out. */
  readonly alone?: boolean | undefined;
  /** What lies beside the log, when the whole data directory is checked. */
  readonly beside?: LogNeighbours | undefined;
  /** How much is read at a time. */
  readonly windowSize?: number | undefined;
}

/** What a start goes by besides the log. */
export interface LogNeighbours {
  /** The `.snap` files that can be read; undefined if they were not looked at. */
  readonly snapFiles?: readonly SnapshotId[] | undefined;
  /** The consistent index of the db, 0 if there is none; undefined if it is not known. */
  readonly consistentIndex?: bigint | undefined;
}

/** Checks a log without a pause. Never throws on bad bytes or read errors. */
export function checkWal(files: WalFiles, options: CheckWalOptions = {}): CheckReport {
  return drain(new WalCheckJob(files, options));
}

/** What the log comes to, and what of it is still to be found out. */
interface Judged {
  readonly start: StartPoint;
  readonly outcomes: StartSummary[];
  /** Releases whose start has not been tried yet. */
  readonly pending: EtcdMinor[];
}

/** The check as a job. */
export class WalCheckJob implements Job<CheckReport> {
  readonly #options: CheckWalOptions;
  readonly #files: WalFiles;
  readonly #list: FindingList;
  readonly #reporter: WalReporter;
  readonly #segments: NamedSegment[];
  /** The first segment that is looked at. */
  readonly #first: number;
  readonly #rules = new LogRules();
  readonly #metadata: MetadataRule;
  readonly #memory: ScanMemory;
  readonly #scanned: ScannedSegment[] = [];
  /** What the name of each segment should say, by the records before it; undefined where that is not known. */
  readonly #expectedIndexes: (readonly number[] | undefined)[] = [];
  /** Segments that do not continue the one before, by position. */
  readonly #breaks = new Set<number>();
  readonly #startedAt = performance.now();
  readonly #totalBytes: number;
  #scan: SegmentScan | undefined;
  /** The last segment with records so far. */
  #previous: ScannedSegment | undefined;
  #doneBytes = 0;
  #bytesRead = 0;
  #judged: Judged | undefined;
  #start: Steps<StartOutcome> | undefined;
  #result: CheckReport | undefined;

  constructor(files: WalFiles, options: CheckWalOptions = {}) {
    this.#files = files;
    this.#options = options;
    this.#list = new FindingList(options.maxFindings);
    this.#reporter = new WalReporter(this.#list);
    this.#segments = checkNames(files, this.#reporter);
    this.#first = options.level === 'sanity' ? Math.max(0, this.#segments.length - 1) : 0;
    this.#metadata = new MetadataRule(this.#rules);
    this.#memory = new ScanMemory(options.windowSize);
    this.#totalBytes = this.#segments.slice(this.#first).reduce((sum, { source }) => sum + source.size, 0);
  }

  get progress(): Progress {
    return {
      done: Math.min(this.#doneBytes + (this.#scan?.bytesRead ?? 0), this.#totalBytes),
      total: this.#totalBytes,
    };
  }

  get result(): CheckReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not ended');
    return this.#result;
  }

  step(): boolean {
    const number = this.#first + this.#scanned.length;
    const segment = this.#segments[number];
    if (segment !== undefined) {
      this.#stepSegment(number, segment);
      return false;
    }
    if (this.#judged === undefined) {
      this.#judge();
      return false;
    }
    if (this.#stepStarts(this.#judged)) return false;
    this.#result ??= this.#report(this.#judged.start, this.#judged.outcomes);
    return true;
  }

  /** Finds out what one release after the other does; false when all are done. */
  #stepStarts({ outcomes, pending }: Judged): boolean {
    const [minor] = pending;
    if (minor === undefined) return false;
    this.#start ??= simulateStartSteps(this.#files.segments, minor, this.#options.beside);
    const { done, value } = this.#start.next();
    if (done !== true) return true;
    outcomes.push(startSummary(value));
    pending.shift();
    this.#start = undefined;
    return true;
  }

  #stepSegment(number: number, segment: NamedSegment): void {
    const previous = this.#previous;
    this.#scan ??= this.#startScan(number, segment, previous);
    if (!this.#scan.step()) return;
    const scanned = this.#scan.result;
    this.#bytesRead += this.#scan.bytesRead;
    this.#doneBytes += segment.source.size;
    this.#scan = undefined;
    this.#scanned.push(scanned);
    if (scanned.records > 0) this.#previous = scanned;
    if (scanned.headCrc !== undefined && !continues(previous, scanned.headCrc)) this.#breaks.add(number);
    if (isBad(scanned)) this.#rules.interrupt();
  }

  #startScan(number: number, segment: NamedSegment, previous: ScannedSegment | undefined): SegmentScan {
    this.#expectedIndexes[number] = this.#expectedNameIndexes(previous);
    const seed = previous === undefined || isBad(previous) ? undefined : previous.crc;
    const appliedTo = this.#options.beside?.consistentIndex;
    const newerThan = appliedTo === undefined ? Number.POSITIVE_INFINITY : Number(appliedTo);
    return new SegmentScan(number, segment, seed, this.#rules, this.#metadata, this.#memory, newerThan);
  }

  /** What a cut that followed the records so far would have called the next segment. */
  #expectedNameIndexes(previous: ScannedSegment | undefined): readonly number[] | undefined {
    const { lastEntry, entryRecords, newestSnapshot } = this.#rules;
    if (previous === undefined || isBad(previous) || entryRecords === 0) return undefined;
    return [lastEntry.index + 1, Math.max(lastEntry.index, newestSnapshot) + 1];
  }

  /** Everything has been read: decides what it comes to. */
  #judge(): void {
    const start = findStart(this.#segments, this.#rules);
    if (this.#segments.length === 0)
      this.#reporter.report('WAL_NO_SEGMENTS', { files: `${this.#files.segments.length}` });
    else {
      this.#judgeSegments(start);
      this.#judgeSpots(start);
      this.#judgeLog(start);
    }
    const isPlain = this.#isPlain(start);
    const outcomes = isPlain ? ETCD_MINORS.map((minor) => this.#plainStart(minor, start)) : [];
    const pending = isPlain || !this.#isWhole ? [] : [...ETCD_MINORS];
    this.#judged = { start, outcomes, pending };
  }

  /** Names, heads and the chain from one segment to the next. */
  #judgeSegments(start: StartPoint): void {
    const reporter = this.#reporter;
    let before: NamedSegment | undefined;
    for (const [number, segment] of this.#segments.entries()) {
      const { name: file, parsed, source } = segment;
      const scanned = this.#scanned[number - this.#first];
      const isOld = number < start.neededFrom;
      const chainBroken = this.#breaks.has(number);
      // A log that begins with this segment is whole, unless the segment does not fit its own head.
      const canBeFirst = number === start.neededFrom && number > 0 && scanned?.onlyHeadWrong === false;
      const severity: Severity = isOld || canBeFirst ? 'repairable' : 'corrupt';
      if (before !== undefined && parsed.sequence !== before.parsed.sequence + 1n) {
        const args = { sequence: `${parsed.sequence}`, previous: `${before.parsed.sequence}` };
        if (chainBroken) reporter.report('WAL_SEGMENT_MISSING', args, { file }, severity);
        else if (number > this.#first) reporter.report('WAL_SEQUENCE_GAP', args, { file });
      } else if (chainBroken) {
        const stored = crcText(scanned?.headCrc ?? 0);
        const expected = crcText(scanned?.previousCrc ?? 0);
        const continues = scanned?.onlyHeadWrong === true ? 'yes' : 'no';
        reporter.report('WAL_CHAIN_BROKEN', { stored, expected, continues }, { file, offset: 0 }, severity);
      }
      before = segment;
      if (scanned === undefined) continue;
      if (scanned.records === 0 && !isBad(scanned)) {
        const severity = this.#previous === undefined ? 'corrupt' : 'repairable';
        reporter.report('WAL_SEGMENT_EMPTY', { size: `${source.size}` }, { file }, severity);
        continue;
      }
      if (scanned.headCrc === undefined && scanned.records > 0 && number > this.#first) {
        const isStart = number === start.segment;
        reporter.report('WAL_SEGMENT_WITHOUT_HEAD', {}, { file }, isStart ? 'repairable' : 'info');
      }
      if (!chainBroken && this.#options.alone !== true) this.#judgeNameIndex(number, segment, scanned);
    }
  }

  #judgeNameIndex(number: number, { name: file, parsed }: NamedSegment, scanned: ScannedSegment): void {
    let expected = this.#expectedIndexes[number];
    if (number === 0 && parsed.sequence === 0n) expected = [0];
    // Without what lies before, a name can only be seen to be too low.
    else if (number === this.#first && scanned.firstIndex > Number(parsed.index)) expected = [scanned.firstIndex];
    const [first] = expected ?? [];
    if (first === undefined || expected?.some((index) => BigInt(index) === parsed.index)) return;
    this.#reporter.report('WAL_SEGMENT_INDEX_NAME', { index: `${parsed.index}`, expected: `${first}` }, { file });
  }

  #judgeSpots(start: StartPoint): void {
    const last = this.#segments.length - 1;
    const nextHeads = this.#nextHeads();
    for (const [i, { spot, crc }] of this.#scanned.entries()) {
      if (spot === undefined) continue;
      const number = i + this.#first;
      const context = {
        segments: this.#segments,
        isLast: number === last,
        isOld: number < start.neededFrom,
        continued: nextHeads[i] === crc,
        lastIndex: this.#lastIndex(start),
        mustReach: this.#mustReach(),
      };
      reportSpot(spot, context, this.#reporter);
    }
  }

  /** For each segment the crc record at the head of the next one that has records. */
  #nextHeads(): (number | undefined)[] {
    const heads: (number | undefined)[] = [];
    let head: number | undefined;
    for (let i = this.#scanned.length - 1; i >= 0; i--) {
      heads[i] = head;
      const { records, headCrc } = this.#scanned[i]!;
      if (records > 0) head = headCrc;
    }
    return heads;
  }

  /** What the records say, taken together. */
  #judgeLog(start: StartPoint): void {
    const rules = this.#rules;
    const reporter = this.#reporter;
    const { state, runs } = rules;
    const { snapshot } = start;
    const file = (segment: number): string => this.#segments[segment]?.name ?? '';
    const commit = state?.commit ?? 0;
    const reachesFirst = this.#first === 0 && this.#segments[0]?.parsed.index === 0n && runs.firstIndex <= 1;
    const end: LogEnd = {
      snapshotIndex: snapshot?.index ?? -1,
      startSegment: start.neededFrom,
      commit,
      canCommitAgain: snapshot !== undefined || reachesFirst,
    };
    for (const { violation, severity } of rules.judge(end)) {
      const { code, place } = violation;
      reporter.report(code, argsOf(violation), { file: file(place.segment), offset: place.offset }, severity);
    }
    if (runs.full) reporter.report('WAL_TOO_INTRICATE', {});
    if (this.#previous === undefined) return;
    this.#judgeOwner(start);
    if (this.#isPart) return;
    const isDamaged = this.#scanned.some((scanned) => isBad(scanned));
    if (state === undefined) {
      if (!isDamaged) reporter.report('WAL_NO_STATE', { entries: `${runs.entries}` });
    } else if (commit > this.#lastIndex(start) && !isBad(this.#scanned.at(-1))) {
      const place = { file: file(state.segment), offset: state.offset };
      reporter.report('WAL_COMMIT_BEYOND', { commit: `${commit}`, lastIndex: `${this.#lastIndex(start)}` }, place);
    }
    if (snapshot === undefined) {
      const severity = reachesFirst ? 'repairable' : 'corrupt';
      reporter.report('WAL_NO_SNAPSHOT', { records: `${rules.snapshotRecords}` }, {}, severity);
    } else if (start.segment < 0) {
      const index = `${this.#segments[0]?.parsed.index ?? 0n}`;
      reporter.report('WAL_START_MISSING', { snapshot: `${snapshot.index}`, index });
    } else if (runs.firstIndex > snapshot.index + 1) {
      const [run] = runs.runs;
      const args = { first: `${snapshot.index + 1}`, last: `${runs.firstIndex - 1}`, times: '1' };
      reporter.report('WAL_ENTRY_GAP', args, { file: file(run?.segment ?? 0), offset: run?.offset ?? 0 });
    }
    const above = rules.snapshots.filter(({ index }) => index > commit);
    const [pending] = above;
    if (pending !== undefined && state !== undefined) {
      const args = { index: `${pending.index}`, commit: `${commit}`, times: `${above.length}` };
      reporter.report('WAL_SNAPSHOT_PENDING', args, { file: file(pending.segment), offset: pending.offset });
    }
  }

  /** Whose log it is, and whose it should be. */
  #judgeOwner({ neededFrom }: StartPoint): void {
    const { first, records } = this.#metadata;
    const owner = this.#metadata.ownerFrom(neededFrom);
    const { members } = this.#rules;
    const reporter = this.#reporter;
    if (first === undefined || owner === undefined) {
      if (records === 0) reporter.report('WAL_METADATA_MISSING', {});
      return;
    }
    // The first members are in the same segment as the first record.
    const made = members.clusterId;
    if (made !== undefined && made !== first.owner.clusterId) {
      const args = { clusterId: id(first.owner.clusterId), expected: id(made), members: `${members.count}` };
      const file = this.#segments[first.segment]?.name ?? '';
      const severity = first.lastSegment < neededFrom ? 'repairable' : 'corrupt';
      reporter.report('WAL_CLUSTER_ID', args, { file, offset: first.offset }, severity);
    }
    for (const [what, expected, actual] of [
      ['member', this.#options.nodeId, owner.nodeId],
      ['cluster', this.#options.clusterId, owner.clusterId],
    ] as const) {
      if (expected === undefined || expected === actual) continue;
      reporter.report('WAL_METADATA_UNEXPECTED', { what, expected: id(expected), actual: id(actual) });
    }
  }

  /** The last index that the log has. */
  #lastIndex({ snapshot }: StartPoint): number {
    // Entries before a part of a log are known by its name.
    const before = this.#isPart ? Number(this.#segments[this.#first]?.parsed.index ?? 0n) - 1 : 0;
    return Math.max(this.#rules.runs.lastIndex, snapshot?.index ?? 0, before);
  }

  /** Whether there are segments that are not looked at. */
  get #isPart(): boolean {
    return this.#first > 0 || this.#options.alone === true;
  }

  #mustReach(): number {
    return Math.max(this.#rules.state?.commit ?? 0, Number(this.#options.mustReach ?? 0n));
  }

  /** Whether it is the whole log that is looked at. */
  get #isWhole(): boolean {
    return this.#options.level !== 'sanity' && this.#options.alone !== true;
  }

  /** Whether every release starts on it, which can then be said without trying. */
  #isPlain({ snapshot, segment }: StartPoint): boolean {
    const { verdict } = this.#list;
    if (verdict !== 'healthy' || !this.#isWhole || snapshot === undefined || segment < 0) return false;
    // Names that etcd does not write, and what only some releases take.
    const usual = this.#files.segments.length === this.#segments.length;
    const longest = this.#scanned.reduce((most, scanned) => Math.max(most, scanned.longest), 0);
    const { lastV2Index, lastNewerIndex, state, snapshots } = this.#rules;
    const owner = this.#metadata.first?.owner;
    return (
      usual &&
      lastNewerIndex === 0 &&
      this.#hasFile(snapshot) &&
      state !== undefined &&
      lastV2Index <= snapshot.index &&
      longest < MAX_RECORD_3_4 / 2 &&
      owner !== undefined &&
      owner.nodeId !== 0n &&
      snapshots.every(({ term }, i) => i === 0 || term >= (snapshots[i - 1]?.term ?? 0)) &&
      this.#scanned.every(({ records, ended, spot }) => records > 0 && ended !== undefined && spot === undefined)
    );
  }

  /** Whether releases up to 3.6 can start from a snapshot: one of index 0 has no file. */
  #hasFile({ index, term }: { readonly index: number; readonly term: number }): boolean {
    const files = this.#options.beside?.snapFiles;
    if (index === 0 || files === undefined) return true;
    return files.some((file) => file.index === BigInt(index) && file.term === BigInt(term));
  }

  /** What rules that compare the log with other files need to know. There once `step()` has returned true. */
  get facts(): LogFacts {
    if (this.#judged === undefined) throw new DatadirError('INTERNAL', 'the check has not ended');
    const { start } = this.#judged;
    const last = this.#segments.length - 1;
    const segments = this.#segments.map(({ parsed }, number) => {
      const scanned = this.#scanned[number - this.#first];
      const torn = number === last && scanned?.spot?.looksTorn === true;
      const whole = scanned !== undefined && (!isBad(scanned) || torn);
      return { index: parsed.index, whole, continues: !this.#breaks.has(number) };
    });
    return new LogFacts(this.#rules, segments, start.snapshot, this.#lastIndex(start));
  }

  #plainStart(version: EtcdMinor, { snapshot }: StartPoint): StartSummary {
    const last = this.#rules.runs.lastIndex;
    const { index = 0, term = 0 } = snapshot ?? {};
    // Up to 3.6 a snapshot is one with a .snap file, and there is none of index 0.
    const from = index === 0 && version !== '3.7' ? null : { index: `${index}`, term: `${term}` };
    const lastIndex = `${Math.max(last, index)}`;
    return { version, outcome: 'starts', words: '', snapshot: from, lastIndex, entries: Math.max(0, last - index) };
  }

  #report(start: StartPoint, etcd: readonly StartSummary[]): CheckReport {
    const { path = '', level = 'full' } = this.#options;
    return {
      schema: 1,
      path,
      kind: 'wal',
      level,
      verdict: this.#list.verdict,
      findings: this.#list.findings,
      counts: this.#list.counts,
      examined: examinedText(level),
      notExamined: notExaminedText({
        level,
        db: this.#options.mustReach !== undefined,
        inDataDir: this.#options.beside !== undefined,
        alone: this.#options.alone === true,
        segmentsLeft: level === 'sanity' && this.#first > 0,
      }),
      bytesRead: this.#bytesRead,
      elapsedMs: Math.round(performance.now() - this.#startedAt),
      wal: this.#summary(start, etcd),
    };
  }

  #summary(start: StartPoint, etcd: readonly StartSummary[]): WalSummary {
    const { runs, state, snapshotRecords } = this.#rules;
    const owner = this.#metadata.ownerFrom(start.neededFrom);
    const { snapshot } = start;
    const hasEntries = runs.runs.length > 0;
    const last = this.#segments.length - 1;
    return {
      segments: this.#segments.map((segment, number) => {
        const scanned = this.#scanned[number - this.#first];
        const whole = scanned !== undefined && !isBad(scanned);
        return segmentSummary(segment, scanned, { whole, needed: number >= Math.max(start.segment, 0) });
      }),
      firstIndex: hasEntries ? `${runs.firstIndex}` : null,
      lastIndex: hasEntries ? `${runs.lastIndex}` : null,
      lastTerm: hasEntries ? `${runs.runs.at(-1)?.term ?? 0}` : null,
      entries: runs.entries,
      overwritten: runs.overwritten,
      commit: state === undefined ? null : `${state.commit}`,
      term: state === undefined ? null : `${state.term}`,
      vote: state === undefined ? null : `${voteOf(state)}`,
      voteHex: state === undefined ? null : id(voteOf(state)),
      nodeId: owner === undefined ? null : `${owner.nodeId}`,
      nodeIdHex: owner === undefined ? null : id(owner.nodeId),
      clusterId: owner === undefined ? null : `${owner.clusterId}`,
      clusterIdHex: owner === undefined ? null : id(owner.clusterId),
      snapshotRecords,
      snapshot: snapshot === undefined ? null : { index: `${snapshot.index}`, term: `${snapshot.term}` },
      damage: this.#scanned.flatMap(({ spot }) =>
        spot === undefined || (spot.kind === 'zero' && spot.beyond.records === 0)
          ? []
          : [damageSummary(spot, this.#segments, spot.segment === last)],
      ),
      etcd,
    };
  }
}

/** Whether a segment ends before it should. */
function isBad(scanned: ScannedSegment | undefined): boolean {
  const spot = scanned?.spot;
  return spot !== undefined && (spot.kind !== 'zero' || spot.beyond.records > 0);
}

/** Whether a crc record may follow the segment before: anything may follow a running value of 0, or one not known. */
function continues(previous: ScannedSegment | undefined, headCrc: number): boolean {
  return previous === undefined || isBad(previous) || previous.crc === 0 || previous.crc === headCrc;
}

/** An id as etcd prints it. */
const id = (value: bigint): string => value.toString(16);
