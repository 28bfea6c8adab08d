/**
 * One attempt at the check of what etcd keeps in a db: the list of buckets, all of its small buckets, then bucket `key`.
 *
 * Rules that something must be there are applied only where everything could be read: what the check of the structure has found
 * damaged must not be reported as many missing records again.
 */
import type { BoltDb } from '../bolt/database.ts';
import { isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { Progress } from '../io/job.ts';
import { BucketPass, type BucketRules } from './check-bucket.ts';
import { KeyspaceCheck } from './check-keyspace.ts';
import type { BackendReporter } from './check-reporter.ts';
import type { Structure } from './check-structure.ts';
import { BUCKETS, type BucketName } from './format.ts';
import { membersCount } from './members.ts';
import { type BackendMeta, readMeta } from './meta.ts';
import { type Revisions, readRevisions, revisionsOf } from './revisions.ts';
import { AlarmRules } from './rules-alarms.ts';
import { AuthRules } from './rules-auth.ts';
import { checkBuckets, isEtcd } from './rules-buckets.ts';
import { LeaseRules } from './rules-leases.ts';
import { MemberRules } from './rules-members.ts';
import { MetaRules } from './rules-meta.ts';
import { ClusterRules } from './rules-versions.ts';
import type { BackendSummary } from './summary.ts';

/** What the caller knows. */
export interface ContentOptions {
  /** The release that is to start on the db. Default: the one it is of. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** The member whose db this is. Default: not known, unless there is only one. */
  readonly memberId?: bigint | undefined;
}

/** More buckets than this are not listed; etcd has ten. */
const MAX_BUCKETS = 10_000;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Nothing is known of `meta`. */
const NO_META: BackendMeta = {
  present: false,
  consistentIndex: null,
  term: null,
  confState: null,
  storageVersion: null,
  scheduledCompact: null,
  finishedCompact: null,
  unreadable: new Map(),
};

export class ContentCheck {
  /** Whether this is a db of etcd at all; undefined until the buckets were listed, and if they cannot be. */
  etcd: boolean | undefined;
  readonly examined: string[] = [];
  readonly notExamined: string[] = [];
  readonly #db: BoltDb;
  readonly #reporter: BackendReporter;
  readonly #options: ContentOptions;
  readonly #structure: Structure;
  readonly #meta: MetaRules;
  readonly #cluster: ClusterRules;
  readonly #leases: LeaseRules;
  readonly #auth: AuthRules;
  readonly #members: MemberRules;
  readonly #alarms: AlarmRules;
  #values: BackendMeta = NO_META;
  #revisions: Revisions | undefined;
  #target: EtcdMinor = '3.4';
  /** Small buckets that are still to be read, and those that were read to the end. */
  #queue: BucketRules[] = [];
  readonly #whole = new Set<BucketName>();
  #pass: BucketPass | undefined;
  #passDone = 0;
  #keyspace: KeyspaceCheck | undefined;
  #phase: 'buckets' | 'small' | 'key' | 'done' = 'buckets';

  constructor(db: BoltDb, structure: Structure, options: ContentOptions, reporter: BackendReporter) {
    this.#db = db;
    this.#structure = structure;
    this.#options = options;
    this.#reporter = reporter;
    this.#meta = new MetaRules(reporter);
    this.#cluster = new ClusterRules(reporter);
    this.#leases = new LeaseRules(reporter);
    this.#auth = new AuthRules(reporter);
    const count = (): boolean => membersCount(this.#values.storageVersion, this.#cluster.version);
    this.#members = new MemberRules(count, reporter);
    this.#alarms = new AlarmRules(reporter);
  }

  get progress(): Progress {
    const total = this.#db.highWaterMark * this.#db.pageSize;
    const done = this.#passDone + (this.#pass?.done ?? 0) + (this.#keyspace?.progress.done ?? 0);
    return { done: Math.min(done, total), total };
  }

  /** Does a piece of the work; true when there is nothing left to do. */
  step(): boolean {
    switch (this.#phase) {
      case 'buckets':
        this.#phase = this.#listBuckets() ? 'small' : 'done';
        break;
      case 'small':
        if (this.#stepSmall()) this.#phase = this.#startKeyspace() ? 'key' : 'done';
        break;
      case 'key':
        if (this.#keyspace!.step()) {
          this.#endKeyspace(this.#keyspace!);
          this.#phase = 'done';
        }
        break;
      case 'done':
    }
    return this.#phase === 'done';
  }

  /** False: there is nothing of etcd to be looked at. */
  #listBuckets(): boolean {
    const names = new Set<string>();
    const unknown: Uint8Array[] = [];
    let listed = this.#structure.bucketsKnown;
    try {
      const cursor = this.#db.root.cursor();
      let left = MAX_BUCKETS;
      for (let element = cursor.first(); element !== undefined && left > 0; element = cursor.next(), left--) {
        if (!element.isBucket) continue;
        const name = element.key;
        const text = decoder.decode(name);
        names.add(text);
        if (!BUCKETS.includes(text as BucketName)) unknown.push(name.slice());
      }
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      listed = false;
    }
    if (!isEtcd(names)) {
      if (listed) {
        this.etcd = false;
        this.examined.push('no buckets of etcd are there: there are no records to look at');
      } else this.notExamined.push("etcd's records: the buckets cannot be listed");
      return false;
    }
    this.etcd = true;
    if (listed) {
      checkBuckets(names, unknown, this.#reporter);
      this.examined.push('whether all buckets of etcd are there');
    } else this.notExamined.push('whether all buckets of etcd are there: they cannot all be listed');
    const { state, roleRules, userRules } = this.#auth;
    const { removedRules, memberRules } = this.#members;
    this.#queue = [
      this.#meta,
      this.#cluster,
      this.#leases,
      state,
      roleRules,
      userRules,
      removedRules,
      memberRules,
      this.#alarms,
    ];
    return true;
  }

  #stepSmall(): boolean {
    const [rules] = this.#queue;
    if (rules === undefined) {
      this.#finishSmall();
      return true;
    }
    this.#pass ??= new BucketPass(this.#db, rules);
    if (!this.#pass.step()) return false;
    if (this.#pass.whole) this.#whole.add(rules.bucket);
    else this.notExamined.push(`all records of bucket ${rules.bucket}: pages of it cannot be read`);
    this.#passDone += this.#pass.done;
    this.#pass = undefined;
    this.#queue.shift();
    return false;
  }

  #isWhole(bucket: BucketName): boolean {
    return this.#structure.isSound(bucket) && this.#whole.has(bucket);
  }

  #finishSmall(): void {
    const meta = this.#meta;
    this.#values = orElse(() => readMeta(this.#db), NO_META);
    meta.checkValues(this.#values);
    this.#target = this.#cluster.finish(this.#values, meta, this.#options.etcdVersion);
    this.#auth.finish({ state: this.#isWhole('auth'), users: this.#isWhole('authUsers') });
    this.#members.finish();
    if (this.#isWhole('members') && this.#members.readable) meta.checkConfState(this.#values, this.#members.ids);
    this.#alarms.finish(this.#ownId());
    this.examined.push('every value of buckets meta, cluster, members, lease, auth and alarm');
  }

  /** The member whose db this is: of a cluster of one there is no doubt. */
  #ownId(): bigint | undefined {
    const { ids, count } = this.#members;
    const [only] = ids;
    return this.#options.memberId ?? (count === 1 ? only : undefined);
  }

  /** False: bucket `key` cannot be read at all. */
  #startKeyspace(): boolean {
    const found = orElse(() => readRevisions(this.#db, this.#values), undefined);
    // The end of the bucket may be damaged, and all before it whole.
    const revisions = found ?? revisionsOf(null, this.#values);
    this.#revisions = revisions;
    let known = this.#isWhole('meta') && !this.#values.unreadable.has('scheduledCompact');
    if (this.#values.unreadable.has('finishedCompact') && this.#values.scheduledCompact === null) known = false;
    if (!this.#values.present) known = false;
    else if (this.#isWhole('meta')) {
      if (found !== undefined && this.#structure.isSound('key')) this.#meta.checkCompaction(revisions);
      if (this.#meta.checkConsistentIndex(this.#values, showsWrites(revisions, this.#cluster))) known = false;
    }
    const { leases, readable } = this.#leases;
    try {
      this.#keyspace = new KeyspaceCheck({
        db: this.#db,
        reporter: this.#reporter,
        compact: known ? Number(revisions.compact) : undefined,
        finished: Number(revisions.finishedCompact ?? -1n),
        whole: this.#structure.isSound('key'),
        // One that lost its end is reported, and what it lost shows here.
        leases: readable && this.#whole.has('lease') && this.#structure.bucketsKnown ? leases : undefined,
        leasesCause: this.#structure.causeIn('lease'),
        maxKeyBytes: this.#db.size,
      });
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.notExamined.push('the records of bucket key: it cannot be read');
      return false;
    }
    return true;
  }

  #endKeyspace(keyspace: KeyspaceCheck): void {
    this.examined.push('every record of bucket key by itself: its revision and its message');
    const { notExamined } = keyspace;
    if (notExamined === undefined) {
      this.examined.push('revisions without a gap, and the history of every key above the compacted revision');
    } else this.notExamined.push(`missing revisions, and the history of keys: ${notExamined}`);
    if (keyspace.leasesExamined) this.examined.push('whether the leases of live keys are there');
    else this.notExamined.push('whether the leases of live keys are there: leases or records are damaged');
  }

  /** The current revision; where the end of the bucket cannot be read, that of the last record that can be. */
  #current({ current, last }: Revisions): bigint {
    const seen = last === null ? BigInt(this.#keyspace?.last ?? 0) : 0n;
    return seen > current ? seen : current;
  }

  /** What was found; undefined for what is no db of etcd. */
  summary(trailer: BackendSummary['trailer']): BackendSummary | undefined {
    const revisions = this.#revisions;
    if (this.etcd !== true || revisions === undefined) return undefined;
    const values = this.#values;
    const keyspace = this.#keyspace;
    return {
      revision: `${this.#current(revisions)}`,
      compactRevision: `${revisions.compact}`,
      finishedCompact: textOf(revisions.finishedCompact),
      scheduledCompact: textOf(revisions.scheduledCompact),
      keys: keyspace?.keys ?? null,
      records: keyspace?.records ?? 0,
      tombstones: keyspace?.tombstones ?? 0,
      bumps: keyspace?.bumps ?? 0,
      consistentIndex: textOf(values.consistentIndex),
      term: textOf(values.term),
      storageVersion: values.storageVersion,
      clusterVersion: this.#cluster.version,
      etcdVersion: this.#target,
      members: this.#members.count,
      learners: this.#members.learners,
      removedMembers: this.#members.removed,
      leases: this.#leases.leases.size,
      authEnabled: this.#auth.enabled,
      users: this.#auth.users,
      roles: this.#auth.roles,
      alarms: this.#alarms.count,
      trailer,
    };
  }
}

/** What cannot be in a db into which nothing was ever applied. */
export function showsWrites({ last, compact }: Revisions, cluster: ClusterRules): string | undefined {
  if (last !== null) return 'there are records';
  if (compact > 0n) return 'there was a compaction';
  // 3.4 stores it with writes of keys only.
  return cluster.isAtLeast('3.5') ? `the cluster version is ${cluster.version}` : undefined;
}

function orElse<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return otherwise;
  }
}

const textOf = (value: bigint | null): string | null => (value === null ? null : `${value}`);
