// A real etcd takes files that were compacted, changed in transactions, or exported and imported here for its own: it
// starts on them, has all keys, and writes on.
import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportEntries } from '../../src/bolt/export.ts';
import { buildBolt, checkBolt, compactBolt, openBolt } from '../../src/node.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd on files of ours', () => {});

/** A port that nobody listened on a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An etcd that runs until `stop`, and a client of it. */
class RunningEtcd {
  readonly #url: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(url: string, child: ChildProcess) {
    this.#url = url;
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', resolve));
  }

  static async start(program: string, directory: string): Promise<RunningEtcd> {
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
      ],
      { stdio: 'ignore' },
    );
    const etcd = new RunningEtcd(url, child);
    onTestFinished(() => etcd.stop('SIGKILL'));
    const healthy = async (): Promise<boolean> => (await fetch(`${url}/health`).catch(() => undefined))?.ok ?? false;
    await expect.poll(healthy, { timeout: 30_000, interval: 100 }).toBe(true);
    return etcd;
  }

  async #call(method: string, request: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(request) });
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

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}

/** What is done to the db while etcd does not run. */
const WAYS: readonly (readonly [what: string, act: (db: string) => Promise<void> | void])[] = [
  [
    'compacted',
    async (db) => {
      await compactBolt(db, `${db}.new`);
      renameSync(`${db}.new`, db);
    },
  ],
  [
    'changed in transactions',
    (db) => {
      const writable = openBolt(db, { readOnly: false });
      writable.update((tx) => {
        const bucket = tx.createBucket('not-of-etcd');
        for (let i = 0; i < 500; i++) bucket.put(`key ${i}`, 'x'.repeat(i * 10));
      });
      writable.update((tx) => tx.deleteBucket('not-of-etcd'));
      writable.close();
    },
  ],
  [
    'exported and built anew',
    async (db) => {
      const source = openBolt(db);
      await buildBolt(`${db}.new`, exportEntries(source), { freelistStored: false });
      source.close();
      renameSync(`${db}.new`, db);
    },
  ],
];

describe.each(etcds)('etcd $version', { timeout: 120_000 }, ({ path: program }) => {
  test('starts on files made here, has all keys, and writes on', async () => {
    const directory = join(temporaryDirectory(), 'data');
    const db = join(directory, 'member/snap/db');
    const expected: Record<string, string> = {};
    let etcd = await RunningEtcd.start(program, directory);
    for (let i = 0; i < 60; i++) {
      expected[`key-${i}`] = 'value '.repeat(i * 7);
      await etcd.put(`key-${i}`, expected[`key-${i}`]);
    }
    await etcd.stop();
    for (const [what, act] of WAYS) {
      await act(db);
      expect([what, checkBolt(db).verdict]).toEqual([what, 'healthy']);
      etcd = await RunningEtcd.start(program, directory);
      expect([what, await etcd.all()]).toEqual([what, expected]);
      expected[`after ${what}`] = what;
      await etcd.put(`after ${what}`, what);
      await etcd.stop();
      expect([what, checkBolt(db).verdict]).toEqual([what, 'healthy']);
    }
  });
});
