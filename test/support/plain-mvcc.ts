/**
 * etcd's mvcc store in the plainest way: the whole state at every revision, and the list of records that a db would hold. Shares nothing with the
 * library but the encoding of records (`backend-db.ts`). Keys and values are text with a character for each byte, so text sorts as bytes do.
 *
 *     const store = new PlainMvcc();
 *     store.txn([{ put: 'a', value: '1' }, { delete: 'b', end: 'c' }]);
 *     store.compact(store.current, { tombstones: 'dropped' });
 *     const file = new BackendFile(memorySource(await store.db()));
 */
import * as fc from 'fast-check';
import { encodeRevision } from '../../src/backend/revision.ts';
import { makeDb, put, tombstone } from './backend-db.ts';

/** A key-value as a server gives it. */
export interface PlainKeyValue {
  readonly key: string;
  readonly value: string;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly lease: bigint;
}

/** A record of bucket `key`. Of a tombstone all but key and revision is 0 or empty. */
export interface PlainRecord extends PlainKeyValue {
  readonly main: bigint;
  readonly sub: bigint;
  readonly deleted: boolean;
  /** What `snapshot restore --bump-revision` leaves: a record of no bytes. */
  readonly bump?: boolean;
}

/** One operation of a transaction. `end`: the first key behind those to be deleted. */
export type PlainOperation =
  | { readonly put: string; readonly value: string; readonly lease?: bigint }
  | { readonly delete: string; readonly end?: string };

/** A request for a range, as `RangeOptions` has it. */
export interface PlainRequest {
  readonly key: string;
  readonly rangeEnd?: string | undefined;
  readonly revision?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly sortBy?: 'key' | 'version' | 'create' | 'modify' | 'value' | undefined;
  readonly order?: 'ascend' | 'descend' | undefined;
  readonly minModRevision?: bigint | undefined;
  readonly maxModRevision?: bigint | undefined;
  readonly minCreateRevision?: bigint | undefined;
  readonly maxCreateRevision?: bigint | undefined;
}

type State = ReadonlyMap<string, PlainKeyValue>;

export class PlainMvcc {
  current = 1n;
  finishedCompact: bigint | undefined;
  scheduledCompact: bigint | undefined;
  /** What the db holds, in order. */
  records: PlainRecord[] = [];
  readonly #states = new Map<bigint, State>([[1n, new Map()]]);

  /** What cannot be read any more lies below; -1 if nothing was compacted. */
  get compacted(): bigint {
    const finished = this.finishedCompact ?? -1n;
    const scheduled = this.scheduledCompact ?? -1n;
    return scheduled > finished ? scheduled : finished;
  }

