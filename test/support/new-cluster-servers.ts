/**
 * The members of a cluster that was made here, run by real etcds: each by the very command line that came with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import type { CreatedMember, CreatedMembers } from '../../src/files/restore.ts';
import { EtcdGateway } from './etcd-gateway.ts';

/** Below the ports that the system gives away by itself, so that a server finds its ports free when it is started again. */
const [FIRST_PORT, LAST_PORT] = [11_000, 31_999];
const START_MS = 60_000;
const STOP_MS = 30_000;

/** A server that does not do what it should. */
export class ServerFailure extends Error {
  /** Everything it printed. */
  readonly said: string;
  /** Whether it has ended by itself. */
  readonly hasEnded: boolean;

  constructor(words: string, said: string, hasEnded: boolean) {
    super(`${words}:\n${said.slice(-6000)}`);
    this.said = said;
    this.hasEnded = hasEnded;
  }
}

/** A peer URL for each name. Clients are served one port below: both are free. */
export async function freePeerUrls(names: readonly string[]): Promise<Record<string, string>> {
  const urls: Record<string, string> = {};
  const taken = new Set<number>();
  for (const name of names) {
    let port: number;
    do port = FIRST_PORT + 1 + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    while (taken.has(port) || taken.has(port - 1) || !(await isFree(port)) || !(await isFree(port - 1)));
    taken.add(port).add(port - 1);
    urls[name] = `http://127.0.0.1:${port}`;
  }
  return urls;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** How the servers are run. */
export interface ServersOptions {
  /** More of the environment; etcd takes any of its flags from there. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The program of each member, by its name; or the one of all. */
export type Programs = string | Readonly<Record<string, string>>;

/** Running members; `stop` ends them, and so does the end of the test. */
export class NewClusterServers {
  readonly #servers: ReadonlyMap<string, MemberServer>;

  private constructor(servers: readonly MemberServer[]) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
  }

  /** Starts every member that was made, and waits until each serves: a voter has a leader then. Throws a `ServerFailure`. */
  static async start(
    { members }: Pick<CreatedMembers, 'members'>,
    programs: Programs,
    { environment = {} }: ServersOptions = {},
  ): Promise<NewClusterServers> {
    const servers = members
      .filter(({ startCommand }) => startCommand !== null)
      .map((member) => {
        const program = typeof programs === 'string' ? programs : programs[member.name];
        if (program === undefined) throw new Error(`there is no program for ${member.name}`);
        return new MemberServer(member, program, environment);
      });
    const running = new NewClusterServers(servers);
    onTestFinished(() => running.kill());
    await Promise.all(servers.map((server) => server.ready()));
    return running;
  }

  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  get gateways(): readonly EtcdGateway[] {
    return [...this.#servers.values()].map(({ gateway }) => gateway);
  }

  /** A client of one member; of the first where none is named. */
  gateway(name: string = this.names[0]!): EtcdGateway {
    return this.#server(name).gateway;
  }

  /** Where a member serves clients. */
  url(name: string = this.names[0]!): string {
    return this.#server(name).url;
  }

  #server(name: string): MemberServer {
    const server = this.#servers.get(name);
    if (server === undefined) throw new Error(`no member ${name} was started`);
    return server;
  }

  /** Waits until the members have agreed on the version of a release: the last of what they write on their own. */
  async settled(minor: EtcdMinor): Promise<void> {
    const until = Date.now() + START_MS;
    for (const { url } of this.#servers.values()) {
      for (;;) {
        const { etcdcluster } = (await (await fetch(`${url}/version`)).json()) as { etcdcluster: string };
        if (etcdcluster === `${minor}.0`) break;
        if (Date.now() > until) throw new Error(`the cluster has not agreed on ${minor}: ${etcdcluster}`);
        await pause(20);
      }
    }
  }

  /** Ends them as an operator does. Throws if one panics on the way: with ETCD_VERIFY it looks at its own files then. */
  async stop(): Promise<void> {
    // A leader hands over before it ends, and waits for seconds where whom it has chosen ends as well.
    const servers = [...this.#servers.values()];
    const leader = servers.length === 1 ? undefined : await this.#leader();
    await Promise.all(servers.filter((server) => server !== leader).map((server) => server.stop()));
    await leader?.stop();
  }

  async #leader(): Promise<MemberServer | undefined> {
    for (const server of this.#servers.values()) {
      const { message } = await server.gateway.call<{ leader: string }>('maintenance/status', {});
      if (message?.leader === `${server.id}`) return server;
    }
    return undefined;
  }

  async kill(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.kill()));
  }
}

class MemberServer {
  readonly id: bigint;
  readonly name: string;
  readonly url: string;
  readonly gateway: EtcdGateway;
  readonly #isLearner: boolean;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #exit: string | undefined;
  #said = '';

  constructor(member: CreatedMember, program: string, environment: Readonly<Record<string, string>>) {
    const command = member.startCommand ?? '';
    const url = /--advertise-client-urls (\S+)/.exec(command)?.[1];
    if (url === undefined || !command.startsWith('etcd ')) throw new Error(`no start command of etcd: ${command}`);
    this.id = member.id;
    this.name = member.name;
    this.url = url;
    this.gateway = new EtcdGateway(url);
    this.#isLearner = member.isLearner;
    // The shell takes the words apart; in its place runs what it was asked to run, and gets the signals.
    this.#child = spawn('sh', ['-c', `exec "$PROGRAM" ${command.slice('etcd '.length)}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // ETCD_VERIFY: servers judge their own state, and panic where it is wrong.
      env: { PATH: process.env['PATH'], PROGRAM: program, ETCD_VERIFY: 'all', ...environment },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        this.#said += piece;
      });
    }
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#exit = signal ?? `${code}`;
        resolve();
      });
    });
  }

  /**
   * Waits until it answers a read. /health is not asked: with 3.4 that is an entry in the log, on which 3.6 panics. A learner reads only
   * what it has itself.
   */
  async ready(): Promise<void> {
    const until = Date.now() + START_MS;
    const body = JSON.stringify({ key: 'AA==', serializable: this.#isLearner });
    while (this.#exit === undefined) {
      const asked = { method: 'POST', body, signal: AbortSignal.timeout(3000) };
      const status = (await fetch(`${this.url}/v3/kv/range`, asked).catch(() => undefined))?.status;
      // 400: it wants to know who asks.
      if (status === 200 || status === 400) return;
      if (Date.now() > until) throw this.#error(`does not serve (${status ?? 'no answer'})`);
      await Promise.race([this.#ended, pause(30)]);
    }
    throw this.#error(`ended with ${this.#exit}`);
  }

  async stop(): Promise<void> {
    if (this.#exit !== undefined) throw this.#error(`had ended with ${this.#exit}`);
    this.gateway.close();
    this.#child.kill('SIGTERM');
    const patience = new AbortController();
    await Promise.race([this.#ended, pause(STOP_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    if (this.#exit === undefined) throw this.#error('does not stop');
    if (this.#exit !== 'SIGTERM' && this.#exit !== '0') throw this.#error(`ended with ${this.#exit}`);
  }

  async kill(): Promise<void> {
    this.gateway.close();
    if (this.#exit === undefined) this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #error(words: string): ServerFailure {
    return new ServerFailure(`${this.name} ${words}`, this.#said, this.#exit !== undefined);
  }
}
