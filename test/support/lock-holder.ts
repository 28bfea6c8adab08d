/**
 * A process of its own that opens a file with our lock, for tests in which two programs want the same file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/io/file-lock.ts', import.meta.url));

/** One line in: `close`. Lines out: what came of opening, then `closed`. */
const PROGRAM = `
import { openForWriting } from ${JSON.stringify(SOURCE)};
const [path, options] = process.argv.slice(2);
try {
  const file = openForWriting(path, JSON.parse(options));
  console.log(JSON.stringify({ size: file.size }));
  process.stdin.once('data', () => { file.close(); console.log('closed'); });
  process.stdin.on('end', () => process.exit());
} catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }));
}
`;

/** Bundles the program into `directory` and returns its path. */
export async function buildLockHolder(directory: string): Promise<string> {
  const outfile = join(directory, 'lock-holder.mjs');
  const stdin = { contents: PROGRAM, resolveDir: directory, loader: 'js' as const };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}

/** What the process said of the file: its size when it has the lock. */
export interface Opened {
  readonly size?: number;
  readonly code?: string;
  readonly message?: string;
}

export interface HolderProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly opened: Promise<Opened>;
  /** Makes it close the file while it goes on running. */
  close(): Promise<void>;
  /** Ends it in the given way. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts the process; it is killed at the end of the test if it still runs. */
export function startHolder(
  program: string,
  path: string,
  options: Readonly<Record<string, unknown>> = {},
): HolderProcess {
  const child = spawn(process.execPath, [program, path, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const lines = lineReader(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    child,
    pid: child.pid ?? 0,
    opened: lines().then((line) => JSON.parse(line) as Opened),
    close: async () => {
      child.stdin?.write('close\n');
      await lines();
    },
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
}

function lineReader({ stdout }: ChildProcess): () => Promise<string> {
  let text = '';
  const waiting: ((line: string) => void)[] = [];
  const serve = (): void => {
    for (let end = text.indexOf('\n'); end >= 0 && waiting.length > 0; end = text.indexOf('\n')) {
      waiting.shift()?.(text.slice(0, end));
      text = text.slice(end + 1);
    }
  };
  stdout?.on('data', (chunk) => {
    text += chunk;
    serve();
  });
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      serve();
    });
}
