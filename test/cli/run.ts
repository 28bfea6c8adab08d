/**
 * Runs the command line in this process and keeps what it prints.
 */
import { main } from '../../src/cli/main.ts';
import type { OutputStream } from '../../src/cli/output.ts';

/** What a command printed and how it ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** Standard output as bytes. */
  readonly bytes: Uint8Array;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  /** Whether the streams are terminals. */
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** What comes from standard input, in these pieces. */
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/** A stream that keeps what is written to it. */
export class CapturedStream implements OutputStream {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly #chunks: Buffer[] = [];

  constructor(isTTY = false, columns?: number) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): boolean {
    this.#chunks.push(Buffer.from(chunk as string));
    // As a real stream does, never before write() has returned.
    if (done) queueMicrotask(done);
    return true;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stdout = new CapturedStream(options.terminal, options.columns);
  const stderr = new CapturedStream(options.terminal, options.columns);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const stdin = options.stdin === undefined ? {} : { stdin: () => options.stdin as AsyncIterable<Uint8Array> };
  const code = await main(args, { stdout, stderr, env: options.env ?? {}, ...stdin }, signal);
  return { code, stdout: stdout.text, bytes: stdout.bytes, stderr: stderr.text };
}
