/**
 * A backend by path, for programs (Node): what reads the whole file is done by a worker thread. The command line opens files without it:
 * not every command needs every question, and a thread takes 50 ms to start.
 */
import { Backend } from '../backend/backend.ts';
import type { DbHash, DbHashOptions } from '../backend/db-hash.ts';
import type { Usage, UsageOptions } from '../backend/du.ts';
import type { HashKv, HashKvOptions } from '../backend/hash-kv.ts';
import type { LeaseReport } from '../backend/lease-report.ts';
import type { BackendStatus } from '../backend/status.ts';
import type { Trailer } from '../backend/trailer.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import type { DataDirOptions } from '../files/data-dir-folder.ts';
import { type LogBeside, logBeside } from '../files/log-beside.ts';
import { type OpenedBackend, openBackendPath } from '../files/open-backend.ts';
import type { RunOptions } from '../io/job.ts';
import type { BackendQuestion } from './messages.ts';
import { handed, inWorker, plainOptions, type WorkerOptions } from './worker-options.ts';

/** How long work is run, and where. */
type Run = RunOptions & WorkerOptions;

/** An open db by its path, and what is known from where it lies. */
export class BackendAtPath extends Backend {
  readonly #path: string;
  readonly #options: DataDirOptions;
  readonly #opened: OpenedBackend;
  #log: { readonly found: LogBeside | undefined } | undefined;

  constructor(path: string, options: DataDirOptions = {}) {
    const opened = openBackendPath(path);
    super(opened.file, { sha256: createNodeSha256 });
    this.#path = path;
    this.#options = options;
    this.#opened = opened;
  }

  /** What the path is. */
  get kind(): 'db' | 'snapshot' | 'data-dir' {
    return this.#opened.kind;
  }

  /** The db file itself. */
  get dbPath(): string {
    return this.#opened.dbPath;
  }

  /** What the log of a data directory knows; undefined where there is none. Reads the log when it is first asked for. */
  get log(): LogBeside | undefined {
    const { kind, file } = this.#opened;
    this.#log ??= { found: kind === 'data-dir' ? logBeside(this.#path, file, this.#options) : undefined };
    return this.#log.found;
  }

  override status(options: Run = {}): Promise<BackendStatus> {
    return this.#ask('status', options, () => super.status(options));
  }

  override hashKv(options: HashKvOptions & Run = {}): Promise<HashKv> {
    return this.#ask('hashKv', options, () => super.hashKv(options));
  }

  override hash(options: DbHashOptions & Run = {}): Promise<DbHash> {
    return this.#ask('hash', options, () => super.hash(options));
  }

  override usage(options: UsageOptions & Run = {}): Promise<Usage> {
    return this.#ask('usage', options, () => super.usage(options));
  }

  override leasesWithKeys(options: Run = {}): Promise<LeaseReport> {
    return this.#ask('leasesWithKeys', options, () => super.leasesWithKeys(options));
  }

  override verifyTrailer(options: Run = {}): Promise<Trailer> {
    return this.#ask('verifyTrailer', options, () => super.verifyTrailer(options));
  }

  #ask<Result>(question: BackendQuestion, options: Run, here: () => Promise<Result>): Promise<Result> {
    const subject = handed(this.#opened.source);
    return inWorker({ job: 'backend', subject, question, options: plainOptions(options) }, options, here);
  }
}
