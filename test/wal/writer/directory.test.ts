// Logs on a disk: made whole or not at all, never over anything, and not beside a running etcd.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../../src/errors.ts';
import { createWalDirectory, fileLogDirectory, openWalDirectory } from '../../../src/files/wal-directory.ts';
import { seeSegmentLock, segmentLocks } from '../../../src/files/wal-directory-lock.ts';
import { openFileSource } from '../../../src/io/file-source.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { decodeLog } from '../../support/wal-writer-decoder.ts';

const OPTIONS = { etcdVersion: '3.6', segmentSize: 4096 } as const;
const FIRST = '0000000000000000-0000000000000000.wal';
const IDS = { nodeId: 1n, clusterId: 2n };

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (isDatadirError(error)) return error.code;
    throw error;
  }
  return undefined;
}

const filesOf = (path: string) =>
  new Map(readdirSync(path).map((name) => [name, new Uint8Array(readFileSync(join(path, name)))]));

describe('a new log', () => {
  test('is there with its head, and goes on', () => {
    const path = join(temporaryDirectory(), 'wal');
    const log = createWalDirectory(path, IDS, OPTIONS);
    log.save({ term: 1n, vote: 1n, commit: 1n }, [{ term: 1n, index: 1n }]);
    log.cut();
    log.close();
    expect(readdirSync(path)).toEqual([FIRST, '0000000000000001-0000000000000002.wal']);
    expect(existsSync(`${path}.tmp`)).toBe(false);
    expect(decodeLog(filesOf(path)).records.map(({ type }) => type)).toEqual([4, 1, 5, 2, 3, 4, 1, 3]);
    expect(statSync(join(path, '0000000000000001-0000000000000002.wal')).size).toBe(4096);
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o700);
      expect(statSync(join(path, FIRST)).mode & 0o777).toBe(0o600);
    }
  });

  test('has segments of etcd’s size unless told otherwise', () => {
    const path = join(temporaryDirectory(), 'wal');
    createWalDirectory(path, IDS, { etcdVersion: '3.7' }).close();
    expect(statSync(join(path, FIRST)).size).toBe(64_000_000);
  });

  test('takes the place of an empty directory', () => {
    const path = join(temporaryDirectory(), 'wal');
    mkdirSync(path);
    createWalDirectory(path, IDS, OPTIONS).close();
    expect(readdirSync(path)).toEqual([FIRST]);
  });

  test('takes the place of nothing else', () => {
    const folder = temporaryDirectory();
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'notes.txt'), 'mine');
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    const link = join(folder, 'link');
    symlinkSync('nowhere', link);
    for (const path of [full, file, link]) {
      expect(
        codeOf(() => createWalDirectory(path, IDS, OPTIONS)),
        path,
      ).toBe('TARGET_EXISTS');
      expect(existsSync(`${path}.tmp`)).toBe(false);
    }
    expect(readFileSync(join(full, 'notes.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('clears away what an interrupted creation has left, and nothing else', () => {
    const folder = temporaryDirectory();
    const path = join(folder, 'wal');
    mkdirSync(`${path}.tmp`);
    writeFileSync(join(`${path}.tmp`, FIRST), 'half');
    createWalDirectory(path, IDS, OPTIONS).close();
    expect(decodeLog(filesOf(path)).stop).toBe('end');

    const other = join(folder, 'other');
    mkdirSync(`${other}.tmp`);
    writeFileSync(join(`${other}.tmp`, 'notes.txt'), 'mine');
    expect(codeOf(() => createWalDirectory(other, IDS, OPTIONS))).toBe('TARGET_EXISTS');
    expect(readFileSync(join(`${other}.tmp`, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('is not made where its directory is missing or when the call is wrong', () => {
    const folder = temporaryDirectory();
    expect(codeOf(() => createWalDirectory(join(folder, 'no', 'wal'), IDS, OPTIONS))).toBe('NOT_FOUND');
    expect(codeOf(() => createWalDirectory(join(folder, 'wal'), { nodeId: -1n }, OPTIONS))).toBe('USAGE');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a log that is there', () => {
  test('is appended to in place', () => {
    const path = join(temporaryDirectory(), 'wal');
    createWalDirectory(path, IDS, OPTIONS).close();
    const log = openWalDirectory(path, OPTIONS);
    log.save(undefined, [{ term: 1n, index: 1n }]);
    log.close();
    expect(openWalDirectory(path, OPTIONS).lastIndex).toBe(1n);
  });

  test('has to be there, whole and a directory', () => {
    const folder = temporaryDirectory();
    expect(codeOf(() => openWalDirectory(join(folder, 'no'), OPTIONS))).toBe('NOT_FOUND');
    expect(codeOf(() => openWalDirectory(folder, OPTIONS))).toBe('NOT_FOUND');
    const path = join(folder, 'wal');
    createWalDirectory(path, IDS, OPTIONS).close();
    const bytes = readFileSync(join(path, FIRST));
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    writeFileSync(join(path, FIRST), bytes);
    expect(codeOf(() => openWalDirectory(path, OPTIONS))).toBe('WAL_DAMAGED');
    expect(readFileSync(join(path, FIRST)).equals(bytes)).toBe(true);
  });

  test('keeps the names of its files to itself', () => {
    const path = temporaryDirectory();
    const directory = fileLogDirectory(path);
    directory.create('a').close();
    directory.create('b').close();
    expect(codeOf(() => directory.create('a'))).toBe('TARGET_EXISTS');
    expect(codeOf(() => directory.rename('a', 'b'))).toBe('TARGET_EXISTS');
    expect(codeOf(() => directory.rename('c', 'd'))).toBe('NOT_FOUND');
    expect(codeOf(() => directory.open('c'))).toBe('NOT_FOUND');
    expect(codeOf(() => directory.remove('c'))).toBe('NOT_FOUND');
    directory.rename('a', 'c');
    directory.remove('b');
    directory.sync();
    expect(directory.list()).toEqual(['c']);
  });

  test('needs the right to be written', () => {
    const path = join(temporaryDirectory(), 'wal');
    createWalDirectory(path, IDS, OPTIONS).close();
    chmodSync(join(path, FIRST), 0o444);
    for (const place of [path, dirname(path)]) chmodSync(place, 0o755);
    expect(codeOf(() => asOrdinaryUser(() => openWalDirectory(path, OPTIONS)))).toBe('NO_PERMISSION');
  });
});

describe('the lock of a segment', () => {
  test('is seen in the table of the system, of either kind', () => {
    const table = [
      '1: OFDLCK ADVISORY  WRITE -1 fe:00:77 0 EOF',
      '2: FLOCK  ADVISORY  WRITE 4711 fe:00:78 0 EOF',
      '3: POSIX  ADVISORY  WRITE 4711 fe:00:79 0 EOF',
      '4: -> OFDLCK ADVISORY  WRITE -1 fe:00:80 0 EOF',
      'nonsense',
    ].join('\n');
    expect(segmentLocks(table).map(({ inode }) => inode)).toEqual([77n, 78n]);
  });

  test('is matched with the open file', () => {
    const folder = temporaryDirectory();
    const source = openFileSource(segmentIn(folder));
    const { ino, dev } = statSync(source.path, { bigint: true });
    const hex = (value: bigint): string => value.toString(16).padStart(2, '0');
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    const line = (inode: bigint): string => `1: OFDLCK ADVISORY  WRITE -1 ${hex(major)}:${hex(minor)}:${inode} 0 EOF\n`;
    const table = join(folder, 'locks');
    writeFileSync(table, line(ino));
    expect(seeSegmentLock(source.descriptor, source.path, table)).toBe(true);
    writeFileSync(table, line(ino + 1n));
    expect(seeSegmentLock(source.descriptor, source.path, table)).toBe(false);
    expect(seeSegmentLock(source.descriptor, source.path, join(folder, 'none'))).toBe(false);
    source.close();
  });
});

function segmentIn(folder: string): string {
  const path = join(folder, 'segment');
  writeFileSync(path, 'x');
  return path;
}
