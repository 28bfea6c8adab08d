/**
 * The validation of a data directory: guard, structure, content, revision, and the decision. Marker, guard and backups are plain facts
 * here, read by who knows files; nothing is written.
 */
import { DatadirError } from '../../errors.ts';
import type { Severity } from '../../finding-table.ts';
import type { Finding } from '../../findings.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { CheckReport } from '../../report.ts';
import type { Verdict } from '../../verdict.ts';
import type { DataDir } from '../data-dir.ts';
import { decide } from './decision.ts';
import { HashCheckJob } from './hash-check.ts';
import type { StopReason, ValidationExpectations, ValidationSituation } from './inputs.ts';
import type { ValidationMode } from './mode.ts';
import { stepFrom, type ValidationReport, type ValidationStep } from './report.ts';
import { RevisionCheckJob, type RevisionOutcome } from './revision-check.ts';
import { guardFindings, missingFindings, storeFindings } from './situation-findings.ts';
import { structureOf } from './structure.ts';
import type { ValidationTools } from './tools.ts';

type Phase = 'guard' | 'structure' | 'content' | 'content-again' | 'revision' | 'hashkv' | 'decision' | 'done';

const NOTHING: Progress = { done: 0, total: 0 };

/** Findings that stand against a start. */
const AGAINST: readonly Severity[] = ['stale', 'corrupt', 'unknown', 'refuse'];

const isGood = (verdict: Verdict): boolean => verdict === 'healthy' || verdict === 'repairable';

export class ValidationJob implements Job<ValidationReport> {
  readonly #dir: DataDir;
  readonly #situation: ValidationSituation;
  readonly #expected: ValidationExpectations;
  readonly #tools: ValidationTools;
  readonly #steps: ValidationStep[];
  readonly #began = performance.now();
  readonly #findings: Finding[] = [];
  #phase: Phase = 'guard';
  #phaseBegan = performance.now();
  #job: Job<unknown> | undefined;
  #before = NOTHING;
  #check: CheckReport | undefined;
  #revision: RevisionOutcome | undefined;
  #stopped: StopReason | undefined;
  #result: ValidationReport | undefined;

  constructor(dir: DataDir, situation: ValidationSituation, expected: ValidationExpectations, tools: ValidationTools) {
    this.#dir = dir;
    this.#situation = situation;
    this.#expected = expected;
    this.#tools = tools;
    this.#steps = [...(situation.steps ?? [])];
  }

  get progress(): Progress {
    const { done, total } = this.#job?.progress ?? NOTHING;
    return { done: this.#before.done + done, total: this.#before.total + total };
  }

  get result(): ValidationReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the validation is not finished');
    return this.#result;
  }

