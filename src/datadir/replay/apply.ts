/**
 * Applies the entries of a log as a release of etcd does after a start: to what is known of a db in memory, without writing anything.
 * Alarms are asked before permissions, permissions before the request itself. A request that fails changes nothing.
 */
import { compareMajorMinor, parseVersion } from '../../backend/go-version.ts';
import { versionOf } from '../../backend/own-minor.ts';
import { DatadirError, isDatadirError } from '../../errors.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { EntryPayload } from '../../proto/entry-payload.ts';
import { type DecodedMessage, decodeMessage, encodeMessage } from '../../proto/messages.ts';
import { ENTRY_CONF_CHANGE, ENTRY_CONF_CHANGE_V2, ENTRY_NORMAL } from '../../proto/raft.ts';
import { WireReader } from '../../proto/wire.ts';
import { CONF_CHANGE } from '../../wal/etcd/message-schema.ts';
import { MessageParser } from '../../wal/etcd/parse-message.ts';
import { requestPanic } from '../../wal/etcd/request-panic.ts';
import { notImplemented, unknownEntryType, unmarshalPanic, v2NotAllowed } from '../../wal/etcd/words.ts';
import type { AlarmState } from './alarm-state.ts';
import { type Applied, CHANGED, failed, NOTHING_CHANGED, panics } from './applied.ts';
import type { AuthState } from './auth-state.ts';
import type { ClusterState } from './cluster-state.ts';
import type { Keyspace } from './keyspace.ts';
import type { LeaseState } from './lease-state.ts';
import { v2SettingOf } from './member-v2.ts';
import type { MembershipState } from './membership.ts';
import { executePut, refusePut } from './put.ts';
import { headerOf, type RequestHeader } from './request-header.ts';
import { requestNameOf } from './request-name.ts';
import { requestRange } from './request-range.ts';
import { LEASE_NOT_FOUND } from './request-words.ts';
import { applyTransaction, hasOwnRanges, refuseTransaction, replayedTransaction } from './txn.ts';

/** All that entries can change. */
export interface ReplayParts {
  readonly keyspace: Keyspace;
  readonly leases: LeaseState;
  readonly auth: AuthState;
  readonly alarms: AlarmState;
  readonly membership: MembershipState;
  readonly cluster: ClusterState;
}

export interface ApplyOptions {
  /** The release that applies them. */
  readonly minor: EtcdMinor;
  /** Shorter leases are not granted, in seconds; servers reckon it from their timing, 2 by default. */
  readonly minLeaseTtl: bigint;
  /** What is left of leases is stored, also where the cluster's version does not ask for it. */
  readonly persistCheckpoints?: boolean | undefined;
}

/** What is known of an entry besides what it asks for. With `data` and `type` panics are in the very words of the release. */
export interface AppliedEntry {
  readonly index: bigint;
  readonly term: bigint;
  readonly type?: number | undefined;
  readonly data?: Uint8Array | undefined;
}

export class Applier {
  readonly #parts: ReplayParts;
  readonly #options: ApplyOptions;
  readonly #parser: MessageParser;
  #dependsOnRanges = 0;

  constructor(parts: ReplayParts, options: ApplyOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#parser = new MessageParser(options.minor);
  }

  /**
   * Transactions that took effect, but would have been refused with their own read operations, as they were when they were made: see
   * `replayedTransaction`.
   */
  get dependsOnRanges(): number {
    return this.#dependsOnRanges;
  }

  /**
   * Applies the next entry. Where etcd panics nothing has changed. Throws `REPLAY_REFUSED` for a request that etcd can read but this library
   * cannot, such as transactions nested without end.
   */
  apply(payload: EntryPayload, entry: AppliedEntry): Applied {
    const { membership } = this.#parts;
    const { minor } = this.#options;
    switch (payload.kind) {
      case 'noop':
        return NOTHING_CHANGED;
      case 'conf-change':
        return membership.applyConfChange(payload.change, minor);
      case 'conf-change-v2':
        return panics(unknownEntryType(minor, ENTRY_CONF_CHANGE_V2));
      case 'v2':
        return minor === '3.7'
          ? this.#applyUnknownV2(payload.request, payload.wrapped, entry)
          : this.#applyV2(payload.request);
      case 'internal': {
        const words = this.#panicOf(payload.data);
        return words === undefined ? this.#applyMessage(payload.message) : panics(words);
      }
      case 'undecodable':
        return this.#applyUndecodable(payload.reason, entry);
    }
  }

