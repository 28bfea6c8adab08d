/**
 * Plans the repair of a log: which parts of which segments make up the new one, under which names, and what is lost.
 *
 * A plan is data. It is found by trying: each change (`repair-fixes.ts`) gives a log that does not exist yet, but can be
 * read through the old segments (`repair-segment.ts`) and is checked like any other. A change that does not make things
 * better, or takes something away that it should not, is dropped. So the check decides what is right, and the plan is known
 * to be good before a byte is written. No record is encoded anew, but for a crc record that is wrong.
 */
import { DatadirError } from '../errors.ts';
import { describeFinding, type Finding } from '../findings.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import { WalCheckJob } from './check.ts';
import type { SnapshotId } from './etcd/index.ts';
import { ScanMemory } from './record-scanner.ts';
import {
  type CheckedDraft,
  type Draft,
  type Fix,
  problemsOf,
  rightHeads,
  rightIndexes,
  rightNumbers,
  tidy,
  upToDamage,
  usualNames,
  wholeLog,
  withoutEmpty,
  withoutOld,
  withoutTorn,
} from './repair-fixes.ts';
import { isLoss, type RepairLoss, type RepairReason } from './repair-reasons.ts';
import { type RemovedPart, RemovedScan } from './repair-removed.ts';
import { type PlannedSegment, plannedSource } from './repair-segment.ts';
import { type NamedSegment, namedSegments, type WalFiles } from './segment-input.ts';
import { parseSegmentName, parseSegmentNameAsEtcd } from './segment-name.ts';
import type { SnapshotSummary } from './summary.ts';

/** Options of `planRepair`. */
export interface PlanRepairOptions {
  /** Name for the reports. */
  readonly path?: string | undefined;
  /** The index that the log must reach besides its own commit index: the consistent index of the db beside it. */
  readonly keepIndex?: bigint | undefined;
  /** Makes a plan also where something is lost. Default false: such a plan is refused, and tells what it would lose. */
  readonly acceptLoss?: boolean | undefined;
  /** Whether a readable `.snap` file of that snapshot is there. Default: not known, and not asked for. */
  readonly hasSnap?: ((snapshot: SnapshotId) => boolean) | undefined;
  /** How much is read at a time. */
  readonly windowSize?: number | undefined;
}

/** What to do with a log. */
export interface RepairPlan {
  /** `nothing`: nothing is wrong that a copy could mend. `refused`: see `reasons`. */
  readonly outcome: 'nothing' | 'repair' | 'refused';
  /** The new log; of a refused plan the one that it would make if losses were accepted. Empty if there is none. */
  readonly segments: readonly PlannedSegment[];
  /** What is left out of the segments. */
  readonly removed: readonly RemovedPart[];
  /** Files of the directory that are not part of the log, and are not copied. */
  readonly notCopied: readonly string[];
  /** What is lost. */
  readonly losses: readonly RepairLoss[];
  /** Why it is refused: losses that were not accepted, and what stands in the way. */
  readonly reasons: readonly RepairReason[];
  /** Findings of the new log above info: they were there before, etcd starts with them, and no copy can mend them. */
  readonly remaining: readonly Finding[];
  /** The snapshot whose `.snap` file etcd up to 3.6 needs beside the new log, since that does not reach back to the first entry. */
  readonly needsSnap: SnapshotSummary | null;
  /** The check of the log as it is. */
  readonly before: CheckReport;
  /** The check of the new log, before it is written; null if there is none. */
  readonly after: CheckReport | null;
}

/** Plans without a pause. Never throws on bad bytes or read errors. */
export function planRepair(files: WalFiles, options: PlanRepairOptions = {}): RepairPlan {
  return drain(new RepairPlanJob(files, options));
}

/** In the order in which they are tried; a loss is the last resort. */
const FIXES: readonly Fix[] = [
  usualNames,
  withoutEmpty,
  rightNumbers,
  rightIndexes,
  rightHeads,
  withoutTorn,
  withoutOld,
  upToDamage,
];
/** Changes that are tried in all. Logs that etcd wrote need a few. */
const MAX_TRIES = 40;
const MAX_FINDINGS = 10_000;

/** Planning as a job. */
export class RepairPlanJob implements Job<RepairPlan> {
  readonly #files: WalFiles;
  readonly #segments: readonly NamedSegment[];
  readonly #options: PlanRepairOptions;
  readonly #steps: Iterator<void, RepairPlan>;
  #current: Job<unknown> | undefined;
  #done = 0;
  #total: number;
  #result: RepairPlan | undefined;

