// The check as a job: in steps, while another program writes, with few findings wanted, and where the disk does not read.
import { describe, expect, test } from 'vitest';
import { BackendCheckJob, checkBackend } from '../../../src/backend/check.ts';
import { check, createCheckJob } from '../../../src/datadir/check.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { drain, type Progress } from '../../../src/io/job.ts';
import { makeDb, put } from '../../support/backend-db.ts';
import { changingSource, nextTransaction } from '../../support/bolt-builder.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { faultySource } from '../../support/faulty.ts';
import { readFixture } from '../../support/fixtures.ts';
import { HEALTHY } from './catalogue.ts';

const wrong = await makeDb({ ...HEALTHY, key: [...HEALTHY['key']!, put(10, 0, { key: 'c', modRevision: 3 })] });

test('comes in steps whose progress never shrinks, and ends at its total', () => {
  const job = new BackendCheckJob(memorySource(readFixture('etcd/3.6.14/underload/snapshot')));
  let last: Progress = { done: 0, total: 0 };
  let steps = 0;
  for (let done = false; !done; steps++) {
    done = job.step();
    const { progress } = job;
    expect(progress.done).toBeGreaterThanOrEqual(last.done);
    expect(progress.total).toBeGreaterThanOrEqual(progress.done);
    last = progress;
  }
  expect(steps).toBeGreaterThan(10);
  expect(job.result.verdict).toBe('healthy');
  expect(() => new BackendCheckJob(memorySource(wrong)).result).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
});

describe('level deep of a file', () => {
  test('is this check, and full is not', async () => {
    expect(await check(wrong, { level: 'deep' })).toMatchObject({ level: 'deep', verdict: 'damaged' });
    expect(await check(wrong)).toMatchObject({ level: 'full', verdict: 'healthy' });
    expect(drain(createCheckJob(wrong, { level: 'deep', etcdVersion: '3.7' })).backend?.etcdVersion).toBe('3.7');
  });

  test('names the file, and gives a digest if one is asked for', async () => {
    const report = await check(wrong, { level: 'deep', path: 'x/db', digest: true });
    expect(report.path).toBe('x/db');
    for (const finding of report.findings) expect(finding.file).toBe('x/db');
    expect(report.bolt?.digest?.pairs).toBeGreaterThan(10);
  });
});

test('few findings are listed, and all are counted', async () => {
  const key = Array.from({ length: 50 }, (_, i) => put(i + 2, 0, { key: `k${i}`, modRevision: 1 }));
  const db = await makeDb({ ...HEALTHY, key, meta: [['consistent_index', new Uint8Array(8).fill(1)]] });
  const all = checkBackend(db);
  expect(all.counts.corrupt).toBeGreaterThanOrEqual(50);
  const report = checkBackend(db, { maxFindings: 3 });
  expect(report.findings).toHaveLength(3);
  expect(report.counts).toEqual(all.counts);
  expect(report.verdict).toBe('damaged');
  expect(checkBackend(db, { maxFindings: 0 })).toMatchObject({ findings: [], verdict: 'damaged' });
});

describe('a file that is written to meanwhile', () => {
  /** Another transaction at each n-th read. */
  function busy(bytes: Uint8Array, every: number) {
    let current = bytes;
    let at = 0;
    return changingSource((read) => {
      for (; at + every <= read; at += every) current = nextTransaction(current);
      return current;
    });
  }

  test('is looked at again, and is healthy if it is', async () => {
    expect(drain(new BackendCheckJob(busy(await makeDb(HEALTHY), 3))).verdict).toBe('healthy');
  });

  test('is not said to be damaged as long as it never rests', () => {
    const report = drain(new BackendCheckJob(busy(wrong, 2)));
    expect(report.verdict).toBe('in-use');
    expect(report.findings.filter(({ code }) => code.startsWith('BACKEND_'))).toEqual([]);
    expect(report.findings.map(({ code }) => code as string)).toContain('BOLT_CHANGED_WHILE_READ');
  });

  test('is damaged if what was found is there after a rest', () => {
    const first = wrong.slice();
    const second = nextTransaction(wrong);
    let reads = 0;
    const source = changingSource(() => (reads++ < 12 ? first : second));
    expect(drain(new BackendCheckJob(source)).verdict).toBe('damaged');
  });
});

test('pages that cannot be read are passed over, and nothing is said to be missing', () => {
  const bytes = readFixture('etcd/3.6.14/busy/snapshot');
  const [, leaf] = new BoltEdit(bytes).leaves('key');
  const bad: [number, number] = [leaf! * 4096, (leaf! + 1) * 4096];
  const report = drain(new BackendCheckJob(faultySource(memorySource(bytes), { failAt: [bad] })));
  expect(report.findings.map(({ code }) => code as string)).toContain('BOLT_PAGE_UNREADABLE');
  expect(report.findings.filter(({ code, severity }) => code.startsWith('BACKEND_') && severity !== 'info')).toEqual(
    [],
  );
  expect(report.notExamined.join('\n')).toMatch(/history of keys: not all records can be read/);
  expect(report.backend).toMatchObject({ keys: null, trailer: 'not-examined' });
});

test('without a valid meta there is nothing of etcd to look at', () => {
  const report = checkBackend(new Uint8Array(8192));
  expect(report).toMatchObject({ verdict: 'damaged', level: 'deep' });
  expect(report.notExamined.join()).toContain("etcd's records");
});