  #panicOf(data: Uint8Array): string | undefined {
    return requestPanic(this.#parser, data, 0, data.length, true);
  }

  /** 3.7 knows no v2 API: it takes the bytes for a request of the v3 API, which they are not, or happen to be. */
  #applyUnknownV2(request: DecodedMessage, wrapped: boolean, { index, data }: AppliedEntry): Applied {
    const asked: DecodedMessage = wrapped ? { v2: request } : request;
    const bytes = data ?? encodeMessage(`etcdserverpb.${wrapped ? 'InternalRaftRequest' : 'Request'}`, asked);
    const words = this.#panicOf(bytes);
    if (words !== undefined) return panics(words);
    try {
      const message = decodeMessage('etcdserverpb.InternalRaftRequest', withoutField(bytes, V2_FIELD));
      // A probe of health of 3.4 is such: to 3.7 it reads something, so that it is passed over.
      if (requestNameOf(message, this.#options.minor) === null) return NOTHING_CHANGED;
      throw notReadHere(index, 'it is a request of the v2 API and one of the v3 API at once');
    } catch (error) {
      if (isDatadirError(error, 'PROTO_INVALID')) throw notReadHere(index, error.message);
      throw error;
    }
  }

  /** The v2 store is not in the db, but attributes of members and the cluster's version are in both. */
  #applyV2(request: DecodedMessage): Applied {
    const { membership, cluster } = this.#parts;
    const { minor } = this.#options;
    const setting = v2SettingOf(request, minor);
    if (setting !== undefined) return (setting.sets === 'version' ? cluster : membership).applyV2(request, minor);
    if (minor !== '3.6') return NOTHING_CHANGED;
    return panics(v2NotAllowed((request['Method'] as string | undefined) ?? ''));
  }

