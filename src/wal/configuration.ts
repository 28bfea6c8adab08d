/**
 * Who takes part in raft: the configuration of a snapshot, and what the changes in the log make of it.
 */
import type { EntryPayload } from '../proto/entry-payload.ts';
import type { ConfState } from '../proto/raft.ts';

/** The payloads that change members. */
export type MemberChange = Extract<EntryPayload, { readonly kind: 'conf-change' | 'conf-change-v2' }>;

const ADD = 0;
const REMOVE = 1;
const ADD_LEARNER = 3;

/** Members by id. */
export class Configuration {
  readonly #voters: Set<bigint>;
  readonly #learners: Set<bigint>;
  readonly #removed: Set<bigint>;
  /** Two sets of voters have to agree; etcd never leaves that behind. */
  readonly #joint: boolean;

  constructor(state?: Pick<ConfState, 'voters' | 'learners'> & Partial<ConfState>) {
    this.#voters = new Set(state?.voters);
    this.#learners = new Set(state?.learners);
    this.#removed = new Set();
    this.#joint = (state?.votersOutgoing?.length ?? 0) > 0;
  }

  clone(): Configuration {
    const votersOutgoing = this.#joint ? [...this.#voters] : [];
    const copy = new Configuration({ voters: [...this.#voters], learners: [...this.#learners], votersOutgoing });
    for (const id of this.#removed) copy.#removed.add(id);
    return copy;
  }

  get voters(): ReadonlySet<bigint> {
    return this.#voters;
  }

  get learners(): ReadonlySet<bigint> {
    return this.#learners;
  }

  /** Ids that were removed since: they never come back. */
  get removed(): ReadonlySet<bigint> {
    return this.#removed;
  }

  has(id: bigint): boolean {
    return this.#voters.has(id) || this.#learners.has(id);
  }

  /** Whether a member decides alone what is committed. */
  isLoneVoter(id: bigint | undefined): boolean {
    return id !== undefined && !this.#joint && this.#voters.size === 1 && this.#voters.has(id);
  }

  /** Applies the change of an entry. */
  apply(payload: MemberChange): void {
    const changes = payload.kind === 'conf-change' ? [payload.change] : payload.change.changes;
    for (const { type = ADD, nodeId = 0n } of changes) this.change(type, nodeId);
  }

  /** Applies a change that is lawful; one that etcd refuses for its ids is none. `type` is that of raft. */
  change(type: number, id: bigint): void {
    if (id === 0n || this.#removed.has(id)) return;
    if (type === REMOVE) {
      this.#voters.delete(id);
      this.#learners.delete(id);
      this.#removed.add(id);
    } else if (type === ADD) {
      // Also the promotion of a learner.
      this.#learners.delete(id);
      this.#voters.add(id);
    } else if (type === ADD_LEARNER && !this.#voters.has(id)) this.#learners.add(id);
  }
}
