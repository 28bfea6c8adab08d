/**
 * Members added, removed and changed offline, beside the same done with a running server; and a learner that was added offline and then joins.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { addMember, type ChangedDirectory, removeMember, updateMember } from '../../src/files/change-members.ts';
import { memberIdOf } from '../../src/membership/member-id.ts';
import { byLength } from '../support/after-restart.ts';
import { type EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import { bootstrapFlags, type EtcdPlace, EtcdServer, etcdPlace } from '../support/etcd-server.ts';
import { freePeerUrls } from '../support/new-cluster-servers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { differingBuckets, linesOf, metaOf } from './edited-buckets.ts';
import type { LiveEtcd } from './live-etcds.ts';
import { expectSameHash, putAndRead, read } from './recluster-live.ts';
import { copyDirectory } from './replay-directory.ts';
import { ServerGroup } from './server-group.ts';

interface ListedMember {
  readonly ID: string;
}

/** A lone voter with some keys, stopped. */
async function loneVoter(program: string): Promise<EtcdPlace> {
  const place = await etcdPlace('one', join(temporaryDirectory(), 'data'));
  const server = await EtcdServer.start(program, place, {
    flags: ['--snapshot-count=20', ...bootstrapFlags([place], place, 'new')],
  });
  await server.settled();
  for (let i = 0; i < 50; i++) await putAndRead(server.gateway, `k${i % 7}`, `v${i}`);
  await server.stop();
  return place;
}

/** Changes with the server running; then with the copies, the one made from the other, of the directory as it was. */
export async function sameAsRunning(
  { program, minor }: LiveEtcd,
  { everyStep }: { readonly everyStep: boolean },
): Promise<void> {
  const place = await loneVoter(program);
  const copy = { ...place, dataDir: `${place.dataDir}-copy` };
  copyDirectory(place.dataDir, copy.dataDir);
  const urls = Object.values(await freePeerUrls(['a', 'b', 'c', 'd'])) as [string, string, string, string];
  const running = await changeRunning(program, place, urls, minor);
  const directories = await changeOffline(copy, urls, running, minor);
  for (const bucket of ['members', 'members_removed', 'cluster', 'key', 'lease', 'alarm', 'auth']) {
    expect([bucket, linesOf(directories.at(-1)!, bucket)]).toEqual([bucket, linesOf(place.dataDir, bucket)]);
  }

  // Started, both say the same; and every step on the way starts too.
  const [last] = directories.splice(-1) as [string];
  if (everyStep) for (const dataDir of directories) await listMembers(program, { ...place, dataDir });
  const theirs = await listMembers(program, place);
  expect(await listMembers(program, { ...place, dataDir: last })).toEqual(theirs);
  expect(differingBuckets(last, place.dataDir).filter((bucket) => bucket !== 'meta')).toEqual([]);
  expect(metaOf(last).confState).toEqual(metaOf(place.dataDir).confState);
}

/** Who was added, and when: the time is part of an id. */
interface Added {
  readonly id: bigint;
  readonly unixSeconds: bigint;
}

type Urls = readonly [string, string, string, string];

async function changeRunning(
  program: string,
  place: EtcdPlace,
  [first, other, second, own]: Urls,
  minor: EtcdMinor,
): Promise<[Added, Added]> {
  const server = await EtcdServer.start(program, place);
  const { gateway } = server;
  const a = await addRunning(gateway, first);
  const { members } = await gateway.ask<{ members: ListedMember[] }>('cluster/member/list');
  const self = members.find(({ ID }) => ID !== `${a.id}`)!.ID;
  await gateway.ask('cluster/member/update', { ID: self, peerURLs: [own] });
  await gateway.ask('cluster/member/remove', { ID: `${a.id}` });
  const b = await addRunning(gateway, second);
  await gateway.ask('cluster/member/update', { ID: self, peerURLs: [other, own] });
  if (canMoveLearners(minor)) await gateway.ask('cluster/member/update', { ID: `${b.id}`, peerURLs: [first] });
  await server.stop();
  return [a, b];
}

/** The bucket of 3.4 has a learner of other URLs as one that votes, which it is not. Ours is a learner still. */
const canMoveLearners = (minor: EtcdMinor): boolean => minor !== '3.4';

async function addRunning(gateway: EtcdGateway, url: string): Promise<Added> {
  const before = BigInt(Math.floor(Date.now() / 1000));
  const { member } = await gateway.ask<{ member: ListedMember }>('cluster/member/add', {
    peerURLs: [url],
    isLearner: true,
  });
  const id = BigInt(member.ID);
  let unixSeconds = before;
  while (memberIdOf([url], '', unixSeconds) !== id) {
    if (unixSeconds++ > before + 30n) throw new Error(`id ${member.ID} of ${url} is of no time`);
  }
  return { id, unixSeconds };
}

