/**
 * The members that a log begins with, and the cluster id that they make.
 *
 * A new cluster's log, and that of a restored one, begins with one change of membership for each first member, all of term 1.
 * The id of the cluster is the beginning of the SHA-1 of their ids in ascending order.
 */
import { sha1 } from '../checksum/sha1.ts';
import { isDatadirError } from '../errors.ts';
import { parseConfChange } from '../proto/raft.ts';

const CONF_CHANGE = 1;
const ADD_NODE = 0;
/** More first members than any cluster has: the rest is not looked at. */
const MAX_MEMBERS = 1000;

/** Collects the first members from the first entries of a log. */
export class BootstrapMembers {
  readonly #ids: bigint[] = [];
  #collecting = true;

  /** Whether more entries are wanted. */
  get collecting(): boolean {
    return this.#collecting;
  }

  /** Takes the next entry of the log; `data` is its payload. */
  add(type: number, term: number, index: number, data: Uint8Array): void {
    if (index !== this.#ids.length + 1 || term !== 1 || type !== CONF_CHANGE || this.#ids.length >= MAX_MEMBERS) {
      this.#collecting = false;
      return;
    }
    try {
      const change = parseConfChange(data);
      if ((change.type ?? 0) === ADD_NODE && change.nodeId !== undefined) this.#ids.push(change.nodeId);
      else this.#forget();
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      this.#forget();
    }
  }

  /** No entry that follows counts. */
  stop(): void {
    this.#collecting = false;
  }

  /** Not the beginning of a cluster as etcd makes it: nothing can be said. */
  #forget(): void {
    this.#ids.length = 0;
    this.#collecting = false;
  }

  get count(): number {
    return this.#ids.length;
  }

  /** The cluster id that they make; undefined if the log does not begin with them. */
  get clusterId(): bigint | undefined {
    return this.#ids.length === 0 ? undefined : clusterIdOf(this.#ids);
  }
}

/** The id of a cluster with these first members. */
export function clusterIdOf(memberIds: readonly bigint[]): bigint {
  const sorted = [...memberIds].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const bytes = new Uint8Array(sorted.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [i, id] of sorted.entries()) view.setBigUint64(i * 8, id);
  return new DataView(sha1(bytes).buffer).getBigUint64(0);
}
