/**
 * Restored directories under real servers: a client finds all that the source had, as in a directory that etcd's own tool restored from it,
 * writes go on from there, and a restart has both.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readAuth } from '../../src/backend/auth.ts';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { openBackendPath } from '../../src/files/open-backend.ts';
import { openWritableFile } from '../../src/files/open-bolt.ts';
import { type CreatedMembers, type RestoreOptions, restoreSnapshot } from '../../src/files/restore.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { readAsSaid, type SaidAfterRestart } from '../support/after-restart.ts';
import type { RestartedFixture } from '../support/after-restart-recordings.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { type EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import { listDbFixtures } from '../support/fixtures.ts';
import { freePeerUrls, NewClusterServers } from '../support/new-cluster-servers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { expectMembers, expectStartable, type LiveEtcd, put, unpackFixture } from './create-live.ts';
import { askAfterRestart, login } from './replay-answers.ts';

/** Of the servers that the fixtures come from. */
const ROOT_PASSWORD = 'rootpw';

/** Names of all stored snapshot files, such as `etcd/3.6.14/busy/snapshot`. */
export function snapshotFixtures(): readonly string[] {
  return listDbFixtures()
    .map(({ name }) => name)
    .filter((name) => /^etcd\/.*\/snapshot(-\d+)?$/.test(name));
}

/** A member alone, and what its restore left behind. */
export interface RestoredMember {
  readonly created: CreatedMembers;
  readonly dataDir: string;
}

/** Restores one member at free ports. */
export async function restoreMember(source: string, options: RestoreOptions): Promise<RestoredMember> {
  const dataDir = join(temporaryDirectory(), 'data');
  const initialCluster = await freePeerUrls(['n1']);
  const created = await restoreSnapshot(source, { ...options, name: 'n1', initialCluster, dataDir });
  return { created, dataDir };
}

/** A stored snapshot, or the db of a member that has no sha256. `etcdutl`: the tool whose own restore is compared. */
export async function restoredFixture(etcd: LiveEtcd, fixture: string, etcdutl?: string): Promise<void> {
  const source = unpackFixture(temporaryDirectory(), fixture);
  const isSnapshot = /\/snapshot/.test(fixture);
  if (!isSnapshot) await expectRefused(source, {}, 'SNAPSHOT_DAMAGED');
  const member = await restoreMember(source, { etcdVersion: etcd.minor, skipHashCheck: !isSnapshot });
  const said = await startAndCompare(etcd, member, (asked) => readSource(source, asked));
  if (etcdutl !== undefined) await compareWithTheirs(etcd, etcdutl, source, member, said);
}

/** A stored data directory whose log has more than its db: what a server said that was started on it. */
export async function restoredDirectory(etcd: LiveEtcd, fixture: RestartedFixture, db: string): Promise<void> {
  const stored = dataDirFixture(`${fixture.name}/m1`, { db });
  const source = writeDataDir(stored, join(temporaryDirectory(), 'source'));
  const member = await restoreMember(source, { etcdVersion: etcd.minor });
  const recorded = fixture.said();
  const restored = readSource(member.dataDir, recorded);
  expect({ ...restored, members: [] }).toEqual({ ...recorded, members: [] });
  await startAndCompare(etcd, member, (asked) => readSource(member.dataDir, asked));
}

/** A db of a release that is not known yet: from its schema there is no way to that of another one. */
export async function unknownSchema({ minor }: Pick<LiveEtcd, 'minor'>): Promise<void> {
  const source = unpackFixture(temporaryDirectory(), 'etcd/3.7.1/fresh/m1');
  {
    using db = openWritableFile(source, { readOnly: false });
    db.update((tx) => tx.bucket('meta')!.put('storageVersion', new TextEncoder().encode('3.8.0')));
  }
  await expectRefused(source, { etcdVersion: minor, skipHashCheck: true }, 'EDIT_REFUSED');
}

/** Nothing is left behind. */
async function expectRefused(source: string, options: RestoreOptions, code: string): Promise<void> {
  const folder = temporaryDirectory();
  const refused = restoreSnapshot(source, { ...options, dataDir: join(folder, 'data') });
  await expect(refused).rejects.toMatchObject({ code });
  expect(readdirSync(folder)).toEqual([]);
}

