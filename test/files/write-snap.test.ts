import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { checkSnapPath, readSnapFile } from '../../src/files/read-snap.ts';
import { openSnapFolder } from '../../src/files/snap-folder.ts';
import { writeSnap } from '../../src/files/write-snap.ts';
import { readSnap } from '../../src/snap/reader.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (isDatadirError(error)) return error.code;
    throw error;
  }
  return undefined;
}

describe('writing a snapshot', () => {
  const { name, bytes } = logFixture('3.7.1/busy/m1').snapFiles.at(-1)!;
  const snap = readSnap(bytes);

  test('gives the bytes that etcd wrote, under its name, and nothing else', () => {
    const folder = temporaryDirectory();
    const path = writeSnap(folder, snap, { etcdVersion: '3.7' });
    expect(path).toBe(join(folder, name));
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
    expect(readdirSync(folder)).toEqual([name]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('replaces nothing', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, name), 'there');
    expect(codeOf(() => writeSnap(folder, snap, { etcdVersion: '3.7' }))).toBe('TARGET_EXISTS');
    expect(readFileSync(join(folder, name), 'utf8')).toBe('there');
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('of index 0 is refused, as etcd never saves one', () => {
    expect(codeOf(() => writeSnap(temporaryDirectory(), { ...snap, index: 0n }, { etcdVersion: '3.6' }))).toBe('USAGE');
  });

  test('into a folder that is not there fails', () => {
    expect(codeOf(() => writeSnap(join(temporaryDirectory(), 'x'), snap, { etcdVersion: '3.6' }))).toBe('NOT_FOUND');
  });
});

test('by path, a file is read, and a file or a folder checked', async () => {
  const data = temporaryDirectory();
  const folder = join(data, 'member', 'snap');
  mkdirSync(folder, { recursive: true });
  const { name, bytes } = logFixture('3.6.14/busy/m1').snapFiles.at(-1)!;
  writeFileSync(join(folder, name), bytes);
  expect(readSnapFile(join(folder, name))).toMatchObject({ index: 303n, term: 2n });
  expect(checkSnapPath(data)).toMatchObject({ path: data, verdict: 'healthy', snap: { startsFrom: name } });
  expect(checkSnapPath(join(folder, name))).toMatchObject({ path: join(folder, name), verdict: 'healthy' });
});

describe('finding the snap folder', () => {
  test.each([
    ['the data directory', '.'],
    ['the folder of the member', 'member'],
    ['the folder itself, empty', 'member/snap'],
  ])('from %s', (_, below) => {
    const data = temporaryDirectory();
    const folder = join(data, 'member', 'snap');
    mkdirSync(folder, { recursive: true });
    expect(openSnapFolder(join(data, below))).toEqual({ path: folder, files: [] });
  });

  test('a folder of another name is one if something known is in it', () => {
    const copy = temporaryDirectory();
    expect(codeOf(() => openSnapFolder(copy))).toBe('UNKNOWN_KIND');
    writeFileSync(join(copy, 'readme'), '');
    expect(codeOf(() => openSnapFolder(copy))).toBe('UNKNOWN_KIND');
    writeFileSync(join(copy, '0000000000000001-0000000000000001.snap'), 'x');
    const found = openSnapFolder(copy);
    expect(found?.files.map(({ name }) => name).sort()).toEqual(['0000000000000001-0000000000000001.snap', 'readme']);
    const source = found!.files.find(({ name }) => name.endsWith('.snap'))!.open();
    expect(source.size).toBe(1);
    source.close();
  });

  test('a file is none, and what is not there is an error', () => {
    const data = temporaryDirectory();
    writeFileSync(join(data, 'file'), '');
    expect(openSnapFolder(join(data, 'file'))).toBeUndefined();
    expect(codeOf(() => openSnapFolder(join(data, 'nothing')))).toBe('NOT_FOUND');
  });
});
