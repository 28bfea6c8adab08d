/**
 * The part of the check of a db's content that costs next to nothing whatever the size of the db: buckets `meta`, `cluster`, `members` and
 * `members_removed`, and the last revision. For checks that do not go through all records.
 */
import { MAX_ATTEMPTS } from '../bolt/live-source.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { Severity } from '../finding-table.ts';
import type { Finding } from '../findings.ts';
import type { Job, Progress } from '../io/job.ts';
import { FindingList, MAX_FINDINGS } from '../report.ts';
import type { BackendFile } from './backend-file.ts';
import { BucketPass, type BucketRules } from './check-bucket.ts';
import { showsWrites } from './check-content.ts';
import { BackendReporter } from './check-reporter.ts';
import type { Structure } from './check-structure.ts';
import { membersCount } from './members.ts';
import { type BackendMeta, readMeta } from './meta.ts';
import { type Revisions, readRevisions } from './revisions.ts';
import { MemberRules } from './rules-members.ts';
import { MetaRules } from './rules-meta.ts';
import { ClusterRules } from './rules-versions.ts';

/** What was found. */
export interface StateReport {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Partial<Record<Severity, number>>>;
  readonly examined: readonly string[];
  readonly notExamined: readonly string[];
}

const EXAMINED = 'values of buckets meta, cluster and members';

/** The rules of one attempt; a running etcd may commit meanwhile. */
class Attempt {
  readonly list: FindingList;
  readonly meta: MetaRules;
  readonly cluster: ClusterRules;
  readonly members: MemberRules;
  readonly queue: BucketRules[];
  /** Whether all of these buckets could be read. */
  whole = true;
  values: BackendMeta | undefined;

  constructor(maxFindings: number) {
    this.list = new FindingList(maxFindings);
    const reporter = new BackendReporter(this.list);
    this.meta = new MetaRules(reporter);
    this.cluster = new ClusterRules(reporter);
    this.members = new MemberRules(
      () => membersCount(this.values?.storageVersion ?? null, this.cluster.version),
      reporter,
    );
    this.queue = [this.meta, this.cluster, this.members.removedRules, this.members.memberRules];
  }
}

/** The check of these buckets, in steps. Never throws for bad bytes or read errors. */
export class StateCheck implements Job<StateReport> {
  readonly #file: BackendFile;
  readonly #structure: Structure;
  readonly #target: EtcdMinor | undefined;
  readonly #maxFindings: number;
  #attempt: Attempt;
  #attempts = 1;
  #pass: BucketPass | undefined;
  #result: StateReport | undefined;

  /** `structure` is what is known of the file; `target` the release that is to start on it, by default the one it is of. */
  constructor(
    file: BackendFile,
    structure: Structure,
    target: EtcdMinor | undefined,
    maxFindings: number = MAX_FINDINGS,
  ) {
    this.#file = file;
    this.#structure = structure;
    this.#target = target;
    this.#maxFindings = maxFindings;
    this.#attempt = new Attempt(maxFindings);
  }

  get progress(): Progress {
    return { done: 0, total: 0 };
  }

  get result(): StateReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#result !== undefined) return true;
    const attempt = this.#attempt;
    const [rules] = attempt.queue;
    if (rules !== undefined) {
      this.#pass ??= new BucketPass(this.#file.db, rules);
      if (!this.#pass.step()) return false;
      if (!this.#pass.whole) attempt.whole = false;
      this.#pass = undefined;
      attempt.queue.shift();
      return false;
    }
    this.#finish(attempt);
    if (attempt.list.verdict !== 'healthy' && this.#hasChanged()) return this.#again();
    this.#result = {
      findings: attempt.list.findings,
      counts: attempt.list.counts,
      examined: [EXAMINED],
      notExamined: attempt.whole ? [] : [`all ${EXAMINED}: pages of them cannot be read`],
    };
    return true;
  }

  #finish(attempt: Attempt): void {
    const { meta, cluster, members, whole } = attempt;
    const values = orElse(() => readMeta(this.#file.db));
    attempt.values = values;
    if (values === undefined) return;
    meta.checkValues(values);
    cluster.finish(values, meta, this.#target);
    members.finish();
    if (!whole || !this.#structure.isSound('meta') || !values.present) return;
    if (members.readable && this.#structure.isSound('members')) meta.checkConfState(values, members.ids);
    const revisions: Revisions | undefined = orElse(() => readRevisions(this.#file.db, values));
    if (revisions === undefined || !this.#structure.isSound('key')) return;
    meta.checkCompaction(revisions);
    meta.checkConsistentIndex(values, showsWrites(revisions, cluster));
  }

  /** The file was written to: what was found may not be true. False, as every step that is not the last. */
  #again(): boolean {
    if (this.#attempts++ < MAX_ATTEMPTS) {
      try {
        this.#file.renew();
        this.#attempt = new Attempt(this.#maxFindings);
        return false;
      } catch (error) {
        if (!isDatadirError(error)) throw error;
      }
    }
    this.#result = {
      findings: [],
      counts: {},
      examined: [],
      notExamined: [`${EXAMINED}: the db was written to all the time`],
    };
    return true;
  }

  #hasChanged(): boolean {
    return orElse(() => this.#file.db.hasChanged()) ?? false;
  }
}

function orElse<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return undefined;
  }
}
