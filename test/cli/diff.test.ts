/**
 * `diff`: text, JSON and exit codes.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDb, put, tombstone } from '../support/backend-db.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();

const KEYS = [
  put(2, 0, { key: '/a', value: 'one' }),
  put(3, 0, { key: '/b', value: 'two' }),
  put(4, 0, { key: '/gone', value: '' }),
  put(5, 0, { key: '/touched', value: 'same' }),
];
const A = writeWorkFile(folder, 'a.db', await makeDb({ key: KEYS, lease: [['12345678', 'x']] }));
const B = writeWorkFile(
  folder,
  'b.db',
  await makeDb({
    key: [
      ...KEYS,
      tombstone(6, 0, '/gone'),
      put(7, 0, { key: '/b', value: new Uint8Array([0, 255]), createRevision: 3, version: 2, lease: -2n }),
      put(8, 0, { key: new Uint8Array([0x2f, 0xff]), value: 'x'.repeat(100) }),
      put(9, 0, { key: '/touched', value: 'same', createRevision: 5, version: 2 }),
    ],
  }),
);

interface Document {
  readonly added: readonly Record<string, unknown>[];
  readonly removed: readonly Record<string, unknown>[];
  readonly changed: readonly Record<string, unknown>[];
}
const keyText = (base64: unknown): string => Buffer.from(base64 as string, 'base64').toString('latin1');

describe('text', () => {
  test('the verdict, then each key with what both sides have, then other buckets', async () => {
    const { code, stdout, stderr } = await run(['diff', A, B]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(
      [
        'different: 1 added, 1 removed, 2 changed, 1 the same',
        `A:        ${A}, revision 5`,
        `B:        ${B}, revision 9`,
        'compared: values, leases, revisions',
        '~ /b  (value, lease, revisions)',
        '    A  created 3, changed 3, version 1, 3 bytes: two',
        '    B  created 3, changed 7, version 2, lease fffffffffffffffe, 2 bytes: "\\x00\\xff"',
        '- /gone',
        '    A  created 4, changed 4, version 1, 0 bytes',
        '~ /touched  (revisions)',
        '    A  created 5, changed 5, version 1, 4 bytes: same',
        '    B  created 5, changed 9, version 2, 4 bytes: same',
        '+ "/\\xff"',
        `    B  created 8, changed 8, version 1, 100 bytes: ${'x'.repeat(60)}…`,
        'other buckets that differ:',
        '  lease: 0 added, 1 removed, 0 changed',
        '',
      ].join('\n'),
    );
  });

  test('--keys-only --ignore-revisions --prefix', async () => {
    const { code, stdout } = await run(['diff', B, A, '--keys-only', '--ignore-revisions']);
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(3, -3)).toEqual([
      'compared: values and leases; not revisions',
      '~ /b',
      '+ /gone',
      '- "/\\xff"',
    ]);
    const same = await run(['diff', A, B, '--ignore-revisions', '--prefix', '/t']);
    expect(same).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no difference in 1 key\n/) });
    expect((await run(['diff', A, B, '--prefix', '/t'])).code).toBe(1);
  });

  test('equal files end with 0, whatever else differs', async () => {
    const paths = ['busy/snapshot', 'restored/one'].map((name) => unpackFixture(folder, `etcd/3.6.14/${name}`));
    const { code, stdout } = await run(['diff', ...paths]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^no difference in 125 keys\n/);
    expect(stdout).toMatch(/\n {2}members: 1 added, 1 removed, 0 changed\n$/);
  });

  test('a bucket that only one of them has', async () => {
    const bare = writeWorkFile(folder, 'bare.db', await makeDb({ key: KEYS }, { bare: true }));
    expect((await run(['diff', bare, A])).stdout).toContain('  alarm: only B has this bucket\n');
  });
});

describe('JSON', () => {
  test('has three lists', async () => {
    const { code, stdout } = await run(['diff', A, B, '--json']);
    expect(code).toBe(1);
    const document = JSON.parse(stdout) as Document;
    expect(document).toMatchObject({
      schema: 1,
      a: { path: A, kind: 'db', revision: '5' },
      b: { path: B, kind: 'db', revision: '9' },
      prefix: '',
      ignoreRevisions: false,
      different: true,
      counts: { added: 1, removed: 1, changed: 2, same: 1 },
    });
    expect(document.added).toEqual([
      {
        key: Buffer.from([0x2f, 0xff]).toString('base64'),
        createRevision: '8',
        modRevision: '8',
        sub: '0',
        version: '1',
        lease: '0',
        value: Buffer.from('x'.repeat(100)).toString('base64'),
      },
    ]);
    expect(document.removed).toMatchObject([{ key: 'L2dvbmU=', value: '' }]);
    expect(document.changed).toMatchObject([
      { key: 'L2I=', differs: ['value', 'lease', 'revisions'], a: { lease: '0' }, b: { lease: '-2', value: 'AP8=' } },
      { differs: ['revisions'], a: { version: '1' }, b: { version: '2' } },
    ]);
    expect(document).toMatchObject({ buckets: expect.arrayContaining([expect.objectContaining({ name: 'lease' })]) });
  });

  test('of equal files has three empty lists', async () => {
    const { code, stdout } = await run(['diff', A, A, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ added: [], removed: [], changed: [], different: false, buckets: [] });
  });

  test('--keys-only', async () => {
    const document = JSON.parse((await run(['diff', A, B, '--json', '--keys-only'])).stdout) as Document;
    expect(document.changed.map(({ key, ...rest }) => [keyText(key), rest])).toEqual([
      ['/b', {}],
      ['/touched', {}],
    ]);
  });
});

describe('revisions', () => {
  test('two of one file, with it named once or twice', async () => {
    for (const paths of [[B], [B, B]]) {
      const { code, stdout } = await run(['diff', ...paths, '--rev-a', '5', '--rev-b', '6', '--json']);
      expect(code).toBe(1);
      const { added, removed, changed } = JSON.parse(stdout) as Document;
      expect([added, removed.map(({ key }) => keyText(key)), changed]).toEqual([[], ['/gone'], []]);
    }
    expect((await run(['diff', B, '--rev-a', '9'])).code).toBe(0);
  });

  test.each([
    [[B], 'diff needs B, or --rev-a or --rev-b to compare two revisions of A'],
    [[B, '--rev-a', 'x'], '--rev-a must be a decimal number'],
    [[B, B, B], "takes no argument '"],
  ])('wrong usage: %j', async (args, message) => {
    const { code, stderr } = await run(['diff', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('that cannot be read give the errors of etcd', async () => {
    expect(await run(['diff', A, B, '--rev-a', '99'])).toMatchObject({
      code: 1,
      stderr: 'etcd-datadir: etcdserver: mvcc: required revision is a future revision\n',
    });
    const busy = unpackFixture(folder, 'etcd/3.6.14/busy/m1');
    const { code, stdout } = await run(['diff', busy, '--rev-a', '2', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'REVISION_COMPACTED' } });
  });
});

test('a data directory: what the log holds beyond the db is told', async () => {
  const directory = join(folder, 'data');
  unpack(logFixture('3.6.14/tail-future/m1'), directory);
  mkdirSync(join(directory, 'member', 'snap'), { recursive: true });
  writeWorkFile(join(directory, 'member', 'snap'), 'db', readFixture('etcd/3.6.14/tail-future/m1'));
  const { code, stdout, stderr } = await run(['diff', directory, join(directory, 'member', 'snap', 'db'), '--json']);
  expect(code).toBe(0);
  expect(stderr).toContain('the log holds');
  const { a, b } = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
  expect(a).toMatchObject({ kind: 'data-dir', notReplayed: expect.stringMatching(/^[1-9]\d*$/) });
  expect(b).not.toHaveProperty('notReplayed');
});

test('records that cannot be read are told', async () => {
  const bad = writeWorkFile(folder, 'bad.db', await makeDb({ key: [...KEYS, ['not a revision', 'x']] }));
  const { code, stderr } = await run(['diff', A, bad]);
  expect(code).toBe(0);
  expect(stderr).toContain('1 record cannot be read and is not in the answer');
});
