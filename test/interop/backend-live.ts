/**
 * One comparison with a running etcd, from its first request to the db it leaves.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { TrailerJob } from '../../src/backend/trailer.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { drain } from '../../src/io/job.ts';
import { EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Choices } from '../support/writer-random.ts';
import { type Answers, askEverything } from './backend-answers.ts';
import {
  compareCheck,
  compareEarlierRanges,
  compareHashes,
  compareLeases,
  compareMembership,
  compareRange,
  compareStates,
  compareStatus,
} from './backend-compare.ts';
import { compareHistory } from './backend-compare-history.ts';
import { drive, perform } from './backend-driver.ts';
import { History } from './backend-history.ts';
import { LiveReadings } from './backend-reading-live.ts';
import { RequestMaker } from './backend-requests.ts';

/** What is compared. */
export interface LiveComparison {
  readonly program: string;
  readonly minor: EtcdMinor;
  readonly seed: number;
  readonly requests: number;
}

/** Rounds of requests; all but the first have a compaction in their midst. */
const ROUNDS = 4;

/** Throws at a difference; tells what was done. */
export async function liveComparison({ program, minor, seed, requests }: LiveComparison): Promise<string> {
  const choices = new Choices(seed);
  const maker = new RequestMaker(choices);
  const history = new History();
  const directory = join(temporaryDirectory(), 'data');
  const path = join(directory, 'member/snap/db');
  const etcd = await RunningEtcd.start(program, directory);
  const gateway = new EtcdGateway(etcd.url);
  const perRound = Math.ceil(requests / ROUNDS);
  const readings = new LiveReadings(path);
  let answers: Answers;
  let read: string;
  try {
    // Never compacted.
    await readings.during(drive(gateway, history, maker, perRound));
    answers = await askEverything(gateway, history, maker, choices);
    compareFile(memorySource(await gateway.snapshot()), answers, history, minor);

    for (let round = 1; round < ROUNDS; round++) {
      const driven = drive(gateway, history, maker, perRound);
      const { current, compacted } = history;
      const revision =
        Math.max(1, compacted) + Math.ceil((current - Math.max(1, compacted)) * choices.one([0.5, 0.9, 1]));
      await perform(gateway, history, { type: 'compact', revision, physical: round !== 1 });
      await readings.during(driven);
    }
    read = await readings.compare(history, gateway);
    const removed = await changeMembership(gateway);
    answers = await askEverything(gateway, history, maker, choices, [removed]);
    const snapshot = memorySource(await gateway.snapshot());
    compareFile(snapshot, answers, history, minor);
    compareFile(openFileSource(path), answers, history, minor);
    reading(snapshot, ({ db }) => {
      expect(drain(new TrailerJob(snapshot, db.highWaterMark * db.pageSize)).state).toBe('right');
    });
  } finally {
    gateway.close();
  }
  await etcd.stop();
  compareFile(openFileSource(path), answers, history, minor);
  const done = [...history.tally].map(([what, count]) => `${count} ${what}`);
  const { current, compacted } = history;
  return `revision ${current}, compacted ${compacted}; ${read}; ${done.sort().join(', ')}`;
}

/**
 * Users, roles, a learner that never starts, one that is removed again, and an alarm, which comes last: it ends writing. Gives the
 * id of the learner that was removed.
 */
async function changeMembership(gateway: EtcdGateway): Promise<bigint> {
  for (const name of ['reader', 'writer', 'root']) await gateway.ask('auth/role/add', { name });
  for (const [name, permType, key, end] of [
    ['reader', 'READ', '/a/', '/a0'],
    ['reader', 'READ', 'k', ''],
    ['writer', 'READWRITE', '\xff', '\0'],
    ['writer', 'WRITE', '/', '/a'],
  ]) {
    await gateway.ask('auth/role/grant', { name, perm: { permType, key: toBase64(key!), range_end: toBase64(end!) } });
  }
  await gateway.ask('auth/user/add', { name: 'root', password: 'secret' });
  await gateway.ask('auth/user/add', { name: 'by certificate', options: { no_password: true } });
  for (const role of ['writer', 'reader']) await gateway.ask('auth/user/grant', { user: 'by certificate', role });
  const learner = (port: number): Promise<{ member: { ID: string } }> =>
    gateway.ask('cluster/member/add', { peerURLs: [`http://127.0.0.1:${port}?a=1&b=<2>`], isLearner: true });
  const { member } = await learner(1);
  await gateway.ask('cluster/member/remove', { ID: member.ID });
  await learner(2);
  await gateway.ask('maintenance/alarm', { action: 'ACTIVATE', memberID: `${2n ** 64n - 1n}`, alarm: 'NOSPACE' });
  return BigInt(member.ID);
}

function compareFile(source: ByteSource, answers: Answers, history: History, minor: EtcdMinor): void {
  reading(source, (file) => {
    compareStatus(file, answers, minor);
    compareStates(file, history, answers);
    for (const asked of answers.ranges) compareRange(file, asked, minor);
    compareEarlierRanges(file, history, answers, minor);
    compareHistory(file, history, answers);
    compareHashes(file, answers.hashKvs);
    compareLeases(file, answers);
    compareMembership(file, answers);
    compareCheck(source);
  });
}

function reading(source: ByteSource, use: (file: BackendFile) => void): void {
  const file = new BackendFile(source);
  try {
    use(file);
  } finally {
    file.close();
  }
}
