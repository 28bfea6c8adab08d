// Real etcd servers on the small logs of test/wal/etcd/start-cases.ts: each starts, repairs, refuses or panics as the
// simulation says, in its words.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { simulateStart } from '../../src/wal/etcd/start.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { steadyWords } from '../wal/etcd/answers.ts';
import { type StartCase, startCases } from '../wal/etcd/start-cases.ts';

const minorOf = (version: string): EtcdMinor => version.replace(/\.\d+$/, '') as EtcdMinor;
const etcds =
  process.platform === 'linux' ? findEtcds().filter(({ version }) => ETCD_MINORS.includes(minorOf(version))) : [];
if (etcds.length === 0) test.skip('real servers on small logs', () => {});

/** How long a server that cannot become healthy is watched. */
const PATIENCE_MS = 4000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Observed {
  readonly isUp: boolean;
  readonly said: readonly string[];
  readonly wasCut: boolean;
}

/** Starts a server on a log and waits until it is healthy or has ended, or for a while. */
async function observe(program: string, one: StartCase): Promise<Observed> {
  const directory = join(temporaryDirectory(), 'data');
  const wal = join(directory, 'member/wal');
  mkdirSync(wal, { recursive: true, mode: 0o700 });
  for (const { name, bytes } of one.segments) writeFileSync(join(wal, name), bytes);
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = 'http://127.0.0.1:0';
  const options = [`--data-dir=${directory}`, `--listen-client-urls=${url}`, `--advertise-client-urls=${url}`];
  const peers = [
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
  const child: ChildProcess = spawn(program, [...options, ...peers], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      hasEnded = true;
      resolve();
    }),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const until = Date.now() + PATIENCE_MS;
  let isUp = false;
  while (!hasEnded && !isUp && Date.now() < until) {
    isUp = (await fetch(`${url}/health`, { signal: AbortSignal.timeout(500) }).catch(() => undefined))?.ok ?? false;
    if (!isUp) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  // Entries that nobody had committed are applied as soon as there is a leader: a panic may come a moment later.
  if (isUp) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
  isUp = !hasEnded;
  child.kill('SIGKILL');
  await ended;
  const wasCut = existsSync(wal) && readdirSync(wal).some((name) => name.endsWith('.broken'));
  return { isUp, said: text.split('\n').map(inOneLine), wasCut };
}

/** A message and its arguments, as the simulation words them. */
function inOneLine(line: string): string {
  // 3.4 logs in plain text: a time, a letter for the level, the package.
  if (!line.startsWith('{')) return steadyWords(line.replace(/^panic: |^\S+ \S+ [A-Z] \| [\w/]+: /, ''));
  const {
    level: _level,
    ts: _ts,
    caller: _caller,
    msg,
    stacktrace: _trace,
    ...rest
  } = JSON.parse(line) as Record<string, unknown>;
  return steadyWords(Object.keys(rest).length === 0 ? `${msg}` : `${msg} ${JSON.stringify(rest)}`);
}

describe.each(etcds)('etcd $version', ({ version, path: program }) => {
  test.each(startCases().map((one) => [one.id, one] as const))(
    'on a log with: %s',
    { timeout: 60_000 },
    async (_, one) => {
      const files = one.segments.map(({ name, bytes }) => ({ name, source: memorySource(bytes, name) }));
      const { outcome, words, cut } = simulateStart(files, minorOf(version), { consistentIndex: 0n });
      const { isUp, said, wasCut } = await observe(program, one);
      expect([isUp, words, said.slice(-30)]).toEqual([
        outcome === 'starts' || outcome === 'repairs',
        words,
        said.slice(-30),
      ]);
      expect(wasCut).toBe(cut !== undefined);
      // Words of a Go panic may have more behind them; errors of contexts are not simulated.
      if (words !== '')
        expect(
          said.some((line) => line.startsWith(steadyWords(words))),
          `${words}\n${said.join('\n')}`,
        ).toBe(true);
    },
  );
});
