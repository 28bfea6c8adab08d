import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openBackendPath } from '../../src/files/open-backend.ts';
import { BackendAtPath } from '../../src/worker/backend-at-path.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture, logFixtures, unpack } from '../support/log-fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-open-backend-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SNAPSHOT = readFixture('etcd/3.6.14/busy/snapshot');

let count = 0;
function write(bytes: Uint8Array, name = 'file.db'): string {
  const place = join(folder, `${count++}`);
  mkdirSync(place);
  const path = join(place, name);
  writeFileSync(path, bytes);
  return path;
}

/** A data directory of a fixture. */
function dataDirectory(name: string): string {
  const path = join(folder, `${count++}`);
  unpack(logFixture(name), path);
  writeFileSync(join(path, 'member', 'snap', 'db'), readFixture(`etcd/${name}`));
  return path;
}

function kindOf(path: string): string {
  const opened = openBackendPath(path);
  opened.close();
  return opened.kind;
}

describe('what a path is', () => {
  test('a db, a snapshot with its sha256, one that was cut off, and one that was cut in it', () => {
    expect(kindOf(write(readFixture('etcd/3.6.14/busy/m1')))).toBe('db');
    expect(kindOf(write(SNAPSHOT))).toBe('snapshot');
    expect(kindOf(write(SNAPSHOT.slice(0, -32)))).toBe('db');
    expect(kindOf(write(SNAPSHOT.slice(0, -5)))).toBe('snapshot');
  });

  test.each([
    ['a gzipped snapshot', gzipSync(SNAPSHOT), 'file.db.gz', 'UNKNOWN_KIND', /gzip/],
    ['an unfinished download', SNAPSHOT, 'snapshot.db.part', 'UNKNOWN_KIND', /\.part/],
    ['an empty file', new Uint8Array(), 'file.db', 'UNKNOWN_KIND', /empty/],
    ['text', new TextEncoder().encode('hello'.repeat(2000)), 'file.db', 'UNKNOWN_KIND', /cannot be told/],
    ['a segment of a log', new Uint8Array(8), '0000000000000000-0000000000000000.wal', 'UNKNOWN_KIND', /segment/],
    ['a .snap file', new Uint8Array(8), '0000000000000002-00000000000000ca.snap', 'UNKNOWN_KIND', /\.snap/],
    ['both metas gone', SNAPSHOT.slice().fill(0xff, 24, 60).fill(0xff, 4120, 4160), 'db', 'BOLT_NO_META', /meta/],
  ])('%s is named, not read', (_, bytes, name, code, words) => {
    expect(() => openBackendPath(write(bytes, name))).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(words) }),
    );
  });

  test('nothing there, an empty directory, a data directory without a db', () => {
    expect(() => openBackendPath(join(folder, 'nowhere'))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    const empty = join(folder, `${count++}`);
    mkdirSync(empty);
    expect(() => openBackendPath(empty)).toThrow(expect.objectContaining({ code: 'UNKNOWN_KIND' }));
    mkdirSync(join(empty, 'member', 'snap'), { recursive: true });
    expect(() => openBackendPath(empty)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

describe('a data directory', () => {
  const stopped = logFixtures().filter(({ name }) => /\/(busy|crash|tail-auth|empty)\/m1$/.test(name));
  test.each(stopped)('$name: what the log holds beyond the db is counted', ({ name }) => {
    const opened = new BackendAtPath(dataDirectory(name));
    const { kind, log } = opened;
    const { consistentIndex } = opened.meta();
    opened.close();
    expect(kind).toBe('data-dir');
    expect(log?.damage).toBeUndefined();
    expect(log?.notReplayed).toBe(log!.lastIndex - (consistentIndex ?? 0n));
    if (/crash|tail/.test(name)) expect(log?.notReplayed).toBeGreaterThan(3n);
  });

  test('cluster and member are those of the log', () => {
    const opened = new BackendAtPath(dataDirectory('3.6.14/busy/m1'));
    expect(opened.log).toMatchObject({ clusterId: 3784574454373908735n, memberId: 15895336143146158737n });
    opened.close();
  });

  test('a folder below it serves as well; without a log there is nothing to say of it', () => {
    const path = dataDirectory('3.6.14/busy/m1');
    for (const part of ['member', 'member/snap']) {
      const opened = new BackendAtPath(join(path, part));
      expect(opened.kind).toBe('data-dir');
      expect(opened.log?.notReplayed).toBe(0n);
      opened.close();
    }
    rmSync(join(path, 'member', 'wal'), { recursive: true });
    const opened = new BackendAtPath(path);
    expect(opened.log).toBeUndefined();
    opened.close();
  });

  test('a damaged log does not stand in the way', () => {
    const path = dataDirectory('3.6.14/busy/m1');
    const [segment] = logFixture('3.6.14/busy/m1').walFiles;
    const bytes = segment!.bytes.slice();
    bytes.fill(0xee, 5000, 6000);
    writeFileSync(join(path, 'member', 'wal', segment!.name), bytes);
    const opened = new BackendAtPath(path);
    expect(opened.log?.damage).toMatch(/\.wal, byte \d+/);
    opened.close();
  });
});
