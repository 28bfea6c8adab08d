/**
 * One real etcd with whatever flags a test needs, at ports that it keeps: it can be killed, stopped as an operator does, and started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { EtcdGateway } from './etcd-gateway.ts';
import { freePeerUrls } from './new-cluster-servers.ts';

const START_MS = 60_000;
const STOP_MS = 30_000;
/** So much of what a server prints is kept. */
const SAID_LENGTH = 256 * 1024;

/** Where a member is found. */
export interface EtcdPlace {
  readonly name: string;
  readonly dataDir: string;
  readonly peer: string;
  readonly client: string;
}

/** A place for a server; `dataDir` need not exist. */
export async function etcdPlace(name: string, dataDir: string): Promise<EtcdPlace> {
  const { [name]: peer = '' } = await freePeerUrls([name]);
  return { name, dataDir, peer, client: clientUrlOf(peer) };
}

function clientUrlOf(peer: string): string {
  const url = new URL(peer);
  return `${url.protocol}//${url.hostname}:${Number(url.port) - 1}`;
}

/** Flags of a server that begins a cluster, or joins one: a directory that has a log needs none of them. */
export function bootstrapFlags(members: readonly EtcdPlace[], own: EtcdPlace, state: 'new' | 'existing'): string[] {
  return [
    `--initial-advertise-peer-urls=${own.peer}`,
    `--initial-cluster=${members.map(({ name, peer }) => `${name}=${peer}`).join(',')}`,
    `--initial-cluster-state=${state}`,
  ];
}

/** How a server is started. */
export interface EtcdServerOptions {
  readonly flags?: readonly string[];
  /** It may follow only: what it has itself is read. */
  readonly isLearner?: boolean;
}

/** A running etcd. The end of the test kills it. */
export class EtcdServer {
  readonly place: EtcdPlace;
  readonly gateway: EtcdGateway;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #exit: string | undefined;
  #said = '';

  private constructor(program: string, place: EtcdPlace, flags: readonly string[]) {
    const { name, dataDir, client, peer } = place;
    this.place = place;
    this.gateway = new EtcdGateway(client);
    this.#child = spawn(
      program,
      [
        `--name=${name}`,
        `--data-dir=${dataDir}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        ...flags,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        // Servers judge their own state, and panic where it is wrong; but they look for the log in the data directory only.
        env: {
          PATH: process.env['PATH'],
          ...(flags.some((flag) => flag.startsWith('--wal-dir')) ? {} : { ETCD_VERIFY: 'all' }),
        },
      },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        this.#said = (this.#said + piece).slice(-SAID_LENGTH);
      });
    }
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#exit = signal ?? `${code}`;
        resolve();
      });
    });
    onTestFinished(() => this.kill());
  }

  /** Starts it and waits until it answers a read. */
  static async start(program: string, place: EtcdPlace, options: EtcdServerOptions = {}): Promise<EtcdServer> {
    const server = EtcdServer.launch(program, place, options);
    await server.ready(options);
    return server;
  }

  /** Starts it without waiting: members of a cluster wait for one another. */
  static launch(program: string, place: EtcdPlace, { flags = [] }: EtcdServerOptions = {}): EtcdServer {
    return new EtcdServer(program, place, flags);
  }

  /** Everything it printed, or the last of it. */
  get said(): string {
    return this.#said;
  }

  /** The signal or the code that it ended with. */
  get exit(): string | undefined {
    return this.#exit;
  }

  /** Waits until it answers a read. /health is not asked: with 3.4 that is an entry in the log. */
  async ready({ isLearner = false }: EtcdServerOptions = {}): Promise<void> {
    const until = Date.now() + START_MS;
    const body = JSON.stringify({ key: 'AA==', serializable: isLearner });
    while (this.#exit === undefined) {
      const asked = { method: 'POST', body, signal: AbortSignal.timeout(3000) };
      const status = (await fetch(`${this.place.client}/v3/kv/range`, asked).catch(() => undefined))?.status;
      if (status === 200) return;
      if (Date.now() > until) throw this.#error(`does not serve (${status ?? 'no answer'})`);
      await Promise.race([this.#ended, pause(30)]);
    }
    throw this.#error(`ended with ${this.#exit}`);
  }

  /** Waits until the cluster has agreed on a version: the last of what servers write on their own. */
  async settled(): Promise<void> {
    const until = Date.now() + START_MS;
    for (;;) {
      const { etcdcluster } = (await (await fetch(`${this.place.client}/version`)).json()) as { etcdcluster: string };
      if (/^3\.[1-9]/.test(etcdcluster)) return;
      if (Date.now() > until) throw this.#error(`has not agreed on a version: ${etcdcluster}`);
      await pause(20);
    }
  }

  /** Ends it as an operator does. Throws if it panics on the way: with ETCD_VERIFY it looks at its own files then. */
  async stop(): Promise<void> {
    if (this.#exit !== undefined) throw this.#error(`had ended with ${this.#exit}`);
    this.gateway.close();
    this.#child.kill('SIGTERM');
    await this.waitForEnd(STOP_MS);
    if (this.#exit !== 'SIGTERM' && this.#exit !== '0') throw this.#error(`ended with ${this.#exit}`);
  }

  /** Waits until it has ended by itself. */
  async waitForEnd(patienceMs: number): Promise<void> {
    const patience = new AbortController();
    await Promise.race([this.#ended, pause(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    if (this.#exit === undefined) throw this.#error('does not end');
  }

  async kill(): Promise<void> {
    this.gateway.close();
    if (this.#exit === undefined) this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #error(words: string): Error {
    return new Error(`${this.place.name} ${words}:\n${this.#said.slice(-6000)}`);
  }
}