  constructor(files: WalFiles, options: PlanRepairOptions = {}) {
    this.#files = files;
    this.#options = options;
    this.#segments = namedSegments(files.segments);
    // At least the log as it is and the one to be made.
    this.#total = 2 * this.#segments.reduce((sum, { source }) => sum + source.size, 0);
    this.#steps = this.#run();
  }

  get progress(): Progress {
    const done = this.#done + (this.#current?.progress.done ?? 0);
    this.#total = Math.max(this.#total, done);
    return { done, total: this.#total };
  }

  get result(): RepairPlan {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the planning has not ended');
    return this.#result;
  }

  step(): boolean {
    if (this.#result !== undefined) return true;
    const { done, value } = this.#steps.next();
    if (done === true) this.#result = value;
    return done === true;
  }

  *#run(): Generator<void, RepairPlan, undefined> {
    const before = yield* this.#check(this.#files);
    const obstacle = this.#obstacle();
    if (obstacle !== undefined) return this.#refusal(before, obstacle);
    const whole = { draft: wholeLog(this.#segments), report: before };
    const improved = yield* this.#improve(whole);
    const { checked } = improved;
    if (checked.draft.segments.length === 0) return this.#refusal(before, { code: 'NOTHING_LEFT' });
    const isBehind = keepIndexOf(this.#options) > lastIndexOf(checked.report);
    if (checked.draft === whole.draft && !isBehind) {
      const left = problemsOf(before);
      // What cannot be mended may stay where a server starts with it.
      const mayStay = !hasSevere(left) && (left.length === 0 || notStarting(before, before).length === 0);
      return mayStay ? this.#nothing(before, left) : this.#refusal(before, notMendable(left));
    }
    return yield* this.#conclude(before, improved);
  }

  /** Changes the draft as long as that makes it better. */
  *#improve(first: CheckedDraft): Generator<void, Improved, undefined> {
    let checked = first;
    const cuts: string[] = [];
    const rejected = new Set<Fix>();
    for (let tries = 0; tries < MAX_TRIES && problemsOf(checked.report).length > 0; ) {
      let tried = false;
      for (const fix of FIXES) {
        const fixed = rejected.has(fix) ? undefined : fix(checked);
        if (fixed === undefined) continue;
        tried = true;
        tries++;
        const { draft, lossBy } = fixed;
        if (draft.segments.length === 0) return { checked: { ...checked, draft }, cuts };
        const report = yield* this.#check(this.#filesOf(draft));
        if (lossBy === undefined ? !isBetter(checked.report, report) : !isShorter(checked.draft, draft)) {
          rejected.add(fix);
          continue;
        }
        if (lossBy !== undefined) cuts.push(lossBy.code);
        rejected.clear();
        checked = { draft, report };
        break;
      }
      if (!tried) break;
    }
    return { checked, cuts };
  }

  /** Puts everything together. */
  *#conclude(before: CheckReport, { checked, cuts }: Improved): Generator<void, RepairPlan, undefined> {
    if (hasSevere(problemsOf(checked.report))) return this.#refusal(before, notMendable(problemsOf(before)));
    const draft = tidy(checked);
    const after = yield* this.#check(this.#filesOf(draft));
    const left = problemsOf(after);
    const codesBefore = new Set(before.findings.map(({ code }) => code));
    if (hasSevere(left) || left.some(({ code }) => !codesBefore.has(code))) {
      return this.#refusal(before, notMendable(left));
    }
    const removed = yield* this.#removedFrom(draft);
    const losses = this.#losses(before, after, removed, cuts);
    const needsSnap = neededSnap(draft, after);
    const reasons: RepairReason[] = this.#options.acceptLoss === true ? [] : [...losses];
    const stopped = notStarting(before, after);
    if (stopped.length > 0) reasons.push({ code: 'NO_START', versions: stopped });
    const isPurged = removed.some(({ reason }) => reason === 'old');
    if (isPurged && needsSnap !== null && this.#options.hasSnap?.(snapshotId(needsSnap)) === false) {
      reasons.push({ code: 'SNAP_MISSING', snapshot: needsSnap });
    }
    return {
      outcome: reasons.length > 0 ? 'refused' : 'repair',
      segments: draft.segments.map(({ planned }) => planned),
      removed: removed.filter(({ reason, bytes }) => bytes > 0 || reason !== 'behind-end'),
      notCopied: this.#notCopied(),
      losses,
      reasons,
      remaining: left,
      needsSnap,
      before,
      after,
    };
  }

  /** What is lost. `cuts` are the findings because of which it was cut. */
  #losses(
    before: CheckReport,
    after: CheckReport,
    removed: readonly RemovedPart[],
    cuts: readonly string[],
  ): RepairLoss[] {
    const losses: RepairLoss[] = [];
    const cut = removed.find(({ reason }) => reason === 'damaged');
    if (cut !== undefined) {
      losses.push({ code: 'DAMAGE', segment: cut.segment, offset: cut.offset, findings: [...new Set(cuts)] });
    }
    const lost = removed.filter(({ reason }) => reason === 'damaged' || reason === 'behind-damage');
    const records = lost.reduce((sum, part) => sum + part.records, 0);
    if (records > 0) {
      const ends = (low: keyof RemovedPart, high: keyof RemovedPart): [string | null, string | null] => {
        const values = lost.flatMap((part) => [part[low], part[high]]).filter((value) => value !== null);
        const sorted = values.map(Number).sort((a, b) => a - b);
        return sorted.length === 0 ? [null, null] : [`${sorted[0]}`, `${sorted.at(-1)}`];
      };
      const [firstIndex, lastIndex] = ends('firstIndex', 'lastIndex');
      const [firstTerm, lastTerm] = ends('firstTerm', 'lastTerm');
      const entries = lost.reduce((sum, part) => sum + part.entries, 0);
      losses.push({ code: 'RECORDS', records, entries, firstIndex, lastIndex, firstTerm, lastTerm });
    }
    const last = lastIndexOf(after);
    const commit = highest(before.wal?.commit, ...lost.map((part) => part.commit));
    if (commit > last) losses.push({ code: 'COMMITTED', commit: `${commit}`, lastIndex: `${last}` });
    const { keepIndex } = this.#options;
    if (keepIndex !== undefined && keepIndex > last) {
      losses.push({ code: 'APPLIED', keepIndex: `${keepIndex}`, lastIndex: `${last}` });
    }
    const snapshot = after.wal?.snapshot?.index ?? '0';
    const isPurged = removed.some(({ reason }) => reason === 'old');
    if (isPurged && keepIndex !== undefined && keepIndex < BigInt(snapshot)) {
      losses.push({ code: 'NOT_APPLIED', keepIndex: `${keepIndex}`, snapshot });
    }
    const term = highest(before.wal?.term, ...lost.map((part) => part.stateTerm));
    const termNow = highest(after.wal?.term);
    if (termNow < term) losses.push({ code: 'TERM', before: `${term}`, after: `${termNow}` });
    return losses;
  }

  /** Counts what the draft leaves out. */
  *#removedFrom(draft: Draft): Generator<void, RemovedPart[], undefined> {
    const memory = new ScanMemory(this.#options.windowSize);
    const parts: RemovedPart[] = [];
    for (const segment of this.#segments) {
      const reason = draft.removed.get(segment.name);
      if (reason === undefined) continue;
      const kept = draft.segments.find(({ input }) => input.name === segment.name);
      parts.push(yield* this.#go(new RemovedScan({ segment, reason, offset: kept?.planned.end ?? 0 }, memory)));
    }
    return parts;
  }

  *#check(files: WalFiles): Generator<void, CheckReport, undefined> {
    const { path, keepIndex: mustReach, windowSize } = this.#options;
    return yield* this.#go(new WalCheckJob(files, { path, mustReach, windowSize, maxFindings: MAX_FINDINGS }));
  }

  *#go<Result>(job: Job<Result>): Generator<void, Result, undefined> {
    this.#current = job;
    while (!job.step()) yield;
    this.#done += job.progress.done;
    this.#current = undefined;
    return job.result;
  }

