/**
 * What only a process shows: pipes, signals, permissions, and files that are none.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, openSync, readdirSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { boltFile, bucket, leaf } from '../support/bolt-pages.ts';
import { execute, NOBODY, start } from './program.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
chmodSync(folder, 0o755);
const file = unpackFixture(folder, 'bolt/mixed-1024');
const PAGE = 4096;

/** A file of 2^28 pages, nearly all of them holes and free: the table of its pages takes a minute to print. */
const endless = writeWorkFile(
  folder,
  'endless.db',
  boltFile({ 3: leaf() }, { pageSize: PAGE, highWaterMark: 2 ** 28 }),
);
truncateSync(endless, 2 ** 28 * PAGE);

describe('the program', () => {
  test('prints and ends like main', async () => {
    expect(await execute(['bolt', 'check', file])).toEqual({ code: 0, signal: null, stdout: 'OK\n', stderr: '' });
    expect(await execute(['check'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('prints everything before it ends, also to a slow reader', async () => {
    const { child, ended } = start(['bolt', 'page', file, '--all']);
    child.stdout?.pause();
    setTimeout(() => child.stdout?.resume(), 200);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(100_000);
    expect(stdout.match(/^Page ID: /gm)?.length).toBe(stdout.split('\n===').length);
  });

  test('ends quietly when the reader has gone (| head -1)', async () => {
    for (const args of [['bolt', 'pages', endless], ['bolt', 'page', file, '--all'], ['--help']]) {
      const { child, ended } = start(args);
      child.stdout?.once('data', () => child.stdout?.destroy());
      expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    }
  });

  test.runIf(existsSync('/dev/full'))('a full disk behind standard output is an error', async () => {
    const full = openSync('/dev/full', 'w');
    const ended = await execute(['bolt', 'info', file], { stdio: ['ignore', full, 'pipe'] });
    expect(ended).toMatchObject({ code: 3, stderr: 'etcd-datadir: standard output cannot be written to: ENOSPC\n' });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in the middle of a long command ends it with %d and leaves nothing behind', async (signal, code) => {
    const before = readdirSync(folder);
    const { child, ended } = start(['bolt', 'pages', endless]);
    child.stdout?.once('data', () => child.kill(signal));
    expect(await ended).toMatchObject({ code, signal: null, stderr: `etcd-datadir: stopped by ${signal}\n` });
    expect(readdirSync(folder)).toEqual(before);
  });

  test('SIGINT ends it also while nobody reads what it prints', async () => {
    const { child, ended } = start(['bolt', 'pages', endless]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdout?.pause();
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(130);
    child.stdout?.resume();
    await ended;
  });
});

describe('what is not a readable file ends with 3 at once:', () => {
  const fifo = join(folder, 'fifo');
  execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
  const secret = unpackFixture(folder, 'bolt/small-512-none');
  chmodSync(secret, 0);
  const closed = join(folder, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0);
  afterAll(() => chmodSync(closed, 0o700));

  test.each([
    ['a FIFO that nobody writes to', fifo, 'NOT_A_REGULAR_FILE'],
    ['an endless device', '/dev/zero', 'NOT_A_REGULAR_FILE'],
    ['no file', join(folder, 'none'), 'NOT_FOUND'],
    ['a path through a file', join(file, 'x'), 'NOT_FOUND'],
    ['a file without permission', secret, 'NO_PERMISSION'],
    ['a file in a folder without permission', join(closed, 'x'), 'NO_PERMISSION'],
  ])('%s', async (_, path, errorCode) => {
    for (const command of [['check'], ['bolt', 'check'], ['bolt', 'info'], ['bolt', 'page', '--all']]) {
      const { code, stdout, stderr } = await execute([...command, path, '--json'], { ...NOBODY, timeout: 10_000 });
      expect({ command, code, stderr }).toEqual({ command, code: 3, stderr });
      expect(JSON.parse(stdout).error).toMatchObject({ code: errorCode, path });
      expect(stderr).toContain(`etcd-datadir: ${path}: `);
    }
  });

  test('a directory', async () => {
    for (const [command, errorCode] of [
      [['check'], 'UNKNOWN_KIND'],
      [['bolt', 'check'], 'NOT_A_REGULAR_FILE'],
      [['wal', 'check'], 'UNKNOWN_KIND'],
      [['snap', 'check'], 'UNKNOWN_KIND'],
    ] as const) {
      const { code, stdout } = await execute([...command, folder, '--json'], { timeout: 10_000 });
      expect({ command, code }).toEqual({ command, code: 3 });
      expect(JSON.parse(stdout).error).toMatchObject({ code: errorCode, path: folder });
    }
  });

  test('a socket', async () => {
    const path = join(folder, 'socket');
    const server = createServer().listen(path);
    try {
      expect(await execute(['check', path], { timeout: 10_000 })).toMatchObject({ code: 3 });
    } finally {
      server.close();
    }
  });
});

test('a value of 256 MiB is printed in constant memory', async () => {
  const size = 256 * 2 ** 20;
  const pages = size / PAGE + 1;
  const bytes = boltFile({ 3: leaf(bucket('b', 4)), 4: leaf(['k', '']) }, { pageSize: PAGE, highWaterMark: 4 + pages });
  const view = new DataView(bytes.buffer);
  view.setUint32(4 * PAGE + 12, pages - 1, true);
  view.setUint32(4 * PAGE + 28, size, true);
  const path = writeWorkFile(folder, 'large-value.db', bytes);
  truncateSync(path, (4 + pages) * PAGE);
  // The program again, with one line more: how much memory it took.
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const script = `
    const { main } = await import(${JSON.stringify(main)});
    const { stdout, stderr, env } = process;
    const code = await main(${JSON.stringify(['bolt', 'get', path, 'b', 'k', '--format', 'hex'])}, { stdout, stderr, env });
    stderr.write(JSON.stringify({ code, maxRss: process.resourceUsage().maxRSS * 1024 }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = 0;
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk.length;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const { code, maxRss } = JSON.parse(stderr);
  expect({ code, printed }).toEqual({ code: 0, printed: 2 * size + 1 });
  expect(maxRss).toBeLessThan(200 * 2 ** 20);
});
