/**
 * What requests do to keys and leases, in the plainest way: whole states as maps, copied before each request. Shares nothing with the library.
 * Keys and values are text with a character for each byte. No users, no alarms.
 */
import * as fc from 'fast-check';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import type { DecodedMessage } from '../../../src/proto/messages.ts';
import { bytesOf, PLAIN_KEYS, type PlainMvcc } from '../../support/plain-mvcc.ts';

export interface ModelRange {
  readonly key: string;
  /** `\0`: without end. */
  readonly end?: string;
}
export interface ModelPut {
  readonly key: string;
  readonly value: string;
  readonly lease: bigint;
  readonly ignoreValue: boolean;
  readonly ignoreLease: boolean;
}
export interface ModelCompare extends ModelRange {
  readonly result: number;
  readonly target: number;
  readonly number?: bigint;
  readonly value?: string;
}
export type ModelOperation =
  | { readonly put: ModelPut }
  | { readonly delete: ModelRange }
  | { readonly range: ModelRange; readonly revision: bigint }
  | { readonly txn: ModelTxn }
  | { readonly empty: true };
export interface ModelTxn {
  readonly compares: readonly ModelCompare[];
  readonly success: readonly ModelOperation[];
  readonly failure: readonly ModelOperation[];
}
export type ModelRequest =
  | { readonly put: ModelPut }
  | { readonly delete: ModelRange }
  | { readonly txn: ModelTxn }
  | { readonly compact: bigint }
  | { readonly grant: bigint; readonly ttl: bigint }
  | { readonly revoke: bigint };

interface Live {
  readonly value: string;
  readonly create: bigint;
  readonly mod: bigint;
  readonly version: bigint;
  readonly lease: bigint;
  /** Whether the lease has it. */
  readonly attached: boolean;
}

class Panic extends Error {}
class Refused extends Error {}

export class Model {
  current: bigint;
  compacted: bigint;
  readonly records: string[] = [];
  leases: Map<bigint, bigint>;
  #live: Map<string, Live>;
  readonly #minor: EtcdMinor;
  #sub = 0n;

