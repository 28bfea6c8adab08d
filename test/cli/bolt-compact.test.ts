/**
 * `bolt compact`: what it prints, what it refuses, and what it leaves behind.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildBolt, checkBolt } from '../../src/node.ts';
import { listContent } from '../support/bolt-content.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { execute, start } from './program.ts';
import { run } from './run.ts';

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const LEFTOVER = /^\.etcd-datadir-.*\.tmp$/;

function place(change: (edit: BoltEdit) => void = () => {}) {
  const folder = temporaryDirectory();
  const out = join(folder, 'out');
  mkdirSync(out);
  const source = join(folder, 'db');
  const edit = new BoltEdit(readFixture('bolt/mixed-1024'));
  change(edit);
  writeFileSync(source, edit.bytes);
  return { folder, source, out, target: join(out, 'new.db') };
}

describe('a healthy file', () => {
  test('prints the line of bbolt', async () => {
    const { source, target } = place();
    const { code, stdout, stderr } = await run(['bolt', 'compact', '-o', target, source]);
    const [before, after] = [statSync(source).size, statSync(target).size];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`${before} -> ${after} bytes (gain=${(before / after).toFixed(2)}x)\n`);
    expect(listContent(readFileSync(target))).toEqual(listContent(readFileSync(source)));
  });

  test('takes the flags of bbolt, and --out', async () => {
    const { source, target } = place();
    const args = ['bolt', 'compact', '--tx-max-size', '65536', '--no-sync', '--out', target, source];
    expect(await run(args)).toMatchObject({ code: 0, stderr: '' });
    expect(checkBolt(target).findings).toEqual([]);
  });

  test('takes page size, fill percent and freelist', async () => {
    const { source, out, target } = place();
    const options = ['--page-size', '4096', '--fill-percent', '0.5', '--freelist', 'none'];
    await run(['bolt', 'compact', '-o', target, ...options, source]);
    expect(checkBolt(target).bolt).toMatchObject({ pageSize: 4096, freelistStored: false, freePages: 0 });
    const full = join(out, 'full');
    await run(['bolt', 'compact', '-o', full, '--page-size', '0x1000', '--freelist', 'stored', source]);
    expect(checkBolt(full).bolt).toMatchObject({ pageSize: 4096, freelistStored: true });
    expect(statSync(full).size).toBeLessThan(statSync(target).size);
  });

  test('--json tells what is in the new file', async () => {
    const { source, target } = place();
    const { code, stdout } = await run(['bolt', 'compact', '-o', target, source, '--json']);
    expect(code).toBe(0);
    const size = statSync(target).size;
    const { digest } = checkBolt(source, { digest: true }).bolt ?? {};
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      path: source,
      output: target,
      sourceSize: statSync(source).size,
      size,
      gain: statSync(source).size / size,
      txid: checkBolt(source).bolt?.txid,
      pageSize: 1024,
      freelistStored: true,
      pairs: digest?.pairs,
      buckets: digest?.buckets,
      digest: digest?.value,
      findings: [],
    });
  });

  test('shows progress on a terminal, and takes it away', async () => {
    const { source, target } = place();
    const { stdout } = await run(['bolt', 'compact', '-o', target, source], { terminal: true });
    expect(stdout).toMatch(/gain=/);
  });
});

describe('what is refused, without anything being written:', () => {
  test.each([
    ['no output', [], /needs --output/],
    ['a page size below 256', ['-o', 'x', '--page-size', '100'], /--page-size must be at least 256/],
    ['a page size above 64 MiB', ['-o', 'x', '--page-size', '134217728'], /page size 134217728/],
    ['a fill percent as percent', ['-o', 'x', '--fill-percent', '90'], /from 0.1 to 1, not '90'/],
    ['a fill percent of nothing', ['-o', 'x', '--fill-percent', ''], /--fill-percent/],
    ['an unknown freelist', ['-o', 'x', '--freelist', 'map'], /must be one of stored, none/],
    ['a negative --tx-max-size', ['-o', 'x', '--tx-max-size=-1'], /--tx-max-size must be/],
  ])('%s', async (_, options, words) => {
    const { source, out } = place();
    const args = options.map((option) => (option === 'x' ? join(out, 'x') : option));
    const { code, stderr } = await run(['bolt', 'compact', ...args, source]);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
    expect(readdirSync(out)).toEqual([]);
  });

  test('a target that exists', async () => {
    const { source, target } = place();
    writeFileSync(target, 'mine');
    const { code, stderr } = await run(['bolt', 'compact', '-o', target, source]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: `etcd-datadir: ${target}: exists already\n` });
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  test('the source as its own target', async () => {
    const { source } = place();
    const before = sha256(source);
    expect(await run(['bolt', 'compact', '-o', source, source])).toMatchObject({ code: 3 });
    expect(sha256(source)).toBe(before);
  });

  test('a file that is no bolt file, or compressed, or missing', async () => {
    const { folder, source, out, target } = place();
    const zipped = join(folder, 'db.gz');
    writeFileSync(zipped, gzipSync(readFileSync(source)));
    const args = (path: string) => ['bolt', 'compact', '-o', target, path];
    expect(await run(args(zipped))).toMatchObject({ code: 3, stderr: expect.stringContaining('gzip-compressed') });
    expect(await run(args(join(folder, 'none')))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no such file'),
    });
    const { stdout } = await run([...args(zipped), '--json']);
    expect(JSON.parse(stdout).error.code).toBe('UNKNOWN_KIND');
    expect(readdirSync(out)).toEqual([]);
  });

  test('a damaged one, with its findings', async () => {
    const { source, out, target } = place((edit) => {
      for (const page of edit.treePages().slice(4, 40)) edit.bytes.fill(0, edit.at(page), edit.at(page, 16));
    });
    const before = sha256(source);
    const { code, stdout, stderr } = await run(['bolt', 'compact', '-o', target, source]);
    expect(code).toBe(1);
    expect(stdout.split('\n')[0]).toMatch(/page \d+/);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(22);
    expect(stderr).toMatch(/the file is damaged, and nothing was written; .*'etcd-datadir check /);
    const json = await run(['bolt', 'compact', '-o', target, source, '--json']);
    expect(json.code).toBe(1);
    const document = JSON.parse(json.stdout);
    expect(document).toMatchObject({ schema: 1, path: source, error: { code: 'BOLT_SOURCE_DAMAGED' } });
    expect(document.check.findings[0]).toMatchObject({
      code: expect.stringMatching(/^BOLT_/),
      message: expect.any(String),
    });
    expect(readdirSync(out)).toEqual([]);
    expect(sha256(source)).toBe(before);
  });

  test('a lost transaction is mentioned', async () => {
    const { source, target } = place((edit) => edit.flip(edit.at(edit.newerMeta, 72), 1));
    const { code, stderr } = await run(['bolt', 'compact', '-o', target, source]);
    expect(code).toBe(0);
    expect(stderr).toContain(`etcd-datadir: ${source}: `);
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

describe('a process that ends early', () => {
  /** A file that takes a while. */
  async function largePlace() {
    const made = place();
    const value = new Uint8Array(20_000).fill(120);
    const bucket = [new TextEncoder().encode('b')];
    function* entries() {
      yield { bucket };
      for (let i = 0; i < 12_000; i++) yield { bucket, key: new TextEncoder().encode(`${1_000_000 + i}`), value };
    }
    const source = join(made.folder, 'large.db');
    await buildBolt(source, entries(), { noSync: true });
    return { ...made, source };
  }

  /** Resolves when the temporary file is there and has some bytes. */
  async function begun(folder: string): Promise<void> {
    for (;;) {
      const name = readdirSync(folder).find((each) => LEFTOVER.test(each));
      if (name !== undefined && statSync(join(folder, name)).size > 2 ** 20) return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  test('kill -9 leaves the source as it was and one temporary, which the next run mentions', {
    timeout: 60_000,
  }, async () => {
    const { source, out, target } = await largePlace();
    const before = sha256(source);
    const { child, ended } = start(['bolt', 'compact', '-o', target, source]);
    await begun(out);
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    const left = readdirSync(out);
    expect(left).toEqual([expect.stringMatching(LEFTOVER)]);
    expect(sha256(source)).toBe(before);
    const next = await execute(['bolt', 'compact', '-o', target, source]);
    expect(next).toMatchObject({ code: 0, stdout: expect.stringMatching(/gain=/) });
    expect(next.stderr).toContain(join(out, left[0] as string));
    expect(readdirSync(out).sort()).toEqual([...left, 'new.db'].sort());
    expect(checkBolt(target).verdict).toBe('healthy');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s leaves nothing', { timeout: 60_000 }, async (signal, code) => {
    const { source, out, target } = await largePlace();
    const { child, ended } = start(['bolt', 'compact', '-o', target, source]);
    await begun(out);
    child.kill(signal);
    expect(await ended).toMatchObject({ code, stdout: '', stderr: `etcd-datadir: stopped by ${signal}\n` });
    expect(readdirSync(out)).toEqual([]);
  });

  test.runIf(existsSync('/bin/sh'))('a file that may not grow any more is an error, and nothing is left', async () => {
    const { source, out, target } = place();
    // In units of 512 bytes; without the trap the signal would end the process first.
    const limited = `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`;
    const program = new URL('../../dist/cli/bin.js', import.meta.url).pathname;
    const { spawnSync } = await import('node:child_process');
    const ended = spawnSync('sh', ['-c', limited, process.execPath, program, 'bolt', 'compact', '-o', target, source], {
      encoding: 'utf8',
    });
    expect(ended.status).toBe(3);
    expect(ended.stderr).toMatch(/write of \d+ bytes at offset \d+ gave EFBIG/);
    expect(readdirSync(out)).toEqual([]);
  });
});
