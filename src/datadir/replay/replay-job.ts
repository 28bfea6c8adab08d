/**
 * The replay of a log as a job: finds the tail, reads from the db what its entries need to know, applies them. Writes nothing.
 */
import { readRevisions } from '../../backend/revisions.ts';
import type { BoltDb } from '../../bolt/database.ts';
import { changedMeanwhileError } from '../../bolt/live-source.ts';
import { DatadirError } from '../../errors.ts';
import { compareMinors } from '../../etcd-version.ts';
import type { ByteSource } from '../../io/byte-source.ts';
import { drain, type Job, type Progress } from '../../io/job.ts';
import { decodeEntryPayload, type EntryPayload } from '../../proto/entry-payload.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import type { Configuration } from '../../wal/configuration.ts';
import type { Steps } from '../../wal/etcd/index.ts';
import type { LogEntry } from '../../wal/reader.ts';
import type { DataDir } from '../data-dir.ts';
import { AlarmState } from './alarm-state.ts';
import type { Applied } from './applied.ts';
import { Applier, type ReplayParts } from './apply.ts';
import { AuthState } from './auth-state.ts';
import { ClusterState } from './cluster-state.ts';
import { Demand } from './demand.ts';
import type { ReplayFinding } from './findings.ts';
import { KeyspaceLoadJob } from './keyspace-load.ts';
import { LeaseState } from './lease-state.ts';
import { MembershipState } from './membership.ts';
import type { ReplayedState, ReplayOutcome } from './outcome.ts';
import { type PlannedTail, planTailSteps, type TailOptions, tailEntries } from './tail.ts';

/** Options of a replay. */
export interface ReplayOptions extends TailOptions {
  /** The shortest lease in seconds that servers of this cluster grant. Default 2, which etcd's default timing gives. */
  readonly minLeaseTtl?: bigint | undefined;
  /** What is left of leases is stored, as with the flag of 3.4 and 3.5 for it. Default: only from a cluster version of 3.6 on. */
  readonly persistCheckpoints?: boolean | undefined;
  /**
   * Only revisions are asked for: the keys of the db are read only if they decide something. The outcome cannot be written then. Default
   * false.
   */
  readonly revisionsOnly?: boolean | undefined;
  /**
   * So many bytes may be taken by keys that no request names one by one, only by a range or a lease, and as many by values that puts
   * keep. Default 64 MiB: more is refused.
   */
  readonly maxStateBytes?: number | undefined;
}

const MIN_LEASE_TTL = 2n;
/** Work of a step: bytes of entries, each counting for some besides. */
const STEP_BYTES = 1 << 18;
const ENTRY_COST = 2048;

/** Replays without a pause. Throws as `ReplayJob` does. */
export function replay(dir: DataDir, options: ReplayOptions = {}): ReplayOutcome {
  return drain(new ReplayJob(dir, options));
}

/**
 * Applies the tail of the log to what the db holds, in memory that follows the tail. Throws `REPLAY_REFUSED` where that is not
 * possible, `FILE_LOCKED` and `SOURCE_CHANGED` if a running etcd has the directory, and what reading a damaged db throws.
 */
export class ReplayJob implements Job<ReplayedState> {
  readonly #dir: DataDir;
  readonly #options: ReplayOptions;
  readonly #steps: Steps<ReplayedState>;
  readonly #findings: ReplayFinding[] = [];
  #tail: PlannedTail | undefined;
  #load: KeyspaceLoadJob | undefined;
  /** Entries that have been looked at, by both passes over them. */
  #entries = 0;
  #result: ReplayedState | undefined;
  #v2Requests = 0;
  #passwords = 0;
  #configuration: Configuration | undefined;

  constructor(dir: DataDir, options: ReplayOptions = {}) {
    this.#dir = dir;
    this.#options = options;
    this.#steps = this.#run();
  }

  /** The db that is replayed onto, once it is known; undefined without one. */
  get source(): ByteSource | undefined {
    return this.#tail?.from.file?.source;
  }

  get progress(): Progress {
    const tail = this.#tail;
    const entries = tail === undefined ? 0 : 2 * Number(tail.last - tail.first + 1n);
    const load = this.#load?.progress ?? { done: 0, total: tail?.from.file?.source.size ?? 0 };
    const done = load.done + this.#entries * ENTRY_COST;
    return { done, total: Math.max(done, load.total + entries * ENTRY_COST) };
  }

  get result(): ReplayedState {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the replay has not finished');
    return this.#result;
  }

  step(): boolean {
    const { done, value } = this.#steps.next();
    if (done === true) this.#result = value;
    return done === true;
  }

