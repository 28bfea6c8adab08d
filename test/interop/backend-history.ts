/**
 * What an etcd was made to do, by its own answers: every change of every revision, worked out from requests that went to it side
 * by side. The revision in an answer is that of the request itself, so the order is known afterwards.
 */
import assert from 'node:assert/strict';
import type { AnswerHeader, GatewayKeyValue, RangeAnswer } from '../support/etcd-gateway.ts';
import { toBase64 } from '../support/etcd-gateway.ts';
import type { Delete, Operation, Put, RangeRequest, Txn, TxnOperation } from './backend-requests.ts';

/** A record: a change of one key. */
export interface Change {
  readonly main: number;
  readonly sub: number;
  readonly key: string;
  readonly deleted: boolean;
  /** Of a deletion the rest is 0 and empty. */
  readonly create: number;
  readonly version: number;
  readonly lease: bigint;
  readonly value: string;
}

/** One line a key and value, to compare by. */
export function keyValueLine(kv: {
  readonly key: string;
  readonly create: number | bigint;
  readonly mod: number | bigint;
  readonly version: number | bigint;
  readonly lease: bigint;
  readonly value: string;
}): string {
  return `${kv.key} ${kv.create} ${kv.mod} ${kv.version} ${kv.lease} ${kv.value}`;
}

/** The same of the gateway's form; `key` and `value` stay base64. */
export const gatewayLine = (kv: GatewayKeyValue): string =>
  keyValueLine({
    key: kv.key,
    create: BigInt(kv.create_revision ?? 0),
    mod: BigInt(kv.mod_revision ?? 0),
    version: BigInt(kv.version ?? 0),
    lease: BigInt(kv.lease ?? 0),
    value: kv.value ?? '',
  });

interface TxnAnswer {
  readonly header: AnswerHeader;
  readonly succeeded?: boolean;
  readonly responses?: readonly TxnResponse[];
}

interface DeleteAnswer {
  readonly header: AnswerHeader;
  readonly deleted?: string;
  readonly prev_kvs?: readonly GatewayKeyValue[];
}

interface TxnResponse {
  readonly response_put?: object;
  readonly response_range?: RangeAnswer;
  readonly response_delete_range?: DeleteAnswer;
  readonly response_txn?: TxnAnswer;
}

type Done =
  | { readonly operation: Put; readonly answer: object }
  | { readonly operation: Delete; readonly answer: DeleteAnswer }
  | { readonly operation: Txn; readonly answer: TxnAnswer };

/** Everything that was done, in the order of revisions once `settle` has been called. */
export class History {
  /** Ranges that were answered meanwhile; `revision` is the one they were answered at. */
  readonly ranges: { readonly range: RangeRequest; readonly answer: RangeAnswer }[] = [];
  /** How often each kind was done, and what was refused. */
  readonly tally = new Map<string, number>();
  /** Changes of revision 2 on, in order. */
  readonly changes: Change[] = [];
  readonly #done = new Map<number, Done>();
  readonly #revoked = new Map<number, bigint[]>();
  /** Keys as they are after the last change that was settled. */
  readonly #live = new Map<string, Change>();
  #settled = 1;

  /** The newest revision seen in an answer. */
  current = 1;
  /** The newest revision that was compacted; -1 as long as none was. */
  compacted = -1;

  refuse(operation: Operation, reason: string): void {
    this.#count(`${operation.type} refused: ${reason}`);
  }

  add(operation: Operation, answer: { readonly header: AnswerHeader }): void {
    const revision = Number(answer.header.revision);
    this.current = Math.max(this.current, revision);
    this.#count(operation.type);
    switch (operation.type) {
      case 'put':
        this.#claim(revision, { operation, answer });
        break;
      case 'delete':
        if (Number((answer as DeleteAnswer).deleted ?? 0) > 0) this.#claim(revision, { operation, answer });
        break;
      case 'txn':
        if (hasChanged(operation, answer)) this.#claim(revision, { operation, answer });
        break;
      case 'range':
        this.ranges.push({ range: operation.range, answer: answer as RangeAnswer });
        break;
      case 'revoke':
        this.#revoked.set(revision, [...(this.#revoked.get(revision) ?? []), operation.id]);
        break;
      case 'compact':
        this.compacted = Math.max(this.compacted, operation.revision);
        break;
      case 'grant':
        break;
    }
  }

  /** Puts what was done in order. No request may be under way. */
  settle(): void {
    while (this.#settled < this.current) {
      const main = this.#settled + 1;
      const changes = this.#changesOf(main);
      assert(changes.length > 0, `revision ${main} changed nothing`);
      this.changes.push(...changes);
      this.#settled = main;
    }
  }

