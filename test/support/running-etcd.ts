/**
 * A real etcd, run for a test on a data directory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An etcd that runs until `stop`, and a client of it. */
export class RunningEtcd {
  /** Where it answers. */
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', resolve));
  }

  /** `options` are more arguments for the program. */
  static async start(program: string, directory: string, options: readonly string[] = []): Promise<RunningEtcd> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const peer = 'http://127.0.0.1:0';
    const child = spawn(
      program,
      [
        `--data-dir=${directory}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=default=${peer}`,
        ...options,
      ],
      { stdio: 'ignore' },
    );
    const etcd = new RunningEtcd(url, child);
    onTestFinished(() => etcd.stop('SIGKILL'));
    // One that has no space left answers all the same.
    const health = `${url}/health?exclude=NOSPACE`;
    const healthy = async (): Promise<boolean> => (await fetch(health).catch(() => undefined))?.ok ?? false;
    await expect.poll(healthy, { timeout: 30_000, interval: 100 }).toBe(true);
    return etcd;
  }

  async #call(method: string, request: object): Promise<unknown> {
    const response = await fetch(`${this.url}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(request) });
    expect(response.status).toBe(200);
    return response.json();
  }

  async put(key: string, value: string): Promise<void> {
    await this.#call('put', { key: btoa(key), value: btoa(value) });
  }

  /** All keys and values. */
  async all(): Promise<Record<string, string>> {
    const { kvs } = (await this.#call('range', { key: btoa('a'), range_end: btoa('z') })) as {
      kvs: { key: string; value?: string }[];
    };
    return Object.fromEntries(kvs.map(({ key, value = '' }) => [atob(key), atob(value)]));
  }

  /** The revision that the store has come to, and the hash of all that it holds up to `at`; default: up to there. */
  async fingerprint(at?: string): Promise<{ readonly revision: string; readonly hash: number }> {
    const request = { method: 'POST', body: JSON.stringify({ revision: at ?? '0' }) };
    const response = await fetch(`${this.url}/v3/maintenance/hashkv`, request);
    expect(response.status).toBe(200);
    const { header, hash } = (await response.json()) as { header: { revision: string }; hash: number };
    return { revision: header.revision, hash };
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}
