// The `bolt surgery` commands: what they say, what they make, what they refuse.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { BoltEdit } from '../support/bolt-edit.ts';
import { listDbFixtures, readFixture, surgeryOf } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

const bytes = readFixture('bolt/mixed-1024');
let folder: string;
let source: string;
let output: string;

beforeEach(() => {
  folder = temporaryDirectory();
  source = join(folder, 'db');
  output = join(folder, 'new');
  writeFileSync(source, bytes);
});

const surgery = (...words: string[]) => run(['bolt', 'surgery', ...words]);

describe('the words of bbolt do what bbolt does', () => {
  const made = listDbFixtures().filter(({ kind }) => kind === 'surgery');

  test.each(made.map((fixture) => ({ name: fixture.name, fixture })))('$name', async ({ fixture }) => {
    const { source: from, command } = surgeryOf(fixture) ?? { source: '', command: '' };
    writeFileSync(source, readFixture(from));
    const words = command.split(' ').slice(1);
    const paths: Readonly<Record<string, string>> = { 'file.db': output, 'source.db': source };
    const { code, stderr } = await run(['bolt', ...words.map((word) => paths[word] ?? word)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(Buffer.compare(readFileSync(output), readFixture(fixture))).toBe(0);
    expect(Buffer.compare(readFileSync(source), readFixture(from))).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['db', 'new']);
  });
});

describe('what is said', () => {
  test('revert-meta-page', async () => {
    const { stdout } = await surgery('revert-meta-page', source, '-o', output);
    expect(stdout).toBe(
      'The meta page is reverted.\n' +
        'Meta 1 (transaction 41) was overwritten with meta 0 (transaction 40).\n' +
        `\n${output}: HEALTHY: no problem was found\n` +
        'info: both metas have transaction number 40\n' +
        `next: etcd-datadir bolt check ${output}\n`,
    );
  });

  test('copy-page, with the warning of bbolt where a freelist is stored', async () => {
    const { code, stdout } = await surgery('copy-page', source, '-o', output, '--from-page=70', '--to-page=4');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The page 70 was successfully copied to page 4\n/);
    expect(stdout).toContain('\nWARNING: the free list might have changed; it should be abandoned\n');
    expect(stdout).toContain(`\n${output}: DAMAGED: data is lost or wrong\ncorrupt: page 4`);
    expect(stdout).toContain(`next: etcd-datadir bolt surgery freelist abandon ${output} --output NEW\n`);
  });

  test('clear-page and clear-page-elements', async () => {
    const page = await surgery('clear-page', source, '-o', output, '--page-id', '70');
    expect(page.stdout).toMatch(/^The page \(70\) was cleared\nPage 70, a leaf page, had 4 elements, has 0 now\.\n\n/);
    const range = ['--pageId', '4', '--from-index', '1', '--to-index', '-1'];
    const elements = await surgery('clear-page-elements', source, '--out', `${output}2`, ...range);
    expect(elements.stdout).toMatch(/^All elements in \[1, -1\) in page 4 were cleared\n/);
    expect(elements.stdout).toContain('had 3 elements, has 1 now; overflow pages: 1 before, 0 now.\nWARNING: pages');
  });

  test('no warning about the freelist where none is stored', async () => {
    writeFileSync(source, readFixture('bolt-surgery/freelist-abandon'));
    const { stdout } = await surgery('clear-page', source, '-o', output, '--pageId', '85');
    expect(stdout).not.toContain('WARNING');
    expect(stdout).not.toContain('abandon');
  });

  test('freelist abandon and rebuild, one after the other', async () => {
    const abandoned = await surgery('freelist', 'abandon', source, '-o', output);
    expect(abandoned.stdout).toContain('The freelist was abandoned in both meta pages.\nIt may cause some delay');
    expect(abandoned.stdout).toContain('\nMeta 0 named page 269.\nMeta 1 named page 262.\n');
    const rebuilt = await surgery('freelist', 'rebuild', output, '-o', `${output}2`);
    expect(rebuilt.stdout).toMatch(/^The freelist was successfully rebuilt\.\n144 free pages listed at page 6, by /);
    expect((await run(['bolt', 'check', `${output}2`])).stdout).toBe('OK\n');
  });

  test('freelist abandon of a file with a torn meta', async () => {
    const bolt = new BoltEdit(bytes);
    bolt.flip(bolt.at(1, 40), 1);
    writeFileSync(source, bolt.bytes);
    const { stdout } = await surgery('freelist', 'abandon', source, '-o', output);
    expect(stdout).toContain('The freelist was abandoned in meta page 0.\n');
    expect(stdout).toContain('WARNING: meta 1 was left as it is: it is not valid (the checksum does not match)\n');
  });

  test('meta update', async () => {
    const update = ['meta', 'update', source, '--meta-page', '1', '--fields', 'pageSize:2048', '--fields', 'root:9'];
    const { stdout } = await surgery(...update, '-o', output);
    expect(stdout).toMatch(/^The meta page 1 has been updated!\n/);
    expect(stdout).toContain("WARNING: The page size of meta 1 (2048) doesn't match the rest of the file (1024)\n");
    const after = new BoltEdit(readFileSync(output));
    expect([after.u32(1024 + 24), after.u64(1024 + 32)]).toEqual([2048, 9n]);
    const again = await surgery(
      'meta',
      'update',
      output,
      '--meta-page',
      '1',
      '-o',
      `${output}2`,
      '--page-size',
      '1024',
    );
    expect(again.stdout).toMatch(/^Nothing changed!\n/);
  });

  test('the sha256 of a snapshot is not that of the copy', async () => {
    writeFileSync(source, readFixture('etcd/3.6.14/busy/snapshot'));
    const { stdout } = await surgery('revert-meta-page', source, '-o', output);
    expect(stdout).toContain('WARNING: the sha256 at the end of the snapshot is that of the input');
  });

  test('a path that a shell would take apart is quoted', async () => {
    const odd = join(folder, "it's new");
    const { stdout } = await surgery('revert-meta-page', source, '-o', odd);
    expect(stdout).toContain(`next: etcd-datadir bolt check '${folder}/it'\\''s new'\n`);
  });
});