  constructor(base: PlainMvcc, leases: readonly bigint[], minor: EtcdMinor) {
    this.current = base.current;
    this.compacted = base.compacted;
    this.leases = new Map(leases.map((id) => [id, 60n]));
    this.#minor = minor;
    this.#live = new Map(
      [...base.stateAt(base.current).values()].map(({ key, value, createRevision, modRevision, version, lease }) => [
        key,
        { value, create: createRevision, mod: modRevision, version, lease, attached: leases.includes(lease) },
      ]),
    );
  }

  keysOf(lease: bigint): readonly string[] {
    return [...this.#live]
      .filter(([, live]) => live.attached && live.lease === lease)
      .map(([key]) => key)
      .sort();
  }

  /** `changed`, `nothing`, `failed` or `panics`. */
  apply(request: ModelRequest): string {
    const before = { live: new Map(this.#live), leases: new Map(this.leases), records: this.records.length };
    this.#sub = 0n;
    try {
      const changed = this.#apply(request);
      if (this.#sub > 0n) this.current++;
      return changed || this.#sub > 0n ? 'changed' : 'nothing';
    } catch (error) {
      this.#live = before.live;
      this.leases = before.leases;
      this.records.length = before.records;
      if (error instanceof Panic) return 'panics';
      if (error instanceof Refused) return 'failed';
      throw error;
    }
  }

  /** Whether something but keys has changed. */
  #apply(request: ModelRequest): boolean {
    if ('put' in request) {
      this.#checkPut(request.put);
      this.#put(request.put);
    } else if ('delete' in request) this.#delete(request.delete);
    else if ('txn' in request) this.#txn(request.txn);
    else if ('compact' in request) {
      if (request.compact <= this.compacted || request.compact > this.current) throw new Refused();
      this.compacted = request.compact;
      return true;
    } else if ('grant' in request) {
      const { grant, ttl } = request;
      if (grant === 0n || ttl > 9_000_000_000n || this.leases.has(grant)) throw new Refused();
      this.leases.set(grant, ttl < 2n ? 2n : ttl);
      return true;
    } else {
      if (!this.leases.has(request.revoke)) throw new Refused();
      for (const key of this.keysOf(request.revoke)) this.#delete({ key });
      this.leases.delete(request.revoke);
      return true;
    }
    return false;
  }

  #txn(txn: ModelTxn): void {
    const isOwnRange = (operation: ModelOperation): boolean => 'range' in operation;
    const dropsRanges = this.#minor !== '3.7';
    const path = this.#path(
      dropsRanges
        ? {
            ...txn,
            success: txn.success.filter((each) => !isOwnRange(each)),
            failure: txn.failure.filter((each) => !isOwnRange(each)),
          }
        : txn,
    );
    for (const operation of path) {
      if ('put' in operation) this.#checkPut(operation.put);
      else if ('range' in operation && operation.revision !== 0n) {
        if (operation.revision > this.current || operation.revision < this.compacted) throw new Refused();
      }
    }
    for (const operation of path) {
      if ('put' in operation) this.#put(operation.put);
      else if ('delete' in operation) this.#delete(operation.delete);
    }
  }

  #path(txn: ModelTxn): readonly ModelOperation[] {
    const branch = txn.compares.every((compare) => this.#holds(compare)) ? txn.success : txn.failure;
    return branch.flatMap((operation) => ('txn' in operation ? this.#path(operation.txn) : [operation]));
  }

  #holds({ result, target, number = 0n, value = '', ...range }: ModelCompare): boolean {
    const found = this.#within(range).map((key) => this.#live.get(key) as Live);
    const NOTHING = { version: 0n, create: 0n, mod: 0n, lease: 0n, value: '' };
    if (found.length === 0 && target === 3) return false;
    return (found.length === 0 ? [NOTHING] : found).every((live) => {
      const pairs = [
        [live.version, number],
        [live.create, number],
        [live.mod, number],
        [live.value, value],
        [live.lease, number],
      ] as const;
      const [a, b] = pairs[target] ?? [0n, 0n];
      return [a === b, a > b, a < b, a !== b][result] ?? true;
    });
  }

  #checkPut({ key, lease, ignoreValue, ignoreLease }: ModelPut): void {
    if (lease !== 0n && !this.leases.has(lease)) throw new Refused();
    if ((ignoreValue || ignoreLease) && !this.#live.has(key)) throw new Refused();
  }

  #put(put: ModelPut): void {
    const { key, ignoreValue, ignoreLease } = put;
    const before = this.#live.get(key);
    if ((ignoreValue || ignoreLease) && before === undefined) throw new Panic();
    const value = ignoreValue ? (before as Live).value : put.value;
    const lease = ignoreLease ? (before as Live).lease : put.lease;
    if (lease !== 0n && !this.leases.has(lease)) throw new Panic();
    const mod = this.current + 1n;
    const create = before?.create ?? mod;
    const version = (before?.version ?? 0n) + 1n;
    this.#live.set(key, { value, create, mod, version, lease, attached: lease !== 0n });
    const tail = lease === 0n ? '' : ` lease ${lease}`;
    this.records.push(`${mod}.${this.#sub++} put ${key}=${value} create ${create} version ${version}${tail}`);
  }

  #delete(range: ModelRange): void {
    for (const key of this.#within(range)) {
      this.#live.delete(key);
      this.records.push(`${this.current + 1n}.${this.#sub++} delete ${key}`);
    }
  }

  #within({ key: first, end }: ModelRange): readonly string[] {
    const keys = [...this.#live.keys()].sort();
    if (end === undefined) return keys.filter((key) => key === first);
    return keys.filter((key) => key >= first && (end === '\0' || key < end));
  }
}

/** The request as a message. */
export function messageOf(request: ModelRequest): DecodedMessage {
  if ('put' in request) return { put: putMessage(request.put) };
  if ('delete' in request) return { delete_range: rangeMessage(request.delete) };
  if ('txn' in request) return { txn: txnMessage(request.txn) };
  if ('compact' in request) return { compaction: { revision: request.compact } };
  if ('grant' in request) return { lease_grant: { ID: request.grant, TTL: request.ttl } };
  return { lease_revoke: { ID: request.revoke } };
}

const putMessage = ({ key, value, lease, ignoreValue, ignoreLease }: ModelPut): DecodedMessage => ({
  key: bytesOf(key),
  value: bytesOf(value),
  lease,
  ignore_value: ignoreValue,
  ignore_lease: ignoreLease,
});

