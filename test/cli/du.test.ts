/**
 * `du`: text, JSON and usage.
 */
import { describe, expect, test } from 'vitest';
import { makeDb, put, tombstone } from '../support/backend-db.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();

const SMALL = writeWorkFile(
  folder,
  'small.db',
  await makeDb({
    key: [
      put(2, 0, { key: '/registry/pods/default/web', value: 'x'.repeat(3000) }),
      put(3, 0, { key: '/registry/pods/default/web', value: 'y'.repeat(2000) }),
      put(4, 0, { key: '/registry/minions/node-1', value: 'n' }),
      put(5, 0, { key: new Uint8Array([0xff, 0x2f, 0x0a]), value: '' }),
      put(6, 0, { key: '/registry/pods/default/old', value: 'o' }),
      tombstone(7, 0, '/registry/pods/default/old'),
    ],
  }),
);

interface Node {
  readonly name: string;
  readonly rest?: string;
  readonly liveBytes: number;
  readonly historyBytes: number;
  readonly tombstones: number;
  readonly tombstoneBytes: number;
  readonly records: number;
  readonly keys: number;
  readonly children?: readonly Node[];
}
interface Document {
  readonly tree: Node;
  readonly kinds?: readonly Node[];
  readonly pages: Record<string, number>;
  readonly buckets: readonly { readonly name: string; readonly bytes: number }[];
  readonly mostRevised: readonly { readonly key: string; readonly keyText: string; readonly records: number }[];
}
const json = async (...args: readonly string[]): Promise<Document> => {
  const { code, stdout, stderr } = await run(['du', ...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Document;
};

describe('text', () => {
  test('by prefix', async () => {
    const { code, stdout, stderr } = await run(['du', SMALL, '--top', '2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        SMALL,
        'live:       2,134 bytes (2.1 KiB) in 3 keys',
        'history:    3,108 bytes (3.0 KiB) in 2 older records',
        'tombstones: 46 bytes in 1 record',
        'free:       0 bytes in 0 pages',
        'slack:      14,434 bytes (14.1 KiB) unused in pages that are not free',
        'pages:      7 of 4,096 bytes, 7 in use: 2 meta, 1 branch, 3 leaf, 1 overflow',
        'file:       28,672 bytes (28.0 KiB), 0 of them behind the last page',
        '',
        'by prefix',
        '      live  history  tombstones  records  keys  name',
        '   2.1 KiB  3.0 KiB           1        6     3  (all)',
        '   2.1 KiB  3.0 KiB           1        5     2    /registry/',
        '   2.0 KiB  3.0 KiB           1        4     1      /registry/pods/',
        '  52 bytes  0 bytes           0        1     1      /registry/minions/',
        '  28 bytes  0 bytes           0        1     1    "\\xff/"',
        '',
        'keys with the most records',
        '  records     live  key',
        '        2  deleted  /registry/pods/default/old',
        '        2  2.0 KiB  /registry/pods/default/web',
        '',
      ].join('\n'),
    );
  });

  test('by namespace and kind', async () => {
    const { stdout } = await run(['du', SMALL, '--by', 'namespace', '--top', '0']);
    const [, sections] = stdout.split(/\n\nby namespace and kind\n/);
    expect(sections).toContain('(no namespace)\n');
    expect(sections).toMatch(/ default\n[^\n]* {6}pods\n/);
    expect(sections).toContain('(other keys)\n');
    expect(sections).toContain('\nby kind\n');
    expect(stdout).not.toContain('most records');
  });

  test('by bucket', async () => {
    const { stdout } = await run(['du', SMALL, '--by', 'bucket', '--top', '0']);
    expect(stdout).toContain(
      [
        'by bucket',
        '     live  history  tombstones  records   pages     slack  name',
        '  2.1 KiB  3.0 KiB           1        6       4  10.6 KiB  key',
        '  0 bytes  0 bytes           0        0  inline   0 bytes  alarm',
      ].join('\n'),
    );
  });
});

describe('JSON', () => {
  test('a tree, the pages, the buckets and the keys with the most records', async () => {
    const { tree, pages, buckets, mostRevised, kinds } = await json(SMALL, '--depth', '1');
    expect(kinds).toBeUndefined();
    expect(tree).toMatchObject({ name: '', keys: 3, records: 6, tombstones: 1, deletedKeys: 1 });
    expect(tree.children).toMatchObject([
      { name: '/registry/', keys: 2 },
      { name: '"\\xff/"', nameHex: 'ff2f', keys: 1 },
    ]);
    expect(tree.children?.[0]).not.toHaveProperty('children');
    const bytes = tree.liveBytes + tree.historyBytes + tree.tombstoneBytes;
    expect(buckets.find(({ name }) => name === 'key')?.bytes).toBe(bytes);
    expect(pages).toMatchObject({ pageSize: 4096, highWaterMark: 7, free: 0, overflow: 1, slackBytes: 14_434 });
    expect(mostRevised[0]).toEqual({
      key: Buffer.from('/registry/pods/default/old').toString('base64'),
      keyText: '/registry/pods/default/old',
      records: 2,
      liveBytes: 0,
    });
  });

  test('names that are too many, and keys of no namespace', async () => {
    const { tree } = await json(SMALL, '--max-names', '1');
    expect(tree.children?.map(({ name, rest }) => [name, rest])).toEqual([
      ['/registry/', undefined],
      ['…other', 'other-names'],
    ]);
    expect(tree.children?.[0]?.children).toMatchObject([{ name: '/registry/…other', rest: 'other-names', records: 5 }]);
    const { tree: byNamespace, kinds } = await json(SMALL, '--by', 'namespace');
    expect(byNamespace.children?.map(({ name, rest }) => [name, rest])).toEqual([
      ['default', undefined],
      ['(no namespace)', 'no-namespace'],
      ['(other keys)', 'other-keys'],
    ]);
    expect(kinds?.map(({ name, keys }) => [name, keys])).toEqual([
      ['pods', 1],
      ['minions', 1],
    ]);
  });

  test('a registry of Kubernetes', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/k8s/m1');
    const { tree, kinds = [] } = await json(path, '--by', 'namespace');
    expect(kinds.map(({ name }) => name)).toContain('services/specs');
    expect(tree.children?.map(({ name }) => name)).toContain('kube-node-lease');
    const total = (nodes: readonly Node[]): number => nodes.reduce((sum, { records }) => sum + records, 0);
    const others = tree.children?.filter(({ rest }) => rest === 'other-keys') ?? [];
    expect(total(kinds) + total(others)).toBe(tree.records);
    const pods = await json(path, '--prefix', '/registry/pods/', '--depth', '1');
    expect(pods.tree).toMatchObject({ name: '/registry/pods/', keys: kinds.find(({ name }) => name === 'pods')?.keys });
  });
});

test.each([
  [['--by', 'bucket', '--prefix', '/a'], '--prefix says nothing of buckets'],
  [['--depth', '101'], 'depth must be a whole number from 0 to 100'],
  [['--by', 'size'], '--by must be one of prefix, bucket, namespace'],
])('wrong usage: %j', async (args, message) => {
  const { code, stderr } = await run(['du', SMALL, ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('records that cannot be read are told', async () => {
  const bad = writeWorkFile(folder, 'bad.db', await makeDb({ key: [['not a revision', 'x']] }));
  const { code, stdout, stderr } = await run(['du', bad, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ unreadableRecords: 1, tree: { records: 0 } });
  expect(stderr).toContain('1 record cannot be read');
});