describe('meta validate', () => {
  test('both valid', async () => {
    expect(await surgery('meta', 'validate', source)).toMatchObject({
      code: 0,
      stdout: 'The meta page 0 is valid!\nThe meta page 1 is valid!\n',
      stderr: '',
    });
    expect(readdirSync(folder)).toEqual(['db']);
  });

  test('one not, and where meta 1 lies all the same', async () => {
    writeFileSync(source, new BoltEdit(bytes).bytes.fill(0xee, 0, 80));
    const { code, stdout } = await surgery('meta', 'validate', source);
    expect(stdout).toBe(
      "WARNING: The meta page 0 isn't valid: the magic number is wrong!\nThe meta page 1 is valid!\n",
    );
    expect(code).toBe(1);
  });

  test('--json has the fields of both', async () => {
    const { stdout } = await surgery('meta', 'validate', source, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      path: source,
      pageSize: 1024,
      valid: true,
      current: 1,
      metas: [
        { page: 0, valid: true, problem: null, txid: '40', root: '268', freelist: '269', highWaterMark: '283' },
        { page: 1, valid: true, problem: null, txid: '41', root: '261', freelist: '262', highWaterMark: '283' },
      ],
    });
  });

  test('a file that is not there, and one that is no bolt file', async () => {
    expect((await surgery('meta', 'validate', join(folder, 'none'))).code).toBe(3);
    writeFileSync(source, 'nothing');
    expect((await surgery('meta', 'validate', source)).code).toBe(1);
  });
});

