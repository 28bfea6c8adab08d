// What must be there: a db beside a log, a log beside a db; and the folders of both.
import { expect, test } from 'vitest';
import { DatadirError } from '../../src/errors.ts';
import { segmentName } from '../../src/wal/segment-name.ts';
import { type DirContent, memoryDir, plainFile } from '../support/data-dir-fixtures.ts';
import { changed, checkDir, DB, found, SEGMENT, smallDataDir } from '../support/small-data-dir.ts';
import { metadata, putEntry, snapshot, state } from '../support/small-log.ts';

const LEVELS = ['sanity', 'full', 'deep'] as const;
const remove =
  (...paths: string[]) =>
  ({ files, folders }: DirContent): void => {
    for (const path of paths) {
      folders.delete(path);
      for (const name of [...files.keys()]) if (name === path || name.startsWith(`${path}/`)) files.delete(name);
    }
  };

test.each(LEVELS)('no db under a log that has every entry, level %s: nothing is lost', async (level) => {
  const report = checkDir(changed(await smallDataDir(), remove(DB)), { level });
  expect(found(report)).toEqual(['repairable DIR_DB_MISSING']);
  expect(report.findings[0]).toMatchObject({ file: DB, args: { lastIndex: '10' } });
  expect(report.dataDir).toMatchObject({ hasDb: false, hasWal: true, consistentIndex: null });
});

test('no db under a log that was purged', async () => {
  const records = [metadata(1n, 7n), state(2n, 1n, 11n)];
  for (let index = 12n; index <= 20n; index++) records.push(putEntry(2n, index, 'k', 'v'));
  records.push(state(2n, 1n, 20n), snapshot(15n, 2n, 1n));
  const purged = await smallDataDir({ records, segment: segmentName(3n, 12n), snapFiles: [15], applied: null });
  expect(found(checkDir(purged))).toEqual(['corrupt DIR_DB_MISSING']);
});

test('the folder of the db is gone with it', async () => {
  const report = checkDir(changed(await smallDataDir(), remove('member/snap')));
  expect(found(report)).toEqual(['repairable DIR_DB_MISSING']);
  expect(report.findings[0]?.args).toMatchObject({ reason: 'there is no folder member/snap' });
  // Up to 3.6 a start begins with the first entry; 3.7 at the snapshot of which there is a record.
  expect(report.wal?.etcd.map(({ snapshot: from }) => from?.index ?? null)).toEqual([null, null, null, '5']);
});

test.each(LEVELS)('no log beside a db with entries, level %s', async (level) => {
  for (const paths of [[SEGMENT], ['member/wal']]) {
    const report = checkDir(changed(await smallDataDir(), remove(...paths)), { level });
    expect(found(report)).toEqual(['corrupt DIR_WAL_MISSING']);
    expect(report.dataDir).toMatchObject({ hasWal: false, consistentIndex: '10', lastIndex: null });
  }
});

test('no log beside a db without entries: a member that has not begun', async () => {
  const dir = await smallDataDir({ consistentIndex: null, applied: 0, dbTerm: null, clusterVersion: '3.4.0' });
  expect(found(checkDir(changed(dir, remove('member/wal')), { level: 'full' }))).toEqual(['info DIR_WAL_NOT_BEGUN']);
});

test('neither', async () => {
  const report = checkDir(changed(await smallDataDir(), remove(SEGMENT, DB)));
  expect(found(report)).toContain('corrupt DIR_NOTHING_THERE');
  expect(report.verdict).toBe('damaged');
});

test('a db that is a directory is none; one that cannot be opened is not called missing', async () => {
  const folder = changed(await smallDataDir(), (content) => {
    remove(DB)(content);
    content.folders.add(DB);
  });
  expect(found(checkDir(folder))).toEqual(['repairable DIR_DB_MISSING']);
  const dir = await smallDataDir();
  const open = (): never => {
    throw new DatadirError('NO_PERMISSION', 'db: permission denied');
  };
  const items = dir.snap.items.map((item) => (item.name === 'db' ? { ...item, open } : item));
  const report = checkDir({ ...dir, snap: { ...dir.snap, items } });
  expect(found(report)).toEqual(['unknown DIR_UNREADABLE']);
  expect(report.verdict).toBe('undecided');
});