  #filesOf({ segments }: Draft): WalFiles {
    return {
      segments: segments.map(({ planned, input }) => ({
        name: planned.name,
        source: plannedSource(planned, input.source),
      })),
    };
  }

  #notCopied(): string[] {
    const known = new Set(this.#segments.map(({ name }) => name));
    const stray = this.#files.segments.map(({ name }) => name).filter((name) => !known.has(name));
    return [...stray, ...(this.#files.others ?? [])].sort();
  }

  /** What is in the way of any repair. */
  #obstacle(): RepairReason | undefined {
    if (this.#segments.length === 0) return { code: 'NOTHING_LEFT' };
    for (const { name, parsed } of this.#segments) {
      if (parseSegmentName(name) !== undefined) continue;
      const same = this.#segments.filter((other) => other.parsed.sequence === parsed.sequence);
      if (same.length > 1) return { code: 'AMBIGUOUS_NAME', files: same.map((each) => each.name) };
    }
    return undefined;
  }

  #refusal(before: CheckReport, ...reasons: RepairReason[]): RepairPlan {
    return { ...this.#nothing(before, []), outcome: 'refused', reasons };
  }

  #nothing(before: CheckReport, remaining: readonly Finding[]): RepairPlan {
    return {
      outcome: 'nothing',
      segments: [],
      removed: [],
      notCopied: [],
      losses: [],
      reasons: [],
      remaining,
      needsSnap: null,
      before,
      after: null,
    };
  }
}