test.each<[string, string[], Record<string, unknown>]>([
  ['revert-meta-page', [], { from: 0, to: 1, txid: '40', previousTxid: '41' }],
  [
    'copy-page',
    ['--from-page', '70', '--to-page', '4'],
    { from: 70, to: 4, type: 'leaf', pages: 1, freelistStored: true, warnings: [expect.stringContaining('free list')] },
  ],
  ['clear-page', ['--pageId', '70'], { page: 70, type: 'leaf', countBefore: 4, count: 0, abandonsPages: false }],
  [
    'clear-page-elements',
    ['--pageId', '70', '--from-index', '1', '--to-index', '3'],
    { page: 70, fromIndex: 1, toIndex: 3, countBefore: 4, count: 2, overflowBefore: 0, overflow: 0 },
  ],
  [
    'freelist abandon',
    [],
    {
      metas: [
        { page: 0, freelistBefore: '269' },
        { page: 1, freelistBefore: '262' },
      ],
      skipped: [],
    },
  ],
  [
    'meta update',
    ['--fields', 'pgid:300'],
    {
      metaPage: 0,
      changed: true,
      headerCorrected: false,
      before: { highWaterMark: '283', flags: 0 },
      after: { highWaterMark: '300', flags: 4, problem: null },
    },
  ],
])('%s --json', async (name, options, expected) => {
  const { code, stdout, stderr } = await surgery(...name.split(' '), source, '-o', output, ...options, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 1,
    path: source,
    output,
    operation: name,
    ...expected,
    check: { verdict: expect.any(String), counts: expect.any(Object) },
    next: expect.arrayContaining([`etcd-datadir bolt check ${output}`]),
  });
});

test('freelist rebuild --json', async () => {
  writeFileSync(source, readFixture('bolt/mixed-4096-map-none'));
  const { stdout } = await surgery('freelist', 'rebuild', source, '-o', output, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    operation: 'freelist rebuild',
    pages: 1,
    check: { verdict: 'healthy', worst: null },
    warnings: [],
  });
});