test('a segment that cannot be opened is told, and the others are looked at', async () => {
  const dir = await smallDataDir();
  const open = (): never => {
    throw new DatadirError('IO_FAILED', 'bad disk');
  };
  const name = segmentName(1n, 11n);
  const gone = segmentName(2n, 12n);
  const items = [
    ...dir.wal.items,
    { name, type: 'file' as const, open },
    {
      name: gone,
      type: 'file' as const,
      open: (): never => {
        throw new DatadirError('NOT_FOUND', 'purged');
      },
    },
  ];
  const report = checkDir({ ...dir, wal: { ...dir.wal, items } });
  expect(found(report)).toContain('unknown WAL_UNREADABLE');
  expect(report.findings[0]).toMatchObject({ file: `member/wal/${name}` });
  expect(report.wal?.segments.map(({ name: each }) => each)).toEqual([segmentName(0n, 0n), name]);
  expect(report.wal?.lastIndex).toBe('10');
});

test('a plain file called wal or snap', async () => {
  const dir = changed(await smallDataDir(), (content) => {
    remove('member/wal')(content);
    content.files.set('member/wal', plainFile(new Uint8Array(3)));
  });
  expect(found(checkDir(dir))).toEqual(['corrupt DIR_WAL_MISSING', 'repairable DIR_NOT_A_DIRECTORY']);
});

test('a folder that cannot be listed: nothing is called missing', async () => {
  const dir = await smallDataDir();
  const unreadable = { ...dir.wal, state: 'unreadable' as const, reason: 'no permission', items: [] };
  const report = checkDir({ ...dir, wal: unreadable });
  expect(found(report)).toEqual(['unknown DIR_UNREADABLE']);
  expect(report.findings[0]).toMatchObject({ file: 'member/wal', args: { reason: 'no permission' } });
});

test('directories of other kinds', () => {
  const made = (files: string[], folders: string[] = []) =>
    memoryDir({ files: new Map(files.map((path) => [path, plainFile(new Uint8Array(1))])), folders: new Set(folders) });
  expect(found(checkDir(made([])))).toEqual(['corrupt DIR_NOTHING_THERE']);
  expect(found(checkDir({ ...made([]), root: { path: '.', state: 'missing', items: [] } }))).toEqual([
    'corrupt DIR_NOTHING_THERE',
  ]);
  expect(found(checkDir(made(['snap/0.snap', 'wal/0-0.wal'])))).toContain('refuse DIR_LAYOUT_2_0');
  expect(found(checkDir(made(['member'])))).toEqual(['corrupt DIR_NOT_A_DIRECTORY']);
  const proxy = made(['proxy/cluster']);
  expect(found(checkDir(proxy, { etcdVersion: '3.5' }))).toEqual(['info DIR_PROXY']);
  expect(found(checkDir(proxy, { etcdVersion: '3.6' }))).toEqual(['refuse DIR_PROXY']);
  const report = checkDir(proxy, { etcdVersion: '3.4' });
  expect(report.dataDir?.layout).toBe('proxy');
  expect(report.dataDir?.versions.map(({ findings }) => findings[0]?.severity)).toEqual([
    'info',
    'info',
    'refuse',
    'refuse',
  ]);
});

test('names of other things are told, and harm nothing', async () => {
  const dir = changed(await smallDataDir(), ({ files, folders }) => {
    for (let i = 0; i < 12; i++) files.set(`file${i}`, plainFile(new Uint8Array(1)));
    files.set('member/.touch', plainFile(new Uint8Array()));
    folders.add('member/wal.tmp');
    folders.add('proxy');
  });
  const report = checkDir(dir);
  expect(found(report)).toEqual(['repairable DIR_PROXY_BESIDE_MEMBER', 'info DIR_NAMES_STRANGE', 'info DIR_LEFTOVERS']);
  expect(report.findings[1]?.args).toMatchObject({ count: '12', names: expect.stringMatching(/, file7 and 2 more$/) });
  expect(report.findings[2]?.args).toEqual({ count: '2', names: 'member/.touch, member/wal.tmp' });
});
