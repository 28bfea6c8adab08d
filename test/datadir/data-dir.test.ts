// An open data directory: its parts are opened when they are asked for, and closed together.
import { expect, test } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import type { Folder } from '../../src/datadir/data-dir-files.ts';
import { drain } from '../../src/io/job.ts';
import { dataDirFixture, plainFile } from '../support/data-dir-fixtures.ts';
import { goldenReplays } from '../support/golden-replay.ts';
import { changed, smallDataDir } from '../support/small-data-dir.ts';

/** Notes what is opened and closed. */
async function watched() {
  const dir = await smallDataDir();
  const log: string[] = [];
  const watch = (folder: Folder): Folder => ({
    ...folder,
    items: folder.items.map((item) => ({
      ...item,
      open: () => {
        log.push(`open ${item.name}`);
        const source = item.open();
        return {
          ...source,
          readInto: (target, offset) => source.readInto(target, offset),
          close: () => log.push(`close ${item.name}`),
        };
      },
    })),
  });
  return { files: { ...dir, snap: watch(dir.snap), wal: watch(dir.wal) }, log };
}

test('nothing is opened before it is asked for, and everything is closed', async () => {
  const { files, log } = await watched();
  {
    using dir = openDataDir(files);
    expect(dir).toMatchObject({ hasDb: true, hasWal: true, inUse: false, dbPath: 'member/snap/db', path: 'data' });
    expect(dir.snapFiles.map(({ name }) => name)).toEqual(['0000000000000002-0000000000000005.snap', 'db']);
    expect(log).toEqual([]);
    expect(dir.meta.consistentIndex).toBe(10n);
    expect(dir.ownVersion).toBe('3.6');
    expect(log).toEqual(['open db']);
    expect(dir.wal.state.lastIndex).toBe(10n);
    expect(dir.wal).toBe(dir.wal);
  }
  expect(log).toEqual([
    'open db',
    'open 0000000000000000-0000000000000000.wal',
    'close db',
    'close 0000000000000000-0000000000000000.wal',
  ]);
});

test('parts that are not there', async () => {
  const none = changed(await smallDataDir(), ({ files }) => files.clear());
  using dir = openDataDir(none);
  expect(dir).toMatchObject({ hasDb: false, hasWal: false, receivedDbs: [] });
  expect(() => dir.db).toThrow(expect.objectContaining({ code: 'NOT_FOUND', path: 'member/snap/db' }));
  expect(dir.walFiles).toEqual({ segments: [], others: [] });
});

test('dbs received from a leader, in order of index; others in the folder of the log', async () => {
  const files = changed(await smallDataDir(), ({ files: all }) => {
    for (const name of ['0000000000000010.snap.db', '0000000000000009.snap.db', 'x.snap.db']) {
      all.set(`member/snap/${name}`, plainFile(new Uint8Array()));
    }
    all.set('member/wal/0.tmp', plainFile(new Uint8Array()));
  });
  using dir = openDataDir(files);
  expect(dir.receivedDbs.map(({ index }) => index)).toEqual([9n, 16n]);
  expect(dir.walFiles.others).toEqual(['0.tmp']);
});

test.each([
  ['3.4.23/busy/m1', '3.4'],
  ['3.5.33/fresh/m1', '3.5'],
  ['3.7.1/cluster/m4', '3.7'],
])('the release of %s', (name, minor) => {
  using dir = openDataDir(dataDirFixture(name));
  expect(dir.ownVersion).toBe(minor);
});

// A server that is killed at once leaves a db without any version, which was taken for one of 3.4 whatever the log said.
test.each(goldenReplays())(
  'the release of $name, whose db has nothing yet, is told by the log',
  ({ minor, directory }) => {
    using dir = openDataDir(directory('new'));
    expect(dir.ownVersion).toBe(minor);
    for (const level of ['sanity', 'full', 'deep'] as const) {
      const { verdict, dataDir } = drain(new DataDirCheckJob(dir, { level }));
      expect({ verdict, etcdVersion: dataDir?.etcdVersion }).toEqual({ verdict: 'healthy', etcdVersion: minor });
    }
  },
);
