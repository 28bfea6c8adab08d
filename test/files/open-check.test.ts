/**
 * What a check by path takes for what.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, checkSnap, checkWal, readSnap, readWal } from '../../src/node.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const WAL = join(FIXTURES, 'example', 'member', 'wal');
const SNAP = join(FIXTURES, 'example', 'member', 'snap');
const SEGMENT = join(WAL, '0000000000000000-0000000000000000.wal');
const NEWEST = join(SNAP, '0000000000000002-000000000000012f.snap');

test.each([
  ['a bolt file', join(FIXTURES, 'example.db'), 'db'],
  ['the directory of a log', WAL, 'wal'],
  ['a segment', SEGMENT, 'wal'],
  ['a snap folder', SNAP, 'snap'],
  ['a snap file', NEWEST, 'snap'],
])('%s', async (_, path, kind) => {
  const report = await check(path, { worker: false });
  expect(report).toMatchObject({ kind, path, verdict: 'healthy' });
});

test('a segment is known by its head whatever its name is', async () => {
  const path = join(temporaryDirectory(), 'copy');
  writeFileSync(path, readFileSync(SEGMENT));
  expect(await check(path, { worker: false })).toMatchObject({
    kind: 'wal',
    verdict: 'healthy',
    wal: { entries: 380 },
  });
});

test('a file called .wal or .snap is one, however little is left of it', async () => {
  const folder = temporaryDirectory();
  const names = ['0000000000000000-0000000000000000.wal', '0000000000000002-000000000000012f.snap'];
  const kinds: string[] = [];
  for (const name of names) {
    writeFileSync(join(folder, name), '');
    const report = await check(join(folder, name), { worker: false });
    kinds.push(`${report.kind} ${report.verdict}`);
  }
  expect(kinds).toEqual(['wal damaged', 'snap repairable']);
});

test('another directory is refused', async () => {
  const folder = temporaryDirectory();
  await expect(check(folder)).rejects.toMatchObject({ code: 'UNKNOWN_KIND', path: folder });
  await expect(check(join(folder, 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // With the place of its log named, it is a data directory, of which nothing is there.
  const options = { worker: false, walDir: WAL };
  expect(await check(folder, options)).toMatchObject({ kind: 'data-dir', verdict: 'damaged' });
});

test('a data directory, and its folder member', async () => {
  const folder = writeDataDir(dataDirFixture('3.6.14/fresh/m1'), join(temporaryDirectory(), 'data'));
  const whole = await check(folder, { worker: false });
  expect(whole).toMatchObject({ kind: 'data-dir', path: folder, verdict: 'healthy', dataDir: { inUse: false } });
  const member = join(folder, 'member');
  const same = { ...whole, path: member, elapsedMs: expect.any(Number) as number };
  expect(await check(member, { worker: false })).toEqual(same);
  // A copy of it under another name is not called a directory of etcd 2.0.
  renameSync(member, join(folder, 'copy'));
  await expect(check(join(folder, 'copy'))).rejects.toThrow('call it member');
});

test('a log that lies elsewhere', async () => {
  const folder = writeDataDir(dataDirFixture('3.6.14/fresh/m1'), join(temporaryDirectory(), 'data'));
  const walDir = join(folder, '..', 'log');
  renameSync(join(folder, 'member', 'wal'), walDir);
  expect(await check(folder, { worker: false })).toMatchObject({ findings: [{ code: 'DIR_WAL_MISSING' }] });
  expect(await check(folder, { worker: false, walDir })).toMatchObject({
    verdict: 'healthy',
    wal: { lastIndex: '9' },
  });
});

test('the layout of etcd 2.0', async () => {
  const folder = temporaryDirectory();
  for (const name of ['snap', 'wal']) mkdirSync(join(folder, name));
  expect(await check(folder, { worker: false })).toMatchObject({ kind: 'data-dir', verdict: 'refused' });
});

test('the functions of one format take the same paths, and data directories', () => {
  const example = join(FIXTURES, 'example');
  for (const path of [example, WAL]) {
    expect(checkWal(path)).toMatchObject({ path, kind: 'wal', verdict: 'healthy' });
    using wal = readWal(path);
    expect(wal.state).toMatchObject({ lastIndex: 380n, hardState: { commit: 380n } });
  }
  expect(checkWal(SEGMENT).wal?.etcd).toEqual([]);
  for (const path of [example, SNAP, NEWEST]) expect(checkSnap(path)).toMatchObject({ path, verdict: 'healthy' });
  expect(readSnap(NEWEST)).toMatchObject({ index: 303n, term: 2n });
});
