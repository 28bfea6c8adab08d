/**
 * Who takes part in raft: the configuration of a snapshot, and what the changes in the log make of it.
 */
import type { EntryPayload } from '../../proto/entry-payload.ts';
import type { ConfState } from '../../proto/raft.ts';

/** The payloads that change members. */
export type MemberChange = Extract<EntryPayload, { readonly kind: 'conf-change' | 'conf-change-v2' }>;

const ADD = 0;
const REMOVE = 1;
const ADD_LEARNER = 3;

const encoder = new TextEncoder();

/** Members by id. */
export class Configuration {
  readonly #voters: Set<bigint>;
  readonly #learners: Set<bigint>;
  /** Ids that were removed: they never come back. */
  readonly #removed: Set<bigint>;
  /** Two sets of voters have to agree; etcd never leaves that behind. */
  readonly #joint: boolean;

  constructor(state?: Pick<ConfState, 'voters' | 'learners'> & Partial<ConfState>, removed: Iterable<bigint> = []) {
    this.#voters = new Set(state?.voters);
    this.#learners = new Set(state?.learners);
    this.#removed = new Set(removed);
    this.#joint = (state?.votersOutgoing?.length ?? 0) > 0;
  }

  clone(): Configuration {
    const { voters, learners } = this;
    const votersOutgoing = this.#joint ? voters : [];
    return new Configuration({ voters, learners, votersOutgoing }, this.#removed);
  }

  /** Ascending. */
  get voters(): readonly bigint[] {
    return [...this.#voters].sort(compareIds);
  }

  get learners(): readonly bigint[] {
    return [...this.#learners].sort(compareIds);
  }

  has(id: bigint): boolean {
    return this.#voters.has(id) || this.#learners.has(id);
  }

  /** Whether a member decides alone what is committed. */
  isLoneVoter(id: bigint | undefined): boolean {
    return id !== undefined && !this.#joint && this.#voters.size === 1 && this.#voters.has(id);
  }

  /** Applies a change that is lawful; one that etcd refuses for its ids is none. */
  apply(payload: MemberChange): void {
    if (payload.kind === 'conf-change') this.#change(payload.change.type ?? ADD, payload.change.nodeId ?? 0n);
    else for (const { type = ADD, nodeId = 0n } of payload.change.changes) this.#change(type, nodeId);
  }

  #change(type: number, id: bigint): void {
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

  /** As etcd from 3.5 on keeps it in `meta/confState`. */
  toJson(): Uint8Array {
    const list = (name: string, ids: readonly bigint[]): string => (ids.length === 0 ? '' : `"${name}":[${ids}],`);
    return encoder.encode(`{${list('voters', this.voters)}${list('learners', this.learners)}"auto_leave":false}`);
  }
}

function compareIds(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
