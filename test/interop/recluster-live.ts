/**
 * A lost quorum: three real members are loaded and killed, and the directory of one is made a cluster of its own. Real servers then say what
 * became of it; and what a real `--force-new-cluster` makes of the same directory is compared.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import { type ChangedDirectory, recluster } from '../../src/files/change-members.ts';
import { listDataDir } from '../../src/files/data-dir-folder.ts';
import type { SaidAfterRestart } from '../support/after-restart.ts';
import {
  type AnswerHeader,
  type EtcdGateway,
  fromBase64,
  type RangeAnswer,
  toBase64,
} from '../support/etcd-gateway.ts';
import { bootstrapFlags, type EtcdPlace, EtcdServer, etcdPlace } from '../support/etcd-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Choices } from '../support/writer-random.ts';
import { AcknowledgedLoad } from './acknowledged-load.ts';
import { differingBuckets, keysOf, metaOf } from './edited-buckets.ts';
import type { LiveEtcd } from './live-etcds.ts';
import { askAfterRestart } from './replay-answers.ts';
import { copyDirectory } from './replay-directory.ts';
import { sampled } from './replay-live.ts';
import { ServerGroup } from './server-group.ts';

/** Three members that are gone, and what had been acknowledged by then. */
export interface LostCluster {
  readonly folder: string;
  readonly places: readonly EtcdPlace[];
  readonly load: AcknowledgedLoad;
  /** That of the member whose log has the greatest term and index: it has everything that was acknowledged. */
  readonly best: EtcdPlace;
}

/** How the members end. */
export interface Loss {
  /** `killed` in the midst of requests, or `stopped` with every member having everything. */
  readonly how: 'killed' | 'stopped';
  readonly flags?: readonly string[];
  readonly loadMs?: number;
}

