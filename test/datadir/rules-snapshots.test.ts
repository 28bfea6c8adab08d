// `.snap` files and the records of them in the log: which of the two is missing, and what a release can start from.
import { describe, expect, test } from 'vitest';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { plainFile } from '../support/data-dir-fixtures.ts';
import { changed, checkDir, found, type SmallDirOptions, smallDataDir } from '../support/small-data-dir.ts';
import { metadata, putEntry, snapshot, state } from '../support/small-log.ts';
import { snapFile, v2Document } from '../support/snap-files.ts';

const check = async (options: SmallDirOptions) => checkDir(await smallDataDir(options), { level: 'full' });

test('a file without a record is what a crash between the two writes leaves', async () => {
  const report = await check({ snapshots: [5], snapFiles: [5, 8] });
  expect(found(report)).toEqual(['info DIR_SNAP_ORPHAN']);
  expect(report.findings[0]).toMatchObject({ file: 'member/snap/0000000000000002-0000000000000008.snap' });
  expect(report.snap?.startsFrom).toBe('0000000000000002-0000000000000005.snap');
  expect(report.dataDir?.snapshots).toEqual([
    { index: '5', term: '2', hasFile: true, hasWalRecord: true },
    { index: '8', term: '2', hasFile: true, hasWalRecord: false },
  ]);
});

test('older ones, whose records went with their segments, are no matter', async () => {
  expect(found(await check({ snapshots: [8], snapFiles: [4, 6, 8] }))).toEqual([]);
});

test('several of them show that records are lost', async () => {
  const report = await check({ snapshots: [], snapFiles: [5, 8] });
  expect(found(report)).toEqual(['repairable DIR_SNAP_RECORDS_MISSING']);
  expect(report.findings[0]?.args).toEqual({ files: '2', newest: '0' });
});

describe('a record without a file', () => {
  test('as long as there is an older one, or the first entry', async () => {
    const report = await check({ snapshots: [5, 8], snapFiles: [5] });
    expect(found(report)).toEqual(['repairable DIR_SNAP_FILE_MISSING']);
    expect(found(await check({ snapshots: [8], snapFiles: [] }))).toEqual(['repairable DIR_SNAP_FILE_MISSING']);
    expect(report.wal?.etcd.map(({ snapshot: from }) => from?.index)).toEqual(['5', '5', '5', '8']);
    expect(
      report.dataDir?.versions.every(({ findings }) => findings.every(({ code }) => code !== 'DIR_NO_SNAPSHOT')),
    ).toBe(true);
  });

  const purged = async (snapFiles: number[], more: SmallDirOptions = {}) => {
    const records = [metadata(1n, 7n), state(2n, 1n, 11n)];
    for (let index = 12n; index <= 20n; index++) records.push(putEntry(2n, index, `k${index}`, `v${index}`));
    records.push(state(2n, 1n, 20n), snapshot(15n, 2n, 1n), snapshot(18n, 2n, 1n));
    const segment = '0000000000000003-000000000000000c.wal';
    return smallDataDir({ records, segment, snapFiles, last: 20, ...more });
  };

  test('in a purged log: releases up to 3.6 have nothing to start from', async () => {
    expect(found(checkDir(await purged([18]), { level: 'full' }))).toEqual([]);
    expect(found(checkDir(await purged([15]), { level: 'full' }))).toEqual(['repairable DIR_SNAP_FILE_MISSING']);
    const none = await purged([]);
    for (const etcdVersion of ETCD_MINORS) {
      const codes = found(checkDir(none, { level: 'full', etcdVersion }));
      expect(codes).toContain('repairable DIR_SNAP_FILE_MISSING');
      expect(codes.includes('corrupt DIR_NO_SNAPSHOT'), etcdVersion).toBe(etcdVersion !== '3.7');
    }
    const { dataDir } = checkDir(none, { level: 'full', etcdVersion: '3.7' });
    const without = dataDir?.versions.filter(({ findings }) => findings.some(({ code }) => code === 'DIR_NO_SNAPSHOT'));
    expect(without?.map(({ version }) => version)).toEqual(['3.4', '3.5', '3.6']);
  });
});

test('a newest file that cannot be used: 3.7 does not open it', async () => {
  const damaged = changed(await smallDataDir({ snapshots: [5, 8] }), ({ files }) => {
    files.set('member/snap/0000000000000002-0000000000000008.snap', plainFile(new Uint8Array(7)));
  });
  for (const etcdVersion of ETCD_MINORS) {
    const report = checkDir(damaged, { level: 'full', etcdVersion });
    expect(
      report.findings.some(({ code, file }) => code.startsWith('SNAP_') && file?.startsWith('member/snap/0') === true),
    ).toBe(true);
    expect(report.wal?.etcd.map(({ snapshot: from }) => from?.index)).toEqual(['5', '5', '5', '8']);
  }
});

test('keys of the v2 API are a matter for 3.6 only', async () => {
  const custom = snapFile({ document: v2Document('"1":{"Path":"/1","Children":{"a":{"Path":"/1/a","Value":"x"}}}') });
  const dir = changed(await smallDataDir({ clusterVersion: '3.5.0' }), ({ files }) => {
    files.set('member/snap/0000000000000002-0000000000000005.snap', plainFile(custom));
  });
  const report = checkDir(dir, { level: 'full' });
  expect(report.verdict).toBe('healthy');
  const refusing = report.dataDir?.versions.filter(({ findings }) =>
    findings.some(({ code }) => code === 'DIR_V2_CONTENT'),
  );
  expect(refusing?.map(({ version }) => version)).toEqual(['3.6']);
  expect(found(checkDir(dir, { level: 'full', etcdVersion: '3.6' }))).toContain('refuse DIR_V2_CONTENT');
});
