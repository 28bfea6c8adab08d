// What kind of directory it is, by the names in it.
import { expect, test } from 'vitest';
import { readLayout } from '../../src/datadir/layout.ts';
import { memoryDir, plainFile } from '../support/data-dir-fixtures.ts';

const layout = (...paths: string[]) =>
  readLayout(
    memoryDir({ files: new Map(paths.map((path) => [path, plainFile(new Uint8Array())])), folders: new Set() }),
  );

test.each([
  ['a member', ['member/snap/db'], 'member'],
  ['a proxy', ['proxy/cluster'], 'proxy'],
  ['both', ['member/snap/db', 'proxy/cluster'], 'both'],
  ['etcd 2.0', ['snap/0.snap', 'wal/0-0.wal'], 'etcd-2.0'],
  ['one of its folders is not enough', ['wal/0-0.wal'], 'empty'],
  ['nothing', [], 'empty'],
] as const)('%s', (_, paths, kind) => {
  expect(layout(...paths).kind).toBe(kind);
});

test('a directory that is not there', () => {
  const files = memoryDir({ files: new Map(), folders: new Set() });
  expect(readLayout({ ...files, root: { ...files.root, state: 'missing' } }).kind).toBe('missing');
});

test('other names: leftovers of crashes apart from strange ones', () => {
  const names = [
    'member/snap/db',
    'member/.touch',
    'member/wal.tmp/0.wal',
    'member/wal.broken.20200101.000000.1/0.wal',
  ];
  const { strange, leftovers } = layout(...names, 'member/wal.old/a', '.touch', 'lost+found/x', 'notes');
  expect(strange).toEqual(['lost+found', 'notes', 'member/wal.old']);
  expect(leftovers).toEqual(['.touch', 'member/.touch', 'member/wal.broken.20200101.000000.1', 'member/wal.tmp']);
});