const rangeMessage = ({ key, end }: ModelRange): DecodedMessage => ({
  key: bytesOf(key),
  ...(end === undefined ? {} : { range_end: bytesOf(end) }),
});

const UNIONS = ['version', 'create_revision', 'mod_revision', 'value', 'lease'] as const;

function txnMessage({ compares, success, failure }: ModelTxn): DecodedMessage {
  return {
    compare: compares.map(({ result, target, number, value, ...range }) => {
      const union = UNIONS[target] ?? 'version';
      const asked = union === 'value' ? value : number;
      return {
        ...rangeMessage(range),
        result,
        target,
        ...(asked === undefined ? {} : { [union]: typeof asked === 'string' ? bytesOf(asked) : asked }),
      };
    }),
    success: success.map(operationMessage),
    failure: failure.map(operationMessage),
  };
}

function operationMessage(operation: ModelOperation): DecodedMessage {
  if ('put' in operation) return { request_put: putMessage(operation.put) };
  if ('delete' in operation) return { request_delete_range: rangeMessage(operation.delete) };
  if ('range' in operation)
    return { request_range: { ...rangeMessage(operation.range), revision: operation.revision } };
  return 'txn' in operation ? { request_txn: txnMessage(operation.txn) } : {};
}

export const MODEL_LEASES: readonly bigint[] = [5n, -9n, 1n << 62n];

const anyKey = fc.constantFrom(...PLAIN_KEYS);
const anyRange: fc.Arbitrary<ModelRange> = fc.oneof(
  fc.record({ key: anyKey }),
  fc.record({ key: anyKey, end: fc.oneof(anyKey, fc.constant('\0')) }),
);
const anyLease = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0n) },
  { weight: 1, arbitrary: fc.constantFrom(...MODEL_LEASES) },
);
const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 0);
const anyValue = fc.constantFrom('', 'x', 'y', 'z'.repeat(600));
const anyPut: fc.Arbitrary<ModelPut> = fc.record({
  key: anyKey,
  value: anyValue,
  lease: anyLease,
  ignoreValue: rarely,
  ignoreLease: rarely,
});
const anyCompare: fc.Arbitrary<ModelCompare> = fc
  .tuple(
    anyRange,
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 0, max: 5 }),
    fc.option(fc.oneof(fc.bigInt(-1n, 8n), fc.constantFrom(...MODEL_LEASES)), { nil: undefined }),
    fc.option(anyValue, { nil: undefined }),
  )
  .map(([range, result, target, number, value]) => ({
    ...range,
    result,
    target,
    ...(number === undefined ? {} : { number }),
    ...(value === undefined ? {} : { value }),
  }));

const { txn: anyTxn } = fc.letrec<{ txn: ModelTxn; operations: readonly ModelOperation[]; operation: ModelOperation }>(
  (tie) => ({
    txn: fc.record({
      compares: fc.array(anyCompare, { maxLength: 2 }),
      success: tie('operations'),
      failure: tie('operations'),
    }),
    operations: fc.array(tie('operation'), { maxLength: 4, depthIdentifier: 'txn' }),
    operation: fc.oneof(
      { depthIdentifier: 'txn', withCrossShrink: true },
      { weight: 5, arbitrary: fc.record({ put: anyPut }) },
      { weight: 2, arbitrary: fc.record({ delete: anyRange }) },
      {
        weight: 1,
        arbitrary: fc.record({
          range: anyRange,
          revision: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(-2n, 60n) }),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ empty: true as const }) },
      { weight: 3, arbitrary: fc.record({ txn: tie('txn') }) },
    ),
  }),
);

/** Requests of all kinds; many are refused, some make a server panic. */
export const anyRequests: fc.Arbitrary<readonly ModelRequest[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ put: anyPut }) },
    { weight: 2, arbitrary: fc.record({ delete: anyRange }) },
    { weight: 6, arbitrary: fc.record({ txn: anyTxn }) },
    { weight: 1, arbitrary: fc.record({ compact: fc.bigInt(-2n, 60n) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        grant: fc.constantFrom(0n, ...MODEL_LEASES),
        ttl: fc.constantFrom(-1n, 0n, 1n, 600n, 9_000_000_000n, 9_000_000_001n),
      }),
    },
    { weight: 2, arbitrary: fc.record({ revoke: fc.constantFrom(...MODEL_LEASES) }) },
  ),
  { maxLength: 20 },
);