/** Gives the directory after each change. */
async function changeOffline(
  place: EtcdPlace,
  [first, other, second, own]: Urls,
  [a, b]: readonly [Added, Added],
  minor: EtcdMinor,
): Promise<string[]> {
  const made: string[] = [];
  const step = async (change: (from: string, to: string) => Promise<ChangedDirectory>): Promise<ChangedDirectory> => {
    const to = `${place.dataDir}-${made.length + 1}`;
    const changed = await change(made.at(-1) ?? place.dataDir, to);
    expect(changed).toMatchObject({ path: to, etcdVersion: minor, notes: [], notCommitted: 0n });
    made.push(to);
    return changed;
  };
  const added = await step((from, to) => addMember(from, to, [first], { unixSeconds: a.unixSeconds }));
  expect(added.addedId).toBe(a.id);
  await step((from, to) => updateMember(from, to, added.memberId, [own]));
  await step((from, to) => removeMember(from, to, a.id));
  await step((from, to) => addMember(from, to, [second], { unixSeconds: b.unixSeconds }));
  let last = await step((from, to) => updateMember(from, to, added.memberId, [other, own]));
  if (canMoveLearners(minor)) last = await step((from, to) => updateMember(from, to, b.id, [first]));
  expect(last.members.map(({ id }) => id).sort()).toEqual([added.memberId, b.id].sort());
  // What a server refuses is refused here in its words.
  const [at, target] = [made.at(-1)!, `${place.dataDir}-refused`];
  const words = async (change: Promise<unknown>): Promise<string> =>
    change.then(
      () => 'done',
      (error: Error) => error.message,
    );
  expect(await words(removeMember(at, target, a.id))).toMatch(/^membership: ID removed/);
  expect(await words(removeMember(at, target, 12n))).toMatch(/^membership: ID not found/);
  expect(await words(updateMember(at, target, 12n, [first]))).toMatch(/^membership: ID not found/);
  expect(await words(addMember(at, target, [own]))).toMatch(/^membership: peerURL exists/);
  expect(await words(addMember(at, target, ['http://127.0.0.1:9']))).toMatch(
    /^etcdserver: too many learner members in cluster/,
  );
  return made;
}

/** Starts it, writes a key, and stops it again. */
async function listMembers(program: string, place: EtcdPlace): Promise<readonly string[]> {
  const server = await EtcdServer.start(program, place);
  await server.settled();
  await server.gateway.ask('kv/put', { key: toBase64('k0'), value: toBase64('started') });
  const { members } = await server.gateway.ask<{ members: ListedMember[] }>('cluster/member/list');
  await server.stop();
  return members.map((member) => JSON.stringify(member)).sort(byLength);
}

/** A learner that was added offline begins with nothing, catches up, is promoted, and counts. */
export async function learnerJoins({ program }: LiveEtcd): Promise<void> {
  const one = await loneVoter(program);
  const first = { ...one, dataDir: `${one.dataDir}-with-learner` };
  const place = await etcdPlace('two', `${one.dataDir}-learner`);
  const { addedId } = await addMember(one.dataDir, first.dataDir, [place.peer]);
  const voter = await EtcdServer.start(program, first);
  // A learner that is not there does not keep anybody from writing.
  await putAndRead(voter.gateway, 'alone', 'still');
  const flags = bootstrapFlags([first, place], place, 'existing');
  const learner = await EtcdServer.start(program, place, { flags, isLearner: true });
  await expect.poll(() => read(learner.gateway, 'alone', true), { timeout: 20_000, interval: 50 }).toBe('still');
  // Refused until it has nearly all of the log.
  const promoted = async (): Promise<string | undefined> =>
    (await voter.gateway.call('cluster/member/promote', { ID: `${addedId}` })).error;
  await expect.poll(promoted, { timeout: 20_000, interval: 100 }).toBeUndefined();
  await learner.ready();
  await putAndRead(learner.gateway, 'both', 'vote');
  await expectSameHash(voter.gateway, learner.gateway);
  await learner.stop();
  await voter.kill();
}

/** In a directory of one of three nothing of the kind is done. */
export async function refusedAmongThree({ program }: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const group = await ServerGroup.start(program, folder, 3);
  await group.kill();
  const { dataDir } = group.places[0]!;
  const target = join(folder, 'target');
  const refusal = {
    code: 'EDIT_REFUSED',
    message: expect.stringContaining('there are other members that vote') as string,
  };
  await expect(addMember(dataDir, target, ['http://127.0.0.1:9'])).rejects.toMatchObject(refusal);
  await expect(removeMember(dataDir, target, 1n)).rejects.toMatchObject(refusal);
  await expect(updateMember(dataDir, target, 1n, ['http://127.0.0.1:9'])).rejects.toMatchObject(refusal);
}
