/**
 * Applies requests, written down as messages, to a db made by hand, or to none: through the bytes of entries, as a replay does.
 *
 *     const run = await replay([put('a', '1'), { compaction: { revision: 2n } }], { minor: '3.5' });
 *     run.records; // ['2.0 put a=1 create 2 version 1']
 */
import { BackendFile } from '../../../src/backend/backend-file.ts';
import { AlarmState } from '../../../src/datadir/replay/alarm-state.ts';
import type { Applied } from '../../../src/datadir/replay/applied.ts';
import { Applier, type ReplayParts } from '../../../src/datadir/replay/apply.ts';
import { AuthState } from '../../../src/datadir/replay/auth-state.ts';
import { ClusterState } from '../../../src/datadir/replay/cluster-state.ts';
import { Demand } from '../../../src/datadir/replay/demand.ts';
import { KeyspaceLoadJob, type KeyspaceLoadOptions } from '../../../src/datadir/replay/keyspace-load.ts';
import { LeaseState } from '../../../src/datadir/replay/lease-state.ts';
import { MembershipState } from '../../../src/datadir/replay/membership.ts';
import type { NewRecord } from '../../../src/datadir/rewrite/new-records.ts';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { drain } from '../../../src/io/job.ts';
import { decodeEntryPayload } from '../../../src/proto/entry-payload.ts';
import { type DecodedMessage, encodeMessage } from '../../../src/proto/messages.ts';
import { parseKeyValue } from '../../../src/proto/mvcc.ts';
import { bytesOf, textOf } from '../../support/plain-mvcc.ts';

/** The fields of an InternalRaftRequest. One without a header gets one. */
export type Request = DecodedMessage;

/** An entry as it is in a log. */
export interface RawEntry {
  readonly type?: number;
  readonly data: Uint8Array;
}

export interface RunOptions extends KeyspaceLoadOptions {
  /** The bytes of a db; default: there is none. */
  readonly db?: Uint8Array;
  readonly minor?: EtcdMinor;
  readonly minLeaseTtl?: bigint;
  readonly persistCheckpoints?: boolean;
}

/** Text has a character for each byte. */
export const put = (key: string, value: string, more: DecodedMessage = {}): Request => ({
  put: putOf(key, value, more),
});
export const putOf = (key: string, value: string, more: DecodedMessage = {}): DecodedMessage => ({
  key: bytesOf(key),
  value: bytesOf(value),
  ...more,
});
export const rangeOf = (key: string, end?: string, more: DecodedMessage = {}): DecodedMessage => ({
  key: bytesOf(key),
  ...(end === undefined ? {} : { range_end: bytesOf(end) }),
  ...more,
});
export const deletion = (key: string, end?: string): Request => ({ delete_range: rangeOf(key, end) });
export const grant = (id: bigint, ttl: bigint): Request => ({ lease_grant: { ID: id, TTL: ttl } });
export const revoke = (id: bigint): Request => ({ lease_revoke: { ID: id } });

export const RESULT = { equal: 0, greater: 1, less: 2, different: 3 } as const;
export const TARGET = { version: 0, create: 1, mod: 2, value: 3, lease: 4 } as const;

/** The bytes of an entry with a request. */
export function entryOf(request: Request): RawEntry {
  return { data: encodeMessage('etcdserverpb.InternalRaftRequest', { header: { ID: 7n }, ...request }) };
}

/** What came of it. */
export class Run {
  readonly parts: ReplayParts;
  readonly applier: Applier;
  readonly applied: readonly Applied[];
  /** How many records there were after each entry. */
  readonly counts: readonly number[];

  constructor(entries: readonly RawEntry[], options: RunOptions) {
    const { db: bytes, minor = '3.6', minLeaseTtl = 2n, persistCheckpoints, ...load } = options;
    const db = bytes === undefined ? undefined : new BackendFile(memorySource(bytes)).db;
    const demand = new Demand();
    for (const entry of entries) demand.add(decodeEntryPayload(entry), minor);
    const leases = LeaseState.load(db);
    this.parts = {
      keyspace: drain(new KeyspaceLoadJob(db, demand, leases, load)),
      leases,
      auth: AuthState.load(db),
      alarms: AlarmState.load(db),
      membership: MembershipState.load(db),
      cluster: ClusterState.load(db),
    };
    this.applier = new Applier(this.parts, { minor, minLeaseTtl, persistCheckpoints });
    const applied: Applied[] = [];
    this.counts = entries.map((entry, i) => {
      applied.push(this.applier.apply(decodeEntryPayload(entry), { index: BigInt(i + 1), term: 2n, ...entry }));
      return this.parts.keyspace.newRecords.length;
    });
    this.applied = applied;
  }

  /** What became of each entry: `changed`, `nothing`, or the words. */
  get outcomes(): readonly string[] {
    return this.applied.map((applied) => {
      if (applied.outcome === 'failed') return applied.reason;
      return applied.outcome === 'panics' ? `panic: ${applied.words}` : applied.outcome;
    });
  }

  get records(): readonly string[] {
    return [...this.parts.keyspace.newRecords].map(recordText);
  }

  get revision(): bigint {
    return this.parts.keyspace.currentRevision;
  }

  /** The records of bucket `key` for `makeDb`. */
  get pairs(): readonly (readonly [Uint8Array, Uint8Array])[] {
    return [...this.parts.keyspace.newRecords].map(({ key, value }) => [key, value] as const);
  }

  attached(lease: bigint): readonly string[] {
    return [...this.parts.keyspace.attached(lease)].map(textOf);
  }
}

function recordText({ main, sub, tombstone, value: message }: NewRecord): string {
  const { key, value, createRevision, modRevision, version, lease } = parseKeyValue(message);
  const name = textOf(key);
  if (tombstone) return `${main}.${sub} delete ${name}`;
  if (modRevision !== main) throw new Error(`${main}.${sub} says ${modRevision}`);
  const tail = lease === 0n ? '' : ` lease ${lease}`;
  return `${main}.${sub} put ${name}=${textOf(value)} create ${createRevision} version ${version}${tail}`;
}

export function replay(requests: readonly Request[], options: RunOptions = {}): Run {
  return new Run(requests.map(entryOf), options);
}
