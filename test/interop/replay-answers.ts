/**
 * Asks an etcd that was just started on a directory for everything that a replay of its log is compared by.
 */
import {
  byLength,
  type SaidAfterRestart,
  type SaidHash,
  type SaidKeys,
  type SaidLease,
  type SaidMember,
  type SaidRole,
} from '../support/after-restart.ts';
import type { AnswerHeader, EtcdGateway, RangeAnswer } from '../support/etcd-gateway.ts';
import { gatewayLine } from './backend-history.ts';
import { everything, rangeMessage } from './backend-requests.ts';

/** Who asks, and for what. */
export interface Asked {
  /** Of a user that may everything, while auth is on. */
  readonly token?: string | undefined;
  /** Chooses revisions to look back to; both given ones can be read. Default: none but the current one. */
  readonly lookBack?: (oldest: number, current: number) => readonly number[];
}

/** Asks for everything; leases first, since short ones do not last. */
export async function askAfterRestart(gateway: EtcdGateway, asked: Asked = {}): Promise<SaidAfterRestart> {
  const { token, lookBack = () => [] } = asked;
  const leases = await askLeases(gateway, token);
  const { header } = await gateway.ask<RangeAnswer>('kv/range', { ...rangeMessage(everything(0)), limit: '1' }, token);
  const current = Number(header.revision);
  // Asked for by number it would be refused by 3.4 where it is the compacted one.
  const newest = { ...(await askHash(gateway, 0, token)), revision: `${current}` };
  const oldest = Math.max(Number(newest.compactRevision), 1);
  const back = [...new Set(lookBack(oldest, current))].filter((at) => at < current).sort((a, b) => b - a);
  const hashes = [newest];
  const keys: SaidKeys[] = [];
  for (const at of [current, ...back]) keys.push(await askKeys(gateway, at, token));
  // The compacted revision itself is answered from a cache, with another meaning.
  for (const at of back) if (at > oldest) hashes.push(await askHash(gateway, at, token));
  return {
    revision: `${current}`,
    hashes,
    keys,
    leases,
    ...(await askMembership(gateway, token)),
    ...(await askUsers(gateway, token)),
  };
}

async function askHash(gateway: EtcdGateway, revision: number, token: string | undefined): Promise<SaidHash> {
  const { message, error } = await gateway.hashKv(BigInt(revision), token);
  if (message === undefined) throw new Error(`no hash at revision ${revision}: ${error}`);
  return { revision: `${revision}`, hash: message.hash, compactRevision: `${message.compactRevision}` };
}

async function askKeys(gateway: EtcdGateway, revision: number, token: string | undefined): Promise<SaidKeys> {
  const { kvs } = await gateway.ask<RangeAnswer>('kv/range', rangeMessage(everything(revision)), token);
  return { revision: `${revision}`, lines: (kvs ?? []).map(gatewayLine) };
}

async function askLeases(gateway: EtcdGateway, token: string | undefined): Promise<SaidLease[]> {
  const { leases = [] } = await gateway.ask<{ leases?: { ID: string }[] }>('lease/leases', {}, token);
  const said: SaidLease[] = [];
  for (const { ID } of leases) {
    const answer = await gateway.ask<{ grantedTTL: string; keys?: string[] }>(
      'lease/timetolive',
      { ID, keys: true },
      token,
    );
    said.push({ id: ID, ttl: answer.grantedTTL, keys: (answer.keys ?? []).toSorted(byLength) });
  }
  return said.sort((a, b) => byLength(a.id, b.id));
}

async function askMembership(
  gateway: EtcdGateway,
  token: string | undefined,
): Promise<Pick<SaidAfterRestart, 'members' | 'alarms'>> {
  const { members } = await gateway.ask<{ members: Record<string, unknown>[] }>('cluster/member/list', {}, token);
  const { alarms = [] } = await gateway.ask<{ alarms?: { memberID?: string; alarm: string }[] }>(
    'maintenance/alarm',
    { action: 'GET' },
    token,
  );
  return {
    members: members
      .map(
        (member): SaidMember => ({
          id: member['ID'] as string,
          name: (member['name'] ?? '') as string,
          peerUrls: (member['peerURLs'] ?? []) as string[],
          clientUrls: (member['clientURLs'] ?? []) as string[],
          isLearner: member['isLearner'] === true,
        }),
      )
      .sort((a, b) => byLength(a.id, b.id)),
    alarms: alarms.map(({ memberID = '0', alarm }) => ({ memberId: memberID, type: alarm })),
  };
}

interface GatewayPermission {
  readonly permType?: string;
  readonly key?: string;
  readonly range_end?: string;
}

async function askUsers(
  gateway: EtcdGateway,
  token: string | undefined,
): Promise<Pick<SaidAfterRestart, 'users' | 'roles' | 'auth'>> {
  const { users = [] } = await gateway.ask<{ header: AnswerHeader; users?: string[] }>('auth/user/list', {}, token);
  const { roles = [] } = await gateway.ask<{ header: AnswerHeader; roles?: string[] }>('auth/role/list', {}, token);
  const saidUsers: { name: string; roles: string[] }[] = [];
  for (const name of users) {
    const { roles: granted = [] } = await gateway.ask<{ roles?: string[] }>('auth/user/get', { name }, token);
    saidUsers.push({ name, roles: granted });
  }
  const saidRoles: SaidRole[] = [];
  for (const name of roles) {
    const { perm = [] } = await gateway.ask<{ perm?: GatewayPermission[] }>('auth/role/get', { role: name }, token);
    const permissions = perm.map(({ permType = 'READ', key = '', range_end = '' }) => ({
      type: permType.toLowerCase(),
      key,
      rangeEnd: range_end,
    }));
    saidRoles.push({ name, permissions: name === 'root' ? [] : permissions });
  }
  // 3.4 does not have the method.
  const { message } = await gateway.call<{ enabled?: boolean; authRevision?: string }>('auth/status', {}, token);
  const auth = message && { enabled: message.enabled === true, revision: message.authRevision ?? '0' };
  return { users: saidUsers, roles: saidRoles, auth: auth ?? null };
}

/** The token of a user. */
export async function login(gateway: EtcdGateway, name: string, password: string): Promise<string> {
  return (await gateway.ask<{ token: string }>('auth/authenticate', { name, password })).token;
}
