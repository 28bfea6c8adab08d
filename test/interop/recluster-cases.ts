/**
 * Directories that are out of the ordinary, reclustered, under real servers. A member that was alone before must say the same as if it had been
 * started on the directory as it was.
 */
import { cpSync, ftruncateSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import { type ChangeMembersOptions, recluster } from '../../src/files/change-members.ts';
import { listDataDir } from '../../src/files/data-dir-folder.ts';
import { listSnapFolder } from '../../src/snap/list.ts';
import type { SaidAfterRestart } from '../support/after-restart.ts';
import { DB_PATH, dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { type AnswerHeader, type EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import { bootstrapFlags, type EtcdPlace, EtcdServer, etcdPlace } from '../support/etcd-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Choices } from '../support/writer-random.ts';
import { drive } from './backend-driver.ts';
import { History } from './backend-history.ts';
import { RequestMaker } from './backend-requests.ts';
import { metaOf } from './edited-buckets.ts';
import type { LiveEtcd } from './live-etcds.ts';
import { expectAlone, lastEntryOf, putAndRead, read } from './recluster-live.ts';
import { askAfterRestart } from './replay-answers.ts';
import { copyDirectory } from './replay-directory.ts';
import { sampled } from './replay-live.ts';
import { ServerGroup } from './server-group.ts';

/** A write that reached the leader alone: it counts as committed here, and the real flag throws it away. */
export async function neverCommitted({ program }: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const group = await ServerGroup.start(program, folder, 3);
  const leader = await group.leader();
  await putAndRead(leader.gateway, 'committed', 'yes');
  await Promise.all(group.servers.filter((server) => server !== leader).map((server) => server.kill()));
  const { place } = leader;
  const before = lastEntryOf(place.dataDir).index;
  // Nobody will ever answer.
  leader.gateway.ask('kv/put', { key: toBase64('open'), value: toBase64('?') }).catch(() => {});
  await expect.poll(() => lastEntryOf(place.dataDir).index > before, { timeout: 5000, interval: 20 }).toBe(true);
  await leader.kill();

  const forced = { ...place, dataDir: join(folder, 'forced') };
  copyDirectory(place.dataDir, forced.dataDir);
  const ours = { ...place, dataDir: join(folder, 'ours') };
  const made = await recluster(place.dataDir, ours.dataDir);
  expect(made.notCommitted).toBeGreaterThanOrEqual(1n);
  expect(made.findings).toEqual([]);
  const server = await EtcdServer.start(program, ours);
  expect([await read(server.gateway, 'committed'), await read(server.gateway, 'open')]).toEqual(['yes', '?']);
  await expectAlone(server, made);
  await server.stop();
  const real = await EtcdServer.start(program, forced, { flags: ['--force-new-cluster'] });
  expect([await read(real.gateway, 'committed'), await read(real.gateway, 'open')]).toEqual(['yes', undefined]);
  await real.stop();
}

/** The member that is left was a learner: it is made to vote. Then, on the cluster as it was, it is removed, and its directory is refused. */
export async function learnerLeft({ program }: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const group = await ServerGroup.start(program, folder, 1);
  const [voter] = group.servers as [EtcdServer];
  await putAndRead(voter.gateway, 'before', 'the learner');
  const place = await etcdPlace('learner', join(folder, 'learner'));
  const { member } = await voter.gateway.ask<{ member: { ID: string } }>('cluster/member/add', {
    peerURLs: [place.peer],
    isLearner: true,
  });
  const learner = await group.join(place, true);
  await putAndRead(voter.gateway, 'after', 'the learner');
  await expect.poll(() => read(learner.gateway, 'after', true), { timeout: 20_000, interval: 50 }).toBe('the learner');
  await group.kill();

  const ours = { ...place, dataDir: join(folder, 'ours') };
  const forced = { ...place, dataDir: join(folder, 'forced') };
  copyDirectory(place.dataDir, forced.dataDir);
  const made = await recluster(place.dataDir, ours.dataDir);
  expect(made.memberId).toBe(BigInt(member.ID));
  expect(made.changes).toEqual([`${hex(member.ID)} votes`, expect.stringMatching(/^[0-9a-f]+ is removed$/)]);
  for (const _ of [1, 2]) {
    const server = await EtcdServer.start(program, ours);
    expect(await read(server.gateway, 'after')).toBe('the learner');
    await expectAlone(server, made);
    await putAndRead(server.gateway, 'alone', `${Date.now()}`);
    await server.stop();
  }

  // With the real flag nobody is left who votes, and the server crashes.
  const real = EtcdServer.launch(program, forced, { flags: ['--force-new-cluster'] });
  await real.waitForEnd(30_000);
  expect([real.exit, real.said]).toEqual(['2', expect.stringContaining('removed all voters')]);

  await removedMember(program, voter.place, place, member.ID);
}

async function removedMember(program: string, voter: EtcdPlace, place: EtcdPlace, id: string): Promise<void> {
  const first = await EtcdServer.start(program, voter);
  const learner = await EtcdServer.start(program, place, { isLearner: true });
  // One that is not connected is told by the others that it is removed, and never gets the entry.
  await putAndRead(first.gateway, 'connected', 'yes');
  await expect.poll(() => read(learner.gateway, 'connected', true), { timeout: 20_000, interval: 50 }).toBe('yes');
  await first.gateway.ask('cluster/member/remove', { ID: id });
  await learner.waitForEnd(30_000);
  await first.stop();
  const target = `${place.dataDir}-again`;
  await expect(recluster(place.dataDir, target)).rejects.toMatchObject({
    code: 'EDIT_REFUSED',
    message: expect.stringContaining(`member ${hex(id)} was removed from its cluster`) as string,
  });
}

const hex = (id: string): string => BigInt(id).toString(16);

/** A directory of a lone member, how it is reclustered, and where its log then is. */
interface LoneCase {
  readonly place: EtcdPlace;
  /** Flags for the directory as it is. */
  readonly flags?: readonly string[];
  readonly options?: ChangeMembersOptions;
  /** Asks for more. */
  readonly askMore?: (server: EtcdServer) => Promise<unknown>;
  /** What is to be said of it. */
  readonly notes?: unknown;
}

/** Starts the server on the directory, then on what was made of it: it says the same, takes writes, and starts again. */
async function sameAsBefore(program: string, lone: LoneCase): Promise<void> {
  const { place, flags = [], options = {}, askMore, notes = [] } = lone;
  const walDir = options.outputWalDir;
  const ours = { ...place, dataDir: `${place.dataDir}-reclustered` };
  const made = await recluster(place.dataDir, ours.dataDir, options);
  expect(made.notes).toEqual(notes);
  expect(made.notCommitted).toBe(0n);
  const choices = new Choices(1);
  const before = await ask(program, place, flags, sampled(choices), askMore);
  const revisions = before.said.keys.map(({ revision }) => Number(revision));
  const ourFlags = [
    ...flags.filter((flag) => !flag.startsWith('--wal-dir')),
    ...(walDir === undefined ? [] : [`--wal-dir=${walDir}`]),
  ];
  const after = await ask(program, ours, ourFlags, () => revisions, askMore);
  expect(after).toEqual(before);
  const server = await EtcdServer.start(program, ours, { flags: ourFlags });
  await putAndRead(server.gateway, 'after', 'all');
  await server.stop();
  const { storageVersion } = metaOf(ours.dataDir);
  expect(storageVersion).toBe(metaOf(place.dataDir).storageVersion);
}

async function ask(
  program: string,
  place: EtcdPlace,
  flags: readonly string[],
  lookBack: (oldest: number, current: number) => readonly number[],
  askMore: (server: EtcdServer) => Promise<unknown> = () => Promise.resolve(undefined),
): Promise<{ said: SaidAfterRestart; header: AnswerHeader; more: unknown }> {
  const server = await EtcdServer.start(program, place, { flags });
  await server.settled();
  const said = await askAfterRestart(server.gateway, { lookBack });
  const { header } = await server.gateway.ask<{ header: AnswerHeader }>('maintenance/status');
  const more = await askMore(server);
  await server.stop();
  return { said, header: { cluster_id: header.cluster_id!, member_id: header.member_id! }, more };
}

/** Random requests to a new lone member, which is then killed. `last`: the value of one more put behind them. */
async function killedAlone(
  { program }: LiveEtcd,
  { flags = [], requests = 250, last }: { flags?: readonly string[]; requests?: number; last?: string } = {},
): Promise<EtcdPlace> {
  const place = await etcdPlace('alone', join(temporaryDirectory(), 'data'));
  const server = await EtcdServer.start(program, place, {
    flags: [...flags, ...bootstrapFlags([place], place, 'new')],
  });
  await server.settled();
  await drive(server.gateway, new History(), new RequestMaker(new Choices(requests)), requests);
  if (last !== undefined) await server.gateway.ask('kv/put', { key: toBase64('last'), value: toBase64(last) });
  await server.kill();
  return place;
}

/** Alone all the time. */
export async function alone(etcd: LiveEtcd): Promise<void> {
  await sameAsBefore(etcd.program, { place: await killedAlone(etcd, { flags: ['--snapshot-count=100'] }) });
}

/** The log is elsewhere, before and after. */
export async function logElsewhere(etcd: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const [walDir, outputWalDir] = [join(folder, 'wal'), join(folder, 'wal-out')] as const;
  const flags = [`--wal-dir=${walDir}`];
  const place = await killedAlone(etcd, { flags });
  await sameAsBefore(etcd.program, { place, flags, options: { walDir, outputWalDir } });
  const back = `${place.dataDir}-back`;
  await recluster(place.dataDir, back, { walDir });
  const server = await EtcdServer.start(etcd.program, { ...place, dataDir: back });
  await server.stop();
}

/** The last write did not get to the disk as a whole: the file ends in its midst, or a sector of it was not written. */
export async function tornTail(etcd: LiveEtcd, how: 'cut' | 'zeroed'): Promise<void> {
  const place = await killedAlone(etcd, { last: 'x'.repeat(4000) });
  const { segment, offset } = lastPlaceOf(place.dataDir);
  const file = openSync(join(place.dataDir, 'member/wal', segment), 'r+');
  if (how === 'cut') ftruncateSync(file, offset + 1500);
  else writeSync(file, new Uint8Array(64 * 1024), 0, 64 * 1024, Math.ceil((offset + 1000) / 512) * 512);
  await sameAsBefore(etcd.program, { place, askMore: ({ gateway }) => expectLost(gateway) });
}

async function expectLost(gateway: EtcdGateway): Promise<void> {
  expect(await read(gateway, 'last')).toBeUndefined();
}

function lastPlaceOf(directory: string): { readonly segment: string; readonly offset: number } {
  using dir = openDataDir(listDataDir(directory));
  let last = { segment: '', offset: 0 };
  for (const { segment, offset } of dir.wal.entries()) last = { segment, offset };
  return last;
}

/** The db of a leader was received, and etcd was killed before it took the place of its own. */
export async function receivedDb(etcd: LiveEtcd): Promise<void> {
  const { program } = etcd;
  const place = await etcdPlace('alone', join(temporaryDirectory(), 'data'));
  const first = await EtcdServer.start(program, place, { flags: bootstrapFlags([place], place, 'new') });
  await first.settled();
  await first.stop();
  const db = join(place.dataDir, DB_PATH);
  const old = `${place.dataDir}-old.db`;
  cpSync(db, old);
  const second = await EtcdServer.start(program, place, { flags: ['--snapshot-count=60'] });
  await drive(second.gateway, new History(), new RequestMaker(new Choices(7)), 200);
  await second.stop();
  const [newest = ''] = listSnapFolder(readdirSync(join(place.dataDir, 'member/snap'))).snaps;
  const index = /-([0-9a-f]{16})\.snap$/.exec(newest)?.[1];
  renameSync(db, join(place.dataDir, `member/snap/${index}.snap.db`));
  cpSync(old, db);
  await sameAsBefore(program, { place });
}

/** A stored directory, such as `3.5.33/segments/m1`. */
export async function storedDirectory(
  { program }: LiveEtcd,
  name: string,
  lone: Omit<LoneCase, 'place'> = {},
): Promise<void> {
  const place = await etcdPlace('m1', join(temporaryDirectory(), 'data'));
  writeDataDir(dataDirFixture(name), place.dataDir);
  await sameAsBefore(program, { place, ...lone });
}

/** Keys of the v2 API in a cluster that lost its quorum: no new snapshot is made, and the members go by the log alone. */
export async function v2KeysOfThree({ program }: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const flags = ['--enable-v2', '--snapshot-count=30'];
  const group = await ServerGroup.start(program, folder, 3, flags);
  const [server] = group.servers as [EtcdServer];
  for (let i = 0; i < 50; i++) await putV2(server, `k${i}`, `v${i}`);
  await putAndRead(server.gateway, 'v3', 'too');
  await group.kill();
  const place = { ...server.place, dataDir: join(folder, 'ours') };
  const made = await recluster(server.place.dataDir, place.dataDir);
  expect(made.notes).toEqual([expect.stringContaining('there are keys of the v2 API')]);
  for (const round of ['first', 'second']) {
    const again = await EtcdServer.start(program, place, { flags });
    await expectAlone(again, made);
    // A read of the v2 API is answered from memory, which the log is applied to.
    const value = async (): Promise<string> => (await fetch(`${place.client}/v2/keys/k49?quorum=true`)).text();
    expect(await value()).toContain('"value":"v49"');
    expect(await read(again.gateway, 'v3')).toBe('too');
    await putV2(again, 'k49', 'v49');
    await putAndRead(again.gateway, 'round', round);
    await again.stop();
  }
}

async function putV2({ place }: EtcdServer, key: string, value: string): Promise<void> {
  const body = new URLSearchParams({ value });
  const { ok } = await fetch(`${place.client}/v2/keys/${key}`, { method: 'PUT', body });
  expect(ok).toBe(true);
}

/** Keys of the v2 API stay, and can be read. */
export function v2Keys(etcd: LiveEtcd): Promise<void> {
  const askMore = async ({ place }: EtcdServer): Promise<unknown> => {
    const answer = await (await fetch(`${place.client}/v2/keys/?recursive=true&sorted=true`)).text();
    expect(answer).toContain('"value"');
    // What is left of the time is less with every second.
    return answer.replaceAll(/"ttl":\d+/g, '"ttl"');
  };
  const notes = [expect.stringContaining('there are keys of the v2 API')];
  return storedDirectory(etcd, `${etcd.version}/v2/m1`, { flags: ['--enable-v2'], askMore, notes });
}
