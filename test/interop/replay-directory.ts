/**
 * Real etcds on directories whose log is to be replayed: started so that two starts say the same, and copied with their holes.
 */
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import type { SaidAfterRestart } from '../support/after-restart.ts';
import { EtcdGateway } from '../support/etcd-gateway.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { type Asked, askAfterRestart, login } from './replay-answers.ts';

/** A member publishes its URLs at every start, and the port is another each time. */
const SAME_URLS = ['--advertise-client-urls=http://127.0.0.1:2379'];

/** An etcd that has decided its cluster version: the last of what it writes on its own. */
export async function startSettled(
  program: string,
  directory: string,
  options: readonly string[] = [],
): Promise<RunningEtcd> {
  const etcd = await RunningEtcd.start(program, directory, [...SAME_URLS, ...options]);
  const decided = async (): Promise<string> =>
    ((await (await fetch(`${etcd.url}/version`)).json()) as { etcdcluster: string }).etcdcluster;
  await expect.poll(decided, { timeout: 30_000, interval: 20 }).toMatch(/^3\./);
  return etcd;
}

/** Copies a directory as it is. A segment has 64 MB, mostly zeros. */
export function copyDirectory(from: string, to: string): void {
  execFileSync('cp', ['-r', '--sparse=always', from, to]);
}

/** How to ask: `password` is that of root, needed while auth is on. */
export interface RestartOptions extends Omit<Asked, 'token'> {
  readonly password?: string | undefined;
  readonly options?: readonly string[];
}

/** Starts an etcd on a directory, asks it for everything and stops it. */
export async function restartAndAsk(
  program: string,
  directory: string,
  { password, options = [], ...asked }: RestartOptions = {},
): Promise<SaidAfterRestart> {
  const etcd = await RunningEtcd.start(program, directory, [...SAME_URLS, ...options]);
  const gateway = new EtcdGateway(etcd.url);
  try {
    const token = password === undefined ? undefined : await login(gateway, 'root', password);
    return await askAfterRestart(gateway, { ...asked, token });
  } finally {
    gateway.close();
    await etcd.stop();
  }
}
