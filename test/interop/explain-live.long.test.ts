// What is said of a start against real servers, across releases: every stored directory of a lone member, of every version, started by
// every release that is there. Where it is said to be certain, the server must do just that, in these words.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import { startsOf } from '../../src/datadir/start/start.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { drain } from '../../src/io/job.ts';
import { dataDirFixture, dataDirFixtures, writeDataDir } from '../support/data-dir-fixtures.ts';
import { findEtcds } from '../support/peers.ts';
import { freePort } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { steadyWords } from '../wal/etcd/answers.ts';

const minorOf = (version: string): EtcdMinor => version.replace(/\.\d+$/, '') as EtcdMinor;
const etcds =
  process.platform === 'linux' ? findEtcds().filter(({ version }) => ETCD_MINORS.includes(minorOf(version))) : [];
if (etcds.length === 0) test.skip('real servers on stored directories', () => {});
const LONE =
  /\/(?:(?:alarm|auth|busy|crash|defrag|empty|fresh|k8s|nested|segments|tail-\w+|underload|v2)\/m1|restored\/(?!three-)[^/]+)$/;
const fixtures = dataDirFixtures().filter((name) => LONE.test(name));
const PATIENCE_MS = 14_000;

/** Starts a server on a copy of the directory, and waits until it serves, ends, or has had its time. */
async function observe(
  program: string,
  directory: string,
): Promise<{ state: 'up' | 'ended' | 'waiting'; said: string }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = 'http://127.0.0.1:0';
  const child = spawn(program, [
    '--name=m1',
    `--data-dir=${directory}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=m1=${peer}`,
  ]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true;
      resolve();
    });
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const until = Date.now() + PATIENCE_MS;
  let isUp = false;
  while (!hasEnded && !isUp && Date.now() < until) {
    const health = await fetch(`${url}/health?exclude=NOSPACE`, { signal: AbortSignal.timeout(1000) }).catch(
      () => undefined,
    );
    isUp = health?.ok ?? false;
    if (!isUp) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  // A member sets its own attributes a moment later, which may be the end of it.
  if (isUp) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))]);
  const state = hasEnded ? 'ended' : isUp ? 'up' : 'waiting';
  child.kill('SIGKILL');
  await ended;
  return { state, said };
}

/** Messages and their arguments, in one line each, as they are worded here. */
function lines(said: string, directory: string): string {
  const plain = said.split('\n').map((line) => {
    if (!line.startsWith('{')) return line;
    const {
      level: _,
      ts: _ts,
      caller: _caller,
      msg,
      stacktrace: _trace,
      ...rest
    } = JSON.parse(line) as Record<string, unknown>;
    return Object.keys(rest).length === 0 ? `${msg}` : `${msg} ${JSON.stringify(rest)}`;
  });
  return steadyWords(plain.join('\n').replaceAll(`${directory}/`, ''));
}

describe.each(etcds)('etcd $version', ({ version, path: program }) => {
  const minor = minorOf(version);
  test.each(fixtures)('on %s', { timeout: 60_000 }, async (name) => {
    const files = dataDirFixture(name);
    using dir = openDataDir(files);
    const report = drain(new DataDirCheckJob(dir, { level: 'deep' }));
    const start = startsOf(report).find((one) => one.version === minor)!;
    const directory = join(temporaryDirectory(), 'data');
    writeDataDir(files, directory);
    const { state, said } = await observe(program, directory);
    const { outcome, serves, words, certain, causes } = start;
    const expected =
      outcome === 'refuses' || outcome === 'panics'
        ? 'ended'
        : outcome === 'hangs' && serves === 'nobody'
          ? 'waiting'
          : 'up';
    const told = lines(said, directory);
    if (!certain && expected !== state) return;
    expect([state, outcome, words, causes, told.slice(-1500)]).toEqual([
      expected,
      outcome,
      words,
      causes,
      told.slice(-1500),
    ]);
    if (words !== '') expect(told).toContain(steadyWords(words).trim());
  });
});