  /** The keys that a lease holds now, in order. */
  attached(lease: bigint): string[] {
    return [...this.#live.values()]
      .filter((change) => change.lease === lease)
      .map(({ key }) => key)
      .sort();
  }

  /** Lines of the live keys, in order, after each revision from one on: the array is of that revision only. */
  *states(from: number): Generator<readonly [revision: number, lines: readonly string[]]> {
    const live = new Map<string, string>();
    let at = 0;
    for (let revision = 1; revision <= this.#settled; revision++) {
      for (; at < this.changes.length && this.changes[at]!.main <= revision; at++) {
        const change = this.changes[at]!;
        if (change.deleted) live.delete(change.key);
        else live.set(change.key, changeLine(change));
      }
      if (revision >= from) yield [revision, [...live.keys()].sort().map((key) => live.get(key)!)];
    }
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  #claim(revision: number, done: Done): void {
    assert(!this.#done.has(revision), `two requests made revision ${revision}`);
    this.#done.set(revision, done);
  }

  #changesOf(main: number): Change[] {
    const changes: Change[] = [];
    const done = this.#done.get(main);
    if (done === undefined) {
      // Nobody else made it, so a lease was revoked. Others without keys may have been revoked at the same revision.
      const leases = (this.#revoked.get(main) ?? []).filter((lease) => this.attached(lease).length > 0);
      assert.equal(leases.length, 1, `revision ${main} was made by one lease that was revoked`);
      for (const key of this.attached(leases[0]!)) this.#delete(main, key, changes);
    } else if (done.operation.type === 'txn') this.#transact(main, done.operation, done.answer as TxnAnswer, changes);
    else if (done.operation.type === 'put') this.#put(main, done.operation, changes);
    else this.#deleteRange(main, done.operation, done.answer as DeleteAnswer, changes);
    return changes;
  }

  #transact(main: number, txn: Txn, answer: TxnAnswer, changes: Change[]): void {
    const branch: readonly TxnOperation[] = answer.succeeded === true ? txn.success : txn.failure;
    const responses = answer.responses ?? [];
    assert.equal(responses.length, branch.length);
    branch.forEach((operation, i) => {
      const response = responses[i]!;
      if (operation.type === 'put') this.#put(main, operation, changes);
      else if (operation.type === 'delete') {
        this.#deleteRange(main, operation, response.response_delete_range!, changes);
      } else if (operation.type === 'txn') this.#transact(main, operation, response.response_txn!, changes);
    });
  }

  #put(main: number, put: Put, changes: Change[]): void {
    const before = this.#live.get(put.key);
    const change: Change = {
      main,
      sub: changes.length,
      key: put.key,
      deleted: false,
      create: before?.create ?? main,
      version: (before?.version ?? 0) + 1,
      lease: put.keeps === 'lease' ? before!.lease : put.lease,
      value: put.keeps === 'value' ? before!.value : put.value,
    };
    this.#live.set(put.key, change);
    changes.push(change);
  }

  #deleteRange(main: number, { key, end }: Delete, answer: DeleteAnswer, changes: Change[]): void {
    const within = (one: string): boolean => (end === '' ? one === key : one >= key && (end === '\0' || one < end));
    const keys = [...this.#live.keys()].filter(within).sort();
    const lines = keys.map((one) => changeLine(this.#live.get(one)!));
    assert.deepEqual((answer.prev_kvs ?? []).map(gatewayLine), lines);
    for (const one of keys) this.#delete(main, one, changes);
  }

  #delete(main: number, key: string, changes: Change[]): void {
    this.#live.delete(key);
    changes.push({ main, sub: changes.length, key, deleted: true, create: 0, version: 0, lease: 0n, value: '' });
  }
}

function changeLine(change: Change): string {
  const { key, create, main, version, lease, value } = change;
  return keyValueLine({ key: toBase64(key), create, mod: main, version, lease, value: toBase64(value) });
}

/** Whether a transaction made a revision. */
function hasChanged(txn: Txn, answer: TxnAnswer): boolean {
  const branch = answer.succeeded === true ? txn.success : txn.failure;
  return branch.some((operation, i) => {
    const response = answer.responses?.[i];
    if (operation.type === 'put') return true;
    if (operation.type === 'delete') return Number(response?.response_delete_range?.deleted ?? 0) > 0;
    return (
      operation.type === 'txn' && response?.response_txn !== undefined && hasChanged(operation, response.response_txn)
    );
  });
}