function readSource(path: string, asked: SaidAfterRestart): SaidAfterRestart {
  const { file, close } = openBackendPath(path);
  try {
    return readAsSaid(file, asked);
  } finally {
    close();
  }
}

/** Starts it twice, with a put each time. `sourceAt`: what the source has of what was asked. Gives what the server said at first. */
async function startAndCompare(
  { program, minor }: LiveEtcd,
  { created, dataDir }: RestoredMember,
  sourceAt: (asked: SaidAfterRestart) => SaidAfterRestart,
): Promise<SaidAfterRestart> {
  await expectStartable(created, minor);
  const { revision, members } = created;
  const servers = await NewClusterServers.start(created, program);
  const { said, token } = await ask(servers.gateway(), dataDir);
  expect(said.revision).toBe(`${revision}`);
  expect(said).toEqual({ ...sourceAt(said), members: said.members });
  await expectMembers(servers, created, { token });
  await makeRoom(servers.gateway(), token);
  expect(await put(servers.gateway(), 'after restore', 'v', token)).toBe(revision + 1n);
  await servers.stop();
  await expectStartable(created, minor);

  const again = await NewClusterServers.start({ members }, program);
  const after = await ask(again.gateway(), dataDir);
  expect(after.said).toMatchObject({ revision: `${revision + 1n}`, users: said.users, roles: said.roles });
  const [hash] = after.said.hashes;
  expect(readSource(dataDir, after.said).hashes[0]).toEqual(hash);
  const written = after.said.keys[0]!.lines.filter((line) => !said.keys[0]!.lines.includes(line));
  expect(written).toEqual([`${toBase64('after restore')} ${revision + 1n} ${revision + 1n} 1 0 ${toBase64('v')}`]);
  expect(await put(again.gateway(), 'after restart', 'v', after.token)).toBe(revision + 2n);
  await again.stop();
  return said;
}

/** Everything, at a few revisions; as root, where a name is wanted. */
async function ask(gateway: EtcdGateway, dataDir: string): Promise<{ said: SaidAfterRestart; token?: string }> {
  const file = new BackendFile(openFileSource(join(dataDir, 'member/snap/db')));
  let isOn: boolean;
  try {
    isOn = file.read(readAuth).enabled;
  } finally {
    file.close();
  }
  const lookBack = (oldest: number, current: number): number[] =>
    [oldest, oldest + 1, Math.floor((oldest + current) / 2), current - 1].filter((at) => at >= oldest);
  const token = isOn ? await login(gateway, 'root', ROOT_PASSWORD) : undefined;
  const said = await askAfterRestart(gateway, { token, lookBack });
  return token === undefined ? { said } : { said, token };
}

/** Alarms of the old cluster hold for the new one until they are taken back. */
async function makeRoom(gateway: EtcdGateway, token: string | undefined): Promise<void> {
  const { alarms = [] } = await gateway.ask<{ alarms?: readonly { memberID?: string; alarm: string }[] }>(
    'maintenance/alarm',
    { action: 'GET' },
    token,
  );
  if (alarms.length === 0) return;
  const refused = await gateway.call('kv/put', { key: toBase64('no room'), value: toBase64('v') }, token);
  expect(refused.error).toContain('database space exceeded');
  for (const alarm of alarms) await gateway.ask('maintenance/alarm', { action: 'DEACTIVATE', ...alarm }, token);
}

/** A server on the directory that etcd's own tool makes of the same source says the same. */
async function compareWithTheirs(
  { program }: LiveEtcd,
  etcdutl: string,
  source: string,
  { created, dataDir }: RestoredMember,
  ours: SaidAfterRestart,
): Promise<void> {
  const theirs = join(temporaryDirectory(), 'data');
  const [member] = created.members;
  const [peerUrl = ''] = member?.peerUrls ?? [];
  execFileSync(
    etcdutl,
    [
      ...['snapshot', 'restore', source, '--data-dir', theirs, '--name', 'n1'],
      ...['--initial-cluster', `n1=${peerUrl}`, '--initial-advertise-peer-urls', peerUrl],
    ],
    { stdio: 'pipe' },
  );
  const startCommand = member!.startCommand!.replace(dataDir, theirs);
  const servers = await NewClusterServers.start({ members: [{ ...member!, startCommand }] }, program);
  const { said } = await ask(servers.gateway(), theirs);
  expect({ ...said, members: ours.members }).toEqual(ours);
  await servers.stop();
}
