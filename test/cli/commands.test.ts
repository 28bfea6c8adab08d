/**
 * Each command in this process: what people see, what `--json` gives. Byte-for-byte equality with bbolt is in
 * bbolt-words.test.ts.
 */
import { createHash } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { OutputStream } from '../../src/cli/output.ts';
import { boltFile, bucket, leaf } from '../support/bolt-pages.ts';
import { readFixture } from '../support/fixtures.ts';
import { CapturedStream, type Ran, run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const mixed = unpackFixture(folder, 'bolt/mixed-1024');
const keys = unpackFixture(folder, 'bolt/keys-4096');
const nested = unpackFixture(folder, 'bolt/nested-4096');
const PAGE = 1024;

/** A copy of a fixture with some bytes changed. */
function damaged(name: string, change: (bytes: Uint8Array) => void, fixture = 'bolt/mixed-1024'): string {
  const bytes = readFixture(fixture).slice();
  change(bytes);
  return writeWorkFile(folder, `${name}.db`, bytes);
}

function json({ stdout }: Ran): ReturnType<typeof JSON.parse> {
  return JSON.parse(stdout);
}

/** Page 2 of the fixture is a leaf in use: it gets another number. */
const wrongId = damaged('wrong-id', (bytes) => {
  bytes[2 * PAGE] = 77;
});
const bothMetas = damaged('both-metas', (bytes) => {
  bytes[64] ^= 0xff;
  bytes[PAGE + 64] ^= 0xff;
});
const gzipped = writeWorkFile(
  folder,
  'a.db.gz',
  new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, ...new Uint8Array(9000)]),
);
const noise = writeWorkFile(folder, 'noise', createHash('sha512').update('noise').digest().toString('hex').repeat(200));
const empty = writeWorkFile(folder, 'empty', '');

