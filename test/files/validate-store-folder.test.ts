// A store in a local folder, named in all the ways in which people name one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listStoreFolder, readStoreState } from '../../src/files/store-folder.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** As a real store of `etcdbrctl` with prefix etcd-main holds them. */
const OBJECTS = [
  'Full-00000000-00000012-1794804198.gz',
  'Incr-00000013-00000021-1794804201.gz',
  'Incr-00000022-00000032-1794804204.gz',
  'Incr-00000033-00000043-1794804207.gz',
  'Incr-00000044-00000053-1794804213.gz',
];

function write(folder: string, path: string, content = 'x'): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function makeStore(prefix = 'etcd-main/v2', objects: readonly string[] = OBJECTS): string {
  const folder = temporaryDirectory();
  for (const name of objects) write(folder, `${prefix}/${name}`);
  return folder;
}

const FOUND = { state: 'found', revision: '53', restorable: '53', base: `v2/${OBJECTS[0]}`, deltas: 4, gap: null };

describe('a store is found', () => {
  test.each([
    ['as the folder above the prefix', ''],
    ['as the prefix', 'etcd-main'],
    ['as the layout in it', 'etcd-main/v2'],
  ])('%s', (_, below) => {
    const folder = makeStore();
    expect(readStoreState(join(folder, below))).toMatchObject({ ...FOUND, location: join(folder, 'etcd-main') });
  });

  test('as an address', () => {
    expect(readStoreState(pathToFileURL(makeStore()).href)).toMatchObject(FOUND);
  });

  test('as a folder with the objects right in it', () => {
    expect(readStoreState(makeStore('.'))).toMatchObject(FOUND);
  });

  test('in layout v1, and in both side by side', () => {
    const folder = makeStore('etcd-main/v2', ['Full-00000000-00000053-1794809999.gz']);
    for (const name of OBJECTS) write(folder, `etcd-main/v1/Backup-1794804198/${name}`);
    expect(listStoreFolder(folder).objects).toHaveLength(6);
    expect(readStoreState(folder)).toMatchObject({ revision: '53', deltas: 0, base: expect.stringMatching(/^v2/) });
  });
});

test('an empty one is empty', () => {
  expect(readStoreState(temporaryDirectory())).toMatchObject({ state: 'empty', revision: null, base: null });
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'etcd-main/v2'), { recursive: true });
  expect(readStoreState(folder)).toMatchObject({ state: 'empty' });
});

test('what is no snapshot is passed over and counted: other names, empty files, folders of parts', () => {
  const folder = makeStore();
  write(folder, 'etcd-main/v2/README', 'x');
  write(folder, 'etcd-main/v2/Full-00000000-00000099-1794809999.gz', '');
  write(folder, 'etcd-main/v2/Full-00000000-00000098-1794809999.gz/0000000001', 'x');
  expect(readStoreState(folder)).toMatchObject({ ...FOUND, ignored: 3 });
});

test('one that is not there, or is no folder, is unreadable: that is not the same as empty', () => {
  const folder = temporaryDirectory();
  expect(readStoreState(join(folder, 'gone'))).toMatchObject({ state: 'unreadable', reason: expect.any(String) });
  writeFileSync(join(folder, 'file'), 'x');
  expect(readStoreState(join(folder, 'file'))).toMatchObject({ state: 'unreadable' });
});

// The reference lists by the beginning of a name: the backups of etcd-main2 count as those of etcd-main.
test('backups of several clusters are never mixed', () => {
  const folder = makeStore();
  write(folder, 'etcd-main2/v2/Full-00000000-00000999-1794809999.gz');
  expect(() => readStoreState(folder)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(readStoreState(join(folder, 'etcd-main'))).toMatchObject(FOUND);
});

test('one that is too large to be searched is not taken for empty', () => {
  const folder = temporaryDirectory();
  for (let i = 0; i < 1001; i++) mkdirSync(join(folder, `folder-${i}`));
  expect(() => readStoreState(folder)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('stores elsewhere cannot be read yet', () => {
  expect(() => readStoreState('s3://bucket/etcd-main')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  expect(() => readStoreState('file://host/etcd-main')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
