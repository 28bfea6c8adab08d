// The check of a data directory as a job: what each level looks at, how the parts come together, directories in use, hostile ones.
import { describe, expect, test } from 'vitest';
import { createCheckJob } from '../../src/datadir/check.ts';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import type { DataDirFiles } from '../../src/datadir/data-dir-files.ts';
import { isDatadirError } from '../../src/errors.ts';
import { check } from '../../src/index.ts';
import type { ByteSource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { dataDirFixture, type MemoryDir, openDirFixture, plainFile } from '../support/data-dir-fixtures.ts';
import { seededRandom } from '../support/faulty.ts';
import { changed, checkDir, DB, found, SEGMENT, smallDataDir } from '../support/small-data-dir.ts';
import { emptyEntry, metadata, putEntry, snapshot, state } from '../support/small-log.ts';

describe('levels', () => {
  test('sanity reads the ends of things only', () => {
    const small = checkDir(dataDirFixture('3.6.14/busy/m1'), { level: 'sanity' });
    expect(small).toMatchObject({ level: 'sanity', verdict: 'healthy', bolt: { previous: 'not-examined' } });
    expect(small).not.toHaveProperty('snap');
    expect(small).not.toHaveProperty('backend');
    expect(small.notExamined).toContain('.snap files');
    const segments = checkDir(dataDirFixture('3.6.14/segments/m1'), { level: 'sanity' });
    expect(segments.notExamined).toContain('log: the segments before the last');
    expect(segments.dataDir).toMatchObject({ memberId: segments.wal?.nodeId, inUse: false });
  });

  test('full adds pages, snap files and the whole log; deep the records', () => {
    const full = checkDir(dataDirFixture('3.6.14/busy/m1'), { level: 'full' });
    expect(full).toMatchObject({ snap: { startsFrom: '0000000000000002-000000000000012f.snap' }, bolt: {}, wal: {} });
    expect(full).not.toHaveProperty('backend');
    const deep = checkDir(dataDirFixture('3.6.14/busy/m1'), { level: 'deep' });
    expect(deep.backend).toMatchObject({ revision: '351', keys: 125 });
    expect(deep.dataDir).toMatchObject({
      layout: 'member',
      etcdVersion: '3.6',
      consistentIndex: '380',
      dbTerm: '2',
      commit: '380',
      firstIndex: '1',
      lastIndex: '380',
      notInDb: '0',
      snapshots: ['101', '202', '303'].map((index) => ({ index, term: '2', hasFile: true, hasWalRecord: true })),
    });
    expect(deep.notExamined.some((item) => item.includes('beside the log') || item.includes('the database'))).toBe(
      false,
    );
  });

  test('meta values are looked at on every level', async () => {
    const dir = await smallDataDir({ dbTerm: 0 });
    for (const level of ['sanity', 'full', 'deep'] as const) {
      expect(found(checkDir(dir, { level })), level).toEqual(['repairable BACKEND_TERM_ZERO']);
    }
  });

  test('so are versions, and the place of each finding is the same', async () => {
    const dir = await smallDataDir({ clusterVersion: '3.9.0' });
    for (const level of ['sanity', 'full', 'deep'] as const) {
      const report = checkDir(dir, { level });
      expect(found(report), level).toContain('refuse BACKEND_CLUSTER_VERSION_NEWER');
      expect(report.findings.every(({ file }) => file === DB)).toBe(true);
    }
  });
});

test('the release: as asked for, else that of the db, else that of the log or the .snap files', async () => {
  const target = async (options: Parameters<typeof smallDataDir>[0], etcdVersion?: '3.7') =>
    checkDir(await smallDataDir(options), { level: 'full', ...(etcdVersion === undefined ? {} : { etcdVersion }) })
      .dataDir?.etcdVersion;
  expect(await target({})).toBe('3.6');
  expect(await target({}, '3.7')).toBe('3.7');
  expect(await target({ clusterVersion: '3.4.0', dbTerm: null })).toBe('3.4');
  expect(await target({ applied: null, snapshots: [] })).toBe('3.5');
  const withoutDb = changed(dataDirFixture('3.6.14/busy/m1'), ({ files }) => files.delete(DB));
  expect(checkDir(withoutDb).dataDir?.etcdVersion).toBe('3.6');
  const logOnly = changed(withoutDb, ({ files }) => {
    for (const name of [...files.keys()]) if (name.endsWith('.snap')) files.delete(name);
  });
  expect(checkDir(logOnly).dataDir?.etcdVersion).toBe('3.6');
});

test('findings are counted over all parts, and cut at the limit, the worst first', async () => {
  const dir = changed(await smallDataDir({ consistentIndex: 20 }), ({ files }) => {
    for (let i = 0; i < 20; i++) files.set(`member/wal/${i}.tmp`, plainFile(new Uint8Array(1)));
    for (let i = 0; i < 5; i++) files.set(`member/snap/tmp${i}`, plainFile(new Uint8Array(1)));
  });
  const all = checkDir(dir);
  expect(all.counts).toEqual({ corrupt: 1, info: 25 });
  const few = checkDir(dir, { maxFindings: 3 });
  expect(few.counts).toEqual(all.counts);
  expect(few.findings).toEqual(all.findings.slice(0, 3));
  expect(few.findings[0]?.code).toBe('DIR_INDEX_BEYOND_LOG');
  expect(all.findings.map(({ file }) => file)).toContain('member/snap/tmp4');
});

test('what follows from damage of the log is told as that', async () => {
  const dir = await smallDataDir();
  const bytes = dir.content.files.get(SEGMENT)!.bytes.slice();
  // In the value of entry 7.
  bytes[Buffer.from(bytes).indexOf('v7')]! ^= 0xff;
  const report = checkDir(changed(dir, ({ files }) => files.set(SEGMENT, plainFile(bytes))));
  expect(report.verdict).toBe('damaged');
  const consequence = report.findings.find(({ code }) => code === 'DIR_INDEX_BEYOND_LOG');
  expect(consequence?.causedBy?.code).toMatch(/^WAL_/);
  expect(report.findings[0]?.code).toMatch(/^WAL_/);
});

describe('a directory in use', () => {
  const inUse = (dir: DataDirFiles): DataDirFiles => ({ ...dir, lookForUse: () => true });

  test('is told, and judged as far as it can be', async () => {
    const report = checkDir(inUse(await smallDataDir()));
    expect(found(report)).toEqual(['info DIR_IN_USE']);
    expect(report).toMatchObject({ verdict: 'healthy', dataDir: { inUse: true } });
    expect(report.notExamined).toEqual(
      expect.arrayContaining([
        expect.stringContaining('a running etcd writes both'),
        expect.stringContaining('running etcd'),
      ]),
    );
  });

  test('a log that is behind, and a db that is behind a snapshot, cannot be judged', async () => {
    expect(found(checkDir(inUse(await smallDataDir({ consistentIndex: 12 }))))).toEqual(['info DIR_IN_USE']);
    expect(found(checkDir(inUse(await smallDataDir({ snapshots: [8], applied: 6 }))))).toEqual(['info DIR_IN_USE']);
    expect(found(checkDir(inUse(await smallDataDir({ snapshots: [5, 8], snapFiles: [5] }))))).toEqual([
      'info DIR_IN_USE',
    ]);
  });

  /** A segment whose last record is there only from the n-th reading of its beginning on. */
  function growing(dir: MemoryDir, wholeFrom: number): DataDirFiles {
    const { bytes } = dir.content.files.get(SEGMENT)!;
    const end = bytes.length - 4096;
    let readings = 0;
    const source: ByteSource = {
      size: bytes.length,
      close: () => {},
      readInto: (target, offset) => {
        if (offset === 0) readings++;
        const seen = bytes.slice(offset, offset + target.length);
        // The last record is being written: its head is there, the rest not yet.
        if (readings < wholeFrom) seen.fill(0, Math.max(0, end - 8 - offset), Math.max(0, end - offset));
        target.set(seen);
        return seen.length;
      },
    };
    const items = dir.wal.items.map((item) => ({ ...item, open: () => source }));
    return inUse({ ...dir, wal: { ...dir.wal, items } });
  }

  test('a write in progress is no damage; what stays is', async () => {
    const dir = await smallDataDir();
    expect(found(checkDir({ ...growing(dir, 99), lookForUse: () => false }))[0]).not.toBe('info DIR_IN_USE');
    expect(found(checkDir(growing(dir, 3)))).toEqual(['info DIR_IN_USE']);
    expect(checkDir(growing(dir, 999)).verdict).not.toBe('healthy');
  });
});

test('every way to it gives the same report', async () => {
  const files = dataDirFixture('3.6.14/crash/m1');
  const plain = (report: object) => ({ ...report, elapsedMs: 0 });
  const direct = drain(new DataDirCheckJob(openDataDir(files), { level: 'deep' }));
  using dir = openDirFixture('3.6.14/crash/m1');
  const progress: number[] = [];
  const onProgress = ({ done, total }: { done: number; total: number }): void => {
    expect(done).toBeLessThanOrEqual(total);
    progress.push(done);
  };
  expect(plain(await check({ dataDir: files }, { level: 'deep', onProgress }))).toEqual(plain(direct));
  expect(plain(drain(createCheckJob({ dataDir: dir }, { level: 'deep' })))).toEqual(plain(direct));
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
});

test('it can be stopped', async () => {
  const controller = new AbortController();
  const files = dataDirFixture('3.6.14/k8s/m1');
  const running = check({ dataDir: files }, { level: 'deep', signal: controller.signal });
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a log of thousands of entries: none of its steps is long', async () => {
  const records = [metadata(1n, 7n), snapshot(0n, 0n), emptyEntry(2n, 1n)];
  for (let index = 2n; index <= 20_000n; index++) records.push(putEntry(2n, index, `key-${index}`, 'v'.repeat(200)));
  records.push(state(2n, 1n, 20_000n));
  const dir = await smallDataDir({ records, snapFiles: [], applied: 0, consistentIndex: 15_000 });
  const job = new DataDirCheckJob(openDataDir(dir), { level: 'deep' });
  let longest = 0;
  for (let finished = false; !finished; ) {
    const before = performance.now();
    finished = job.step();
    longest = Math.max(longest, performance.now() - before);
  }
  expect(found(job.result)).toContain('corrupt DIR_INDEX_TOO_HIGH');
  expect(longest).toBeLessThan(400);
});

test('whatever bytes the files have, there is a report', async () => {
  const random = seededRandom(7);
  const dir = await smallDataDir({ snapshots: [5, 8] });
  for (let round = 0; round < 150; round++) {
    const hostile = changed(dir, ({ files }) => {
      for (const [path, { bytes }] of [...files]) {
        if (random() < 0.4) continue;
        const copy = bytes.slice(0, random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length);
        const hits = Math.floor(random() * 12);
        for (let hit = 0; hit < hits; hit++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
        files.set(path, plainFile(copy));
      }
    });
    try {
      const report = checkDir(hostile, { level: (['sanity', 'full', 'deep'] as const)[round % 3]! });
      expect(report.dataDir?.versions.length).toBe(4);
    } catch (error) {
      expect(isDatadirError(error), `round ${round}: ${(error as Error).stack}`).toBe(true);
      throw error;
    }
  }
});
