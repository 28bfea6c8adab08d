/**
 * `bolt export` and `bolt import` as commands: streams, files, exit codes, and that an export which failed is never imported.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { checkBolt, openBolt } from '../../src/node.ts';
import { laterState } from '../support/bolt-builder.ts';
import { readFixture } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { CapturedStream, type Ran, run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const mixed = unpackFixture(folder, 'bolt/mixed-1024');
const nested = unpackFixture(folder, 'bolt/nested-4096');

let count = 0;
const newPath = (): string => join(folder, `new-${count++}.db`);

async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

async function exported(path: string, ...options: string[]): Promise<Ran> {
  return run(['bolt', 'export', path, ...options]);
}

function temporaries(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tmp'));
}

describe('export', () => {
  test('prints a line for each bucket and each key', async () => {
    const { code, stdout, stderr } = await exported(nested);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) {
      expect(Object.keys(JSON.parse(line))).toEqual(
        line.includes('"key"') ? ['bucket', 'key', 'value'] : ['bucket', 'sequence'],
      );
    }
    const db = openBolt(nested);
    const { keyN, bucketN } = db.stats();
    db.close();
    // Names of buckets count as keys, but for those of the top-level ones.
    expect(lines.filter((line) => line.includes('"sequence"'))).toHaveLength(bucketN);
    expect(lines.filter((line) => line.includes('"key"')).length).toBeLessThanOrEqual(keyN);
  });

  test('--json makes no difference', async () => {
    expect((await exported(mixed, '--json')).stdout === (await exported(mixed)).stdout).toBe(true);
  });

  test('--meta reads the state of that meta page', async () => {
    const [first, second] = [await exported(mixed, '--meta', '0'), await exported(mixed, '--meta', '1')];
    expect([first.code, second.code]).toEqual([0, 0]);
    const current = (await exported(mixed)).stdout;
    expect([first.stdout === current, second.stdout === current]).toContain(true);
  });

  test('of a damaged file ends with 1, and a last line that says so', async () => {
    const bytes = readFixture('bolt/mixed-1024').slice();
    const whole = (await exported(mixed)).stdout;
    bytes.fill(0xee, 100 * 1024, 101 * 1024);
    const path = writeWorkFile(folder, 'damaged.db', bytes);
    const { code, stdout, stderr } = await exported(path);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^etcd-datadir: .*page 100.*: what was exported ends before this\n$/);
    const lines = stdout.trimEnd().split('\n');
    expect(JSON.parse(lines.pop() as string)).toMatchObject({ error: { code: 'BOLT_SOURCE_DAMAGED' } });
    expect(lines.length).toBeGreaterThan(1);
    expect(whole.startsWith(lines.join('\n'))).toBe(true);

    const target = newPath();
    const imported = await run(['bolt', 'import', '-o', target], { stdin: chunks(stdout) });
    expect(imported).toMatchObject({ code: 1, stdout: '' });
    expect(imported.stderr).toContain(`line ${lines.length + 1}, column 1: the export that made this was not finished`);
    expect(existsSync(target)).toBe(false);
  });

  test('of a file that ends too early, of none, and of something else', async () => {
    const cut = writeWorkFile(folder, 'cut.db', readFixture('bolt/mixed-1024').subarray(0, 50 * 1024));
    expect((await exported(cut)).code).toBe(1);
    expect((await exported(`${mixed}.none`)).code).toBe(3);
    const other = writeWorkFile(folder, 'other', 'not a bolt file'.repeat(1000));
    expect((await exported(other)).code).toBe(3);
  });

  test('of a file that changes underneath ends with 4', async () => {
    const path = unpackFixture(folder, 'bolt/levels-4096');
    const stdout = new CapturedStream();
    const write = stdout.write.bind(stdout);
    stdout.write = (chunk, done) => {
      writeFileSync(path, laterState(readFixture('bolt/levels-4096')));
      return write(chunk, done);
    };
    const stderr = new CapturedStream();
    const code = await main(['bolt', 'export', path], { stdout, stderr, env: {} });
    expect({ code, stderr: stderr.text }).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/another program has written/),
    });
    expect(stdout.text).toMatch(/\n\{"error":\{"code":"SOURCE_CHANGED".*\}\}\n$/);
  });
});

describe('import', () => {
  test.each([
    ['from a file', (path: string) => ({ args: [path] })],
    ['from standard input', (path: string) => ({ args: [], stdin: chunks(readFileSync(path)) })],
    ['from standard input by name', (path: string) => ({ args: ['-'], stdin: chunks(readFileSync(path)) })],
  ])('%s: the same comes out again', async (_, from) => {
    const lines = writeWorkFile(folder, 'lines', (await exported(nested)).bytes);
    const target = newPath();
    const { args, ...options } = from(lines);
    const { code, stdout, stderr } = await run(['bolt', 'import', '-o', target, ...args], options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^.*\.db: [\d,]+ buckets, [\d,]+ keys, [\d,]+ bytes \(.*\)\n$/);
    expect((await exported(target)).stdout === readFileSync(lines, 'latin1')).toBe(true);
    expect(temporaries()).toEqual([]);
  });

  test('--page-size, --fill-percent, --freelist, --json', async () => {
    const lines = (await exported(mixed)).bytes;
    const [full, loose] = [newPath(), newPath()];
    const options = ['--page-size', '8192', '--freelist', 'none', '--json'];
    const ran = await run(['bolt', 'import', '-o', full, ...options], { stdin: chunks(lines) });
    await run(['bolt', 'import', '-o', loose, ...options, '--fill-percent', '50'], { stdin: chunks(lines) });
    const report = checkBolt(full, {});
    expect(report.bolt).toMatchObject({ pageSize: 8192 });
    expect(JSON.parse(ran.stdout)).toEqual({
      schema: 1,
      path: full,
      buckets: expect.any(Number),
      pairs: expect.any(Number),
      digest: expect.stringMatching(/^[\da-f]{16}$/),
      size: readFileSync(full).length,
    });
    const db = openBolt(full);
    expect(db.freelistStored).toBe(false);
    db.close();
    expect(readFileSync(loose).length).toBeGreaterThan(readFileSync(full).length * 1.5);
    expect((await exported(loose)).stdout === (await exported(full)).stdout).toBe(true);
  });

  test('of nothing gives an empty database', async () => {
    const target = newPath();
    expect(await run(['bolt', 'import', '-o', target])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 buckets, 0 keys'),
    });
    expect(checkBolt(target).verdict).toBe('healthy');
  });

  const BUCKET = '{"bucket":["Yg=="]}\n';
  const pair = (key: string, bucket = 'Yg=='): string => `{"bucket":["${bucket}"],"key":"${key}","value":""}\n`;

  test.each([
    ['a line that is not one', 'x\n', 'LINE_INVALID', 1, 'line 1, column 1: found x; expected: the line of an entry'],
    [
      'a line that is cut off',
      `${BUCKET}{"bucket":["Yg==`,
      'LINE_INVALID',
      2,
      'line 2, column 17: the line ends in the',
    ],
    [
      'keys out of order',
      `${BUCKET}${pair('Yg==')}${pair('YQ==')}`,
      'BOLT_NOT_SORTED',
      3,
      'line 3: bucket "b", key "a"',
    ],
    ['a key twice', `${BUCKET}${pair('Yg==')}\n${pair('Yg==')}`, 'BOLT_NOT_SORTED', 4, 'line 4: bucket "b", key "b"'],
    ['a bucket twice', `${BUCKET}${BUCKET}`, 'BOLT_NOT_SORTED', 2, 'line 2: key "b"'],
    [
      'a bucket that was not announced',
      `${BUCKET}${pair('YQ==', 'Yw==')}`,
      'BOLT_BUCKET_NOT_FOUND',
      2,
      'line 2: bucket "c"',
    ],
    ['a key in no bucket', '{"bucket":[],"key":"YQ==","value":""}', 'BOLT_BUCKET_NAME_REQUIRED', 1, 'line 1: '],
    ['an empty key', `${BUCKET}${pair('')}`, 'BOLT_KEY_REQUIRED', 2, 'line 2: '],
    ['an empty name', '{"bucket":[""]}', 'BOLT_BUCKET_NAME_REQUIRED', 1, 'line 1: '],
  ])('%s: exit code 1, the line is named, nothing is left', async (_, text, errorCode, line, words) => {
    const target = newPath();
    const ran = await run(['bolt', 'import', '-o', target, '--json'], { stdin: chunks(text) });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`standard input: ${words}`);
    expect(JSON.parse(ran.stdout).error).toMatchObject({ code: errorCode, line });
    expect(existsSync(target)).toBe(false);
    const file = writeWorkFile(folder, 'bad-lines', text);
    expect((await run(['bolt', 'import', '-o', target, file])).stderr).toContain(`${file}: ${words}`);
    expect(temporaries()).toEqual([]);
  });

  test('what exists is not replaced, and no line is read', async () => {
    const target = writeWorkFile(folder, 'taken', 'mine');
    let read = false;
    const stdin = (async function* () {
      read = true;
      yield new Uint8Array(0);
    })();
    expect(await run(['bolt', 'import', '-o', target], { stdin })).toMatchObject({ code: 3 });
    expect({ read, content: readFileSync(target, 'utf8') }).toEqual({ read: false, content: 'mine' });
  });

  test('wrong options', async () => {
    for (const options of [[], ['-o', newPath(), '--fill-percent', '101'], ['-o', newPath(), '--page-size', 'x']]) {
      expect((await run(['bolt', 'import', ...options])).code).toBe(2);
    }
  });

  test('standard input that fails', async () => {
    const stdin = (async function* () {
      yield new TextEncoder().encode(BUCKET);
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    })();
    const target = newPath();
    const ran = await run(['bolt', 'import', '-o', target], { stdin });
    expect(ran).toMatchObject({ code: 3, stderr: 'etcd-datadir: standard input: reading gave EIO\n' });
    expect(existsSync(target)).toBe(false);
  });

  test('Ctrl-C is heard while nothing comes, and leaves nothing', async () => {
    const controller = new AbortController();
    const stdin = (async function* () {
      yield new TextEncoder().encode(BUCKET);
      controller.abort('SIGINT');
      await new Promise(() => {});
    })();
    const target = newPath();
    expect((await run(['bolt', 'import', '-o', target], { stdin, signal: controller.signal })).code).toBe(130);
    expect(existsSync(target)).toBe(false);
    expect(temporaries()).toEqual([]);
  });
});

describe('as programs', () => {
  let program: string;
  beforeAll(async () => {
    program = join(folder, 'program', 'cli', 'bin.mjs');
    const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
    await build({
      entryPoints: [bin],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    writeFileSync(join(folder, 'program', 'package.json'), '{"version":"0.0.0"}');
  });

  test('a pipe from one to the other', () => {
    const target = newPath();
    const pipe = `"$0" "$1" bolt export "$2" | "$0" "$1" bolt import -o "$3"`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', pipe, process.execPath, program, mixed, target], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('1 bucket, 265 keys');
    expect(checkBolt(target).verdict).toBe('healthy');
  });

  test('an import that fails ends although its input goes on', async () => {
    const child = spawn(process.execPath, [program, 'bolt', 'import', '-o', newPath()], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.on('error', () => {});
    child.stdin.write('nonsense\n');
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1);
  });

  test('SIGINT ends an import that waits for input', async () => {
    const place = workFolder();
    const child = spawn(process.execPath, [program, 'bolt', 'import', '-o', join(place, 'db')], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.write('{"bucket":["Yg=="]}\n');
    await expect.poll(() => readdirSync(place), { timeout: 20_000 }).toHaveLength(1);
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(130);
    expect(readdirSync(place)).toEqual([]);
  });
});

describe.each(['bbolt-1.4.3', 'bbolt-1.5.0'])('%s', (name) => {
  const bbolt = findPeer(name);

  test.skipIf(bbolt === undefined)('finds nothing wrong with what was imported', async () => {
    for (const fixture of [
      'bolt/mixed-1024',
      'bolt/nested-4096',
      'bolt/sequences-4096',
      'bolt/edges-1024',
      'bolt/inline-4096',
    ]) {
      const target = newPath();
      const { bytes } = await exported(unpackFixture(folder, fixture));
      await run(['bolt', 'import', '-o', target], { stdin: chunks(bytes) });
      expect(spawnSync(bbolt as string, ['check', target], { encoding: 'utf8' }).stdout).toBe('OK\n');
    }
  });
});
