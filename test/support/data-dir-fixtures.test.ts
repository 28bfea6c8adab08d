/**
 * The data directories that other tests use are those that the servers left.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataDir as openPath } from '../../src/node.ts';
import { dataDirFixture, dataDirFixtures, hasOtherDb, openDirFixture, writeDataDir } from './data-dir-fixtures.ts';
import { logFixture } from './log-fixtures.ts';
import { temporaryDirectory } from './temporary-directory.ts';

test('every stored log has its db', () => {
  const wrong = dataDirFixtures().filter((name) => {
    const consistentIndex = openDirFixture(name).meta.consistentIndex ?? undefined;
    return consistentIndex !== logFixture(name).consistentIndex;
  });
  expect(wrong).toEqual([]);
  expect(dataDirFixtures().filter((name) => hasOtherDb(name, 'killed'))).toHaveLength(16);
});

test('on disk: the same files, sparse, with their modes', () => {
  const fixture = dataDirFixture('3.5.33/crash/m1');
  const path = writeDataDir(fixture, join(temporaryDirectory(), 'data'));
  for (const [name, { bytes, size, mode = 0o600 }] of fixture.content.files) {
    const stat = statSync(join(path, name));
    expect({ name, size: stat.size, mode: stat.mode & 0o777 }).toEqual({ name, size, mode });
    expect(readFileSync(join(path, name)).subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(stat.blocks * 512).toBeLessThan(bytes.length + 65536);
  }
  using written = openPath(path);
  expect(written.layout).toEqual(openDirFixture(fixture.path).layout);
  expect(written.snapFiles.map(({ name }) => name)).toEqual(fixture.snap.items.map(({ name }) => name));
  expect(written.wal.state).toEqual(openDirFixture(fixture.path).wal.state);
});
