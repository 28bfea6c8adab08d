/**
 * A backend by path, for programs (Node). The command line opens files without it: not every command needs every question.
 */
import { Backend } from '../backend/backend.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { type LogBeside, logBeside } from './log-beside.ts';
import { type OpenedBackend, openBackendPath } from './open-backend.ts';

/** An open db by its path, and what is known from where it lies. */
export class BackendAtPath extends Backend {
  readonly #path: string;
  readonly #opened: OpenedBackend;
  #log: { readonly found: LogBeside | undefined } | undefined;

  constructor(path: string) {
    const opened = openBackendPath(path);
    super(opened.file, { sha256: createNodeSha256 });
    this.#path = path;
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
    this.#log ??= { found: kind === 'data-dir' ? logBeside(this.#path, file) : undefined };
    return this.#log.found;
  }
}