  step(): boolean {
    switch (this.#phase) {
      case 'guard':
        this.#findings.push(...guardFindings(this.#situation.guard));
        if (this.#findings.some(({ severity }) => severity === 'refuse')) this.#stop('guard', undefined);
        else this.#phase = 'structure';
        break;
      case 'structure':
        this.#lookAtStructure();
        break;
      case 'content':
        if (this.#run(() => this.#startCheck(this.#situation.mode))) this.#checked();
        break;
      case 'content-again':
        if (this.#run(() => this.#startCheck('full'))) this.#checkedAgain();
        break;
      case 'revision':
        if (this.#run(() => this.#startRevisionCheck())) this.#revisionChecked();
        break;
      case 'hashkv':
        this.#compareHash();
        break;
      case 'decision':
        this.#decide();
        break;
      case 'done':
        break;
    }
    return this.#phase === 'done';
  }

  #lookAtStructure(): void {
    const { missing, empty, invalid } = structureOf(this.#dir);
    const { allowMissing = false, failBelowRevision = 0n } = this.#expected;
    this.#findings.push(...storeFindings(this.#situation.store));
    if (missing || (empty && allowMissing)) {
      this.#findings.push(...missingFindings({ allowMissing, failBelowRevision, store: this.#situation.store }));
      this.#stop('missing', 'structure');
    } else if (this.#dir.inUse) {
      this.#findings.push({ code: 'DIR_IN_USE', severity: 'info', args: {} });
      this.#stop('in-use', 'structure');
    } else this.#note('structure', !invalid, 'content');
  }

  #startCheck(level: ValidationMode): Job<CheckReport> {
    const { maxFindings, etcdVersion, memberId, clusterId, path } = this.#expected;
    return this.#tools.check(this.#dir, { level, maxFindings, path, etcdVersion, memberId, clusterId });
  }

  #checked(): void {
    this.#check = this.#finished<CheckReport>();
    const { verdict, level } = this.#check;
    // What etcd would do with what is wrong, and whether it has to be replaced, is decided only when everything was looked at.
    if (level === 'sanity' && verdict !== 'healthy') this.#phase = 'content-again';
    else this.#note('content', isGood(verdict), 'revision');
  }

  #checkedAgain(): void {
    this.#check = this.#finished<CheckReport>();
    this.#note(
      'content',
      isGood(this.#check.verdict),
      this.#revision === undefined ? 'revision' : this.#afterRevision(),
    );
  }

  #startRevisionCheck(): RevisionCheckJob {
    const { store } = this.#situation;
    const { failBelowRevision, multiNode, othersReachable, replay = false, etcdVersion } = this.#expected;
    const withoutStore = store.state === 'none' || store.state === 'empty';
    const options = {
      store: store.revision === null ? undefined : BigInt(store.revision),
      minimum: withoutStore ? failBelowRevision : undefined,
      replay,
      damaged: (this.#check?.counts.corrupt ?? 0) > 0,
      catchesUp: multiNode === true && othersReachable === true,
      etcdVersion,
    };
    return new RevisionCheckJob(this.#dir, options, this.#tools);
  }

  #revisionChecked(): void {
    this.#revision = this.#finished<RevisionOutcome>();
    const { findings, metDamage } = this.#revision;
    this.#findings.push(...findings);
    this.#next(
      'revision',
      metDamage && this.#check?.level === 'sanity' ? 'content-again' : this.#afterRevision(),
      findings,
    );
  }

  #afterRevision(): Phase {
    const isHashed = this.#expected.expectHashKv !== undefined && (this.#check?.counts.corrupt ?? 0) === 0;
    return isHashed ? 'hashkv' : 'decision';
  }

  #compareHash(): void {
    const { expectHashKv } = this.#expected;
    if (expectHashKv === undefined || !this.#run(() => new HashCheckJob(this.#dir, expectHashKv))) return;
    const findings = this.#finished<readonly Finding[]>();
    this.#findings.push(...findings);
    this.#next('hashkv', 'decision', findings);
  }

  #decide(): void {
    const decided = decide({
      dir: this.#dir,
      situation: this.#situation,
      expected: this.#expected,
      tools: this.#tools,
      check: this.#check,
      revision: this.#revision,
      findings: this.#findings,
      stopped: this.#stopped,
      elapsedMs: performance.now() - this.#began,
    });
    this.#note('decision', decided.recommendation === 'start', 'done');
    this.#result = { ...decided, steps: this.#steps };
  }

  /** Runs the job of a phase for a step; true when it has come to its end. */
  #run(create: () => Job<unknown>): boolean {
    this.#job ??= create();
    return this.#job.step();
  }

  #finished<Result>(): Result {
    const result = this.#job?.result as Result;
    this.#before = this.progress;
    this.#job = undefined;
    return result;
  }

  /** The guard was a step of who read it. */
  #stop(reason: StopReason, step: ValidationStep['name'] | undefined): void {
    this.#stopped = reason;
    const isAgainst = reason !== 'missing' || this.#findings.some(({ severity }) => AGAINST.includes(severity));
    if (step === undefined) this.#phase = 'decision';
    else this.#note(step, !isAgainst, 'decision');
  }

  #next(step: ValidationStep['name'], phase: Phase, findings: readonly Finding[]): void {
    this.#note(step, !findings.some(({ severity }) => AGAINST.includes(severity)), phase);
  }

  #note(name: ValidationStep['name'], success: boolean, phase: Phase): void {
    const now = performance.now();
    this.#steps.push(stepFrom(name, this.#phaseBegan, now, success));
    this.#phaseBegan = now;
    this.#phase = phase;
  }
}