describe('refused', () => {
  const needed: [string[], string][] = [
    [['revert-meta-page', 'db'], 'bolt surgery revert-meta-page needs --output'],
    [['copy-page', 'db', '--from-page', '3', '--to-page', '2'], 'bolt surgery copy-page needs --output'],
    [['clear-page', 'db', '--pageId', '3'], 'bolt surgery clear-page needs --output'],
    [
      ['clear-page-elements', 'db', '--pageId', '4', '--from-index', '3', '--to-index', '5'],
      'bolt surgery clear-page-elements needs --output',
    ],
    [['freelist', 'abandon', 'db'], 'bolt surgery freelist abandon needs --output'],
    [['freelist', 'rebuild', 'db'], 'bolt surgery freelist rebuild needs --output'],
    [['meta', 'update', 'db'], 'bolt surgery meta update needs --output'],
    [['copy-page', 'db', '--output', 'o', '--to-page', '2'], 'bolt surgery copy-page needs --from-page'],
    [['copy-page', 'db', '--output', 'o', '--from-page', '2'], 'bolt surgery copy-page needs --to-page'],
    [['clear-page', 'db', '--output', 'o'], 'bolt surgery clear-page needs --pageId'],
    [
      ['clear-page-elements', 'db', '--output', 'o', '--from-index', '3', '--to-index', '5'],
      'bolt surgery clear-page-elements needs --pageId',
    ],
    [
      ['clear-page-elements', 'db', '--output', 'o', '--pageId', '2', '--to-index', '5'],
      'bolt surgery clear-page-elements needs --from-index',
    ],
    [
      ['clear-page-elements', 'db', '--output', 'o', '--pageId', '2', '--from-index', '3'],
      'bolt surgery clear-page-elements needs --to-index',
    ],
    [['revert-meta-page', '--output', 'o'], 'bolt surgery revert-meta-page needs FILE'],
    [['copy-page', 'db', '-o', 'o', '--from-page', '5', '--to-page', '5'], 'have the same value: 5'],
    [['clear-page', 'db', '-o', 'o', '--pageId', '1'], '--pageId must be at least 2, not 1'],
    [
      ['clear-page-elements', 'db', '-o', 'o', '--pageId', '4', '--from-index', '3', '--to-index', '3'],
      '--from-index 3 must be smaller than --to-index 3',
    ],
    [
      ['clear-page-elements', 'db', '-o', 'o', '--pageId', '4', '--from-index', '3', '--to-index', '-2'],
      '--to-index must be at least -1, not -2',
    ],
    [['meta', 'update', 'db', '-o', 'o', '--meta-page', '2'], "--meta-page must be one of 0, 1, not '2'"],
    [['meta', 'update', 'db', '-o', 'o', '--fields', 'root'], "'root' is not NAME:NUMBER"],
    [['meta', 'update', 'db', '-o', 'o', '--fields', 'root:x'], "--fields root must be a decimal number, not 'x'"],
    [['meta', 'update', 'db', '-o', 'o', '--fields', 'txid:1'], "'txid' is not one of pageSize, root, freelist, pgid"],
    [['meta', 'update', 'db', '-o', 'o', '--fields', 'pageSize:4294967296'], 'pageSize must be below 2^32'],
    [['nonsense'], "there is no command 'bolt surgery nonsense'"],
    [['meta'], 'a command of bolt surgery meta is needed'],
    [['freelist', 'abandn', 'db'], 'did you mean bolt surgery freelist abandon?'],
    [[], 'a command of bolt surgery is needed'],
  ];

  test.each(needed)('%j with exit 2', async (words, message) => {
    const { code, stdout, stderr } = await surgery(...words);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('an output that exists', async () => {
    writeFileSync(output, 'precious');
    const { code, stderr } = await surgery('revert-meta-page', source, '-o', output);
    expect({ code, stderr }).toEqual({ code: 3, stderr: `etcd-datadir: ${output}: exists already\n` });
    expect(readFileSync(output, 'utf8')).toBe('precious');
  });

  test.each<[string[], number, string]>([
    [['clear-page', '--pageId', '9999'], 1, 'there is no page 9999: the file has 512 pages'],
    [['clear-page', '--pageId', '262'], 1, 'page 262 is a freelist page, which has no elements to clear'],
    [['copy-page', '--from-page', '70', '--to-page', '0'], 1, 'it cannot take the place of meta 0'],
    [['freelist', 'rebuild'], 1, 'a freelist is stored already, at page 262'],
    [['clear-page-elements', '--pageId', '70', '--from-index', '0', '--to-index', '99'], 1, 'is not in [0, 4]'],
  ])('%j', async (words, expected, message) => {
    const { code, stderr } = await surgery(...words, source, '-o', output);
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
    expect(readdirSync(folder)).toEqual(['db']);
    const json = await surgery(...words, source, '-o', output, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ schema: 1, error: { message: expect.stringContaining(message) } });
  });

  test('a damaged file whose free pages cannot be told', async () => {
    const bolt = new BoltEdit(readFixture('bolt/shapes-1024-none'));
    bolt.setU16(bolt.at(bolt.root, 8), 0);
    writeFileSync(source, bolt.bytes);
    const { code, stderr } = await surgery('freelist', 'rebuild', source, '-o', output);
    expect(code).toBe(1);
    expect(stderr).toContain('pages that are in use would be taken for free ones');
    expect(existsSync(output)).toBe(false);
  });

  test('a folder that is not there', async () => {
    const { code, stderr } = await surgery('revert-meta-page', source, '-o', join(folder, 'none', 'new'));
    expect(code).toBe(3);
    expect(stderr).toContain('no such file or directory');
  });
});

describe('files that a killed run has left', () => {
  const leftover = '.etcd-datadir-00000000-1111-2222-3333-444444444444.tmp';

  test('are named and not deleted', async () => {
    writeFileSync(join(folder, leftover), 'half');
    const { code, stderr } = await surgery('revert-meta-page', source, '-o', output);
    expect(code).toBe(0);
    expect(stderr).toContain(`${join(folder, leftover)}: left by a run that was killed`);
    expect(readFileSync(join(folder, leftover), 'utf8')).toBe('half');
    expect((await surgery('revert-meta-page', source, '-o', `${output}2`, '--quiet')).stderr).toBe('');
  });
});

test('a signal leaves nothing', async () => {
  const controller = new AbortController();
  controller.abort('SIGINT');
  const { code } = await run(['bolt', 'surgery', 'revert-meta-page', source, '-o', output], {
    signal: controller.signal,
  });
  expect(code).toBe(130);
  expect(readdirSync(folder)).toEqual(['db']);
});
