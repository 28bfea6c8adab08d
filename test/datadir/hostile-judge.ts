/**
 * What must hold for every directory, whatever is in it: each examination of it comes to an end and to an answer, and the answers agree
 * with themselves and with one another.
 */
import { expect } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { DataDir } from '../../src/datadir/data-dir.ts';
import type { DataDirFiles, Folder } from '../../src/datadir/data-dir-files.ts';
import type { ReplayedState } from '../../src/datadir/replay/outcome.ts';
import { ReplayJob, type ReplayOptions } from '../../src/datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../../src/datadir/replay/write-db.ts';
import { RewrittenCheckJob } from '../../src/datadir/rewrite/rewrite-check.ts';
import { explainReport } from '../../src/datadir/start/explanation.ts';
import { createValidationTools } from '../../src/datadir/validation/default-tools.ts';
import type { ValidationReport } from '../../src/datadir/validation/report.ts';
import { ValidationJob } from '../../src/datadir/validation/validation-job.ts';
import { type ErrorCode, isDatadirError } from '../../src/errors.ts';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import type { AnyFinding } from '../../src/finding-table.ts';
import { describeFinding, type Finding, findingTable } from '../../src/findings.ts';
import type { Job } from '../../src/io/job.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import type { CheckReport, Level } from '../../src/report.ts';
import { verdictOf } from '../../src/verdict.ts';
import { SITUATION, storeAt } from './validation/situation.ts';

export const LEVELS: readonly Level[] = ['sanity', 'full', 'deep'];

/** More steps than any examination of a directory of these tests may take. */
const MAX_STEPS = 200_000;

/** Steps to the end, which must come, with progress that never goes back. */
function finish<Result>(job: Job<Result>): Result {
  let before = 0;
  for (let steps = 1; !job.step(); steps++) {
    const { done, total } = job.progress;
    if (!(done >= before && done <= total)) throw new Error(`progress ${done} of ${total} after ${before}`);
    if (steps > MAX_STEPS) throw new Error('it does not come to an end');
    before = done;
  }
  return job.result;
}

/** The words of a message that something was missing in. */
const BROKEN_WORDS = /undefined|\[object|NaN|\bnull\b/;

/** Every path that a finding may name: folders, and what is in them. */
function pathsOf({ root, member, snap, wal }: DataDirFiles): ReadonlySet<string> {
  const below = ({ path, items }: Folder): string[] => [path, ...items.map(({ name }) => `${path}/${name}`)];
  // The db is named also where it is missing.
  const names = root.items.map(({ name }) => name);
  return new Set([...[root, member, snap, wal].flatMap(below), ...names, `${snap.path}/db`]);
}

function judgeFindings(findings: readonly Finding[], paths: ReadonlySet<string>): void {
  for (const finding of findings as readonly AnyFinding[]) {
    expect(findingTable, finding.code).toHaveProperty(finding.code);
    const { message, remedy } = describeFinding(finding as unknown as Finding);
    expect(message, finding.code).not.toMatch(BROKEN_WORDS);
    expect(message.length, finding.code).toBeGreaterThan(0);
    expect(remedy.length, finding.code).toBeGreaterThan(0);
    for (const text of Object.values(finding.args)) expect(typeof text, finding.code).toBe('string');
    if (finding.file !== undefined && !finding.code.endsWith('_MISSING'))
      expect(paths, `${finding.code} ${finding.file}`).toContain(finding.file);
    if (finding.causedBy !== undefined) expect(findingTable).toHaveProperty(finding.causedBy.code);
  }
}

/** Every finding is counted, and the worst decides. */
function judgeReport(report: CheckReport, paths: ReadonlySet<string>): void {
  const { findings, counts, verdict, dataDir } = report;
  judgeFindings(findings, paths);
  for (const { findings: ofVersion } of dataDir?.versions ?? []) judgeFindings(ofVersion, paths);
  const listed: Record<string, number> = {};
  for (const { severity } of findings) listed[severity] = (listed[severity] ?? 0) + 1;
  for (const [severity, count] of Object.entries(listed)) {
    expect(counts[severity as keyof typeof counts], severity).toBeGreaterThanOrEqual(count);
  }
  const isEnded = verdict === 'in-use' || verdict === 'unreadable';
  if (!isEnded) expect(verdict).toBe(verdictOf(counts));
  // Plain data: nothing is lost on the way to another program.
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
}

/** Two examinations of the same thing differ in how long they took only. */
function withoutTimes<Report extends CheckReport>(report: Report): Report {
  const { steps = [] } = report as Partial<ValidationReport>;
  return { ...report, elapsedMs: 0, steps: steps.map((step) => ({ ...step, elapsedMs: 0 })) };
}

/** Opens the same directory anew each time. */
export type Opened = () => DataDirFiles;

/** The check at a level, twice. It never throws. */
function judgeCheck(files: Opened, level: Level): CheckReport {
  const [first, second] = [0, 1].map(() => {
    using dir = new DataDir(files());
    return finish(new DataDirCheckJob(dir, { level }));
  }) as [CheckReport, CheckReport];
  expect(withoutTimes(second)).toEqual(withoutTimes(first));
  judgeReport(first, pathsOf(files()));
  return first;
}

/** What etcd does with it; where it does not start, or loses something, the directory is not called healthy. */
function judgeStarts(report: CheckReport): void {
  const explanation = explainReport(report);
  expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  expect(explanation.starts.map(({ version }) => version)).toEqual([...ETCD_MINORS]);
  for (const { words, causes } of explanation.starts) {
    expect(words).not.toMatch(BROKEN_WORDS);
    for (const code of causes) expect(findingTable).toHaveProperty(code);
  }
  const { outcome, lossless } = explanation.start;
  if (report.verdict === 'healthy') {
    expect({ outcome, lossless }).toEqual({
      outcome: expect.stringMatching(/^(starts|repairs|begins-anew)$/),
      lossless: true,
    });
  }
}

/** What a replay may end with: there is no legal beginning, or what it has to read cannot be read. */
const REPLAY_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'REPLAY_REFUSED',
  'UNKNOWN_KIND',
  'FILE_LOCKED',
  'BOLT_DAMAGED',
  'BOLT_NO_META',
  'BOLT_SOURCE_DAMAGED',
  'BOLT_INCOMPATIBLE_VALUE',
  'WAL_DAMAGED',
  'WAL_TOO_INTRICATE',
  'IO_FAILED',
  'FILE_SHRANK',
  'SOURCE_CHANGED',
]);