/** The best draft that was found. */
interface Improved {
  readonly checked: CheckedDraft;
  /** Findings because of which it was cut, with a loss. */
  readonly cuts: readonly string[];
}

const hasSevere = (findings: readonly Finding[]): boolean => findings.some(({ severity }) => severity !== 'repairable');

const keepIndexOf = ({ keepIndex = 0n }: PlanRepairOptions): bigint => keepIndex;

function notMendable(findings: readonly Finding[]): RepairReason {
  const words = findings.slice(0, 10).map((finding) => `${finding.code} (${describeFinding(finding).message})`);
  return { code: 'NOT_MENDABLE', findings: words };
}

const highest = (...values: (string | null | undefined)[]): bigint =>
  values.map((value) => BigInt(value ?? 0)).reduce((most, value) => (value > most ? value : most), 0n);

/** The last index that a log has, that of its snapshot included. */
function lastIndexOf({ wal }: CheckReport): bigint {
  return highest(wal?.lastIndex, wal?.snapshot?.index);
}

/** Numbers that no change without loss makes smaller. */
function facts(report: CheckReport): readonly bigint[] {
  const { commit, term, snapshot } = report.wal ?? {};
  return [lastIndexOf(report), ...[commit, term, snapshot?.index].map((value) => BigInt(value ?? 0))];
}

/** Whether a change without loss was for the better. */
function isBetter(before: CheckReport, after: CheckReport): boolean {
  const old = facts(before);
  if (facts(after).some((value, i) => value < old[i]!)) return false;
  const [severe, mild] = weights(before);
  const [severeNow, mildNow] = weights(after);
  return severeNow < severe || (severeNow === severe && mildNow < mild);
}

/** How much is wrong: what is beyond repair, and the rest. */
function weights({ counts }: CheckReport): [severe: number, mild: number] {
  const { info: _, repairable = 0, ...severe } = counts;
  return [Object.values(severe).reduce((sum, count) => sum + count, 0), repairable];
}

const bytesOf = ({ segments }: Draft): number =>
  segments.reduce((sum, { planned }) => sum + planned.end - planned.start, 0);
const isShorter = (before: Draft, after: Draft): boolean => bytesOf(after) < bytesOf(before);

/** The snapshot that a start begins with, if the log does not reach back to the first entry. */
function neededSnap({ segments }: Draft, { wal }: CheckReport): SnapshotSummary | null {
  const first = parseSegmentNameAsEtcd(segments[0]?.planned.name ?? '');
  const snapshot = wal?.snapshot ?? null;
  return snapshot === null || snapshot.index === '0' || first?.index === 0n ? null : snapshot;
}

const snapshotId = ({ index, term }: SnapshotSummary): SnapshotId => ({ index: BigInt(index), term: BigInt(term) });

/**
 * The releases that should start on the new log and would not: all, if none does; those that would have to repair it again;
 * and those that started on the old one.
 */
function notStarting(before: CheckReport, after: CheckReport): string[] {
  const now = after.wal?.etcd ?? [];
  if (!now.some(({ outcome }) => outcome === 'starts')) return now.map(({ version }) => version);
  return now
    .filter(({ version, outcome }) => {
      const old = before.wal?.etcd.find((each) => each.version === version)?.outcome;
      return outcome === 'repairs' || (outcome !== 'starts' && (old === 'starts' || old === 'repairs'));
    })
    .map(({ version }) => version);
}

/** Whether a plan was refused for nothing but losses that may be accepted. */
export function onlyLosses({ reasons }: Pick<RepairPlan, 'reasons'>): boolean {
  return reasons.length > 0 && reasons.every(isLoss);
}
