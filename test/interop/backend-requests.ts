/**
 * Random requests to an etcd: puts, deletes, ranges, transactions within transactions, leases, compactions. Keys and values are
 * strings of one character a byte, whose order is that of the bytes. The same seed makes the same requests, but for the
 * revisions of compactions, which follow the server's.
 */
import { toBase64 } from '../support/etcd-gateway.ts';
import type { Choices } from '../support/writer-random.ts';

/** A range, as a request has it. `end` is empty for a single key. */
export interface RangeRequest {
  readonly key: string;
  readonly end: string;
  /** 0: the current one. */
  readonly revision: number;
  readonly limit: number;
  readonly sortBy: 'key' | 'version' | 'create' | 'modify' | 'value';
  readonly order: 'none' | 'ascend' | 'descend';
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
  /** 0: no bound. */
  readonly minMod: number;
  readonly maxMod: number;
  readonly minCreate: number;
  readonly maxCreate: number;
}

export interface Put {
  readonly type: 'put';
  readonly key: string;
  readonly value: string;
  /** 0n: none. */
  readonly lease: bigint;
  /** The value, or the lease, of what is there already is kept. */
  readonly keeps?: 'value' | 'lease' | undefined;
}

export interface Delete {
  readonly type: 'delete';
  readonly key: string;
  readonly end: string;
}

export interface Txn {
  readonly type: 'txn';
  /** As the gateway takes them. */
  readonly compare: readonly object[];
  readonly success: readonly TxnOperation[];
  readonly failure: readonly TxnOperation[];
}

/** What a transaction is made of. */
export type TxnOperation = Put | Delete | Txn | { readonly type: 'range'; readonly range: RangeRequest };

/** A request. */
export type Operation =
  | TxnOperation
  | { readonly type: 'grant'; readonly id: bigint; readonly ttl: number }
  | { readonly type: 'revoke'; readonly id: bigint }
  | { readonly type: 'compact'; readonly revision: number; readonly physical: boolean };

const ALL_OF_RANGE = {
  revision: 0,
  limit: 0,
  sortBy: 'key',
  order: 'none',
  keysOnly: false,
  countOnly: false,
  minMod: 0,
  maxMod: 0,
  minCreate: 0,
  maxCreate: 0,
} as const;

/** Everything there is, at a revision. */
export const everything = (revision: number): RangeRequest => ({ ...ALL_OF_RANGE, key: '\0', end: '\0', revision });

const SORT_TARGETS = { key: 'KEY', version: 'VERSION', create: 'CREATE', modify: 'MOD', value: 'VALUE' } as const;
const SORT_ORDERS = { none: 'NONE', ascend: 'ASCEND', descend: 'DESCEND' } as const;

/** The message of a range. */
export function rangeMessage(range: RangeRequest): object {
  return {
    key: toBase64(range.key),
    range_end: toBase64(range.end),
    revision: `${range.revision}`,
    limit: `${range.limit}`,
    sort_target: SORT_TARGETS[range.sortBy],
    sort_order: SORT_ORDERS[range.order],
    keys_only: range.keysOnly,
    count_only: range.countOnly,
    min_mod_revision: `${range.minMod}`,
    max_mod_revision: `${range.maxMod}`,
    min_create_revision: `${range.minCreate}`,
    max_create_revision: `${range.maxCreate}`,
  };
}

/** The method and the message of a request. */
export function messageOf(operation: Operation): readonly [method: string, message: object] {
  switch (operation.type) {
    case 'put': {
      const { key, value, lease, keeps } = operation;
      const message = {
        key: toBase64(key),
        ...(keeps === 'value' ? { ignore_value: true } : { value: toBase64(value) }),
        ...(keeps === 'lease' ? { ignore_lease: true } : { lease: `${lease}` }),
      };
      return ['kv/put', message];
    }
    case 'delete':
      return ['kv/deleterange', { key: toBase64(operation.key), range_end: toBase64(operation.end), prev_kv: true }];
    case 'range':
      return ['kv/range', rangeMessage(operation.range)];
    case 'txn':
      return [
        'kv/txn',
        {
          compare: operation.compare,
          success: operation.success.map(withinTxn),
          failure: operation.failure.map(withinTxn),
        },
      ];
    case 'grant':
      return ['lease/grant', { ID: `${operation.id}`, TTL: `${operation.ttl}` }];
    case 'revoke':
      return ['lease/revoke', { ID: `${operation.id}` }];
    case 'compact':
      return ['kv/compaction', { revision: `${operation.revision}`, physical: operation.physical }];
  }
}

const WITHIN = {
  put: 'request_put',
  delete: 'request_delete_range',
  range: 'request_range',
  txn: 'request_txn',
} as const;

const withinTxn = (operation: TxnOperation): object => ({ [WITHIN[operation.type]]: messageOf(operation)[1] });

/** Lease ids of every length: etcd's own have all 63 bits, and a client may choose a negative one. */
const LEASES = [1n, 127n, 128n, 0x1234n, 2n ** 31n, 2n ** 49n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -1n, -(2n ** 62n)];

/** Makes requests. */
export class RequestMaker {
  readonly #choices: Choices;
  readonly #keys: readonly string[];
  readonly #prefixes = ['/', '/a', '/a/', '/b/', '/reg', '\xff', '\xff\xff', 'k', '\0'];

  constructor(choices: Choices) {
    this.#choices = choices;
    const names = Array.from({ length: 24 }, (_, i) => `/a/${i}`);
    const others = Array.from({ length: 16 }, (_, i) => `/registry/pods/ns-${i % 3}/pod-${i * 7919}`);
    const odd = [
      '\0',
      '\0\0',
      '\xff',
      '\xff\xff',
      '\xff\xff\x01',
      '/',
      '/a',
      '/b/\0',
      'k',
      'k\0',
      'k\x7f\x80',
      ' "\\\n\t',
    ];
    // The length takes one byte, then two; then the record does not fit its page.
    const long = ['/b/'.padEnd(127, 'x'), '/b/'.padEnd(128, 'x'), 'K'.repeat(5000)];
    this.#keys = [...names, ...others, ...odd, ...long];
  }

