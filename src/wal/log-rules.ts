/**
 * The rules that the records of a log keep among themselves: indexes, terms, commits, votes, snapshots, metadata.
 *
 * Records are told in file order, without those of damaged places. How bad a broken rule is depends on what is known only at
 * the end (which snapshot a start would use, what is committed), so they are collected, and judged then.
 */
import type { Severity } from '../finding-table.ts';
import type { ConfState } from '../proto/raft.ts';
import { BootstrapMembers } from './bootstrap-members.ts';
import { EntryRuns } from './entry-runs.ts';
import type { WalFindingArgs, WalFindingCode } from './findings.ts';

/** Where a record is. */
export interface RecordPlace {
  /** Position of its segment in the list of segments. */
  readonly segment: number;
  readonly offset: number;
}

/** What is known when the whole log has been read. */
export interface LogEnd {
  /** Index of the newest valid snapshot; -1 if there is none. */
  readonly snapshotIndex: number;
  /** Position of the segment that a start from it begins with; 0 if there is none. */
  readonly startSegment: number;
  readonly commit: number;
  /** Whether a start can do without what the log says of commits: a usable snapshot or the first entry is there. */
  readonly canCommitAgain: boolean;
}

/** A rule that was broken, `times` times in its segment. */
export interface Violation {
  readonly code: WalFindingCode;
  readonly place: RecordPlace;
  readonly args: Record<string, string>;
  times: number;
  readonly severity: (end: LogEnd) => Severity | undefined;
}

/** A hard state, and where it was. */
export interface LoggedState {
  segment: number;
  offset: number;
  term: number;
  /** The vote, in two halves. */
  voteLow: number;
  voteHigh: number;
  commit: number;
}

/** The member that a state has voted for; 0 if none. */
export function voteOf({ voteLow, voteHigh }: LoggedState): bigint {
  return (BigInt(voteHigh) << 32n) | BigInt(voteLow);
}

/** A snapshot record, and where it was. */
export interface LoggedSnapshot extends RecordPlace {
  readonly index: number;
  readonly term: number;
  /** Who took part then; 3.4 does not say. */
  readonly confState: ConfState | undefined;
}

/** A change of membership that survives. */
export interface LoggedChange {
  readonly index: number;
  /** 0 add, 1 remove, 2 update, 3 add as learner. */
  readonly type: number;
  readonly nodeId: bigint;
}

/** Snapshot records kept: a log has one for every ten thousand entries, and hostile ones do not need an exact answer. */
const MAX_SNAPSHOTS = 10_000;
/** Entries that cannot be applied, kept. */
const MAX_UNUSABLE = 1000;
/** Changes of membership kept: the first ones. A cluster sees a few in a year. */
const MAX_CHANGES = 100_000;

/** What a start reads: above the snapshot, and from its segment on. */
const above =
  (index: number, segment: number) =>
  (end: LogEnd): Severity =>
    index > end.snapshotIndex && segment >= end.startSegment ? 'corrupt' : 'repairable';
const inSegment =
  (segment: number) =>
  (end: LogEnd): Severity =>
    segment >= end.startSegment ? 'corrupt' : 'repairable';
const always = (severity: Severity) => (): Severity => severity;

/** Follows the records of a log. */
export class LogRules {
  readonly runs: EntryRuns = new EntryRuns();
  readonly members: BootstrapMembers = new BootstrapMembers();
  readonly snapshots: LoggedSnapshot[] = [];
  snapshotRecords = 0;
  state: LoggedState | undefined;
  /** Index and term of the last entry record, overwritten later or not. */
  lastEntry: { index: number; term: number } = { index: 0, term: 0 };
  /** Highest index of a surviving entry with a v2 request; too high by some if that was overwritten. */
  lastV2Index = 0;
  /** The same for those that 3.6 does not take. */
  lastOtherV2Index = 0;
  /** Highest index of an entry, not applied yet, with a request that not every release knows. */
  lastNewerIndex = 0;
  readonly changes: LoggedChange[] = [];
  /** There were too many changes to keep. */
  changesFull = false;
  entryRecords = 0;

