/**
 * A restored directory that one release after another runs on. Whether the next one starts the check tells beforehand.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { startsOf } from '../../src/datadir/start/start.ts';
import { compareMinors, type EtcdMinor } from '../../src/etcd-version.ts';
import { checkPath } from '../../src/files/check-path.ts';
import type { CreatedMembers } from '../../src/files/restore.ts';
import type { RangeAnswer } from '../support/etcd-gateway.ts';
import { NewClusterServers } from '../support/new-cluster-servers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { gatewayLine } from './backend-history.ts';
import { everything, rangeMessage } from './backend-requests.ts';
import { expectEnds, type LiveEtcd, put, unpackFixture } from './create-live.ts';
import { type RestoredMember, restoreMember } from './create-live-restore.ts';
import { copyDirectory } from './replay-directory.ts';

const WRITES = 20;

/**
 * Releases, oldest first: each runs on what the one before has left. 3.7 cannot read what 3.4 and 3.5 have in their log. 3.6 makes a snapshot
 * behind that, but only at a start at which it finds an older version of the cluster in the log than in the db.
 */
export async function upgradePath(path: readonly LiveEtcd[], fixture: string): Promise<void> {
  const member = await restoreFor(path, fixture);
  let lines: readonly string[] | undefined;
  for (const [step, etcd] of path.entries()) {
    expect(await startOf(member.dataDir, etcd.minor)).toMatchObject({ outcome: 'starts', codes: [] });
    lines = await writeSome(etcd, member.created, lines);
    // What every later release would do right now is known as well.
    for (const later of path.slice(step + 1)) await expectAsForetold(later, member);
  }
}

/** As `upgradePath`, but somebody asks 3.4 how it is, which it writes into its log: 3.6 and later then do not start. */
export async function healthProbed(path: readonly LiveEtcd[], fixture: string): Promise<void> {
  const member = await restoreFor(path, fixture);
  let lines: readonly string[] | undefined;
  for (const etcd of path.filter(({ minor }) => compareMinors(minor, '3.6') < 0)) {
    lines = await writeSome(etcd, member.created, lines, async (url) => {
      expect((await fetch(`${url}/health`)).ok).toBe(true);
    });
    for (const later of path.filter(({ minor }) => compareMinors(minor, '3.6') >= 0)) {
      const { outcome, codes } = await startOf(member.dataDir, later.minor);
      expect({ outcome, codes }).toEqual({ outcome: 'panics', codes: ['DIR_V2_REQUESTS'] });
      await expectAsForetold(later, member);
    }
  }
}

function restoreFor([first]: readonly LiveEtcd[], fixture: string): Promise<RestoredMember> {
  const source = unpackFixture(temporaryDirectory(), fixture);
  return restoreMember(source, { etcdVersion: first!.minor });
}

/** What the check tells of a start, and what it has against it. */
async function startOf(
  dataDir: string,
  etcdVersion: EtcdMinor,
): Promise<{ readonly outcome: string; readonly words: string; readonly codes: readonly string[] }> {
  const report = await checkPath(dataDir, { level: 'deep', etcdVersion });
  const { outcome, words } = startsOf(report).find(({ version }) => version === etcdVersion)!;
  const codes = report.findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  expect(report.verdict === 'healthy').toBe(outcome === 'starts');
  return { outcome, words, codes: [...new Set(codes)] };
}

/** Runs the server: all lines of before are there, and some are added. Gives all of them. */
async function writeSome(
  { program, minor }: LiveEtcd,
  created: CreatedMembers,
  before: readonly string[] | undefined,
  meanwhile?: (url: string) => Promise<void>,
): Promise<readonly string[]> {
  const servers = await NewClusterServers.start(created, program);
  const gateway = servers.gateway();
  const all = async (): Promise<string[]> =>
    ((await gateway.ask<RangeAnswer>('kv/range', rangeMessage(everything(0)))).kvs ?? []).map(gatewayLine);
  const found = await all();
  if (before !== undefined) expect(found).toEqual(before);
  await servers.settled(minor);
  await meanwhile?.(servers.url());
  for (let n = 0; n < WRITES; n++) await put(gateway, `${found.length}-${n}`, `written by ${minor}`);
  const lines = await all();
  expect(lines).toHaveLength(found.length + WRITES);
  await servers.stop();
  return lines;
}

/** A server on a copy does what the check tells, in these words. */
async function expectAsForetold({ program, minor }: LiveEtcd, { created, dataDir }: RestoredMember): Promise<void> {
  const { outcome, words } = await startOf(dataDir, minor);
  const copy = join(temporaryDirectory(), 'copy');
  copyDirectory(dataDir, copy);
  const members = created.members.map((member) => ({
    ...member,
    startCommand: member.startCommand!.replace(dataDir, copy),
  }));
  if (outcome === 'starts') {
    const servers = await NewClusterServers.start({ members }, program);
    await put(servers.gateway(), 'on a copy', 'v');
    await servers.stop();
  } else {
    await expectEnds({ members }, program, words);
  }
}
