/**
 * Values of bucket `meta`, as etcd stores them.
 */
const encoder = new TextEncoder();

/** The consistent index or the term. */
export function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** Who takes part, as etcd from 3.5 on keeps it, ids ascending. */
export function confStateJson(state: {
  readonly voters: Iterable<bigint>;
  readonly learners: Iterable<bigint>;
}): Uint8Array {
  const list = (name: string, ids: Iterable<bigint>): string => {
    const sorted = [...ids].sort((a, b) => (a < b ? -1 : 1));
    return sorted.length === 0 ? '' : `"${name}":[${sorted}],`;
  };
  return encoder.encode(`{${list('voters', state.voters)}${list('learners', state.learners)}"auto_leave":false}`);
}
