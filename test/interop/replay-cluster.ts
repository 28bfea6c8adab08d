/**
 * Three real members that are killed together. Which entries were committed only they can tell: what they say when started again is
 * compared with replays of all that is in the log of each.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { replayWal } from '../../src/files/replay-to-file.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { readAsSaid, type SaidAfterRestart } from '../support/after-restart.ts';
import { EtcdGateway } from '../support/etcd-gateway.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Choices } from '../support/writer-random.ts';
import { askAfterRestart } from './replay-answers.ts';
import { copyDirectory } from './replay-directory.ts';
import { checkKilled } from './replay-live.ts';
import { ReplayLoad } from './replay-load.ts';
import { Cluster, MEMBERS, type MemberName } from './replay-members.ts';

/** Two kills: in the midst of requests, and with every member having everything. Throws at a difference; tells what was done. */
export async function killCluster(program: string, choices: Choices): Promise<string> {
  const cluster = await Cluster.create(program, temporaryDirectory());
  const first = await cluster.start();
  const loaded = await loadAndKill(cluster, first, choices, false);
  const underLoad = copyAll(cluster);
  const elected = await cluster.start();
  const said = await askMember(cluster, elected, choices);
  // Whoever was elected had every entry that was committed; what it had besides is committed now.
  await compare(underLoad, elected, said);
  for (const name of MEMBERS) await compareCommitted(underLoad, name, BigInt(said.revision));

  const again = await loadAndKill(cluster, elected, choices, true);
  const atRest = copyAll(cluster);
  const leader = await cluster.start();
  const saidThen = await askMember(cluster, leader, choices);
  for (const name of MEMBERS) await compare(atRest, name, saidThen);
  await cluster.kill();
  return `${loaded}, then ${elected} led: revision ${said.revision}; ${again}: revision ${saidThen.revision}`;
}

async function loadAndKill(cluster: Cluster, member: MemberName, choices: Choices, settle: boolean): Promise<string> {
  const gateway = new EtcdGateway(cluster.urls.get(member)!.client);
  try {
    const load = new ReplayLoad(gateway, choices, 'keys', { isCluster: true });
    await load.prepare(false);
    const running = load.run();
    await setTimeout(choices.between(800, 1600));
    if (settle) {
      load.end();
      await running;
      await settled(cluster);
    }
    await cluster.kill();
    load.end();
    await running;
    return `${load.answered} requests`;
  } finally {
    gateway.close();
  }
}

/** Waits until all members have applied the same. */
async function settled(cluster: Cluster): Promise<void> {
  const gateways = [...cluster.urls.values()].map(({ client }) => new EtcdGateway(client));
  const applied = async (): Promise<number> => {
    const indexes = gateways.map(async (gateway) => {
      const { raftIndex, raftAppliedIndex } = await gateway.ask<Record<string, string>>('maintenance/status');
      return `${raftIndex} ${raftAppliedIndex}`;
    });
    return new Set(await Promise.all(indexes)).size;
  };
  try {
    await expect.poll(applied, { timeout: 30_000, interval: 50 }).toBe(1);
  } finally {
    for (const gateway of gateways) gateway.close();
  }
}

async function askMember(cluster: Cluster, member: MemberName, choices: Choices): Promise<SaidAfterRestart> {
  const gateway = new EtcdGateway(cluster.urls.get(member)!.client);
  try {
    const lookBack = (oldest: number, current: number): number[] =>
      Array.from({ length: 8 }, () => choices.between(oldest, current));
    return await askAfterRestart(gateway, { lookBack });
  } finally {
    gateway.close();
  }
}

/** The directories as they were left; gives where they are. */
function copyAll(cluster: Cluster): string {
  const folder = temporaryDirectory();
  for (const name of MEMBERS) copyDirectory(cluster.directory(name), join(folder, name));
  return folder;
}

/** Everything in the log of one member is what the cluster says. */
async function compare(folder: string, name: MemberName, said: SaidAfterRestart): Promise<void> {
  checkKilled(join(folder, name));
  const out = join(folder, `${name}-all-${said.revision}`);
  const { loneVoter } = await replayWal(join(folder, name), out, { tail: 'all' });
  expect(loneVoter).toBe(false);
  const file = new BackendFile(openFileSource(out));
  try {
    expect([name, readAsSaid(file, said)]).toEqual([name, said]);
  } finally {
    file.close();
  }
}

/** What one member knows to be committed is never more than what the cluster has. */
async function compareCommitted(folder: string, name: MemberName, revision: bigint): Promise<void> {
  const out = join(folder, `${name}-committed`);
  await replayWal(join(folder, name), out, { tail: 'committed' });
  const file = new BackendFile(openFileSource(out));
  try {
    expect(file.read(readRevisions).current).toBeLessThanOrEqual(revision);
  } finally {
    file.close();
  }
}
