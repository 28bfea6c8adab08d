/**
 * The history compacted offline, beside the same compaction by a real server: the same records stay, and a server that is started on what was
 * made gives the same answers.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { compactHistory } from '../../src/files/compact-history.ts';
import { drain } from '../../src/io/job.ts';
import { bootstrapFlags, type EtcdPlace, EtcdServer, etcdPlace } from '../support/etcd-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Choices } from '../support/writer-random.ts';
import { drive, perform } from './backend-driver.ts';
import { History } from './backend-history.ts';
import { everything, RequestMaker, rangeMessage } from './backend-requests.ts';
import { differingBuckets, linesOf, readDb, revisionsOf } from './edited-buckets.ts';
import type { LiveEtcd } from './live-etcds.ts';
import { putAndRead } from './recluster-live.ts';
import { askAfterRestart } from './replay-answers.ts';
import { copyDirectory } from './replay-directory.ts';

/** A loaded server that was stopped. */
export interface LoadedEtcd {
  readonly etcd: LiveEtcd;
  readonly place: EtcdPlace;
  readonly history: History;
  /** What `snapshot save` gave at the end. */
  readonly snapshot: string;
}

/** Random requests, among them a compaction halfway if there is to be one already; then it is stopped. */
export async function loaded(etcd: LiveEtcd, seed: number, requests: number, compacted: boolean): Promise<LoadedEtcd> {
  const folder = temporaryDirectory();
  const place = await etcdPlace('one', join(folder, 'data'));
  const server = await EtcdServer.start(etcd.program, place, { flags: bootstrapFlags([place], place, 'new') });
  await server.settled();
  const history = new History();
  const maker = new RequestMaker(new Choices(seed));
  await drive(server.gateway, history, maker, requests);
  if (compacted) {
    const revision = Math.floor(history.current / 2);
    await perform(server.gateway, history, { type: 'compact', revision, physical: true });
    await drive(server.gateway, history, maker, requests);
  }
  // 3.4 notes how far it has got only when it writes a key: where the last requests were refused, others would be left in the log.
  await perform(server.gateway, history, { type: 'put', key: 'end', value: '', lease: 0n });
  history.settle();
  const snapshot = join(folder, 'snapshot.db');
  writeFileSync(snapshot, await server.gateway.snapshot());
  await server.stop();
  return { etcd, place, history, snapshot };
}

/** Revisions worth compacting at: of deletions, of transactions, the first and the last that can be. */
export function chosenRevisions({ history }: LoadedEtcd, choices: Choices, count: number): number[] {
  const { changes, current, compacted } = history;
  const above = changes.filter(({ main }) => main > compacted);
  const deletions = above.filter(({ deleted }) => deleted).map(({ main }) => main);
  const within = above.filter(({ sub }) => sub > 0).map(({ main }) => main);
  const first = Math.max(compacted, 0) + 1;
  const chosen = [
    choices.one(deletions),
    current,
    choices.one(within),
    first,
    choices.between(first, current),
    ...Array.from({ length: count }, () => choices.one(deletions)),
  ];
  return [...new Set(chosen)].slice(0, count);
}

/** One compaction, both ways. */
export async function sameCompaction(load: LoadedEtcd, revision: number): Promise<void> {
  const {
    etcd: { program, minor },
    place,
  } = load;
  const theirs = { ...place, dataDir: `${place.dataDir}-theirs-${revision}` };
  const ours = { ...place, dataDir: `${place.dataDir}-ours-${revision}` };
  copyDirectory(place.dataDir, theirs.dataDir);
  const made = await compactHistory(place.dataDir, ours.dataDir, BigInt(revision));
  expect(made).toMatchObject({ kind: 'data-dir', path: ours.dataDir, revision: BigInt(revision) });
  const server = await EtcdServer.start(program, theirs);
  await perform(server.gateway, new History(), { type: 'compact', revision, physical: true });
  await server.stop();
  expectSameRecords(theirs.dataDir, ours.dataDir);
  await sameOfSnapshot(load, revision, ours.dataDir);
  expectOnlyHistory(differingBuckets(place.dataDir, ours.dataDir));
  expect(hashesOf(ours.dataDir)).toEqual(hashesOf(theirs.dataDir));

  const lookBack = (oldest: number, current: number): number[] =>
    [oldest, oldest + 1, current - 1].filter((at) => at >= oldest);
  const theirSaid = await askAt(program, theirs, revision, lookBack);
  const ourSaid = await askAt(program, ours, revision, lookBack);
  expect(ourSaid).toEqual(theirSaid);
  expect(ourSaid.refused).toBe(revision === 1 ? undefined : 'etcdserver: mvcc: required revision has been compacted');
  expect(minor).toBe(made.report?.dataDir?.etcdVersion);
}