/** Starts, loads and loses a cluster. */
export async function loseCluster({ program }: LiveEtcd, choices: Choices, loss: Loss): Promise<LostCluster> {
  const { how, flags, loadMs = choices.between(600, 1200) } = loss;
  const folder = temporaryDirectory();
  const group = await ServerGroup.start(program, folder, 3, flags);
  const load = new AcknowledgedLoad(
    group.servers.map(({ gateway }) => gateway),
    choices,
  );
  await load.prepare();
  const running = load.run();
  await pause(loadMs);
  if (how === 'killed') await group.kill();
  load.end();
  await running;
  if (how === 'stopped') await group.stop();
  const { places } = group;
  const ends = places.map((place) => ({ place, ...lastEntryOf(place.dataDir) }));
  const [last] = ends.sort((a, b) => compare(b.term, a.term) || compare(b.index, a.index));
  return { folder, places, load, best: last!.place };
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The end of a log: whose is the greatest is elected. */
export function lastEntryOf(directory: string): { readonly term: bigint; readonly index: bigint } {
  using dir = openDataDir(listDataDir(directory));
  const { index = 0n, term = 0n } = dir.wal.state.validSnapshots.at(-1) ?? {};
  let last = { term, index };
  for (const entry of dir.wal.entries({ after: index })) last = { term: entry.term, index: entry.index };
  return last;
}

/** The best directory, reclustered, on the real server; then a second member joins. Throws at a difference; tells what was done. */
export async function recoverQuorum({ program, minor }: LiveEtcd, lost: LostCluster): Promise<string> {
  const { folder, best, load } = lost;
  const dataDir = join(folder, 'reclustered');
  const made = await recluster(best.dataDir, dataDir);
  expect(made).toMatchObject({ path: dataDir, etcdVersion: minor, notes: [], members: [{ id: made.memberId }] });
  const place = { ...best, dataDir };
  const first = await EtcdServer.start(program, place);
  await load.expectAll(first.gateway);
  await expectAlone(first, made);
  await putAndRead(first.gateway, 'after', 'recluster');
  await first.stop();

  const again = await EtcdServer.start(program, place);
  await load.expectAll(again.gateway);
  await expectAlone(again, made);
  expect(await read(again.gateway, 'after')).toBe('recluster');
  await addSecond(program, again, join(folder, 'second'), load);
  await again.stop();
  const revisions = `revision ${made.revision.db} in the db, ${made.revision.afterReplay} after the replay`;
  return `${load.acknowledged} keys acknowledged, ${revisions}, ${made.notCommitted} entries not known to be committed`;
}

/** The member knows of nobody else, and is whom it was. */
export async function expectAlone(
  { gateway, place }: EtcdServer,
  { memberId, clusterId }: Pick<ChangedDirectory, 'memberId' | 'clusterId'>,
): Promise<void> {
  const listed = async (): Promise<unknown> =>
    gateway.ask<{ header: AnswerHeader; members: readonly object[] }>('cluster/member/list');
  const member = { ID: `${memberId}`, name: place.name, peerURLs: [place.peer], clientURLs: [place.client] };
  await expect.poll(listed, { timeout: 20_000, interval: 50 }).toMatchObject({
    header: { cluster_id: `${clusterId}`, member_id: `${memberId}` },
    members: [member],
  });
  const { members } = (await listed()) as { members: readonly { isLearner?: boolean }[] };
  expect(members.map(({ isLearner = false }) => isLearner)).toEqual([false]);
}

/** A second member joins with nothing, catches up, and takes writes. */
async function addSecond(program: string, first: EtcdServer, dataDir: string, load: AcknowledgedLoad): Promise<void> {
  const place = await etcdPlace('second', dataDir);
  await first.gateway.ask('cluster/member/add', { peerURLs: [place.peer] });
  const flags = bootstrapFlags([first.place, place], place, 'existing');
  const second = await EtcdServer.start(program, place, { flags });
  await load.expectAll(second.gateway);
  await putAndRead(second.gateway, 'through', 'the second');
  expect(await read(first.gateway, 'through')).toBe('the second');
  await expectSameHash(first.gateway, second.gateway);
  await second.stop();
}

export async function expectSameHash(...gateways: readonly EtcdGateway[]): Promise<void> {
  const hashes = async (): Promise<number> => {
    const answers = gateways.map(async (gateway) => JSON.stringify((await gateway.hashKv(0n)).message, decimal));
    return new Set(await Promise.all(answers)).size;
  };
  await expect.poll(hashes, { timeout: 20_000, interval: 50 }).toBe(1);
}

const decimal = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

export async function putAndRead(gateway: EtcdGateway, key: string, value: string): Promise<void> {
  await gateway.ask('kv/put', { key: toBase64(key), value: toBase64(value) });
  expect(await read(gateway, key)).toBe(value);
}

export async function read(gateway: EtcdGateway, key: string, serializable = false): Promise<string | undefined> {
  const { kvs = [] } = await gateway.ask<RangeAnswer>('kv/range', { key: toBase64(key), serializable });
  return kvs[0] && fromBase64(kvs[0].value ?? '');
}

/** What one of two ways has led to. */
interface Reclustered {
  readonly said: SaidAfterRestart;
  readonly clusterId: string;
  readonly missing: number;
}

/**
 * The same directory with the real flag and without it, then both started once more. Everything is equal up to the revision that the real one
 * has come to; where `isEqual`, there is nothing beyond that either.
 */
export async function compareWithForced(
  { program }: LiveEtcd,
  { folder, load }: LostCluster,
  place: EtcdPlace,
  choices: Choices,
  isEqual: boolean,
): Promise<string> {
  const forced = { ...place, dataDir: join(folder, `${place.name}-forced`) };
  const ours = { ...place, dataDir: join(folder, `${place.name}-ours`) };
  copyDirectory(place.dataDir, forced.dataDir);
  await recluster(place.dataDir, ours.dataDir);
  const theirsSaid = await runTwice(program, forced, ['--force-new-cluster'], load, sampled(choices));
  const revisions = theirsSaid.said.keys.map(({ revision }) => Number(revision));
  const oursSaid = await runTwice(program, ours, [], load, () => revisions);
  const beyond = Number(oursSaid.said.revision) - Number(theirsSaid.said.revision);
  expect(beyond).toBeGreaterThanOrEqual(0);
  if (isEqual) expect(beyond).toBe(0);
  expect(upTo(oursSaid.said, revisions)).toEqual(upTo(theirsSaid.said, revisions));
  expect(oursSaid.clusterId).toBe(theirsSaid.clusterId);
  expect(oursSaid.said.leases.map(({ id, ttl }) => `${id} ${ttl}`)).toEqual(
    theirsSaid.said.leases.map(({ id, ttl }) => `${id} ${ttl}`),
  );
  const differing = differingBuckets(forced.dataDir, ours.dataDir);
  expect(differing.filter((bucket) => bucket !== 'meta' && (isEqual || bucket !== 'key'))).toEqual([]);
  if (isEqual) expect(oursSaid).toEqual(theirsSaid);
  expect(metaOf(ours.dataDir).confState).toEqual(metaOf(forced.dataDir).confState);
  expect(metaKeysOf(ours.dataDir)).toEqual(metaKeysOf(forced.dataDir));
  const missing = `of what was acknowledged ${oursSaid.missing} are missing, with the real flag ${theirsSaid.missing}`;
  const meta = [metaOf(ours.dataDir), metaOf(forced.dataDir)].map(
    ({ consistentIndex, term }) => `${consistentIndex} of term ${term}`,
  );
  return `${place.name}: revision ${oursSaid.said.revision}, ${beyond} more than with the real flag; ${missing}; index ${meta.join(', with the flag ')}`;
}

/** Without the storage version: a server that has it not writes it some seconds after its start, or when the log sets the cluster's. */
function metaKeysOf(directory: string): string[] {
  return keysOf(directory, 'meta').filter((key) => key !== 'storageVersion');
}

async function runTwice(
  program: string,
  place: EtcdPlace,
  flags: readonly string[],
  load: AcknowledgedLoad,
  lookBack: (oldest: number, current: number) => readonly number[],
): Promise<Reclustered> {
  const first = await EtcdServer.start(program, place, { flags });
  await first.settled();
  await first.stop();
  const again = await EtcdServer.start(program, place);
  await again.settled();
  const said = await askAfterRestart(again.gateway, { lookBack });
  const { header } = await again.gateway.ask<{ header: AnswerHeader }>('maintenance/status');
  const missing = await load.missing(again.gateway);
  await again.stop();
  return { said, clusterId: header.cluster_id!, missing: missing.length };
}

/** Without what is newer than the last of these revisions. */
function upTo({ keys, hashes, members, alarms }: SaidAfterRestart, revisions: readonly number[]): object {
  const isMeant = ({ revision }: { readonly revision: string }): boolean => revisions.includes(Number(revision));
  return { keys: keys.filter(isMeant), hashes: hashes.filter(isMeant), members, alarms };
}
