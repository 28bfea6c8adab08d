/**
 * The conditions of a transaction.
 */
import { compareKeys } from '../../bolt/compare-keys.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import type { Keyspace } from './keyspace.ts';
import { requestRange } from './request-range.ts';

// What is compared, and how it has to come out.
const VERSION = 0;
const CREATE = 1;
const MOD = 2;
const VALUE = 3;
const LEASE = 4;
const EQUAL = 0;
const GREATER = 1;
const LESS = 2;
const NOT_EQUAL = 3;

const EMPTY: Uint8Array = new Uint8Array(0);

/** Whether all conditions hold now; none always do. */
export function allHold(compares: readonly DecodedMessage[], keyspace: Keyspace): boolean {
  return compares.every((compare) => holds(compare, keyspace));
}

/** Of a range every key that exists has to satisfy it. */
function holds(compare: DecodedMessage, keyspace: Keyspace): boolean {
  const { result = EQUAL, target = VERSION } = compare as { result?: number; target?: number };
  let found = false;
  let holding = true;
  keyspace.forEach(requestRange(compare), (id) => {
    found = true;
    holding = isResult(result, order(compare, target, keyspace, id));
    return holding;
  });
  if (found) return holding;
  // What is not there has 0 of everything but a value: with that nothing can be compared.
  return target === VALUE ? false : isResult(result, order(compare, target, keyspace, undefined));
}

/** Negative, zero or positive as what the key has is below, equal to or above what is asked for. Without a key that has 0. */
function order(compare: DecodedMessage, target: number, keyspace: Keyspace, id: number | undefined): number {
  const number = (field: string): bigint => (compare[field] as bigint | undefined) ?? 0n;
  switch (target) {
    case VERSION:
      return orderOf(id === undefined ? 0n : keyspace.version(id), number('version'));
    case CREATE:
      return orderOf(id === undefined ? 0n : keyspace.createRevision(id), number('create_revision'));
    case MOD:
      return orderOf(id === undefined ? 0n : keyspace.modRevision(id), number('mod_revision'));
    case LEASE:
      return orderOf(id === undefined ? 0n : keyspace.lease(id), number('lease'));
    case VALUE:
      return compareKeys(
        id === undefined ? EMPTY : keyspace.value(id),
        (compare['value'] as Uint8Array | undefined) ?? EMPTY,
      );
    default:
      // To etcd what it does not know is equal.
      return 0;
  }
}

function orderOf(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isResult(result: number, order: number): boolean {
  switch (result) {
    case EQUAL:
      return order === 0;
    case NOT_EQUAL:
      return order !== 0;
    case GREATER:
      return order > 0;
    case LESS:
      return order < 0;
    default:
      // To etcd a result that it does not know is right.
      return true;
  }
}
