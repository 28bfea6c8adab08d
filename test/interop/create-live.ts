/**
 * Clusters that were made here, under real servers: they form, serve through every member, know their members, and start again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BlankKind } from '../../src/datadir/create/blank-db.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { checkPath } from '../../src/files/check-path.ts';
import { initDb } from '../../src/files/init-db.ts';
import { populateCluster } from '../../src/files/populate.ts';
import { type CreatedMembers, restoreCluster } from '../../src/files/restore.ts';
import { describeFinding } from '../../src/findings.ts';
import {
  type AnswerHeader,
  type EtcdGateway,
  fromBase64,
  type RangeAnswer,
  toBase64,
} from '../support/etcd-gateway.ts';
import { readFixture } from '../support/fixtures.ts';
import { freePeerUrls, NewClusterServers, type Programs, ServerFailure } from '../support/new-cluster-servers.ts';
import { saidLines } from '../support/observed-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { steadyWords } from '../wal/etcd/answers.ts';

/** A real server. */
export interface LiveEtcd {
  readonly program: string;
  readonly minor: EtcdMinor;
}

/** A name that a shell would take apart. */
const AWKWARD = "it's  new";
const THREE = ['n1', 'n2', 'n3'];

/** A cluster without data: from nothing, or from a blank db. `etcdVersion`: what it is made for; default: no particular release. */
export async function bootstrap(
  { program, minor }: LiveEtcd,
  size: 1 | 3,
  { blank, etcdVersion }: { readonly blank?: BlankKind; readonly etcdVersion?: EtcdMinor } = {},
): Promise<void> {
  const folder = temporaryDirectory();
  const db = blank && join(folder, 'blank.db');
  if (db !== undefined) await initDb(db, { kind: blank, withHash: blank !== 'minimal' });
  const created = await populateCluster(join(folder, AWKWARD), {
    initialCluster: await freePeerUrls(THREE.slice(0, size)),
    initialClusterToken: 'live',
    etcdVersion,
    db,
  });
  expect(created.revision).toBe(1n);
  await expectStartable(created, minor);

  const servers = await NewClusterServers.start(created, program);
  // The first of all revisions is 1, with nothing in it.
  expect(await putEverywhere(servers)).toBe(2n);
  await expectMembers(servers, created);
  await servers.stop();
  await expectStartable(created, minor);

  const again = await NewClusterServers.start(created, program);
  expect(await putEverywhere(again)).toBe(BigInt(2 + size));
  await expectMembers(again, created);
  await again.stop();
}

/**
 * A cluster that begins with a learner: it follows, is promoted, and counts from then on. `isFirst`: whether it has the smallest id, which
 * is that of the member that the others have voted for.
 */
export async function learner(
  { program, minor }: LiveEtcd,
  { isFirst, etcdVersion }: { readonly isFirst: boolean; readonly etcdVersion?: EtcdMinor },
): Promise<void> {
  const folder = join(temporaryDirectory(), 'new');
  const initialCluster = await freePeerUrls(THREE);
  const populated = (initialClusterToken: string, dryRun: boolean): Promise<CreatedMembers> =>
    populateCluster(folder, { initialCluster, learners: ['n3'], etcdVersion, initialClusterToken, dryRun });
  let tries = 0;
  while (((await populated(`${tries}`, true)).members[0]?.name === 'n3') !== isFirst) tries++;
  const created = await populated(`${tries}`, false);
  await expectStartable(created, minor);
  const before = await NewClusterServers.start(created, program);
  await put(before.gateway('n1'), 'k1', 'v1');
  await expectFollows(before.gateway('n3'), 'k1', 'v1');
  const refused = await before.gateway('n3').call('kv/range', { key: toBase64('k1') });
  expect(refused.error).toContain('rpc not supported for learner');
  await expectMembers(before, created, { only: 'n1' });
  await before.stop();
  await expectStartable(created, minor);

  const servers = await NewClusterServers.start(created, program);
  await put(servers.gateway('n2'), 'k2', 'v2');
  await expectFollows(servers.gateway('n3'), 'k2', 'v2');
  const { id } = created.members.find(({ name }) => name === 'n3')!;
  // Refused until it has nearly all of the log.
  const promoted = async (): Promise<string | undefined> =>
    (await servers.gateway('n1').call('cluster/member/promote', { ID: `${id}` })).error;
  await expect.poll(promoted, { timeout: 20_000, interval: 100 }).toBeUndefined();
  const isLearner = async (): Promise<unknown> =>
    (await servers.gateway('n3').ask<{ isLearner?: boolean }>('maintenance/status')).isLearner ?? false;
  await expect.poll(isLearner, { timeout: 20_000, interval: 50 }).toBe(false);
  const voters = { ...created, members: created.members.map((member) => ({ ...member, isLearner: false })) };
  await expectMembers(servers, voters, { only: 'n1' });
  await putEverywhere(servers);
  await servers.stop();
  await expectStartable(created, minor);

  const again = await NewClusterServers.start(voters, program);
  await putEverywhere(again);
  await expectMembers(again, voters);
  await expectEqualHashes(again);
  await again.stop();

  // Two of the three are a majority only if the promoted one counts.
  const two = { ...voters, members: voters.members.filter(({ name }) => name !== 'n2') };
  const majority = await NewClusterServers.start(two, program);
  await putEverywhere(majority);
  await majority.stop();
}