  /** Every revision that can be read. Those that a bump has left out are none. */
  get readable(): bigint[] {
    return [...this.#states.keys()].filter((revision) => revision >= this.compacted);
  }

  /** Runs operations as one transaction: a revision of its own if they change anything. */
  txn(operations: readonly PlainOperation[]): void {
    const main = this.current + 1n;
    const state = new Map(this.stateAt(this.current));
    let sub = 0n;
    for (const operation of operations) {
      if ('put' in operation) {
        const { put: key, value, lease = 0n } = operation;
        const before = state.get(key);
        const keyValue = {
          key,
          value,
          createRevision: before?.createRevision ?? main,
          modRevision: main,
          version: (before?.version ?? 0n) + 1n,
          lease,
        };
        state.set(key, keyValue);
        this.records.push({ ...keyValue, main, sub: sub++, deleted: false });
      } else {
        const { delete: first, end } = operation;
        const gone = [...state.keys()].filter((key) => (end === undefined ? key === first : key >= first && key < end));
        for (const key of gone.sort()) {
          state.delete(key);
          this.records.push({ ...NOTHING, key, main, sub: sub++, deleted: true });
        }
      }
    }
    if (sub === 0n) return;
    this.current = main;
    this.#states.set(main, state);
  }

  /**
   * Compacts at a revision. Tombstones right at it are `kept` by releases from 3.4.34 and 3.5.16 on, and `dropped` by older ones. `stopAfter`:
   * a crash ends it after so many records.
   */
  compact(
    revision: bigint,
    options: { readonly tombstones?: 'kept' | 'dropped'; readonly stopAfter?: number } = {},
  ): void {
    const { tombstones = 'kept', stopAfter } = options;
    if (revision <= this.compacted || revision > this.current) return;
    this.scheduledCompact = revision;
    const newest = new Map<string, PlainRecord>();
    for (const record of this.records) if (record.main <= revision) newest.set(record.key, record);
    const stays = (record: PlainRecord): boolean => {
      if (record.main > revision) return true;
      if (newest.get(record.key) !== record) return false;
      return !record.deleted || (tombstones === 'kept' && record.main === revision);
    };
    let removed = 0;
    this.records = this.records.filter((record) => {
      if (stays(record) || (stopAfter !== undefined && removed >= stopAfter)) return true;
      removed++;
      return false;
    });
    if (stopAfter === undefined) this.finishedCompact = revision;
  }

  /** What `snapshot restore --bump-revision N --mark-compacted` does. */
  bump(by: bigint): void {
    const state = this.stateAt(this.current);
    this.current += by;
    this.#states.set(this.current, state);
    this.scheduledCompact = this.current;
    this.records.push({ ...NOTHING, key: '', main: this.current, sub: 0n, deleted: false, bump: true });
  }

  /** All keys at a revision. */
  stateAt(revision: bigint): State {
    const state = this.#states.get(revision);
    if (state === undefined) throw new Error(`there is no revision ${revision}`);
    return state;
  }

  /** What a server answers; `error` in its words. */
  range(request: PlainRequest): { kvs: PlainKeyValue[]; count: number; more: boolean } | { error: string } {
    const { revision = 0n, limit = 0, sortBy = 'key', order } = request;
    if (revision > this.current) return { error: 'etcdserver: mvcc: required revision is a future revision' };
    if (revision > 0n && revision < this.compacted) {
      return { error: 'etcdserver: mvcc: required revision has been compacted' };
    }
    const state = this.stateAt(revision > 0n ? revision : this.current);
    let kvs = [...state.values()].filter(({ key }) => isWithin(key, request)).sort(byText('key'));
    const count = kvs.length;
    const limits = [
      request.minModRevision,
      request.maxModRevision,
      request.minCreateRevision,
      request.maxCreateRevision,
    ].map((given) => given || undefined);
    const cutFirst = order === undefined && limits.every((given) => given === undefined) && limit > 0;
    if (cutFirst) kvs = kvs.slice(0, limit + 1);
    const [minMod, maxMod, minCreate, maxCreate] = limits;
    kvs = kvs.filter(
      ({ modRevision, createRevision }) =>
        modRevision >= (minMod ?? 0n) &&
        modRevision <= (maxMod ?? MAX) &&
        createRevision >= (minCreate ?? 0n) &&
        createRevision <= (maxCreate ?? MAX),
    );
    const compare = sortBy === 'key' || sortBy === 'value' ? byText(sortBy) : byNumber(NUMBERS[sortBy]);
    kvs.sort((a, b) => (order === 'descend' ? compare(b, a) : compare(a, b)));
    const more = limit > 0 && kvs.length > limit;
    return { kvs: more ? kvs.slice(0, limit) : kvs, count, more };
  }

  /** The db, as a file. */
  db(pageSize?: number): Promise<Uint8Array> {
    const key = this.records.map((record) => {
      const { main, sub, bump, deleted, ...fields } = record;
      if (bump === true) return [encodeRevision({ main, sub }), new Uint8Array()] as const;
      return deleted ? tombstone(main, sub, bytesOf(fields.key)) : put(main, sub, bytesIn(fields));
    });
    const meta = [
      ['scheduledCompactRev', this.scheduledCompact],
      ['finishedCompactRev', this.finishedCompact],
    ] as const;
    const compactions = meta.flatMap(([name, main]) =>
      main === undefined ? [] : [[name, encodeRevision({ main, sub: 0n })] as const],
    );
    return makeDb({ key, meta: compactions }, pageSize === undefined ? {} : { pageSize });
  }
}

const NOTHING = { value: '', createRevision: 0n, modRevision: 0n, version: 0n, lease: 0n };
const MAX = 1n << 63n;
const NUMBERS = { version: 'version', create: 'createRevision', modify: 'modRevision' } as const;

function byText(field: 'key' | 'value'): (a: PlainKeyValue, b: PlainKeyValue) => number {
  return (a, b) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0);
}