  /** The next request; `revision` is one that the server has come to. */
  next(revision: number): Operation {
    const choices = this.#choices;
    const kind = choices.weighted({ put: 50, delete: 12, range: 8, txn: 24, grant: 4, revoke: 2 });
    switch (kind) {
      case 'put':
        return this.#put();
      case 'delete':
        return this.#delete();
      case 'range':
        return { type: 'range', range: this.range(0, revision) };
      case 'txn':
        return this.#txn(0);
      case 'grant':
        return { type: 'grant', id: choices.one(LEASES), ttl: choices.one([3600, 86_400, 9_000_000_000]) };
      case 'revoke':
        return { type: 'revoke', id: choices.one(LEASES) };
    }
  }

  /** A range with any options at a revision; bounds on revisions lie around `near`. */
  range(revision: number, near: number): RangeRequest {
    const choices = this.#choices;
    const bound = (): number => (choices.chance(0.12) ? choices.between(1, near + 2) : 0);
    return {
      ...this.#interval(),
      revision,
      limit: choices.chance(0.3) ? choices.between(1, 12) : 0,
      sortBy: choices.one(['key', 'version', 'create', 'modify', 'value']),
      order: choices.one(['none', 'ascend', 'descend']),
      keysOnly: choices.chance(0.2),
      countOnly: choices.chance(0.1),
      minMod: bound(),
      maxMod: bound(),
      minCreate: bound(),
      maxCreate: bound(),
    };
  }

  #key(): string {
    return this.#choices.one(this.#keys);
  }

  #interval(): { readonly key: string; readonly end: string } {
    const choices = this.#choices;
    const key = choices.chance(0.5) ? this.#key() : choices.one(this.#prefixes);
    switch (choices.weighted({ key: 3, prefix: 4, fromKey: 2, all: 2, between: 3 })) {
      case 'key':
        return { key, end: '' };
      case 'prefix':
        return { key, end: prefixEnd(key) };
      case 'fromKey':
        return { key, end: '\0' };
      case 'all':
        return { key: '\0', end: '\0' };
      case 'between':
        return { key, end: this.#key() };
    }
  }

  #put(): Put {
    const choices = this.#choices;
    const length = choices.weighted({ 0: 10, 1: 10, 40: 60, 300: 15, 7000: 1 });
    return {
      type: 'put',
      key: this.#key(),
      value: String.fromCharCode(choices.below(256)).repeat(choices.between(0, Number(length))),
      lease: choices.chance(0.2) ? choices.one(LEASES) : 0n,
      keeps: choices.chance(0.04) ? choices.one(['value', 'lease']) : undefined,
    };
  }

  /** Mostly a single key: wide ones would leave little. */
  #delete(): Delete {
    const choices = this.#choices;
    if (choices.chance(0.85)) return { type: 'delete', key: this.#key(), end: '' };
    if (choices.chance(0.03)) return { type: 'delete', key: '\0', end: '\0' };
    const key = this.#key();
    return { type: 'delete', key, end: choices.chance(0.5) ? prefixEnd(key) : `${key.slice(0, -1)}\xff` };
  }

  #txn(depth: number): Txn {
    const choices = this.#choices;
    return {
      type: 'txn',
      compare: Array.from({ length: choices.below(3) }, () => this.#compare()),
      success: this.#branch(depth),
      failure: this.#branch(depth),
    };
  }

  #branch(depth: number): TxnOperation[] {
    const choices = this.#choices;
    const operations: TxnOperation[] = [];
    for (let i = choices.below(depth === 0 ? 5 : 3); i > 0; i--) {
      const kind = choices.weighted({
        put: 6,
        delete: 3,
        range: 2,
        txn: depth < 2 ? 3 : 0,
        siblings: depth < 2 ? 1 : 0,
      });
      if (kind === 'put') operations.push(this.#put());
      else if (kind === 'delete') operations.push({ type: 'delete', key: this.#key(), end: '' });
      else if (kind === 'range') operations.push({ type: 'range', range: { ...everything(0), ...this.#interval() } });
      else if (kind === 'txn') operations.push(this.#txn(depth + 1));
      else operations.push(...this.#putAndDelete());
    }
    return operations;
  }

  /** The one way to change a key twice in a transaction: put and deleted in nested ones beside each other. */
  #putAndDelete(): Txn[] {
    const put = this.#put();
    const within = (operation: TxnOperation): Txn => ({ type: 'txn', compare: [], success: [operation], failure: [] });
    return [within(put), within({ type: 'delete', key: put.key, end: '' })];
  }

  #compare(): object {
    const choices = this.#choices;
    const number = `${choices.below(6)}`;
    return {
      key: toBase64(this.#key()),
      result: choices.one(['EQUAL', 'GREATER', 'LESS', 'NOT_EQUAL']),
      ...choices.one([
        { target: 'VERSION', version: number },
        { target: 'CREATE', create_revision: number },
        { target: 'MOD', mod_revision: number },
        { target: 'VALUE', value: toBase64('m') },
        { target: 'LEASE', lease: number },
      ]),
    };
  }
}

/** The end of the range of all keys that begin so. */
function prefixEnd(prefix: string): string {
  const kept = prefix.replace(/\xff+$/, '');
  if (kept === '') return '\0';
  return kept.slice(0, -1) + String.fromCharCode(kept.charCodeAt(kept.length - 1) + 1);
}