  #applyUndecodable(reason: string, { index, type = ENTRY_NORMAL, data }: AppliedEntry): Applied {
    const { minor } = this.#options;
    if (type !== ENTRY_NORMAL && type !== ENTRY_CONF_CHANGE) return panics(unknownEntryType(minor, type));
    if (data === undefined) return panics(unmarshalPanic(reason));
    const failure =
      type === ENTRY_NORMAL ? this.#panicOf(data) : this.#parser.parse(data, 0, data.length, CONF_CHANGE)?.words;
    if (failure !== undefined) return panics(type === ENTRY_NORMAL ? failure : unmarshalPanic(failure));
    throw notReadHere(index, reason);
  }

  #applyMessage(message: DecodedMessage): Applied {
    const { leases, auth, alarms, membership, cluster } = this.#parts;
    const { minor, minLeaseTtl } = this.#options;
    const name = requestNameOf(message, minor);
    if (name === null) return NOTHING_CHANGED;
    if (name === undefined) return panics(notImplemented(minor));
    const request = message[name] as DecodedMessage;
    const header = headerOf(message);
    const reason = alarms.refuse(name, request, minor);
    if (reason !== undefined) return failed(reason);
    switch (name) {
      case 'cluster_version_set':
        return cluster.applyVersion(request, minor);
      case 'cluster_member_attr_set':
        return membership.applyAttributes(request, minor);
      case 'downgrade_info_set':
        return cluster.applyDowngrade(request);
      case 'downgrade_version_test':
      case 'range':
      case 'authenticate':
        return NOTHING_CHANGED;
      case 'put':
        return this.#put(request, header);
      case 'delete_range':
        return this.#deleteRange(request, header);
      case 'txn':
        return this.#transaction(request, header);
      case 'compaction':
        return this.#parts.keyspace.compact((request['revision'] as bigint | undefined) ?? 0n);
      case 'lease_grant':
        return leases.grant(request, minLeaseTtl);
      case 'lease_revoke':
        return this.#revoke((request['ID'] as bigint | undefined) ?? 0n, header);
      case 'lease_checkpoint':
        return leases.checkpoint(request, minLeaseTtl, this.#persistsCheckpoints());
      case 'alarm':
        return alarms.apply(request);
      default:
        return auth.apply(name, request, header, minor);
    }
  }

  readonly #attached = (lease: bigint): Iterable<Uint8Array> => this.#parts.keyspace.attached(lease);

  #put(put: DecodedMessage, header: RequestHeader): Applied {
    const { auth, keyspace } = this.#parts;
    const target = { ...this.#parts, minor: this.#options.minor };
    const reason = auth.refusePut(header, put, this.#attached) ?? refusePut(put, target, true);
    if (reason !== undefined) return failed(reason);
    keyspace.begin();
    const words = executePut(put, target);
    keyspace.end();
    return words === undefined ? CHANGED : panics(words);
  }

  #deleteRange(request: DecodedMessage, header: RequestHeader): Applied {
    const { auth, keyspace } = this.#parts;
    const reason = auth.refuseDelete(header, request);
    if (reason !== undefined) return failed(reason);
    keyspace.begin();
    keyspace.deleteRange(requestRange(request));
    return keyspace.end() ? CHANGED : NOTHING_CHANGED;
  }

  #transaction(txn: DecodedMessage, header: RequestHeader): Applied {
    const { auth } = this.#parts;
    const { minor } = this.#options;
    const target = { ...this.#parts, minor };
    const replayed = replayedTransaction(txn, minor);
    const reason = auth.refuseTxn(header, replayed, minor, this.#attached);
    if (reason !== undefined) return failed(reason);
    const hangsOnRanges =
      replayed !== txn &&
      hasOwnRanges(txn) &&
      (auth.refuseTxn(header, txn, minor, this.#attached) ?? refuseTransaction(txn, target)) !== undefined;
    const applied = applyTransaction(replayed, target);
    if (hangsOnRanges && applied.outcome === 'changed') this.#dependsOnRanges++;
    return applied;
  }

  #revoke(id: bigint, header: RequestHeader): Applied {
    const { auth, keyspace, leases } = this.#parts;
    const reason =
      auth.refuseRevoke(header, this.#attached(id), this.#options.minor) ??
      (leases.has(id) ? undefined : LEASE_NOT_FOUND);
    if (reason !== undefined) return failed(reason);
    keyspace.begin();
    keyspace.deleteAttached(id);
    keyspace.end();
    leases.remove(id);
    return CHANGED;
  }

  /** By their own will from cluster version 3.6 on. */
  #persistsCheckpoints(): boolean {
    if (this.#options.persistCheckpoints === true) return true;
    const version = parseVersion(this.#parts.cluster.version ?? '');
    return version !== undefined && compareMajorMinor(version, versionOf('3.6')) >= 0;
  }
}

/** The field of an InternalRaftRequest that holds a request of the v2 API; unknown from 3.7 on. */
const V2_FIELD = 2;

/** The message without one of its own fields. */
function withoutField(message: Uint8Array, field: number): Uint8Array {
  const reader = new WireReader(message);
  const kept = new Uint8Array(message.length);
  let length = 0;
  while (!reader.done) {
    const start = reader.position;
    const tag = reader.tag();
    reader.pass(tag);
    if (tag >>> 3 === field) continue;
    kept.set(message.subarray(start, reader.position), length);
    length += reader.position - start;
  }
  return kept.subarray(0, length);
}

function notReadHere(index: bigint, reason: string): DatadirError {
  return new DatadirError('REPLAY_REFUSED', `entry ${index} cannot be read here, though etcd reads it: ${reason}`);
}
