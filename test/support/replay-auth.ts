/**
 * The parts of a replay that keep users, alarms, members and the version of the cluster, driven by the entries of a stored log,
 * without anything of the keys.
 */
import { BackendFile } from '../../src/backend/backend-file.ts';
import type { BoltDb } from '../../src/bolt/database.ts';
import { AlarmState } from '../../src/datadir/replay/alarm-state.ts';
import { type Applied, NOTHING_CHANGED } from '../../src/datadir/replay/applied.ts';
import { AuthState } from '../../src/datadir/replay/auth-state.ts';
import { ClusterState } from '../../src/datadir/replay/cluster-state.ts';
import { MembershipState } from '../../src/datadir/replay/membership.ts';
import { headerOf } from '../../src/datadir/replay/request-header.ts';
import type { BucketChanges } from '../../src/datadir/rewrite/bucket-changes.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { decodeEntryPayload, type EntryPayload } from '../../src/proto/entry-payload.ts';
import { Wal } from '../../src/wal/reader.ts';
import { readFixture } from './fixtures.ts';
import { type LogFixture, segments } from './log-fixtures.ts';

/** The buckets that these parts keep. */
const KEPT_BUCKETS = ['alarm', 'auth', 'authRoles', 'authUsers', 'cluster', 'members', 'members_removed'] as const;

/** Keys and values in hexadecimal digits. */
export type BucketContent = Readonly<Record<string, string>>;

export class KeptParts {
  readonly auth: AuthState;
  readonly alarms: AlarmState;
  readonly membership: MembershipState;
  readonly cluster: ClusterState;
  readonly #base: BoltDb | undefined;
  readonly #minor: EtcdMinor;

  constructor(base: BoltDb | undefined, minor: EtcdMinor) {
    this.auth = AuthState.load(base);
    this.alarms = AlarmState.load(base);
    this.membership = MembershipState.load(base);
    this.cluster = ClusterState.load(base);
    this.#base = base;
    this.#minor = minor;
  }

  apply(payload: EntryPayload): Applied {
    const minor = this.#minor;
    if (payload.kind === 'conf-change') return this.membership.applyConfChange(payload.change, minor);
    if (payload.kind === 'v2') {
      const applied = this.membership.applyV2(payload.request, minor);
      return applied.outcome === 'nothing' ? this.cluster.applyV2(payload.request, minor) : applied;
    }
    if (payload.kind !== 'internal') return NOTHING_CHANGED;
    const { requestName = '', request, message } = payload;
    if (requestName === 'alarm') return this.alarms.apply(request);
    if (requestName === 'cluster_version_set') return this.cluster.applyVersion(request, minor);
    if (requestName === 'downgrade_info_set') return this.cluster.applyDowngrade(request);
    if (requestName === 'cluster_member_attr_set') return this.membership.applyAttributes(request, minor);
    return this.auth.apply(requestName, request, headerOf(message), minor);
  }

  changes(): BucketChanges[] {
    return [this.auth, this.alarms, this.membership, this.cluster].flatMap((part) => part.changes());
  }

  /** What is in the buckets now. */
  content(): Record<string, BucketContent> {
    const content: Record<string, Record<string, string>> = bucketContent(this.#base);
    for (const { bucket, sorted } of this.changes()) {
      const pairs = content[bucket] ?? {};
      content[bucket] = pairs;
      for (const { key, value } of sorted) {
        if (value === null) delete pairs[hexOf(key)];
        else pairs[hexOf(key)] = hexOf(value);
      }
    }
    return content;
  }
}

/** The kept buckets of a db. */
export function bucketContent(db: BoltDb | undefined): Record<string, Record<string, string>> {
  const content: Record<string, Record<string, string>> = {};
  for (const bucket of KEPT_BUCKETS) {
    const pairs: Record<string, string> = {};
    db?.bucket([bucket])?.forEach((key, value) => {
      pairs[hexOf(key)] = hexOf(value as Uint8Array);
    });
    content[bucket] = pairs;
  }
  return content;
}

/** The db of a fixture, such as `3.6.14/auth/m1`. */
export function fixtureDb(name: string): BoltDb {
  return new BackendFile(memorySource(readFixture(`etcd/${name}`))).db;
}

/** The entries of a stored log above one index, up to another. */
export function* payloadsOf(log: LogFixture, after?: bigint, last?: bigint): Generator<EntryPayload> {
  for (const entry of new Wal({ segments: segments(log) }).entries({ after })) {
    if (last !== undefined && entry.index > last) return;
    yield decodeEntryPayload(entry);
  }
}

export function minorOfFixture(version: string): EtcdMinor {
  return version.slice(0, 3) as EtcdMinor;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
