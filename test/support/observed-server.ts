/**
 * A real etcd that is started on a directory to see what it does: serve, end, or neither.
 */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { steadyWords } from '../wal/etcd/answers.ts';
import { freePort } from './running-etcd.ts';

/** What became of it. */
export interface ObservedServer {
  readonly state: 'up' | 'ended' | 'waiting';
  /** Everything it printed. */
  readonly said: string;
}

export interface ObserveOptions {
  /** Whether the server at `url` serves. Default: it says that it is healthy, space or no space. */
  readonly isUp?: (url: string) => Promise<boolean>;
  /** How long it may take. */
  readonly patienceMs?: number;
  /** How long one that serves is watched further: a panic may come when the first entries are applied. */
  readonly afterMs?: number;
}

async function isHealthy(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1000);
  return (await fetch(`${url}/health?exclude=NOSPACE`, { signal }).catch(() => undefined))?.ok ?? false;
}

/** Starts the program on the directory, waits until it serves, ends, or has had its time, and kills it. */
export async function observeServer(
  program: string,
  directory: string,
  { isUp: asked = isHealthy, patienceMs = 14_000, afterMs = 500 }: ObserveOptions = {},
): Promise<ObservedServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = 'http://127.0.0.1:0';
  const child = spawn(program, [
    `--data-dir=${directory}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
  }
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true;
      resolve();
    });
  });
  const pause = (ms: number): Promise<unknown> =>
    Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ms))]);
  const until = Date.now() + patienceMs;
  let isUp = false;
  while (!hasEnded && !isUp && Date.now() < until) {
    isUp = await asked(url);
    if (!isUp) await pause(50);
  }
  if (isUp) await pause(afterMs);
  const state = hasEnded ? 'ended' : isUp ? 'up' : 'waiting';
  child.kill('SIGKILL');
  await ended;
  return { state, said };
}

/** What a server printed, line by line: messages and their arguments as they are worded here. */
export function saidLines(said: string): string[] {
  return said.split('\n').map((line) => steadyWords(plainLine(line)));
}

function plainLine(line: string): string {
  // 3.4 logs in plain text: a time, a letter for the level, the package.
  if (!line.startsWith('{')) return line.replace(/^panic: |^\S+ \S+ [A-Z] \| [\w/]+: /, '');
  const {
    level: _level,
    ts: _ts,
    caller: _caller,
    msg,
    stacktrace: _trace,
    ...rest
  } = JSON.parse(line) as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? `${msg}` : `${msg} ${JSON.stringify(rest)}`;
}
