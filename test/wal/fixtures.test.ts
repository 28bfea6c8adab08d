// The logs of real members: nothing is wrong with any, and what is said of them is what etcd-dump-logs says.
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { checkWal } from '../../src/wal/check.ts';
import { readWal } from '../../src/wal/reader.ts';
import { faultySource } from '../support/faulty.ts';
import { type LogFixture, logFixture, logFixtures, segments } from '../support/log-fixtures.ts';
import { steady } from './log-maker.ts';

const othersOf = ({ walFiles }: LogFixture): string[] =>
  walFiles.map(({ name }) => name).filter((name) => !name.endsWith('.wal'));

describe.each(logFixtures())('the log $name', (fixture) => {
  test('is healthy, and is what etcd-dump-logs says it is', () => {
    const report = checkWal({ segments: segments(fixture), others: othersOf(fixture) }, { path: fixture.name });
    const { verdict, findings, wal } = report;
    expect(verdict).toBe('healthy');
    // A crash leaves the segment that was being prepared.
    const left = findings.map(({ code, severity, file }) => `${code} ${severity} ${file}`);
    expect(left).toEqual(othersOf(fixture).map((name) => `WAL_LEFTOVER info ${name}`));
    expect(report.path).toBe(fixture.name);
    expect(report.kind).toBe('wal');

    const dump = fixture.dumpLogs();
    const [, nodeId, clusterId, term, commit, vote] =
      /nodeID=(\w+) clusterID=(\w+) term=(\d+) commitIndex=(\d+) vote=(\w+)/.exec(dump) ?? [];
    // It prints ids in hex.
    const id = (text: string | undefined): string => `${BigInt(`0x${text}`)}`;
    expect(wal).toMatchObject({ nodeId: id(nodeId), clusterId: id(clusterId), term, commit, vote: id(vote) });
    // The dump begins behind the newest snapshot.
    const [, snapTerm, snapIndex] = /^term=(\d+) index=(\d+) nodes=/m.exec(dump) ?? [];
    expect(wal?.snapshot).toEqual({ index: snapIndex ?? '0', term: snapTerm ?? '0' });
    const behind = Number(/^WAL entries: (\d+)$/m.exec(dump)?.[1]);
    // Where there is none it prints no index.
    const lastIndex = /^lastIndex=(\d+)$/m.exec(dump)?.[1] ?? snapIndex;
    expect(wal?.lastIndex).toBe(lastIndex);
    expect(Number(lastIndex) - Number(snapIndex ?? 0)).toBe(behind);
    expect(BigInt(wal?.lastIndex ?? 0)).toBeGreaterThanOrEqual(fixture.consistentIndex ?? 0n);
    expect(wal?.damage).toEqual([]);
    expect(wal?.segments.every(({ whole }) => whole)).toBe(true);
    expect(wal?.etcd.map(({ version }) => version)).toEqual(['3.4', '3.5', '3.6', '3.7']);
    const own = fixture.version.replace(/\.\d+$/, '') as EtcdMinor;
    expect(wal?.etcd.find(({ version }) => version === own)).toMatchObject({ outcome: 'starts', words: '', lastIndex });
  });

  test('has the records that etcd-dump-logs -raw prints', () => {
    using log = readWal({ segments: segments(fixture) });
    const counts: Record<string, number> = {};
    const names: Record<number, string> = { 1: 'Metadata', 2: 'Entry', 3: 'HardState', 4: 'CRC', 5: 'Snapshot' };
    for (const item of log.records()) {
      const name = item.kind === 'record' ? names[item.type]! : 'damage';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const raw: Record<string, number> = {};
    for (const [, name] of fixture.dumpLogsRaw().matchAll(/^(CRC|Metadata|Snapshot|Entry|HardState): /gm)) {
      raw[name!] = (raw[name!] ?? 0) + 1;
    }
    expect(counts).toEqual(raw);
  });
});

describe('how a log is read does not matter', () => {
  test.each(['3.4.23/nested/m1', '3.5.33/cluster/m4', '3.6.14/crash/m1', '3.7.1/upgraded/m1'])('%s', (name) => {
    const fixture = logFixture(name);
    const expected = steady(checkWal({ segments: segments(fixture) }));
    for (const windowSize of [8, 31, 64, 4096]) {
      expect(steady(checkWal({ segments: segments(fixture) }, { windowSize })), `window ${windowSize}`).toEqual(
        expected,
      );
    }
    // Short reads, and segments in another order.
    const slow = segments(fixture).map(({ name: file, source }) => ({
      name: file,
      source: faultySource(source, { shortReads: 3 }),
    }));
    expect(steady(checkWal({ segments: slow.reverse() }, { windowSize: 999 }))).toEqual(expected);
  });

  test('three segments of 64 MB, in small windows', () => {
    const fixture = logFixture('3.7.1/segments/m1');
    const expected = checkWal({ segments: segments(fixture) });
    expect(expected.verdict).toBe('healthy');
    expect(expected.wal?.segments.map(({ needed }) => needed)).toEqual([false, false, true]);
    expect(steady(checkWal({ segments: segments(fixture) }, { windowSize: 5000 }))).toEqual(steady(expected));
  });
});

test('a check of the last segment only finds the same end', () => {
  const fixture = logFixture('3.6.14/segments/m1');
  const report = checkWal({ segments: segments(fixture) }, { level: 'sanity' });
  expect(report.verdict).toBe('healthy');
  expect(report.wal?.lastIndex).toBe('202');
  expect(report.notExamined).toContain('the segments before the last');
  expect(report.bytesRead).toBeLessThan(66_000_000);
});
