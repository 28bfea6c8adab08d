/**
 * Three real etcd members that are started, killed and started again together.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { EtcdGateway } from '../support/etcd-gateway.ts';
import { freePort } from '../support/running-etcd.ts';

export const MEMBERS = ['m1', 'm2', 'm3'] as const;
export type MemberName = (typeof MEMBERS)[number];

/** Three members at ports of their own; a directory each. */
export class Cluster {
  readonly #program: string;
  readonly #folder: string;
  readonly #urls: ReadonlyMap<MemberName, { readonly client: string; readonly peer: string }>;
  #children: ChildProcess[] = [];

  private constructor(program: string, folder: string, urls: Cluster['urls']) {
    this.#program = program;
    this.#folder = folder;
    this.#urls = urls;
  }

  get urls(): ReadonlyMap<MemberName, { readonly client: string; readonly peer: string }> {
    return this.#urls;
  }

  static async create(program: string, folder: string): Promise<Cluster> {
    const urls = new Map<MemberName, { client: string; peer: string }>();
    const url = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;
    for (const name of MEMBERS) urls.set(name, { client: await url(), peer: await url() });
    const cluster = new Cluster(program, folder, urls);
    onTestFinished(() => cluster.kill());
    return cluster;
  }

  directory(name: MemberName): string {
    return join(this.#folder, name);
  }

  /** Starts all, and waits until they have a leader; gives its name. */
  async start(): Promise<MemberName> {
    const all = [...this.#urls].map(([name, { peer }]) => `${name}=${peer}`).join(',');
    this.#children = [...this.#urls].map(([name, { client, peer }]) =>
      spawn(
        this.#program,
        [
          `--name=${name}`,
          `--data-dir=${this.directory(name)}`,
          `--listen-client-urls=${client}`,
          `--advertise-client-urls=${client}`,
          `--listen-peer-urls=${peer}`,
          `--initial-advertise-peer-urls=${peer}`,
          `--initial-cluster=${all}`,
          '--snapshot-count=500',
        ],
        { stdio: 'ignore' },
      ),
    );
    for (const { client } of this.#urls.values()) {
      const healthy = async (): Promise<boolean> =>
        (await fetch(`${client}/health?exclude=NOSPACE`).catch(() => undefined))?.ok ?? false;
      await expect.poll(healthy, { timeout: 60_000, interval: 100 }).toBe(true);
    }
    return this.#leader();
  }

  async kill(): Promise<void> {
    const ended = this.#children.map((child) => new Promise((resolve) => child.once('close', resolve)));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(ended);
    this.#children = [];
  }

  async #leader(): Promise<MemberName> {
    for (const [name, { client }] of this.#urls) {
      const gateway = new EtcdGateway(client);
      try {
        const { leader, header } = await gateway.ask<{ leader: string; header: { member_id: string } }>(
          'maintenance/status',
        );
        if (leader === header.member_id) return name;
      } finally {
        gateway.close();
      }
    }
    throw new Error('no member says that it leads');
  }
}
