/**
 * Drives a real etcd through a sequence of requests whose result is known, kills it, and starts it again on what it left: with the
 * db as it was made, with the one of before, with everything in the db, and without a db.
 */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SaidAfterRestart } from '../support/after-restart.ts';
import { DB_PATH } from '../support/data-dir-fixtures.ts';
import { EtcdGateway } from '../support/etcd-gateway.ts';
import {
  GOLDEN_SEQUENCES,
  type GoldenDb,
  type GoldenRequest,
  type GoldenSaid,
  type GoldenSequence,
  goldenPassword,
} from '../support/golden-replay.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { login } from './replay-answers.ts';
import { copyDirectory, restartAndAsk, startSettled } from './replay-directory.ts';

/** What was left, and what became of it. */
export interface GoldenRun {
  /** Killed, with everything in the db. */
  readonly directory: string;
  /** The db as the first start made it, and the one of before the sequence. */
  readonly dbs: Readonly<Record<'new' | 'before', string>>;
  readonly said: GoldenSaid;
}

/** Nothing gets into the db but by `maintenance/hash`, and by deletions in some buckets. */
const HOLD_BACK = ['--backend-batch-interval=1h', '--backend-batch-limit=1000000'];
/** The lease that lasts two seconds. */
const SHORT_LEASE = '101';

/** Does it all. A lease of the sequence may expire too soon on a machine that is busy; then it throws. */
export async function runGolden(program: string, sequence: GoldenSequence): Promise<GoldenRun> {
  const work = temporaryDirectory();
  const directory = join(work, 'data');
  const dbs = { new: join(work, 'db-new'), before: join(work, 'db-before') };
  const first = await startSettled(program, directory, HOLD_BACK);
  copyFileSync(join(directory, DB_PATH), dbs.new);
  await first.stop();
  copyFileSync(join(directory, DB_PATH), dbs.before);
  const etcd = await startSettled(program, directory, HOLD_BACK);
  const gateway = new EtcdGateway(etcd.url);
  try {
    const root = await perform(gateway, GOLDEN_SEQUENCES[sequence]);
    // Brings everything into the db.
    await gateway.ask('maintenance/hash', {}, root);
    await etcd.stop('SIGKILL');
  } finally {
    gateway.close();
  }
  const password = sequence === 'auth' ? goldenPassword('root') : undefined;
  const restart = async (db: GoldenDb): Promise<SaidAfterRestart> => {
    const copy = join(work, db);
    copyDirectory(directory, copy);
    if (db !== 'flushed') rmSync(join(copy, DB_PATH));
    if (db === 'new' || db === 'before') copyFileSync(dbs[db], join(copy, DB_PATH));
    const said = await restartAndAsk(program, copy, { password, lookBack });
    rmSync(copy, { recursive: true });
    return said;
  };
  const said = {
    new: await restart('new'),
    before: await restart('before'),
    flushed: await restart('flushed'),
    none: await restart('none'),
  };
  const inTime = Object.values(said).every(({ leases }) => leases.some(({ id }) => id === SHORT_LEASE));
  if (sequence === 'keys') expect(inTime, 'the short lease was asked for in time').toBe(true);
  return { directory, dbs, said };
}

/** Every revision. */
const lookBack = (oldest: number, current: number): number[] =>
  Array.from({ length: current - oldest }, (_, i) => oldest + i);

/** Sends the requests one after another; gives the token of root, if there is one. */
async function perform(gateway: EtcdGateway, requests: readonly GoldenRequest[]): Promise<string | undefined> {
  const tokens = new Map<string, string>();
  for (const { method, message, as, refused } of requests) {
    if (as !== undefined && !tokens.has(as)) tokens.set(as, await login(gateway, as, goldenPassword(as)));
    const token = as === undefined ? undefined : tokens.get(as);
    const { error } = await gateway.call(method, message, token);
    expect([method, message, error]).toEqual([method, message, refused]);
  }
  return tokens.get('root');
}