describe('check', () => {
  test('of a healthy file gives the verdict first', async () => {
    const { code, stdout, stderr } = await run(['check', mixed]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^HEALTHY: no problem was found\n.*mixed-1024\.db \(db, level full\)\n/);
    expect(stdout).toContain('\nexamined:\n  ');
    expect(stdout).toContain('\nnot examined:\n  ');
    expect(stdout).toMatch(/\nread [\d,]+ bytes \([\d.]+ [KM]iB\) in \d+ ms\n$/);
  });

  test('of a damaged file gives the worst finding with its place and what to do', async () => {
    const { code, stdout } = await run(['check', wrongId]);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('DAMAGED: data is lost or wrong');
    expect(lines[3]).toBe('corrupt: page 2: carries the page number 77');
    expect(stdout).toMatch(/\n {2}where: {3}page 2, byte 2,048 \(0x800\)\n/);
    expect(stdout).toMatch(/\n {2}bucket: {2}"mixed"\n/);
    expect(stdout).toMatch(/\n {2}to do: {3}do not let etcd write/);
    expect(stdout).toMatch(/\n {2}code: {4}BOLT_PAGE_ID\n/);
    expect(stdout).toMatch(/\n\d+ findings?: \d+ corrupt/);
  });

  test('--json is the report, each finding with its sentence and remedy', async () => {
    const ran = await run(['check', wrongId, '--json']);
    const report = json(ran);
    expect(ran.code).toBe(1);
    expect(Object.keys(report).slice(0, 11)).toEqual([
      'schema',
      'path',
      'kind',
      'level',
      'verdict',
      'findings',
      'counts',
      'examined',
      'notExamined',
      'bytesRead',
      'elapsedMs',
    ]);
    expect(report).toMatchObject({ schema: 1, path: wrongId, kind: 'db', level: 'full', verdict: 'damaged' });
    expect(report.findings[0]).toMatchObject({
      code: 'BOLT_PAGE_ID',
      severity: 'corrupt',
      message: 'page 2: carries the page number 77',
      remedy: expect.stringMatching(/^do not let etcd write/),
      page: 2,
      offset: 2048,
      args: { id: '77' },
    });
    expect(report.counts.corrupt).toBeGreaterThanOrEqual(1);
  });

  test('--level sanity does not look at pages', async () => {
    const { code, stdout } = await run(['check', '--level', 'sanity', wrongId]);
    expect(code).toBe(0);
    expect(stdout).toContain('not examined:\n  all data pages');
  });

  test('--max-findings cuts the list, not the count', async () => {
    const zeroed = damaged('zeroed', (bytes) => bytes.fill(0, 2 * PAGE, 100 * PAGE));
    const all = json(await run(['check', zeroed, '--json']));
    const cut = json(await run(['check', zeroed, '--json', '--max-findings', '3']));
    expect(cut.findings).toHaveLength(3);
    expect(cut.counts).toEqual(all.counts);
    const { stdout } = await run(['check', zeroed, '--max-findings', '3']);
    expect(stdout).toMatch(/\nalso found:\n.*\n.*\n\n[\d,]+ more findings? not listed \(--max-findings\)\n/);
  });

  test('colours only where they are wanted, and without meaning of their own', async () => {
    const plain = await run(['check', mixed]);
    const text = (ran: Ran): string => ran.stdout.replace(/read .*/, '');
    for (const [options, colored] of [
      [{ terminal: true }, true],
      [{ env: { FORCE_COLOR: '1' } }, true],
      [{ terminal: true, env: { NO_COLOR: '1' } }, false],
      [{ terminal: true, env: { FORCE_COLOR: '0' } }, false],
      [{ terminal: true, env: { TERM: 'dumb' } }, false],
    ] as const) {
      const ran = await run(['check', mixed], options);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
      expect([options, /\u001b\[/.test(ran.stdout)]).toEqual([options, colored]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
      expect(text(ran).replace(/\u001b\[\d+m/g, '')).toBe(text(plain));
    }
    const { stdout } = await run(['check', mixed, '--no-color'], { terminal: true });
    expect(stdout).not.toContain('\u001b[');
  });

  test.each([
    ['a file of another kind', noise, 'UNKNOWN_KIND', /cannot be told/],
    ['a compressed file', gzipped, 'UNKNOWN_KIND', /gzip-compressed: unpack it first/],
    ['an empty file', empty, 'UNKNOWN_KIND', /empty/],
    ['no file', `${mixed}.none`, 'NOT_FOUND', /no such file/],
    ['a folder of something else', folder, 'UNKNOWN_KIND', /neither segments of a log nor .snap files/],
  ])('%s ends with 3, and with a report under --json', async (_, path, errorCode, message) => {
    const plain = await run(['check', path]);
    expect(plain).toMatchObject({ code: 3, stdout: '' });
    expect(plain.stderr).toMatch(/^etcd-datadir: .*\n$/);
    expect(plain.stderr).toMatch(message);
    expect(plain.stderr.split(path)).toHaveLength(2);
    const ran = await run(['check', path, '--json']);
    expect(ran.code).toBe(3);
    expect(json(ran)).toMatchObject({
      schema: 1,
      path,
      kind: null,
      level: 'full',
      verdict: 'unreadable',
      findings: [],
      error: { code: errorCode, message: expect.stringMatching(message), path },
    });
  });

  test('progress goes to a terminal and is gone afterwards', async () => {
    expect((await run(['check', mixed], { terminal: true })).stderr).toBe('');
  });
});

describe('bolt check', () => {
  test('prints OK', async () => {
    expect(await run(['bolt', 'check', mixed])).toMatchObject({ code: 0, stdout: 'OK\n', stderr: '' });
  });

  test('prints one line a finding and how many there are', async () => {
    const { code, stdout } = await run(['bolt', 'check', wrongId]);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('page 2: carries the page number 77 (bucket "mixed")');
    expect(lines.at(-1)).toBe(`${lines.length - 1} errors found`);
  });

  test('info does not count as an error', async () => {
    // The older meta: page 0 has txid 40, page 1 41.
    const older = damaged('older-meta', (bytes) => {
      bytes[72] ^= 0xff;
    });
    expect(await run(['bolt', 'check', older])).toMatchObject({ code: 0, stdout: 'OK\n' });
    expect(json(await run(['bolt', 'check', older, '--json'])).counts).toEqual({ info: 1 });
  });

  test('--max-findings says how many are left out', async () => {
    const zeroed = damaged('zeroed-2', (bytes) => bytes.fill(0, 2 * PAGE, 100 * PAGE));
    const { stdout } = await run(['bolt', 'check', zeroed, '--max-findings', '2']);
    expect(stdout).toMatch(
      /^page .*\npage .*\n[\d,]+ more findings? not listed \(--max-findings\)\n\d+ errors found\n$/,
    );
  });

  test('what is known to be a db is damaged, however little is left of it', async () => {
    for (const path of [bothMetas, empty, noise]) {
      const { code, stdout } = await run(['bolt', 'check', path]);
      expect([path, code]).toEqual([path, 1]);
      expect(stdout).toMatch(/[1-9]\d* errors found\n$/);
    }
  });

  test('--from-page checks one tree, and refuses a page that is not there in the words of bbolt', async () => {
    expect(await run(['bolt', 'check', mixed, '--from-page', '0x2'])).toMatchObject({ code: 0, stdout: 'OK\n' });
    expect(await run(['bolt', 'check', mixed, '--from-page', '9999'])).toMatchObject({
      code: 1,
      stdout: 'page ID (9999) out of range [2, 283)\n1 errors found\n',
      stderr: '',
    });
    const ran = await run(['bolt', 'check', mixed, '--from-page', '9999', '--json']);
    expect(ran.code).toBe(1);
    expect(json(ran)).toMatchObject({ schema: 1, error: { code: 'BOLT_PAGE_OUT_OF_RANGE' } });
  });

  test('a file that cannot be opened gives a report under --json', async () => {
    const ran = await run(['bolt', 'check', `${mixed}.none`, '--json']);
    expect(ran.code).toBe(3);
    expect(json(ran)).toMatchObject({ kind: 'db', verdict: 'unreadable', error: { code: 'NOT_FOUND' } });
  });
});

describe('bolt, the reading commands', () => {
  test('info', async () => {
    const ran = await run(['bolt', 'info', mixed, '--json']);
    expect(json(ran)).toMatchObject({
      schema: 1,
      path: mixed,
      size: 524288,
      pageSize: 1024,
      txid: '41',
      metaPage: 1,
      metas: [
        { page: 0, problem: null, txid: '40', root: '268', checksum: '698a61c1b2384776' },
        { page: 1, problem: null, txid: '41', highWaterMark: '283' },
      ],
    });
    expect(json(await run(['bolt', 'info', mixed, '--json', '--meta', '0']))).toMatchObject({
      txid: '40',
      metaPage: 0,
    });
  });

  test('stats', async () => {
    const all = json(await run(['bolt', 'stats', keys, '--json']));
    expect(all).toMatchObject({ schema: 1, prefix: '', topLevelBucketN: 4 });
    expect(all.keyN).toBeGreaterThan(0);
    expect(json(await run(['bolt', 'stats', keys, 'na', '--json']))).toMatchObject({
      prefix: 'na',
      topLevelBucketN: 1,
    });
  });

  test('buckets', async () => {
    const { buckets } = json(await run(['bolt', 'buckets', keys, '--json']));
    expect(buckets.map(({ name }: { name: string }) => name)).toEqual(['keys', 'names', 'prefixes', 'values']);
    expect(buckets[0]).toMatchObject({ nameHex: '6b657973', inline: true, sequence: expect.stringMatching(/^\d+$/) });
  });

  test('inspect', async () => {
    const plain = json(await run(['bolt', 'inspect', nested]));
    const full = json(await run(['bolt', 'inspect', nested, '--json']));
    expect(full).toMatchObject({ schema: 1, name: 'root', nameHex: '726f6f74', keyN: 0 });
    const withoutHex = (tree: { buckets?: (typeof tree)[] }): unknown => {
      const { nameHex: _hex, schema: _schema, buckets, ...rest } = tree as Record<string, unknown> & typeof tree;
      return { ...rest, ...(buckets === undefined ? {} : { buckets: buckets.map(withoutHex) }) };
    };
    expect(withoutHex(full)).toEqual(plain);
  });

  test('inspect of buckets nested deeper than calls can be', async () => {
    // Each page is the root of a bucket that holds only the next one.
    const depth = 20_000;
    const pages = Array.from({ length: depth }, (_, i) => [i + 3, leaf(bucket('b', i + 4))] as const);
    const bytes = boltFile({ ...Object.fromEntries(pages), [depth + 3]: leaf(['k', 'v']) });
    const path = writeWorkFile(folder, 'deep.db', bytes);
    let length = 0;
    const stdout: OutputStream = {
      write: (chunk, done) => {
        length += chunk.length;
        if (done) setImmediate(done);
        return true;
      },
    };
    const stderr = new CapturedStream();
    const controller = new AbortController();
    // The whole of it would be gigabytes of indentation: a part shows that it goes on.
    const ended = main(['bolt', 'inspect', path], { stdout, stderr, env: {} }, { signal: controller.signal });
    while (length < 2 ** 24) await new Promise((resolve) => setImmediate(resolve));
    controller.abort('SIGINT');
    expect(await ended).toBe(130);
  });

  test('pages', async () => {
    const { pages, pageSize } = json(await run(['bolt', 'pages', mixed, '--json']));
    expect(pageSize).toBe(1024);
    expect(pages[0]).toEqual({ id: 0, type: 'meta', items: 0, overflow: 0 });
    const { stdout } = await run(['bolt', 'pages', mixed]);
    expect(stdout.trimEnd().split('\n').length - 2).toBe(pages.length);
  });

  test('pages with a freelist that cannot be read shows what no bucket uses as free, and says so', async () => {
    const path = damaged('freelist', (bytes) => bytes.fill(0xee, 262 * PAGE + 8, 262 * PAGE + 10));
    const { code, stdout, stderr } = await run(['bolt', 'pages', path]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^etcd-datadir: the freelist cannot be read \(.*\): pages that no bucket uses are shown as free\n$/,
    );
    expect(stdout).toMatch(/\n2 +leaf +2 /);
    expect((await run(['bolt', 'pages', path, '--quiet'])).stderr).toBe('');
  });

  test('keys', async () => {
    const { bucket, keys: found } = json(await run(['bolt', 'keys', keys, 'keys', '--json']));
    expect(bucket).toEqual(['keys']);
    expect(found[0]).toEqual({ key: '\0', keyHex: '00', isBucket: false, valueSize: expect.any(Number) });
    expect(found.some(({ key, keyHex }: { key: null; keyHex: string }) => key === null && /ff/.test(keyHex))).toBe(
      true,
    );
    const redacted = json(await run(['bolt', 'keys', keys, 'keys', '--json', '--format', 'redacted'])).keys;
    expect(redacted[0]).toEqual({
      keySha256: createHash('sha256').update('\0').digest('hex'),
      isBucket: false,
      valueSize: expect.any(Number),
    });
  });

  test('names of buckets can be given in hex', async () => {
    const plain = await run(['bolt', 'keys', keys, 'keys']);
    const hex = await run(['bolt', 'keys', keys, '6B657973', '--bucket-format', 'hex']);
    expect(hex).toEqual(plain);
  });

  test('get', async () => {
    const key = 'mixed/00000000';
    const { stdout: value } = await run(['bolt', 'get', mixed, 'mixed', key]);
    const ran = json(await run(['bolt', 'get', mixed, 'mixed', key, '--json']));
    expect(ran).toEqual({
      schema: 1,
      path: mixed,
      bucket: ['mixed'],
      key,
      keyHex: Buffer.from(key).toString('hex'),
      valueSize: value.length - 1,
      value: value.trimEnd(),
      valueHex: Buffer.from(value.trimEnd()).toString('hex'),
    });
    const redacted = json(await run(['bolt', 'get', mixed, 'mixed', key, '--json', '--format', 'redacted']));
    expect(Object.keys(redacted)).toEqual(['schema', 'path', 'bucket', 'key', 'keyHex', 'valueSize', 'valueSha256']);
  });

  test('get of what is not there ends with 1', async () => {
    const key = await run(['bolt', 'get', mixed, 'mixed', 'none']);
    expect(key).toMatchObject({ code: 1, stdout: '', stderr: 'etcd-datadir: key not found: "none" (hex 6e6f6e65)\n' });
    const bucket = await run(['bolt', 'get', mixed, 'none', 'k', '--json']);
    expect(bucket.code).toBe(1);
    expect(json(bucket)).toMatchObject({ schema: 1, error: { code: 'BOLT_BUCKET_NOT_FOUND' } });
    const name = await run(['bolt', 'get', nested, 'alpha', 'bucket-5-0']);
    expect(name).toMatchObject({ code: 1, stderr: 'etcd-datadir: "bucket-5-0" is a bucket, it has no value\n' });
  });

  test('page', async () => {
    const { pages } = json(await run(['bolt', 'page', mixed, '0', '2', '261', '262', '9999', '--json']));
    expect(pages).toMatchObject([
      { id: 0, type: 'meta', storedId: '0', size: 1024, meta: { txid: '40' } },
      { id: 2, type: 'leaf', items: [{ index: 0, key: 'mixed/00000000', value: expect.any(String) }, { index: 1 }] },
      { id: 261, items: [{ key: 'mixed', bucket: { root: '260', sequence: '40' } }] },
      { id: 262, type: 'freelist', ids: expect.arrayContaining([expect.stringMatching(/^\d+$/)]) },
      { id: 9999, error: { code: 'BOLT_PAGE_OUT_OF_RANGE' } },
    ]);
    const redacted = json(await run(['bolt', 'page', mixed, '2', '--json', '--format-value', 'redacted'])).pages[0];
    expect(Object.keys(redacted.items[0])).toEqual(['index', 'key', 'keyHex', 'valueSize', 'valueSha256']);
  });

  test('page goes on after a page that cannot be printed', async () => {
    const { code, stdout } = await run(['bolt', 'page', wrongId, '2', '9999', '1']);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^Prining page 2 failed: error: invalid value due to unexpected Page id: 77 != 2\. Continuing\.\.\.\n===/,
    );
    expect(stdout).toMatch(/===\nPrining page 9999 failed: page 9999 .*\. Continuing\.\.\.\n===/);
    expect(stdout).toMatch(/===\nPage ID: {4}1\n/);
    expect((await run(['bolt', 'page', mixed, '9999'])).code).toBe(1);
    expect((await run(['bolt', 'page', wrongId, '--all'])).code).toBe(0);
  });

  test('page, page-item and dump work where both metas are damaged, and say so', async () => {
    for (const args of [
      ['page', bothMetas, '0', '2'],
      ['page', bothMetas, '--all'],
      ['page-item', bothMetas, '2', '1'],
      ['dump', bothMetas, '2'],
    ]) {
      const { code, stdout, stderr } = await run(['bolt', ...args]);
      expect([args, code]).toEqual([args, 0]);
      expect(stdout.length).toBeGreaterThan(50);
      expect(stderr).toMatch(/no valid meta page: .*; going by pages of 1024 bytes\n$/);
    }
    expect((await run(['bolt', 'keys', bothMetas, 'mixed'])).code).toBe(3);
  });

  test('page-item', async () => {
    const item = json(await run(['bolt', 'page-item', mixed, '2', '1', '--json']));
    expect(item).toMatchObject({ schema: 1, page: 2, item: 1, key: 'mixed/00000001', value: expect.any(String) });
    expect(json(await run(['bolt', 'page-item', mixed, '2', '1', '--json', '--key-only'])).value).toBeUndefined();
    expect(json(await run(['bolt', 'page-item', mixed, '2', '1', '--json', '--value-only'])).key).toBeUndefined();
    expect(json(await run(['bolt', 'page-item', mixed, '261', '0', '--json'])).bucket).toEqual({
      root: '260',
      sequence: '40',
    });
    expect(await run(['bolt', 'page-item', mixed, '2', '65536'])).toMatchObject({ code: 1, stdout: '' });
    expect(await run(['bolt', 'page-item', mixed, '262', '0'])).toMatchObject({
      code: 1,
      stderr: 'etcd-datadir: page 262 is a freelist page, not a leaf\n',
    });
  });

  test('dump', async () => {
    const { pages } = json(await run(['bolt', 'dump', mixed, '1', '2', '--json']));
    expect(pages.map(({ id, offset }: { id: number; offset: number }) => [id, offset])).toEqual([
      [1, 1024],
      [2, 2048],
    ]);
    expect(pages[1].hex).toBe(Buffer.from(readFixture('bolt/mixed-1024').subarray(2048, 3072)).toString('hex'));
    expect(await run(['bolt', 'dump', mixed, '9999'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('dump of pages whose size is not a multiple of 16', async () => {
    const odd = unpackFixture(folder, 'bolt/fresh-1000');
    const { code, stdout } = await run(['bolt', 'dump', odd, '1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^00003e8 0100 0000 0000 0000 0400 0000 0000 0000\n/);
    expect(stdout).toMatch(/\n00007c8 0000 0000 0000 0000\n\n$/);
  });

  test.each([
    'info',
    'stats',
    'buckets',
    'inspect',
    'pages',
    'page --all',
    'keys b',
    'get b k',
    'dump 0',
    'page-item 2 0',
  ])('%s of something else ends with 3 and says what it is', async (words) => {
    const [verb = '', ...rest] = words.split(' ');
    for (const [path, message] of [
      [gzipped, /gzip-compressed: unpack it first/],
      [noise, /cannot be told/],
      [empty, /empty/],
    ] as const) {
      const { code, stdout, stderr } = await run(['bolt', verb, path, ...rest]);
      expect([path, code, stdout]).toEqual([path, 3, '']);
      expect(stderr).toMatch(message);
      const ran = await run(['bolt', verb, path, ...rest, '--json']);
      expect(json(ran)).toMatchObject({ schema: 1, error: { code: 'UNKNOWN_KIND', path } });
    }
  });

  test('a file that was cut off is read as far as it goes', async () => {
    const path = writeWorkFile(folder, 'cut.db', readFixture('bolt/mixed-1024'));
    truncateSync(path, 100 * PAGE);
    const { code, stdout, stderr } = await run(['bolt', 'pages', path]);
    expect(code).toBe(3);
    expect(stdout.split('\n').length).toBeGreaterThan(50);
    expect(stderr).toMatch(/beyond the end of the file/);
    // A JSON document that was begun stays cut off: the error is not put behind it.
    const ran = await run(['bolt', 'pages', path, '--json']);
    expect(ran.code).toBe(3);
    expect(ran.stdout).not.toContain('"error"');
    expect(() => JSON.parse(ran.stdout)).toThrow();
  });
});

test('names with control characters do not reach a terminal', async () => {
  const path = writeWorkFile(folder, 'evil\u001b[2Jname.db', readFixture('bolt/mixed-1024'));
  const { stdout } = await run(['check', path]);
  expect(stdout).toContain('evil\\x1b[2Jname.db');
  writeFileSync(path, '');
  expect((await run(['check', path])).stderr).not.toContain('\u001b');
});