/** What became of a replay: what it came to, or the code of why not. */
export type ReplayAnswer = { readonly state: ReplayedState } | { readonly refused: ErrorCode; readonly reason: string };

/** Replays, writes what came of it to memory, and checks that. */
export function judgeReplay(files: Opened, options: ReplayOptions = {}): ReplayAnswer {
  using dir = new DataDir(files());
  try {
    const state = finish(new ReplayJob(dir, options));
    judgeFindings(state.findings, pathsOf(files()));
    expect(state.revision.afterReplay).toBeGreaterThanOrEqual(state.revision.db);
    const file = memoryFile();
    const db = finish(new WriteReplayedJob(state, file));
    finish(new RewrittenCheckJob(file, { db, old: state.tail.from.file?.source, path: 'out', snapshot: false }));
    return { state };
  } catch (error) {
    if (!isDatadirError(error) || !REPLAY_ERRORS.has(error.code)) throw error;
    return { refused: error.code, reason: error.message };
  }
}

/** The validation, with backups that are ahead: then the log is replayed. It never throws. */
export function judgeValidation(files: Opened, mode: 'sanity' | 'full'): ValidationReport {
  const [first, second] = [0, 1].map(() => {
    using dir = new DataDir(files());
    const situation = { ...SITUATION, mode, store: storeAt(1_000_000) };
    return finish(new ValidationJob(dir, situation, {}, createValidationTools()));
  }) as [ValidationReport, ValidationReport];
  expect(withoutTimes(second)).toEqual(withoutTimes(first));
  judgeReport(first, pathsOf(files()));
  if (first.recommendation === 'start') expect(['healthy', 'repairable']).toContain(first.verdict);
  return first;
}

/** Everything at once. */
export function judgeDir(files: Opened, options: ReplayOptions = {}): CheckReport {
  const reports = LEVELS.map((level) => judgeCheck(files, level));
  for (const report of reports) if (report.level !== 'sanity') judgeStarts(report);
  judgeReplay(files, options);
  judgeValidation(files, 'sanity');
  judgeValidation(files, 'full');
  return reports.at(-1) as CheckReport;
}
