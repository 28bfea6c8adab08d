/**
 * The check of the log of a data directory. While an etcd writes to it, the end may be a write in progress, and what is read later may be newer
 * than what was read before: what is wrong counts only if it is still wrong, in the same place, when the log is read again.
 */
import { DatadirError } from '../errors.ts';
import type { AnyFinding } from '../finding-table.ts';
import type { Job, Progress } from '../io/job.ts';
import { type CheckReport, FindingList, MAX_FINDINGS } from '../report.ts';
import { type CheckWalOptions, WalCheckJob } from '../wal/check.ts';
import type { LogFacts } from '../wal/log-facts.ts';
import type { WalFiles } from '../wal/segment-input.ts';

/** So often a log in use is read to find out what stays. */
const MAX_READINGS = 3;

/** The check, in steps. */
export class LogCheck implements Job<CheckReport> {
  readonly #files: WalFiles;
  readonly #options: CheckWalOptions;
  readonly #inUse: boolean;
  #job: WalCheckJob;
  #readings = 1;
  #before: ReadonlySet<string> | undefined;
  #done = 0;
  #result: CheckReport | undefined;

  constructor(files: WalFiles, options: CheckWalOptions, inUse: boolean) {
    this.#files = files;
    this.#options = options;
    this.#inUse = inUse;
    this.#job = new WalCheckJob(files, options);
  }

  get progress(): Progress {
    const { done, total } = this.#job.progress;
    this.#done = Math.max(this.#done, done);
    return { done: this.#done, total };
  }

  get result(): CheckReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not ended');
    return this.#result;
  }

  /** What rules for the whole directory go by. There once `step()` has returned true. */
  get facts(): LogFacts {
    return this.#job.facts;
  }

  step(): boolean {
    if (this.#result !== undefined) return true;
    if (!this.#job.step()) return false;
    const report = this.#job.result;
    if (!this.#inUse || report.verdict === 'healthy') {
      this.#result = report;
      return true;
    }
    const before = this.#before;
    const now = new Set(report.findings.map(keyOf));
    const isSame = before !== undefined && before.size === now.size && [...now].every((key) => before.has(key));
    if (!isSame && this.#readings++ < MAX_READINGS) {
      this.#before = now;
      this.#job = new WalCheckJob(this.#files, this.#options);
      return false;
    }
    this.#result = before === undefined || isSame ? report : onlyLasting(report, before);
    return true;
  }
}

const keyOf = ({ code, file, offset }: AnyFinding): string => `${code} ${file ?? ''} ${offset ?? ''}`;

/** The report without what was not found the last time. */
function onlyLasting(report: CheckReport, before: ReadonlySet<string>): CheckReport {
  const list = new FindingList(MAX_FINDINGS);
  for (const finding of report.findings)
    if (finding.severity === 'info' || before.has(keyOf(finding))) list.add(finding);
  const notExamined = [...report.notExamined, 'its end: a running etcd was writing to it'];
  return { ...report, findings: list.findings, counts: list.counts, verdict: list.verdict, notExamined };
}
