/**
 * The real bbolt 1.4.3 as a writer that a test can tell what to do: a process (drive-bolt/) fed through a pipe with one
 * command a line, which answers each with a line. It runs without syncing.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BoltEdit } from '../support/bolt-edit.ts';
import { findOrBuildGo } from '../support/peers.ts';
import type { ListedBucket, Operation, OperationResult } from '../support/writer-operations.ts';
import type { OpenOptions, WriterSide } from '../support/writer-side.ts';

interface Answer {
  readonly error?: string;
  readonly panic?: string;
  readonly results?: readonly string[];
  readonly buckets?: readonly ListedBucket[];
  readonly pages?: readonly number[];
  readonly lines?: readonly string[];
}

/** Words of bbolt's errors, and the codes of ours that mean the same. */
const CODES: Readonly<Record<string, OperationResult>> = {
  'no such bucket': 'e:NO_BUCKET',
  'bucket not found': 'e:BOLT_BUCKET_NOT_FOUND',
  'bucket already exists': 'e:BOLT_BUCKET_EXISTS',
  'bucket name required': 'e:BOLT_BUCKET_NAME_REQUIRED',
  'key required': 'e:BOLT_KEY_REQUIRED',
  'key too large': 'e:BOLT_KEY_TOO_LARGE',
  'value too large': 'e:BOLT_VALUE_TOO_LARGE',
  'incompatible value': 'e:BOLT_INCOMPATIBLE_VALUE',
  'the source and target are the same bucket': 'e:BOLT_SAME_BUCKET',
  'tx not writable': 'e:BOLT_TX_NOT_WRITABLE',
  'tx closed': 'e:BOLT_TX_CLOSED',
};

function translate(result: string): OperationResult {
  if (!result.startsWith('e:')) return result;
  const code = CODES[result.slice(2)];
  if (code === undefined) throw new Error(`bbolt says something unknown: ${result}`);
  return code;
}

/** A process of the driver, and the one database that it has open. */
export class BoltDriver implements WriterSide {
  readonly name = 'bbolt';
  /** The file it writes to. */
  readonly path: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];

  constructor(command: string, path: string) {
    this.path = path;
    this.#process = spawn(command, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#lines.on('line', (line) => this.#waiting.shift()?.resolve(line));
    const fail = (why: string) => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`the driver of bbolt ended: ${why}`));
    };
    this.#process.on('error', (error) => fail(error.message));
    this.#process.on('close', (code, signal) => fail(`${code ?? signal}`));
  }

  async #do(command: Readonly<Record<string, unknown>>): Promise<Answer> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin.write(`${JSON.stringify(command)}\n`);
    });
    const answer = JSON.parse(line) as Answer;
    if (answer.panic !== undefined) throw new Error(`bbolt panics at ${command['do']}: ${answer.panic}`);
    if (answer.error !== undefined) throw new Error(`bbolt, ${command['do']}: ${answer.error}`);
    return answer;
  }

  async create(pageSize: number, options: OpenOptions): Promise<void> {
    rmSync(this.path, { force: true });
    await this.#do({ do: 'open', path: this.path, pageSize, freelist: 'array', ...options });
  }
  async open(options: OpenOptions): Promise<void> {
    await this.#do({ do: 'open', path: this.path, freelist: 'array', ...options });
  }
  async close(): Promise<void> {
    await this.#do({ do: 'close' });
  }
  async transaction(operations: readonly Operation[], commit: boolean): Promise<OperationResult[]> {
    const { results = [] } = await this.#do({ do: 'transaction', operations, commit });
    return results.map(translate);
  }
  async beginReader(reader: string): Promise<void> {
    await this.#do({ do: 'begin', reader });
  }
  async endReader(reader: string): Promise<void> {
    await this.#do({ do: 'end', reader });
  }
  async content(reader?: string): Promise<readonly ListedBucket[]> {
    return (await this.#do({ do: 'content', reader })).buckets ?? [];
  }
  /** The pages that bbolt holds to be free or pending. */
  async freePages(): Promise<readonly number[]> {
    return (await this.#do({ do: 'free' })).pages ?? [];
  }
  /** What bbolt's check finds. */
  async check(): Promise<readonly string[]> {
    return (await this.#do({ do: 'check' })).lines ?? [];
  }
  bytes(): Uint8Array {
    const buffer = readFileSync(this.path);
    return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }

  /** Ends the process. */
  async end(): Promise<void> {
    const closed = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin.end();
    await closed;
    this.#lines.close();
  }
}

/** The drivers of one test file, and a directory for their databases. */
export interface DriverPark {
  /** False without the program (a warning was printed): the tests are to be skipped. */
  readonly available: boolean;
  readonly folder: string;
  start(name: string): BoltDriver;
  /** Ends all of them and removes the directory. */
  close(): Promise<void>;
}

export function driverPark(): DriverPark {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-drive-'));
  const command = findOrBuildGo(new URL('./drive-bolt/', import.meta.url), folder, 'drive-bolt');
  const drivers: BoltDriver[] = [];
  return {
    available: command !== undefined,
    folder,
    start(name) {
      const driver = new BoltDriver(command as string, join(folder, name));
      drivers.push(driver);
      return driver;
    },
    async close() {
      for (const driver of drivers) await driver.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the free pages that bbolt knows of are those that no tree of its file reaches. */
export async function assertFreePages(driver: BoltDriver): Promise<void> {
  const known = await driver.freePages();
  const unreached = new BoltEdit(driver.bytes()).freePages();
  if (`${known}` !== `${unreached}`) throw new Error(`bbolt holds ${known} to be free; not reached are ${unreached}`);
}
