/**
 * The real wal packages of etcd 3.5, 3.6 and 3.7 as writers, readers and judges that a test can tell what to do: a process
 * (drive-wal/) fed through a pipe with one command a line, which answers each with a line. Nothing is synced.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { findOrBuildGo } from '../support/peers.ts';

/** Bytes as hex, 64-bit numbers as decimal strings. A field that is absent is absent in the message too. */
export interface WireEntry {
  readonly type?: number;
  readonly term?: string;
  readonly index?: string;
  readonly data?: string;
}

export interface WireHardState {
  readonly term?: string;
  readonly vote?: string;
  readonly commit?: string;
}

export interface WireConfState {
  readonly voters: readonly string[];
  readonly learners: readonly string[];
  readonly votersOutgoing: readonly string[];
  readonly learnersNext: readonly string[];
  readonly autoLeave?: boolean;
}

export interface WireSnapshot {
  readonly index?: string;
  readonly term?: string;
  readonly confState?: WireConfState;
}

/** `snapshot` is that to start reading at; default 0/0. `list` asks for all entries in the answer. */
interface Place {
  readonly dir: string;
  readonly snapshot?: WireSnapshot;
  readonly list?: boolean;
}

export type WalCommand =
  /** From now on: at what size a segment is cut, and to what it is preallocated. */
  | { readonly op: 'segmentSize'; readonly size: number }
  // One log can be open for writing. `open` reads it all, as etcd has to.
  | { readonly op: 'create'; readonly dir: string; readonly metadataHex?: string }
  | ({ readonly op: 'open' } & Place)
  | { readonly op: 'save'; readonly hardState?: WireHardState; readonly entries?: readonly WireEntry[] }
  | { readonly op: 'saveSnapshot'; readonly snapshot: WireSnapshot }
  | { readonly op: 'cut' | 'sync' | 'close' }
  | { readonly op: 'release'; readonly index: string }
  // The rest works on any directory, whatever is open.
  | ({ readonly op: 'readAllRead' | 'readAllWrite' | 'verify' } & Place)
  | { readonly op: 'validSnapshots' | 'repair'; readonly dir: string }
  /** Parses the data of an entry, as hex. */
  | { readonly op: 'request' | 'confChange'; readonly dataHex: string }
  /** Many commands in one line. */
  | { readonly op: 'each'; readonly commands: readonly WalCommand[] };

export interface WalAnswer {
  readonly error?: string;
  readonly panic?: string;
  /** Of reading. Absent when it is nil. */
  readonly metadata?: string;
  readonly state?: WireHardState;
  readonly entries?: WireSummary;
  readonly list?: readonly WireEntry[];
  /** Of `validSnapshots`. */
  readonly snapshots?: readonly WireSnapshot[];
  /** Of `repair`. */
  readonly repaired?: boolean;
  /** Of `request`. */
  readonly request?: WireRequest;
  /** Of `each`. */
  readonly answers?: readonly WalAnswer[];
}

/** How the data of an entry was parsed: as a request of the v3 API and, if that failed, as one of the v2 API (not in 3.7). */
export interface WireRequest {
  readonly v3Error?: string;
  readonly v2Error?: string;
  readonly hasId?: boolean;
  readonly hasHeader?: boolean;
  readonly hasV2?: boolean;
  /** Of a v2 request. */
  readonly method?: string;
}

/** What entries come to; sha256 over u64le term, u64le index, u32le type, u32le length of the data, the data of each. */
export interface WireSummary {
  readonly count: number;
  readonly firstIndex?: string;
  readonly lastIndex?: string;
  readonly lastTerm?: string;
  readonly sha256: string;
}

/** The versions whose wal packages are driven. */
export const DRIVEN = { '3.5': '3.5.33', '3.6': '3.6.14', '3.7': '3.7.1' } as const;
export type DrivenMinor = keyof typeof DRIVEN;
export const DRIVEN_MINORS: readonly DrivenMinor[] = ['3.5', '3.6', '3.7'];

/** A process with one wal package. */
export class WalDriver {
  readonly minor: DrivenMinor;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];

  constructor(command: string, minor: DrivenMinor) {
    this.minor = minor;
    this.#process = spawn(command, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#lines.on('line', (line) => this.#waiting.shift()?.resolve(line));
    const fail = (why: string) => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`the driver of wal ${minor} ended: ${why}`));
    };
    this.#process.on('error', (error) => fail(error.message));
    this.#process.on('close', (code, signal) => fail(`${code ?? signal}`));
  }

  /** Does one thing; errors and panics are part of the answer. */
  async ask(command: WalCommand): Promise<WalAnswer> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin.write(`${JSON.stringify(command)}\n`);
    });
    return JSON.parse(line) as WalAnswer;
  }

  /** Does one thing that must work. */
  async do(command: WalCommand): Promise<WalAnswer> {
    const answer = await this.ask(command);
    const wrong = answer.panic ?? answer.error;
    if (wrong !== undefined) throw new Error(`wal ${this.minor}, ${command.op}: ${wrong}`);
    return answer;
  }

  /** Ends the process. */
  async end(): Promise<void> {
    const closed = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin.end();
    await closed;
    this.#lines.close();
  }
}

/** The drivers of one test file, and a directory for their logs. */
export interface WalDriverPark {
  /** Whether there is a program for that version. If not, a warning was printed: the tests are to be skipped. */
  available(minor: DrivenMinor): boolean;
  readonly folder: string;
  start(minor: DrivenMinor): WalDriver;
  /** Ends all of them and removes the directory. */
  close(): Promise<void>;
}

export function walDriverPark(): WalDriverPark {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-wal-'));
  const shared = new URL('./drive-wal/driver/', import.meta.url);
  const commands = new Map<DrivenMinor, string | undefined>();
  for (const minor of DRIVEN_MINORS) {
    const source = new URL(`./drive-wal/v${minor.replace('.', '')}/`, import.meta.url);
    commands.set(minor, findOrBuildGo(source, folder, `drive-wal-${DRIVEN[minor]}`, shared));
  }
  const drivers: WalDriver[] = [];
  return {
    available: (minor) => commands.get(minor) !== undefined,
    folder,
    start(minor) {
      const driver = new WalDriver(commands.get(minor) as string, minor);
      drivers.push(driver);
      return driver;
    },
    async close() {
      for (const driver of drivers) await driver.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