function byNumber(field: 'version' | 'createRevision' | 'modRevision') {
  return (a: PlainKeyValue, b: PlainKeyValue): number => Number(a[field] - b[field]);
}

function isWithin(key: string, { key: first, rangeEnd }: PlainRequest): boolean {
  if (rangeEnd === undefined || rangeEnd === '') return key === first;
  return key >= first && (rangeEnd === '\0' || key < rangeEnd);
}

/** The bytes of a text with a character for each. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A text with a character for each byte. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function bytesIn<Fields extends { key: string; value: string }>(fields: Fields) {
  return { ...fields, key: bytesOf(fields.key), value: bytesOf(fields.value) };
}

/** Keys that are prefixes of one another, and bytes at both ends of the order. */
export const PLAIN_KEYS: readonly string[] = [
  '\0',
  '\0\0',
  '/a',
  '/a/b',
  '/a/b\xff',
  '/a0',
  '/b',
  'a\xff',
  'b',
  '\xff',
  '\xff\xff',
];

/** What may happen to a store. */
export type PlainStep =
  | { readonly txn: readonly PlainOperation[] }
  | { readonly compact: number; readonly tombstones: 'kept' | 'dropped'; readonly stopAfter?: number }
  | { readonly bump: number };

const anyKey = fc.constantFrom(...PLAIN_KEYS);
const anyOperation: fc.Arbitrary<PlainOperation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      put: anyKey,
      value: fc.constantFrom('', 'x', 'y', 'z'.repeat(600)),
      lease: fc.constantFrom(0n, 0n, 5n, -9n),
    }),
  },
  { weight: 2, arbitrary: fc.record({ delete: anyKey }) },
  { weight: 1, arbitrary: fc.record({ delete: anyKey, end: anyKey }) },
);

/** A server takes one put of a key in a transaction, and then at most its deletion. */
function allowed(operations: readonly PlainOperation[]): boolean {
  const deletes = (operation: PlainOperation, key: string): boolean => {
    if ('put' in operation) return false;
    const { delete: first, end } = operation;
    return end === undefined ? key === first : key >= first && key < end;
  };
  return operations.every((operation, i) => {
    if (!('put' in operation)) return true;
    return !operations
      .slice(0, i)
      .some((before) => ('put' in before ? before.put === operation.put : deletes(before, operation.put)));
  });
}

const anyTxn = fc.array(anyOperation, { minLength: 1, maxLength: 4 }).filter(allowed);

/** Histories of a store: transactions, compactions of old and new releases, some of them interrupted, and bumps. */
export const anySteps: fc.Arbitrary<readonly PlainStep[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.record({ txn: anyTxn }) },
    {
      weight: 2,
      arbitrary: fc.record(
        { compact: fc.nat(30), tombstones: fc.constantFrom('kept' as const, 'dropped' as const), stopAfter: fc.nat(4) },
        { requiredKeys: ['compact', 'tombstones'] },
      ),
    },
    { weight: 1, arbitrary: fc.record({ bump: fc.integer({ min: 1, max: 1000 }) }) },
  ),
  { maxLength: 30 },
);

/** The store after these steps. `compact` counts back from the current revision. */
export function play(steps: readonly PlainStep[]): PlainMvcc {
  const store = new PlainMvcc();
  for (const step of steps) {
    if ('txn' in step) store.txn(step.txn);
    else if ('bump' in step) store.bump(BigInt(step.bump));
    else {
      const { compact, tombstones, stopAfter } = step;
      const at = store.current - BigInt(compact);
      // A revision that a bump has left out has no state to compare with.
      if (store.readable.includes(at))
        store.compact(at, { tombstones, ...(stopAfter === undefined ? {} : { stopAfter }) });
    }
  }
  return store;
}