/** Bucket `key` as it is, and of `meta` what tells of compactions. */
function expectSameRecords(theirs: string, ours: string): void {
  expect(linesOf(ours, 'key')).toEqual(linesOf(theirs, 'key'));
  const marks = (path: string): string[] => linesOf(path, 'meta').filter((line) => line.includes('CompactRev'));
  expect(marks(ours)).toEqual(marks(theirs));
  expect(marks(ours)).toHaveLength(2);
}

/** Nothing else was touched. At the first revisions there is no record yet that could go. */
function expectOnlyHistory(differing: readonly string[]): void {
  expect(differing.filter((bucket) => bucket !== 'key')).toEqual(['meta']);
}

/** HashKV at every revision that can be read. */
function hashesOf(path: string): string[] {
  return readDb(path, (file) => {
    const { compact, current } = file.read(readRevisions);
    const hashes: string[] = [];
    for (let at = compact + 1n; at <= current; at++) {
      const { hash, compactRevision } = drain(new HashKvJob(file, { revision: at }));
      hashes.push(`${at} ${hash} ${compactRevision}`);
    }
    return hashes;
  });
}

async function askAt(
  program: string,
  place: EtcdPlace,
  revision: number,
  lookBack: (oldest: number, current: number) => number[],
) {
  const server = await EtcdServer.start(program, place);
  await server.settled();
  const said = await askAfterRestart(server.gateway, { lookBack });
  const below = await server.gateway.call('kv/range', rangeMessage(everything(revision - 1)));
  await putAndRead(server.gateway, 'after', 'compaction');
  await server.stop();
  return { said, refused: below.error };
}

/** The snapshot file, compacted: it is one still, and has the same records as the directory. */
async function sameOfSnapshot({ snapshot }: LoadedEtcd, revision: number, directory: string): Promise<void> {
  const target = `${snapshot}-${revision}.db`;
  const made = await compactHistory(snapshot, target, BigInt(revision));
  expect(made).toMatchObject({ kind: 'snapshot', path: target, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expectSameRecords(directory, target);
  expectOnlyHistory(differingBuckets(snapshot, target));
}

/** What a server refuses is refused in its words, and nothing else: a history that was never compacted can be at revision 0. */
export async function refusedRevisions({ etcd: { program }, place, history }: LoadedEtcd): Promise<void> {
  const theirs = `${place.dataDir}-theirs-refusing`;
  copyDirectory(place.dataDir, theirs);
  const server = await EtcdServer.start(program, { ...place, dataDir: theirs });
  const done: string[] = [];
  for (const revision of [BigInt(history.current + 1), revisionsOf(place.dataDir).compact, -1n, 0n]) {
    const { error } = await server.gateway.call('kv/compaction', { revision: `${revision}`, physical: true });
    const ours = `${place.dataDir}-refused-at-${revision}`;
    const refusal = await compactHistory(place.dataDir, ours, revision).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    expect([revision, refusal]).toEqual([revision, error]);
    if (error === undefined) done.push(ours);
  }
  await server.stop();
  expect(done.length).toBeLessThanOrEqual(1);
  for (const ours of done) expectSameRecords(theirs, ours);
}