/** Three members from one snapshot; `programs`: where each runs another release. */
export async function restoredCluster(
  { program, minor }: LiveEtcd,
  snapshot: string,
  { programs = program }: { readonly programs?: Programs } = {},
): Promise<void> {
  const folder = temporaryDirectory();
  const source = unpackFixture(folder, snapshot);
  const created = await restoreCluster(source, join(folder, AWKWARD), {
    initialCluster: await freePeerUrls(THREE),
    initialClusterToken: 'restored',
    etcdVersion: minor,
  });
  await expectStartable(created, minor);
  for (const round of [1, 2]) {
    const servers = await NewClusterServers.start(created, programs);
    await expectEqualHashes(servers);
    expect(await putEverywhere(servers)).toBe(created.revision + BigInt(3 * (round - 1) + 1));
    await expectMembers(servers, created);
    await expectEqualHashes(servers);
    await servers.stop();
  }
  if (programs === program) await expectStartable(created, minor);
}

/** Writes a stored db, such as `etcd/3.6.14/busy/snapshot`, into the folder. */
export function unpackFixture(folder: string, name: string): string {
  const path = join(folder, 'source.db');
  writeFileSync(path, readFixture(name));
  return path;
}

/** The check has nothing against the directories, before and after a server has run on them. */
export async function expectStartable({ members }: CreatedMembers, etcdVersion: EtcdMinor): Promise<void> {
  for (const { dataDir } of members) {
    const { verdict, findings } = await checkPath(dataDir!, { level: 'deep', etcdVersion });
    const words = findings.map((finding) => `${finding.severity} ${finding.code}: ${describeFinding(finding).message}`);
    expect(verdict, words.join('\n')).toBe('healthy');
  }
}

/** A server ends, in these words. */
export async function expectEnds(
  created: Pick<CreatedMembers, 'members'>,
  program: string,
  words: string,
): Promise<void> {
  const failure: unknown = await NewClusterServers.start(created, program).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServerFailure);
  const { said, hasEnded } = failure as ServerFailure;
  expect(hasEnded, said).toBe(true);
  expect(words).not.toBe('');
  expect(saidLines(said).join('\n')).toContain(steadyWords(words).trim());
}

interface ListedMember {
  readonly ID: string;
  readonly name?: string;
  readonly peerURLs?: readonly string[];
  readonly clientURLs?: readonly string[];
  readonly isLearner?: boolean;
}

/** Every member lists the cluster as it was made, with the URLs that each has published by then; `only`: one that is asked. */
export async function expectMembers(
  servers: NewClusterServers,
  { members, clusterId }: CreatedMembers,
  { only, token }: { readonly only?: string; readonly token?: string | undefined } = {},
): Promise<void> {
  const expected = members.map(({ id, name, peerUrls, isLearner }) => ({
    id,
    name,
    peerUrls,
    clientUrls: [servers.url(name)],
    isLearner,
  }));
  for (const name of only === undefined ? servers.names : [only]) {
    const listed = async (): Promise<unknown> => {
      const answer = await servers
        .gateway(name)
        .ask<{ header: AnswerHeader; members: readonly ListedMember[] }>('cluster/member/list', {}, token);
      expect(answer.header.cluster_id).toBe(`${clusterId}`);
      return answer.members
        .map((member) => ({
          id: BigInt(member.ID),
          name: member.name ?? '',
          peerUrls: member.peerURLs ?? [],
          clientUrls: member.clientURLs ?? [],
          isLearner: member.isLearner ?? false,
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    };
    await expect.poll(listed, { timeout: 20_000, interval: 50 }).toEqual(expected);
  }
}

/** A put through each member, which all others then read; gives the revision of the first. */
async function putEverywhere(servers: NewClusterServers): Promise<bigint> {
  const revisions: bigint[] = [];
  for (const name of servers.names) {
    const value = `${name} ${Date.now()}`;
    revisions.push(await put(servers.gateway(name), `put-through-${name}`, value));
    for (const other of servers.gateways) expect(await read(other, `put-through-${name}`)).toBe(value);
  }
  expect(revisions).toEqual(revisions.map((_, i) => revisions[0]! + BigInt(i)));
  return revisions[0]!;
}

/** Gives the revision of the put. */
export async function put(gateway: EtcdGateway, key: string, value: string, token?: string): Promise<bigint> {
  const message = { key: toBase64(key), value: toBase64(value) };
  const { header } = await gateway.ask<{ header: AnswerHeader }>('kv/put', message, token);
  return BigInt(header.revision!);
}

async function read(gateway: EtcdGateway, key: string, serializable = false): Promise<string | undefined> {
  const { kvs = [] } = await gateway.ask<RangeAnswer>('kv/range', { key: toBase64(key), serializable });
  return kvs[0] && fromBase64(kvs[0].value ?? '');
}

async function expectFollows(gateway: EtcdGateway, key: string, value: string): Promise<void> {
  await expect.poll(() => read(gateway, key, true), { timeout: 20_000, interval: 50 }).toBe(value);
}

/** All members have the same keys. */
async function expectEqualHashes(servers: NewClusterServers): Promise<void> {
  const hashes = async (): Promise<unknown[]> => {
    const answers = await Promise.all(
      servers.gateways.map(async (gateway) => {
        const { message, error } = await gateway.hashKv(0n);
        return error ?? `${message?.hash} ${message?.compactRevision}`;
      }),
    );
    return [...new Set(answers)];
  };
  await expect.poll(hashes, { timeout: 20_000, interval: 100 }).toHaveLength(1);
}
