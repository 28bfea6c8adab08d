// The lock between us and the programs whose lock it is: a bbolt that writes, a bbolt command that waits, a running etcd.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DatadirError } from '../../src/errors.ts';
import { openForWriting } from '../../src/io/file-lock.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { type LockSighting, seeLock } from '../../src/io/lock-sighting.ts';
import { checkBolt } from '../../src/node.ts';
import { readFixture } from '../support/fixtures.ts';
import { buildGo, findEtcds, findPeer } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const LINUX = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<{ code: number | null; stdout: string }>;
}

/** Starts a program, which is killed at the end of the test if it still runs. */
function start(path: string, args: readonly string[]): Started {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, pid: child.pid ?? 0, ended };
}

function look(path: string): LockSighting {
  const source = openFileSource(path);
  try {
    return seeLock(source.descriptor, path);
  } finally {
    source.close();
  }
}

function holderPids(path: string): number[] {
  return look(path).holders.map(({ pid }) => pid);
}

function hasOpen(pid: number, path: string): boolean {
  const descriptors = `/proc/${pid}/fd`;
  try {
    return readdirSync(descriptors).some((name) => readlinkSync(`${descriptors}/${name}`) === path);
  } catch {
    return false;
  }
}

function lockError(path: string): Partial<DatadirError> {
  try {
    openForWriting(path).close();
  } catch (error) {
    return error as DatadirError;
  }
  return {};
}

/** Programs that wait for bbolt's lock try every 50 ms: after so long they would have got it. */
const SEVERAL_ATTEMPTS_MS = 400;
const severalAttempts = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SEVERAL_ATTEMPTS_MS));

const makeBolt = LINUX ? buildGo(new URL('./make-bolt/', import.meta.url), folder, 'make-bolt') : undefined;

test.skipIf(makeBolt === undefined)('a bbolt that has the file open for writing is named and respected', async () => {
  const path = join(temporaryDirectory(), 'db');
  const writer = start(makeBolt as string, [path, 'churn', '1', '4096', 'map', 'none']);
  await new Promise((resolve) => writer.child.stdout?.once('data', resolve));
  expect(look(path)).toEqual({
    state: 'exclusive',
    certain: true,
    holders: [{ pid: writer.pid, command: 'make-bolt' }],
  });
  expect(lockError(path)).toMatchObject({
    code: 'FILE_LOCKED',
    message: `${path}: locked by make-bolt (pid ${writer.pid})`,
  });
  writer.child.stdin?.end();
  await writer.ended;
  expect(lockError(path)).toEqual({});
  expect(look(path).state).toBe('none-seen');
});

const bbolts = LINUX ? ['bbolt-1.4.3', 'bbolt-1.5.0'].map((name) => ({ name, path: findPeer(name) })) : [];

describe.each(bbolts)('$name', ({ path: bbolt }) => {
  test.skipIf(bbolt === undefined)('check waits while we have the lock, and goes on when we close', async () => {
    const path = join(temporaryDirectory(), 'db');
    writeFileSync(path, readFixture('bolt/mixed-1024'));
    const file = openForWriting(path);
    const check = start(bbolt as string, ['check', path]);
    await expect.poll(() => hasOpen(check.pid, path)).toBe(true);
    await severalAttempts();
    expect(check.child.exitCode).toBe(null);
    expect(holderPids(path)).toEqual([process.pid]);
    file.close();
    expect(await check.ended).toEqual({ code: 0, stdout: 'OK\n' });
  });
});

const etcds = LINUX ? findEtcds() : [];
if (etcds.length === 0) test.skip('a running etcd', () => {});

describe.each(etcds)('etcd $version', { timeout: 60_000 }, ({ path: etcd }) => {
  const ANY_PORT = 'http://127.0.0.1:0';
  const urls = ['listen-client', 'advertise-client', 'listen-peer', 'initial-advertise-peer'];
  const options = (place: string): string[] => [
    `--data-dir=${join(place, 'data')}`,
    `--initial-cluster=default=${ANY_PORT}`,
    ...urls.map((name) => `--${name}-urls=${ANY_PORT}`),
  ];

  test('has its db locked; after its end, even a sudden one, we can; while we have the lock it waits', async () => {
    const place = temporaryDirectory();
    const path = join(place, 'data/member/snap/db');
    const first = start(etcd, options(place));
    const look = { timeout: 20_000, interval: 50 };
    const holders = (): number[] => {
      try {
        return holderPids(path);
      } catch {
        return [];
      }
    };
    await expect.poll(holders, look).toEqual([first.pid]);
    expect(lockError(path).code).toBe('FILE_LOCKED');
    expect(lockError(path).message).toMatch(new RegExp(`: locked by etcd\\S* \\(pid ${first.pid}\\)$`));
    first.child.kill('SIGKILL');
    await first.ended;

    const file = openForWriting(path);
    const second = start(etcd, options(place));
    await expect.poll(() => hasOpen(second.pid, path), look).toBe(true);
    await severalAttempts();
    expect(holders()).toEqual([process.pid]);
    expect(second.child.exitCode).toBe(null);
    file.close();
    await expect.poll(holders, look).toEqual([second.pid]);
    second.child.kill('SIGTERM');
    await second.ended;
    expect(checkBolt(path).verdict).toBe('healthy');
  });
});
