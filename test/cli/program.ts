/**
 * The built program in a process of its own.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
if (!existsSync(BIN)) throw new Error(`${BIN} is not there: npm run build`);

/** The user that is allowed nothing; tests often run as root, to whom permissions mean nothing. */
export const NOBODY: SpawnOptions = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program; `ended` resolves when its streams are closed. */
export function start(
  args: readonly string[],
  options: SpawnOptions = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs the program to its end. */
export function execute(args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return start(args, options).ended;
}