  readonly #violations = new Map<string, { first: Violation; furthest: Violation | undefined; reach: number }>();
  /** The index that the next entry has at the highest; 0 when anything may come. */
  #next = 0;
  /** The term of the entry before that. */
  #lastTerm = 0;
  #maxCommit = 0;
  #maxSnapshot = -1;
  /** Index of the newest snapshot so far that a start could use. */
  #usableSnapshot = 0;
  /** The term of the first record of each snapshot. */
  readonly #snapshotTerms = new Map<number, number>();
  // The first entry since the last hard state whose term was above that of the state before it.
  #unstated: (RecordPlace & { index: number; term: number }) | undefined;
  // Entries that cannot be applied; of no matter if they are overwritten.
  readonly #unusable: { readonly index: number; readonly violation: Violation }[] = [];

  /** After a damaged place: the next entry may have any index. */
  interrupt(): void {
    this.#next = 0;
    this.#unstated = undefined;
    this.members.stop();
  }

  entry(segment: number, offset: number, type: number, term: number, index: number): void {
    this.entryRecords++;
    const { runs } = this;
    if (index === 0) {
      this.report('WAL_VALUE_IMPLAUSIBLE', { what: 'an entry of index 0' }, { segment, offset }, always('repairable'));
      return;
    }
    this.lastEntry.index = index;
    this.lastEntry.term = term;
    let previous: number | undefined = this.#lastTerm;
    if (index <= this.#usableSnapshot) {
      // A start passes over it, and what follows is still there.
      this.#replace(segment, offset, term, index);
      return;
    }
    if (index !== this.#next) {
      this.#jump(segment, offset, term, index);
      previous = runs.termAt(index - 1);
    }
    if (previous !== undefined && term < previous) {
      const args = { index: `${index}`, term: `${term}`, previous: `${previous}` };
      this.report('WAL_ENTRY_TERM_BACK', args, { segment, offset }, (end) =>
        index <= Math.max(end.commit, end.snapshotIndex) ? 'repairable' : 'corrupt',
      );
    }
    if (this.#unstated === undefined && term > (this.state?.term ?? 0))
      this.#unstated = { segment, offset, index, term };
    runs.add(segment, offset, index, term);
    this.#next = index + 1;
    this.#lastTerm = term;
    if (type > 1) {
      this.#unusableEntry(index, 'WAL_ENTRY_TYPE', { index: `${index}`, type: `${type}` }, { segment, offset });
    }
  }

  /** An entry whose index is not one more than that of the entry before. */
  #jump(segment: number, offset: number, term: number, index: number): void {
    const next = this.#next;
    if (index < next) {
      this.#replace(segment, offset, term, index);
      // In order of index.
      while ((this.#unusable.at(-1)?.index ?? 0) >= index) this.#unusable.pop();
      while ((this.changes.at(-1)?.index ?? 0) >= index) this.changes.pop();
      if (this.lastV2Index >= index) this.lastV2Index = index - 1;
      if (this.lastOtherV2Index >= index) this.lastOtherV2Index = index - 1;
      return;
    }
    // A snapshot that was received stands for everything before it.
    if (next === 0 || this.#maxSnapshot >= index - 1) return;
    const args = { first: `${next}`, last: `${index - 1}` };
    this.report('WAL_ENTRY_GAP', args, { segment, offset }, above(index - 1, segment));
  }

  /** An entry at an index that was there already. */
  #replace(segment: number, offset: number, term: number, index: number): void {
    const old = this.runs.termAt(index);
    if (old === undefined || old === term || index > this.#maxCommit) return;
    const args = { index: `${index}`, term: `${term}`, previous: `${old}`, commit: `${this.#maxCommit}` };
    this.report('WAL_COMMITTED_OVERWRITTEN', args, { segment, offset }, above(index, segment));
  }

  /** An entry that was told has a payload that cannot be applied. */
  badPayload(segment: number, offset: number, index: number, reason: string): void {
    this.#unusableEntry(index, 'WAL_ENTRY_PAYLOAD', { index: `${index}`, reason }, { segment, offset });
  }

  #unusableEntry(index: number, code: WalFindingCode, args: Record<string, string>, place: RecordPlace): void {
    if (this.#unusable.length >= MAX_UNUSABLE) return;
    this.#unusable.push({ index, violation: { code, args, place, times: 1, severity: above(index, place.segment) } });
  }

  /** An entry that was told changes the membership. */
  change(index: number, type: number, nodeId: bigint): void {
    const last = this.changes.at(-1);
    // One that a start passes over, since a snapshot stands for it.
    if (last !== undefined && index <= last.index) return;
    if (this.changes.length >= MAX_CHANGES) this.changesFull = true;
    else this.changes.push({ index, type, nodeId });
  }

  /** The vote comes in two halves, as `HardStateHead` has it: there are as many states as entries. */
  hardState(segment: number, offset: number, term: number, voteLow: number, voteHigh: number, commit: number): void {
    const { state } = this;
    if (state !== undefined) {
      const isBack = term < state.term || commit < state.commit;
      const isOtherVote = voteLow !== state.voteLow || voteHigh !== state.voteHigh;
      if (isBack || isOtherVote) this.#compareStates(state, { segment, offset, term, voteLow, voteHigh, commit });
    }
    if (this.#unstated !== undefined) {
      if (this.#unstated.term > term) {
        this.report('WAL_ENTRY_TERM_ABOVE_STATE', this.#unstatedArgs(term), this.#unstated, always('repairable'));
      }
      this.#unstated = undefined;
    }
    // Nobody commits what is not there: a state that says so is wrong itself.
    this.#maxCommit = Math.max(this.#maxCommit, Math.min(commit, Math.max(this.runs.lastIndex, this.#maxSnapshot)));
    if (state === undefined) this.state = { segment, offset, term, voteLow, voteHigh, commit };
    else {
      state.segment = segment;
      state.offset = offset;
      state.term = term;
      state.voteLow = voteLow;
      state.voteHigh = voteHigh;
      state.commit = commit;
    }
    this.#findUsable();
  }

  #compareStates(old: Readonly<LoggedState>, state: LoggedState): void {
    const { term, commit } = state;
    const back = ({ canCommitAgain }: LogEnd): Severity => (canCommitAgain ? 'repairable' : 'corrupt');
    if (term < old.term) {
      this.report('WAL_STATE_BACK', { what: 'the term', value: `${term}`, previous: `${old.term}` }, state, back);
    } else if (term === old.term && voteOf(old) !== 0n && voteOf(state) !== voteOf(old)) {
      const args = { term: `${term}`, vote: voteOf(state).toString(16), previous: voteOf(old).toString(16) };
      this.report('WAL_VOTE_CHANGED', args, state, always('repairable'));
    }
    if (commit < old.commit) {
      const args = { what: 'the commit index', value: `${commit}`, previous: `${old.commit}` };
      this.report('WAL_STATE_BACK', args, state, back);
    }
  }

  /** Index of the newest snapshot record; 0 if there is none. */
  get newestSnapshot(): number {
    return Math.max(this.#maxSnapshot, 0);
  }

  #findUsable(): void {
    const index = this.snapshots.at(-1)?.index ?? 0;
    if (index <= this.#maxCommit) this.#usableSnapshot = Math.max(this.#usableSnapshot, index);
  }

  #unstatedArgs(stateTerm: number): Record<string, string> {
    const { index = 0, term = 0 } = this.#unstated ?? {};
    return { index: `${index}`, term: `${term}`, stateTerm: `${stateTerm}` };
  }

  snapshot(segment: number, offset: number, index: number, term: number, confState?: ConfState): void {
    const place = { segment, offset };
    this.snapshotRecords++;
    const previous = this.snapshots.at(-1);
    if (previous !== undefined && index < previous.index) {
      const args = { index: `${index}`, previous: `${previous.index}` };
      this.report('WAL_SNAPSHOT_BACK', args, place, always('repairable'));
    }
    const recorded = this.#snapshotTerms.get(index);
    if (recorded === undefined) {
      if (this.#snapshotTerms.size < MAX_SNAPSHOTS) this.#snapshotTerms.set(index, term);
    } else if (recorded !== term) {
      const args = { index: `${index}`, term: `${term}`, previous: `${recorded}` };
      this.report('WAL_SNAPSHOT_CONFLICT', args, place, ({ snapshotIndex, startSegment }) =>
        index === snapshotIndex && segment >= startSegment ? 'corrupt' : 'repairable',
      );
    }
    const entryTerm = this.runs.termAt(index);
    if (entryTerm !== undefined && entryTerm !== term) {
      const args = { index: `${index}`, term: `${term}`, entryTerm: `${entryTerm}` };
      this.report('WAL_SNAPSHOT_TERM', args, place, always('repairable'));
    }
    this.#maxSnapshot = Math.max(this.#maxSnapshot, index);
    // Of too many the first and the last ones are kept; many go at a time, since each time costs.
    if (this.snapshots.length >= MAX_SNAPSHOTS) this.snapshots.splice(MAX_SNAPSHOTS / 2, MAX_SNAPSHOTS / 4);
    this.snapshots.push({ ...place, index, term, confState });
    this.#findUsable();
  }

  unknownType(segment: number, offset: number, type: number): void {
    this.report('WAL_RECORD_TYPE', { type: `${type}` }, { segment, offset }, inSegment(segment));
  }

  /** A record whose data is not what its type says, or holds a number that cannot be right. */
  unparsable(segment: number, offset: number, code: WalFindingCode, args: Record<string, string> = {}): void {
    this.report(code, args, { segment, offset }, inSegment(segment));
  }

  /**
   * Notes a broken rule, or counts it with those of its kind in the segment: the first one is kept, and the one that reaches
   * furthest, which is the one that a start is most likely to read.
   */
  report(
    code: WalFindingCode,
    args: Record<string, string>,
    place: RecordPlace,
    severity: (end: LogEnd) => Severity | undefined,
    reach: number = place.offset,
  ): void {
    const key = `${code} ${place.segment}`;
    const violation: Violation = { code, args, place, times: 1, severity };
    const kept = this.#violations.get(key);
    if (kept === undefined) this.#violations.set(key, { first: violation, furthest: undefined, reach });
    else {
      kept.first.times++;
      if (reach < kept.reach) return;
      kept.furthest = violation;
      kept.reach = reach;
    }
  }

  /** Everything that is wrong, now that the end is known. */
  judge(end: LogEnd): { readonly violation: Violation; readonly severity: Severity }[] {
    const all = this.#unusable.map(({ violation }) => violation);
    for (const { first, furthest } of this.#violations.values()) {
      all.push(first);
      // One of two is enough where both are equally bad.
      if (furthest !== undefined && furthest.severity(end) !== first.severity(end)) all.push(furthest);
    }
    if (this.#unstated !== undefined && this.state !== undefined) {
      const args = this.#unstatedArgs(this.state.term);
      all.push({
        code: 'WAL_ENTRY_TERM_ABOVE_STATE',
        args,
        place: this.#unstated,
        times: 1,
        severity: always('info'),
      });
    }
    return all.flatMap((violation) => {
      const severity = violation.severity(end);
      return severity === undefined ? [] : [{ violation, severity }];
    });
  }
}

/** The arguments of a code with `times`; the code and its arguments were matched by whoever noted them. */
export function argsOf(violation: Violation): WalFindingArgs[WalFindingCode] {
  return { ...violation.args, times: `${violation.times}` } as unknown as WalFindingArgs[WalFindingCode];
}
