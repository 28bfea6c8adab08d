/**
 * Everything that is asked of a running etcd, at rest, to compare files of it with.
 */
import { type AnswerHeader, type EtcdGateway, fromBase64, type RangeAnswer } from '../support/etcd-gateway.ts';
import type { Choices } from '../support/writer-random.ts';
import { forEachOf } from './backend-driver.ts';
import { gatewayLine, type History } from './backend-history.ts';
import { everything, type RangeRequest, type RequestMaker, rangeMessage } from './backend-requests.ts';

/** A range, and what etcd says to it: lines as in `backend-history.ts`, or its error. */
export interface AskedRange {
  readonly range: RangeRequest;
  readonly lines: readonly string[];
  readonly count: number;
  readonly more: boolean;
  readonly error: string | undefined;
}

/** What HashKV is at a revision, or its error. */
export interface AskedHash {
  readonly revision: number;
  readonly hash: number | undefined;
  readonly compactRevision: bigint | undefined;
  readonly error: string | undefined;
}

export interface AskedLease {
  readonly id: bigint;
  readonly ttl: bigint;
  /** Ascending. */
  readonly keys: readonly string[];
}

/** All answers. */
export interface Answers {
  readonly current: number;
  readonly compacted: number;
  /** Lines of all keys at every revision that can be read. */
  readonly states: ReadonlyMap<number, readonly string[]>;
  readonly ranges: readonly AskedRange[];
  readonly hashKvs: readonly AskedHash[];
  /** Of the whole db, by the rule of the release. */
  readonly hash: number;
  readonly leases: readonly AskedLease[];
  readonly members: readonly object[];
  /** Ids of members that are no more: told by whoever removed them. */
  readonly removed: readonly bigint[];
  readonly alarms: readonly object[];
  readonly users: readonly object[];
  readonly roles: readonly object[];
  /** Undefined before 3.6. */
  readonly storageVersion: string | undefined;
}

const RANGES = 150;
const HASHES = 25;

/** Asks for everything. The server must be at rest, and `history` settled. */
export async function askEverything(
  gateway: EtcdGateway,
  history: History,
  maker: RequestMaker,
  choices: Choices,
  removed: readonly bigint[] = [],
): Promise<Answers> {
  const { current, compacted } = history;
  const first = Math.max(compacted, 1);
  const states = new Map<number, readonly string[]>();
  const revisions = Array.from({ length: current - first + 1 }, (_, i) => first + i);
  await forEachOf(revisions, async (revision) => {
    const { kvs } = await gateway.ask<RangeAnswer>('kv/range', rangeMessage(everything(revision)));
    states.set(revision, (kvs ?? []).map(gatewayLine));
  });
  const ranges: AskedRange[] = [];
  // Some below what was compacted, and some above what there is.
  const around = (): number => choices.between(Math.max(1, first - 3), current + 3);
  await forEachOf(
    Array.from({ length: RANGES }, () => maker.range(around(), current)),
    async (range) => {
      ranges.push(await askRange(gateway, range));
    },
  );
  const hashKvs: AskedHash[] = [];
  // The compacted revision itself is answered from a cache, with another meaning.
  const hashed = [current, current + 1, first + 1, ...Array.from({ length: HASHES }, around)];
  if (compacted > 1) hashed.push(compacted - 1);
  for (const revision of hashed) if (revision !== compacted) hashKvs.push(await askHash(gateway, revision));
  return {
    current,
    compacted,
    states,
    ranges,
    hashKvs,
    removed,
    leases: await askLeases(gateway),
    ...(await askMembership(gateway)),
    ...(await askUsers(gateway)),
    hash: (await gateway.ask<{ hash: number }>('maintenance/hash')).hash,
  };
}

/** Asks for a range. */
export async function askRange(gateway: EtcdGateway, range: RangeRequest): Promise<AskedRange> {
  const { message, error } = await gateway.call<RangeAnswer>('kv/range', rangeMessage(range));
  return {
    range,
    lines: (message?.kvs ?? []).map(gatewayLine),
    count: Number(message?.count ?? 0),
    more: message?.more ?? false,
    error,
  };
}

/** Asks for HashKV. */
export async function askHash(gateway: EtcdGateway, revision: number): Promise<AskedHash> {
  const { message, error } = await gateway.hashKv(BigInt(revision));
  return { revision, hash: message?.hash, compactRevision: message?.compactRevision, error };
}

async function askLeases(gateway: EtcdGateway): Promise<AskedLease[]> {
  const { leases = [] } = await gateway.ask<{ leases?: { ID: string }[] }>('lease/leases');
  const asked: AskedLease[] = [];
  for (const { ID } of leases) {
    const answer = await gateway.ask<{ grantedTTL: string; keys?: string[] }>('lease/timetolive', { ID, keys: true });
    asked.push({
      id: BigInt(ID),
      ttl: BigInt(answer.grantedTTL),
      keys: (answer.keys ?? []).map(fromBase64).sort(),
    });
  }
  return asked.sort((a, b) => (BigInt.asUintN(64, a.id) < BigInt.asUintN(64, b.id) ? -1 : 1));
}

async function askMembership(gateway: EtcdGateway): Promise<Pick<Answers, 'members' | 'alarms' | 'storageVersion'>> {
  const { members } = await gateway.ask<{ members: Record<string, unknown>[] }>('cluster/member/list');
  const { alarms = [] } = await gateway.ask<{ alarms?: { memberID?: string; alarm: string }[] }>('maintenance/alarm', {
    action: 'GET',
  });
  const { storageVersion } = await gateway.ask<{ storageVersion?: string }>('maintenance/status');
  return {
    members: members.map((member) => ({
      id: BigInt(member['ID'] as string),
      name: member['name'] ?? '',
      peerUrls: member['peerURLs'] ?? [],
      clientUrls: member['clientURLs'] ?? [],
      isLearner: member['isLearner'] ?? false,
    })),
    alarms: alarms.map(({ memberID = '0', alarm }) => ({ memberId: BigInt(memberID), type: alarm })),
    storageVersion,
  };
}

interface AskedPermission {
  readonly permType?: string;
  readonly key?: string;
  readonly range_end?: string;
}

async function askUsers(gateway: EtcdGateway): Promise<Pick<Answers, 'users' | 'roles'>> {
  const { users = [] } = await gateway.ask<{ header: AnswerHeader; users?: string[] }>('auth/user/list');
  const { roles = [] } = await gateway.ask<{ header: AnswerHeader; roles?: string[] }>('auth/role/list');
  const askedUsers: object[] = [];
  for (const name of users) {
    const { roles: its = [] } = await gateway.ask<{ roles?: string[] }>('auth/user/get', { name });
    askedUsers.push({ name, roles: its });
  }
  const askedRoles: object[] = [];
  for (const role of roles) {
    const { perm = [] } = await gateway.ask<{ perm?: AskedPermission[] }>('auth/role/get', { role });
    if (role === 'root') {
      // 3.6 and later say what it may do, which is not stored.
      askedRoles.push({ name: role, permissions: [] });
      continue;
    }
    const permissions = perm.map(({ permType = 'READ', key = '', range_end = '' }) => ({
      type: permType.toLowerCase(),
      key: fromBase64(key),
      rangeEnd: fromBase64(range_end),
    }));
    askedRoles.push({ name: role, permissions });
  }
  return { users: askedUsers, roles: askedRoles };
}