  *#run(): Steps<ReplayedState> {
    const tail = yield* planTailSteps(this.#dir, this.#options);
    this.#tail = tail;
    this.#findings.push(...tail.findings);
    const { file } = tail.from;
    const db = file?.db;
    const demand = new Demand();
    for (const entry of tailEntries(this.#dir, tail)) {
      if (entry.index >= tail.first) demand.add(decodeEntryPayload(entry), tail.version);
      if (this.#spend(entry)) yield;
    }
    const leases = LeaseState.load(db);
    const { revisionsOnly, maxStateBytes } = this.#options;
    this.#load = new KeyspaceLoadJob(db, demand, leases, { revisionsOnly, maxStateBytes });
    while (!this.#load.step()) yield;
    const parts: ReplayParts = {
      keyspace: this.#load.result,
      leases,
      auth: AuthState.load(db),
      alarms: AlarmState.load(db),
      membership: MembershipState.load(db),
      cluster: ClusterState.load(db),
    };
    const state = yield* this.#apply(tail, parts, db);
    if (file !== undefined && db?.hasChanged() === true) throw changedMeanwhileError(file.source);
    return state;
  }

  *#apply(tail: PlannedTail, parts: ReplayParts, db: BoltDb | undefined): Steps<ReplayedState> {
    const { minLeaseTtl = MIN_LEASE_TTL, persistCheckpoints } = this.#options;
    const applier = new Applier(parts, { minor: tail.version, minLeaseTtl, persistCheckpoints });
    let replayed = 0n;
    let last: ReplayOutcome['last'];
    let stoppedAt: ReplayOutcome['stoppedAt'];
    for (const entry of tailEntries(this.#dir, tail)) {
      const { index, term } = entry;
      if (index < tail.first) {
        yield;
        continue;
      }
      const payload = decodeEntryPayload(entry);
      const applied = applier.apply(payload, entry);
      if (applied.outcome === 'panics') {
        stoppedAt = { index, words: applied.words };
        break;
      }
      this.#note(payload, applied, index, tail);
      replayed++;
      last = { index, term };
      if (this.#spend(entry)) yield;
    }
    this.#report(tail, applier.dependsOnRanges, stoppedAt);
    this.#compareMembers(tail, parts);
    return {
      tail,
      db,
      revision: {
        db: db === undefined ? 1n : readRevisions(db).current,
        afterReplay: parts.keyspace.currentRevision,
      },
      replayed,
      last,
      stoppedAt,
      findings: this.#findings,
      parts,
      configuration: this.#configuration,
    };
  }

  /** What is to be told of an entry that was applied. */
  #note(payload: EntryPayload, { outcome }: Applied, index: bigint, tail: PlannedTail): void {
    if (payload.kind === 'v2' && outcome === 'nothing') this.#v2Requests++;
    else if (payload.kind === 'internal' && outcome === 'changed' && hasPlainPassword(payload.message))
      this.#passwords++;
    // The bucket of 3.4 may have got further than the db's index says: what is in it already fails, but is a change of the log.
    else if (payload.kind === 'conf-change' && (outcome !== 'failed' || tail.version === '3.4')) {
      this.#configuration ??= tail.configuration.clone();
      const wasMember = tail.memberId !== undefined && this.#configuration.has(tail.memberId);
      this.#configuration.apply(payload);
      if (wasMember && !this.#configuration.has(tail.memberId)) {
        this.#add('REPLAY_MEMBER_REMOVED', { index: `${index}`, member: tail.memberId.toString(16) });
      }
    }
  }

  #report(tail: PlannedTail, dependsOnRanges: number, stoppedAt: ReplayOutcome['stoppedAt']): void {
    const { version, last, base } = tail;
    if (stoppedAt !== undefined) {
      const { index, words } = stoppedAt;
      this.#add('REPLAY_PANICS', { index: `${index}`, version, words, left: `${last - index + 1n}` }, 'refuse');
    }
    if (base === 'none' && dependsOnRanges > 0) {
      this.#add('REPLAY_RANGES_DECIDE', { transactions: `${dependsOnRanges}` });
    }
    if (this.#v2Requests > 0) this.#add('REPLAY_V2_REQUESTS', { requests: `${this.#v2Requests}` });
    if (this.#passwords > 0) this.#add('REPLAY_PASSWORDS_HASHED', { users: `${this.#passwords}` });
  }

  /**
   * Changes of members are applied to the bucket, which should be what the log says. Only in the end: that of 3.4 may have got further than
   * the db's index says. 3.7 has no other source than the bucket.
   */
  #compareMembers({ version, configuration, from }: PlannedTail, { membership }: ReplayParts): void {
    const { voters, learners } = this.#configuration ?? configuration;
    if (compareMinors(version, '3.7') >= 0 || voters.size === 0) return;
    const stored = idText(membership.members.map(({ id }) => id));
    const members = idText([...voters, ...learners]);
    if (stored === members) return;
    const args = { stored: stored || 'no members', configuration: members };
    const file = from.path === undefined ? {} : { file: from.path };
    this.#findings.push({ code: 'REPLAY_MEMBERS_DIFFER', severity: 'info', args, bucket: ['members'], ...file });
  }

  #add<Code extends ReplayFinding['code']>(
    code: Code,
    args: Extract<ReplayFinding, { readonly code: Code }>['args'],
    severity: ReplayFinding['severity'] = 'info',
  ): void {
    // The arguments are those of the code.
    this.#findings.push({ code, severity, args, file: this.#dir.files.wal.path } as ReplayFinding);
  }

  /** Counts an entry; true when it is time for a pause. */
  #spend({ data }: LogEntry): boolean {
    this.#entries++;
    this.#budget -= ENTRY_COST + (data?.length ?? 0);
    if (this.#budget > 0) return false;
    this.#budget = STEP_BYTES;
    return true;
  }

  #budget = STEP_BYTES;
}

/** Whether a request about a user holds a password that no hash was made of. */
function hasPlainPassword(message: DecodedMessage): boolean {
  const { auth_user_add: add, auth_user_change_password: change } = message as Partial<
    Record<string, { readonly password?: string; readonly hashedPassword?: string }>
  >;
  const request = add ?? change;
  return (request?.password ?? '') !== '' && (request?.hashedPassword ?? '') === '';
}

/** Ids as etcd prints them, in order of text. */
function idText(ids: readonly bigint[]): string {
  return ids
    .map((id) => id.toString(16))
    .sort()
    .join(', ');
}
